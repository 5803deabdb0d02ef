// A hub that refuses, breaks off and lies.
#include <sys/file.h>

#include <fcntl.h>
#include <unistd.h>

#include "hub/credential.h"
#include "hub/hub.h"
#include "hub/wanted_files.h"
#include "unit/hub/hub_kit.h"

namespace hone::hub {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWeights = "model.safetensors";

class FaultTest : public HubTest {
 protected:
  std::string error() {
    Hub hub(options, nullptr, log);
    return error_of([&] { fetch_model(hub, tiny, true); });
  }

  // Answers the addresses that hold `part` with a status and a code.
  void answer_with(const std::string& part, int status, const std::string& code = "") {
    server.first = [=](const httplib::Request& request, httplib::Response& response) {
      if (request.path.find(part) == std::string::npos) return false;
      response.status = status;
      if (!code.empty()) response.set_header("X-Error-Code", code);
      response.set_content("no", "text/plain");
      return true;
    };
  }

  const std::string& weights() { return server.files.at(kWeights).bytes; }
  fs::path partial() { return folder() / "blobs" / (digest(kWeights) + ".incomplete"); }
};

TEST_F(FaultTest, GatedModelSaysHowToGetIt) {
  answer_with("/resolve/", 401, "GatedRepo");
  const std::string page = server.endpoint();
  EXPECT_EQ(error(),
            "config.json of model org/tiny\n  found: gated: its owner decides who gets "
            "it\n  to do: ask for access at " +
                page + "/org/tiny, make a token at " + page +
                "/settings/tokens, and give it as HF_TOKEN (or hf_hub_token)");
  options.token = kSecret;
  answer_with("/resolve/", 403, "GatedRepo");
  EXPECT_EQ(error(),
            "config.json of model org/tiny\n  found: gated, and the account of the token "
            "has no access to it\n  to do: ask for access at " +
                page + "/org/tiny; the token (" + page +
                "/settings/tokens) must be allowed to read gated repositories");
}

TEST_F(FaultTest, NameThatIsNotThereHasThoseNearIt) {
  tiny.id = "org/tinny";
  EXPECT_EQ(error(),
            "model org/tinny\n  found: no such model on 127.0.0.1:" + server.endpoint().substr(17) +
                ", or a private one and no token (did you mean 'org/tiny'?)\n  to do: "
                "correct the name, write the path of a folder on this machine, or, for a "
                "private one, give a token as HF_TOKEN (or hf_hub_token)");
  EXPECT_EQ(server.count("/api/models"), 2u);
  tiny.id = "some/thing";
  EXPECT_EQ(error().find("did you mean"), std::string::npos);
}

TEST_F(FaultTest, HubThatHidesNamesWithoutATokenIsNotTakenForABadToken) {
  answer_with("/api/models/", 401, "RepoNotFound");
  EXPECT_NE(error().find("no such model on"), std::string::npos);
  options.token = kSecret;
  EXPECT_NE(error().find("or one the token may not see"), std::string::npos);
}

TEST_F(FaultTest, TokenThatIsNotAcceptedIsSaidAndNotShown) {
  options.token = kSecret;
  answer_with("/api/models/", 401);
  const std::string text = error();
  EXPECT_NE(text.find("does not accept the token"), std::string::npos) << text;
  EXPECT_EQ(text.find(kSecret), std::string::npos);
}

TEST_F(FaultTest, RevisionThatIsNotThereIsNamed) {
  tiny.revision = "v9";
  answer_with("/api/models/", 404, "RevisionNotFound");
  EXPECT_NE(error().find("model org/tiny at revision v9\n  found: no revision 'v9' of it on"),
            std::string::npos);
  tiny.revision = "../main";
  EXPECT_NE(error().find("not the name of a revision"), std::string::npos);
  EXPECT_EQ(error(),
            "model_revision of org/tiny\n"
            "  found: not the name of a revision\n"
            "  to do: write a branch, a tag or a commit");
}

TEST_F(FaultTest, NameThatNoHubAcceptsIsRefused) {
  tiny.id = "org/ti ny";
  EXPECT_EQ(error(),
            "model org/ti ny\n"
            "  found: not the name of a repository\n"
            "  to do: write it as its owner and its name: org/name");
}

TEST(SendableToken, LosesBlanksAroundItAndHasNoneInside) {
  EXPECT_EQ(sendable_token(" hf_abc\n", "HF_TOKEN"), "hf_abc");
  EXPECT_EQ(sendable_token(" \n", "HF_TOKEN"), "");
  try {
    sendable_token(std::string(kSecret) + "\n" + kSecret, "HF_TOKEN");
    FAIL() << "two lines were taken for a token";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "the token in HF_TOKEN\n"
                 "  found: blanks or other characters that no token has in it\n"
                 "  to do: copy it again from the hub's page of tokens, on one line");
  }
}

