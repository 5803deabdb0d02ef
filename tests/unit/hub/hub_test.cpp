#include "hub/hub.h"

#include "hub/wanted_files.h"
#include "unit/hub/hub_kit.h"

namespace hone::hub {
namespace {

namespace fs = std::filesystem;

TEST_F(HubTest, ModelLiesInTheCacheAsTheirPackageKeepsIt) {
  Hub hub(options, &progress, log);
  EXPECT_EQ(fetch_model(hub, tiny, true), snapshot());
  EXPECT_EQ(bytes_of(folder() / "refs/main"), HubServer::kCommit);
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"}) {
    const fs::path file = snapshot() / name;
    ASSERT_TRUE(fs::is_symlink(file)) << name;
    EXPECT_EQ(fs::read_symlink(file), fs::path("../../blobs") / digest(name));
    EXPECT_EQ(bytes_of(file), server.files.at(name).bytes);
  }
  // Nothing but what is needed.
  for (const char* name : {"pytorch_model.bin", "tiny-q4.gguf", "README.md"}) {
    EXPECT_FALSE(fs::exists(snapshot() / name)) << name;
    EXPECT_EQ(server.count(name), 0u) << name;
  }
  EXPECT_TRUE(
      fs::exists(options.cache / ".locks/models--org--tiny" / (digest("config.json") + ".lock")));
  EXPECT_FALSE(progress.open);
  EXPECT_EQ(progress.files, 1u);
  EXPECT_EQ(progress.latest, server.files.at("model.safetensors").bytes.size());
  EXPECT_NE(log.all().find("fetching 2 files (25 B) of model org/tiny from 127.0.0.1"),
            std::string::npos)
      << log.all();
}

TEST_F(HubTest, WhatIsThereIsNotFetchedAgain) {
  Hub hub(options, nullptr, log);
  fetch_model(hub, tiny, true);
  const std::size_t before = server.seen().size();
  log.lines.clear();
  fetch_model(hub, tiny, true);
  EXPECT_EQ(server.seen().size(), before + 1);  // what is in it, and no file
  EXPECT_TRUE(log.lines.empty()) << log.all();
}

TEST_F(HubTest, PlanNeedsNoWeights) {
  Hub hub(options, nullptr, log);
  fetch_model(hub, tiny, false);
  EXPECT_TRUE(fs::exists(snapshot() / "config.json"));
  EXPECT_EQ(server.count("model.safetensors"), 0u);
}

TEST_F(HubTest, ShardsAreThoseOfTheIndex) {
  server.files.erase("model.safetensors");
  server.files["model.safetensors.index.json"] = {
      "{\"weight_map\": {\"a\": \"s-1.safetensors\", \"b\": \"s-2.safetensors\", "
      "\"c\": \"s-1.safetensors\"}}"};
  server.files["s-1.safetensors"] = {"one", true};
  server.files["s-2.safetensors"] = {"two", true};
  server.files["s-3.safetensors"] = {"of another model", true};
  Hub hub(options, nullptr, log);
  fetch_model(hub, tiny, true);
  EXPECT_EQ(bytes_of(snapshot() / "s-2.safetensors"), "two");
  EXPECT_FALSE(fs::exists(snapshot() / "s-3.safetensors"));
}

TEST_F(HubTest, IndexThatNamesOtherPlacesIsRefused) {
  server.files["model.safetensors.index.json"] = {
      "{\"weight_map\": {\"a\": \"../../../x.safetensors\"}}"};
  Hub hub(options, nullptr, log);
  EXPECT_NE(error_of([&] {
              fetch_model(hub, tiny, true);
            }).find("'../../../x.safetensors' is not the name of a safetensors file"),
            std::string::npos);
}

TEST_F(HubTest, ListingThatLeavesItsFolderIsNotFollowed) {
  server.first = [&](const httplib::Request& request, httplib::Response& response) {
    if (request.path.rfind("/api/", 0) != 0) return false;
    response.set_content(std::string("{\"sha\": \"") + HubServer::kCommit +
                             "\", \"siblings\": [{\"rfilename\": \"../../evil\"}, "
                             "{\"rfilename\": \"config.json\", \"blobId\": \"../../evil\"}, 7]}",
                         "application/json");
    return true;
  };
  Hub hub(options, nullptr, log);
  Snapshot snapshot = hub.open(tiny);
  ASSERT_EQ(snapshot.files().size(), 1u);
  EXPECT_EQ(snapshot.files()[0].digest, "");
  // The digest then comes from the headers of the file itself.
  snapshot.fetch({"config.json"});
  EXPECT_EQ(bytes_of(snapshot.folder() / "config.json"), server.files.at("config.json").bytes);
}

TEST_F(HubTest, HubThatListsNoDigestsIsAskedPerFile) {
  server.with_digests = false;
  Hub hub(options, nullptr, log);
  fetch_model(hub, tiny, true);
  EXPECT_TRUE(fs::exists(folder() / "blobs" / digest("model.safetensors")));
  EXPECT_TRUE(fs::exists(folder() / "blobs" / digest("config.json")));
}

TEST_F(HubTest, TokenGoesToTheHubAlone) {
  options.token = kSecret;
  Hub hub(options, nullptr, log);
  fetch_model(hub, tiny, true);
  bool elsewhere = false;
  for (const HubServer::Seen& each : server.seen()) {
    const bool at_hub = each.host.rfind("127.0.0.1", 0) == 0;
    EXPECT_EQ(each.authorization, at_hub ? "Bearer " + std::string(kSecret) : "") << each.path;
    elsewhere = elsewhere || !at_hub;
  }
  EXPECT_TRUE(elsewhere);
  EXPECT_EQ(log.all().find(kSecret), std::string::npos);
  EXPECT_EQ(log.all().find("SIGNED"), std::string::npos);
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(bytes_of(entry.path()).find(kSecret), std::string::npos) << entry.path();
  }
}