TEST_F(FaultTest, WaitsAsLongAsTheHubWishes) {
  int times = 0;
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/api/models/") == std::string::npos || ++times > 2) return false;
    response.status = 429;
    response.set_header("Retry-After", "7");
    return true;
  };
  EXPECT_EQ(error(), "");
  EXPECT_EQ(waits, (std::vector<double>{7, 7}));
  EXPECT_NE(log.all().find("(status 429); asked again in 7 s"), std::string::npos) << log.all();
}

TEST_F(FaultTest, GivesUpAfterFiveTimesOrAWaitBeyondReason) {
  answer_with("/api/models/", 429);
  EXPECT_NE(error().find("gives no more for now (429, too many requests)\n  to do: wait some "
                         "minutes; with a token (HF_TOKEN) more is allowed"),
            std::string::npos);
  EXPECT_EQ(waits, (std::vector<double>{1, 2, 4, 8}));
  waits.clear();
  server.first = [&](const httplib::Request&, httplib::Response& response) {
    response.status = 429;
    response.set_header("Retry-After", "86400");
    return true;
  };
  EXPECT_NE(error().find("429"), std::string::npos);
  EXPECT_TRUE(waits.empty());
}

TEST_F(FaultTest, FaultOfTheHubItselfIsTriedAgain) {
  answer_with("/api/models/", 503);
  EXPECT_NE(error().find("has a fault of its own (503)"), std::string::npos);
  EXPECT_EQ(waits.size(), 4u);
}

TEST_F(FaultTest, WhatIsNoHubIsSaid) {
  answer_with("/api/models/", 200);
  EXPECT_NE(error().find("answered with what is no JSON"), std::string::npos);
  server.first = [](const httplib::Request&, httplib::Response& response) {
    response.set_content("{\"sha\": \"main\", \"siblings\": []}", "application/json");
    return true;
  };
  EXPECT_NE(error().find("JSON without the commit and the files of a repository"),
            std::string::npos);
  answer_with("/api/models/", 418);
  EXPECT_NE(error().find("answered with status 418"), std::string::npos);
}

// Sends the weights up to `cut` bytes beyond where it was asked to begin, so many times.
class BrokenOff {
 public:
  BrokenOff(std::string bytes, std::size_t cut, int times)
      : bytes_(std::move(bytes)), cut_(cut), times_(times) {}

  bool operator()(const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/cdn/") == std::string::npos || times_-- <= 0) return false;
    std::size_t from = 0;
    const std::string range = request.get_header_value("Range");
    if (!range.empty()) from = std::stoul(range.substr(6));
    const std::string rest = bytes_.substr(from);
    const std::size_t cut = cut_;
    response.set_content_provider(
        bytes_.size(), "application/octet-stream",
        [rest, cut, sent = false](std::size_t, std::size_t, httplib::DataSink& sink) mutable {
          if (sent) return false;
          sent = true;
          sink.write(rest.data(), std::min(cut, rest.size()));
          return true;
        });
    return true;
  }

 private:
  std::string bytes_;
  std::size_t cut_;
  int times_;
};

TEST_F(FaultTest, TransferThatBreaksOffGoesOn) {
  server.first = BrokenOff(weights(), 90000, 3);
  EXPECT_EQ(error(), "");
  EXPECT_EQ(bytes_of(snapshot() / kWeights), weights());
  std::vector<std::string> ranges;
  for (const HubServer::Seen& each : server.seen()) {
    if (each.path.find("/cdn/") != std::string::npos) ranges.push_back(each.range);
  }
  EXPECT_EQ(ranges,
            (std::vector<std::string>{"", "bytes=90000-", "bytes=180000-", "bytes=270000-"}));
  EXPECT_EQ(waits, (std::vector<double>{1, 1, 1}));
  EXPECT_FALSE(fs::exists(partial()));
}

TEST_F(FaultTest, TransferThatNeverMovesIsGivenUpAndWhatCameStays) {
  put(partial(), weights().substr(0, 1000));
  server.first = BrokenOff(weights(), 0, 100);
  EXPECT_NE(error().find("broke off"), std::string::npos);
  EXPECT_EQ(waits.size(), 4u);
  EXPECT_EQ(bytes_of(partial()), weights().substr(0, 1000));
  server.first = nullptr;
  EXPECT_EQ(error(), "");
  EXPECT_EQ(server.seen().back().range, "bytes=1000-");
}

TEST_F(FaultTest, BytesOfAnEarlierRunThatAreOthersAreFetchedAgain) {
  put(partial(), std::string(1000, 'x'));
  EXPECT_EQ(error(), "");
  EXPECT_EQ(bytes_of(snapshot() / kWeights), weights());
  EXPECT_NE(log.all().find("warning: model.safetensors: the bytes are not those that the hub "
                           "promised; fetched again from the start"),
            std::string::npos);
}