TEST_F(HubTest, OfflineUsesWhatIsThereAndAsksNobody) {
  {
    Hub hub(options, nullptr, log);
    fetch_model(hub, tiny, true);
  }
  const std::size_t before = server.seen().size();
  options.offline = true;
  Hub hub(options, nullptr, log);
  EXPECT_EQ(fetch_model(hub, tiny, true), snapshot());
  const Repository commit = {RepositoryKind::model, "org/tiny", HubServer::kCommit};
  EXPECT_EQ(fetch_model(hub, commit, true), snapshot());
  EXPECT_EQ(server.seen().size(), before);
}

TEST_F(HubTest, OfflineSaysWhatIsMissing) {
  options.offline = true;
  {
    Hub hub(options, nullptr, log);
    EXPECT_EQ(error_of([&] { fetch_model(hub, tiny, true); }),
              "model org/tiny\n  found: not in " + options.cache.string() +
                  ", and the hub is not asked, as HF_HUB_OFFLINE is set\n  to do: unset "
                  "HF_HUB_OFFLINE, or write the path of a folder on this machine");
  }
  options.offline = false;
  {
    Hub hub(options, nullptr, log);
    fetch_model(hub, tiny, false);
  }
  options.offline = true;
  Hub hub(options, nullptr, log);
  EXPECT_NE(error_of([&] { fetch_model(hub, tiny, true); }).find("no weights that hone reads"),
            std::string::npos);
}

TEST_F(HubTest, WithoutANetworkTheCacheIsUsedWithAWarning) {
  {
    Hub hub(options, nullptr, log);
    fetch_model(hub, tiny, true);
  }
  options.endpoint = "http://127.0.0.1:1";
  Hub hub(options, nullptr, log);
  EXPECT_EQ(fetch_model(hub, tiny, true), snapshot());
  EXPECT_NE(log.all().find("warning: model org/tiny: 127.0.0.1:1 cannot be reached"),
            std::string::npos)
      << log.all();
  EXPECT_NE(log.all().find("what was fetched before is used"), std::string::npos);
}

TEST_F(HubTest, WithoutANetworkAndCacheItIsSaidAtOnce) {
  options.endpoint = "http://127.0.0.1:1";
  Hub hub(options, nullptr, log);
  const std::string error = error_of([&] { fetch_model(hub, tiny, true); });
  EXPECT_EQ(error.rfind("model org/tiny\n  found: 127.0.0.1:1 cannot be reached: ", 0), 0u)
      << error;
  EXPECT_NE(error.find("or copy the folder here and write its path"), std::string::npos);
  EXPECT_TRUE(waits.empty());
  EXPECT_FALSE(fs::exists(options.cache));
}

TEST_F(HubTest, EndpointsThatAreNoneAreRefused) {
  for (const char* endpoint : {"", "huggingface.co", "ftp://h", "file:///etc"}) {
    options.endpoint = endpoint;
    Hub hub(options, nullptr, log);
    EXPECT_NE(error_of([&] { hub.open(tiny); }).find("not an address that begins with https://"),
              std::string::npos)
        << endpoint;
  }
}

TEST_F(HubTest, CacheThatTheirPackageMadeIsUsed) {
  // A branch with a slash, a file in a folder, a blob that is itself a link into a shared store.
  const Repository branch = {RepositoryKind::model, "org/tiny", "refs/pr/1"};
  put(folder() / "refs/refs/pr/1", HubServer::kCommit);
  put(options.cache / "blobs/ab/store", "{}");
  fs::create_directories(folder() / "blobs");
  fs::create_symlink("../../blobs/ab/store", folder() / "blobs" / digest("config.json"));
  fs::create_directories(snapshot());
  fs::create_symlink(fs::path("../../blobs") / digest("config.json"), snapshot() / "config.json");
  options.offline = true;
  Hub hub(options, nullptr, log);
  EXPECT_EQ(bytes_of(fetch_model(hub, branch, false) / "config.json"), "{}");
}

TEST_F(HubTest, AdapterIsItsTwoFiles) {
  server.files["adapter_config.json"] = {"{}"};
  server.files["adapter_model.safetensors"] = {"adapter", true};
  Hub hub(options, nullptr, log);
  EXPECT_EQ(bytes_of(fetch_adapter(hub, tiny) / "adapter_model.safetensors"), "adapter");
  EXPECT_EQ(server.count("/resolve/"), 2u);
  server.files.erase("adapter_model.safetensors");
  EXPECT_NE(error_of([&] { fetch_adapter(hub, tiny); }).find("no adapter_model.safetensors in it"),
            std::string::npos);
}

TEST_F(HubTest, RepositoriesWithoutWhatIsNeededAreRefusedWithWhatTheyHave) {
  Hub hub(options, nullptr, log);
  const auto error = [&] { return error_of([&] { fetch_model(hub, tiny, true); }); };
  server.files.erase("model.safetensors");
  EXPECT_NE(error().find("found: GGUF files alone: tiny-q4.gguf"), std::string::npos) << error();
  server.files.erase("tiny-q4.gguf");
  EXPECT_NE(error().find("found: weights as pickled PyTorch files alone (.bin, .pth)"),
            std::string::npos);
  EXPECT_NE(error().find("to do: ask its owner for safetensors, or save it as such with "
                         "transformers (save_pretrained) and write the path of that folder"),
            std::string::npos);
  server.files.erase("pytorch_model.bin");
  EXPECT_NE(error().find("found: no weights that hone reads (model.safetensors)\n"
                         "  to do: name a repository that has them"),
            std::string::npos);
  server.files.erase("config.json");
  EXPECT_NE(error().find("found: no config.json in it"), std::string::npos);
  server.files["adapter_config.json"] = {"{}"};
  EXPECT_NE(error().find("found: an adapter, no model"), std::string::npos);
}

}  // namespace
}  // namespace hone::hub