TEST_F(FaultTest, MoreBytesThanPromisedAreNotBelieved) {
  put(partial(), weights() + "more");
  EXPECT_EQ(error(), "");
  EXPECT_EQ(bytes_of(snapshot() / kWeights), weights());
}

TEST_F(FaultTest, WrongBytesTwiceAreRefused) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/cdn/") == std::string::npos) return false;
    response.set_content(std::string(weights().size(), '!'), "application/octet-stream");
    return true;
  };
  const std::string text = error();
  EXPECT_NE(text.find("model.safetensors of model org/tiny\n  found: twice other bytes than "
                      "127.0.0.1"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("in place of " + digest(kWeights).substr(0, 12)), std::string::npos);
  EXPECT_FALSE(fs::exists(snapshot() / kWeights));
  EXPECT_FALSE(fs::exists(partial()));
  EXPECT_FALSE(fs::exists(folder() / "blobs" / digest(kWeights)));
}

TEST_F(FaultTest, LongerAnswersThanPromisedAreCutAndRefused) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/cdn/") == std::string::npos) return false;
    response.set_content(weights() + std::string(1 << 20, '!'), "application/octet-stream");
    return true;
  };
  EXPECT_NE(error(), "");
  EXPECT_FALSE(fs::exists(folder() / "blobs" / digest(kWeights)));
}

TEST_F(FaultTest, RedirectsWithoutEndEnd) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/resolve/") == std::string::npos) return false;
    response.set_redirect(request.path, 302);
    return true;
  };
  const std::string text = error();
  EXPECT_NE(text.find("sends from one place to the next without end"), std::string::npos) << text;
}

TEST_F(FaultTest, RedirectToOtherSchemesIsNotFollowed) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.find("/resolve/") == std::string::npos) return false;
    response.set_redirect("file:///etc/passwd", 302);
    return true;
  };
  EXPECT_NE(error().find("sends on to a place without encryption"), std::string::npos);
}

TEST_F(FaultTest, FileThatVanishedMeanwhileIsNamed) {
  answer_with("/resolve/", 404, "EntryNotFound");
  EXPECT_NE(error().find("config.json of model org/tiny\n  found: not on 127.0.0.1"),
            std::string::npos);
}

TEST_F(FaultTest, FolderThatCannotBeMadeIsNamed) {
  put(options.cache, "a file in the place of the folder");
  EXPECT_NE(error().find("create folder: " + options.cache.string()), std::string::npos);
  options.cache.clear();
  EXPECT_NE(error().find("no folder to keep downloads in\n  to do: set HOME, HF_HUB_CACHE, or "
                         "cache_dir"),
            std::string::npos);
}

TEST_F(FaultTest, FileThatDoesNotFitIsSaidBeforeItIsFetched) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.rfind("/api/", 0) != 0) return false;
    std::string listing = server.listing();
    const std::string size = "\"size\": " + std::to_string(weights().size());
    for (std::size_t at = listing.find(size); at != std::string::npos; at = listing.find(size)) {
      listing.replace(at, size.size(), "\"size\": 4611686018427387904");
    }
    response.set_content(listing, "application/json");
    return true;
  };
  const std::string text = error();
  EXPECT_NE(text.find("model.safetensors of model org/tiny: 4.00 EiB"), std::string::npos) << text;
  EXPECT_NE(text.find(" free where "), std::string::npos);
  EXPECT_NE(text.find("name a folder with more in cache_dir (or HF_HUB_CACHE)"), std::string::npos);
  EXPECT_EQ(server.count(kWeights), 0u);
}

TEST_F(FaultTest, FullDiskIsSaidAndWhatCameStays) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  fs::create_directories(folder() / "blobs");
  fs::create_symlink("/dev/full", folder() / "blobs" / (digest("config.json") + ".incomplete"));
  const std::string text = error();
  EXPECT_NE(text.find("No space left on device\n  to do: make room there, or name a folder with "
                      "more in cache_dir (or HF_HUB_CACHE); the same command then goes on"),
            std::string::npos)
      << text;
}

TEST_F(FaultTest, AnotherProcessIsWaitedFor) {
  const fs::path file =
      options.cache / ".locks/models--org--tiny" / (digest("config.json") + ".lock");
  put(file, "");
  const int held = ::open(file.c_str(), O_RDWR);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    put(folder() / "blobs" / digest("config.json"), server.files.at("config.json").bytes);
    ::close(held);
  });
  EXPECT_EQ(error(), "");
  other.join();
  EXPECT_NE(log.all().find("another process fetches config.json; waiting for it"),
            std::string::npos);
  EXPECT_EQ(server.count("/resolve/0123456789abcdef0123456789abcdef01234567/config.json"), 0u);
}

}  // namespace
}  // namespace hone::hub
