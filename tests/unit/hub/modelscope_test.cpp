// ModelScope's interface and the cache of its package.
#include "hub/hub.h"
#include "hub/wanted_files.h"
#include "unit/hub/hub_kit.h"

namespace hone::hub {
namespace {

namespace fs = std::filesystem;

class ModelScopeTest : public HubTest {
 protected:
  ModelScopeTest() {
    options.kind = HubKind::modelscope;
    tiny.id = "org/tiny-0.1";
    tiny.revision = "master";
    server.first = [this](const httplib::Request& request, httplib::Response& response) {
      cookies.push_back(request.get_header_value("Cookie"));
      return answer(request, response);
    };
  }
  // The server's thread calls into this: it ends first.
  ~ModelScopeTest() override { server.first = nullptr; }

  std::string list(std::size_t from, std::size_t to) {
    std::string text = R"({"Code": 200, "Success": true, "Data": {"Files": [)";
    text += R"({"Name": "sub", "Path": "sub", "Type": "tree", "Size": 0, "Sha256": ""})";
    std::size_t number = 0;
    for (const auto& [name, file] : server.files) {
      if (number++ < from || number > to) continue;
      text += ", {\"Path\": \"" + name +
              "\", \"Type\": \"blob\", \"Size\": " + std::to_string(file.bytes.size()) +
              ", \"Sha256\": \"" + sha256(file.bytes) + "\"}";
    }
    return text + "]}}";
  }

  bool answer(const httplib::Request& request, httplib::Response& response) {
    const std::string models = "/api/v1/models/" + tiny.id + "/repo";
    const std::string datasets = "/api/v1/datasets/org/set/repo";
    if (request.path == models + "/files") {
      EXPECT_EQ(request.get_param_value("Revision"), tiny.revision);
      response.set_content(list(0, 1000), "application/json");
    } else if (request.path == datasets + "/tree") {
      const std::size_t page = std::stoul(request.get_param_value("PageNumber"));
      EXPECT_EQ(request.get_param_value("PageSize"), "200");
      response.set_content(list((page - 1) * 199, page * 199), "application/json");
    } else if (request.path == models || request.path == datasets) {
      const auto file = server.files.find(request.get_param_value("FilePath"));
      if (file == server.files.end()) return false;
      asked.push_back(file->first);
      response.set_content(file->second.bytes, "application/octet-stream");
    } else {
      return false;  // 404
    }
    return true;
  }

  fs::path model_folder() const { return options.cache / "models/org--tiny-0.1"; }
  fs::path master() const { return model_folder() / "snapshots/master"; }
  std::string error() {
    Hub hub(options, nullptr, log);
    return error_of([&] { fetch_model(hub, tiny, true); });
  }

  std::vector<std::string> asked, cookies;
};

TEST_F(ModelScopeTest, ModelLiesWhereThePackageKeepsIt) {
  Hub hub(options, &progress, log);
  EXPECT_EQ(fetch_model(hub, tiny, true), master());
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"}) {
    EXPECT_EQ(bytes_of(master() / name), server.files.at(name).bytes) << name;
  }
  EXPECT_FALSE(fs::exists(master() / "pytorch_model.bin"));
  EXPECT_EQ(asked.size(), 3u);
  EXPECT_NE(log.all().find("of model org/tiny-0.1 from 127.0.0.1"), std::string::npos) << log.all();
  asked.clear();
  fetch_model(hub, tiny, true);
  EXPECT_TRUE(asked.empty());
}

TEST_F(ModelScopeTest, FilesThatChangedOnABranchAreFetchedAgain) {
  { EXPECT_EQ(error(), ""); }
  asked.clear();
  server.files["config.json"].bytes = R"({"model_type": "qwen2"})";
  server.files["model.safetensors"].bytes.back() = '!';
  EXPECT_EQ(error(), "");
  EXPECT_EQ(asked, (std::vector<std::string>{"config.json", "model.safetensors"}));
  EXPECT_EQ(bytes_of(master() / "config.json"), server.files["config.json"].bytes);
  EXPECT_EQ(bytes_of(master() / "model.safetensors"), server.files["model.safetensors"].bytes);
}

TEST_F(ModelScopeTest, WhatThePackageFetchedIsFound) {
  for (const auto& [name, file] : server.files) put(master() / name, file.bytes);
  EXPECT_EQ(error(), "");
  EXPECT_TRUE(asked.empty());
  // Of the same size, and others: the checksum tells.
  put(master() / "config.json", R"({"model_type": "LLAMA"})");
  EXPECT_EQ(error(), "");
  EXPECT_EQ(asked, std::vector<std::string>{"config.json"});
  EXPECT_EQ(bytes_of(master() / "config.json"), server.files["config.json"].bytes);
}

TEST_F(ModelScopeTest, WhatEarlierVersionsOfThePackageFetchedIsFound) {
  for (const char* kept :
       {"models/org/tiny-0___1", "hub/models/org/tiny-0___1", "hub/org/tiny-0___1"}) {
    fs::remove_all(options.cache);
    asked.clear();
    const fs::path earlier = options.cache / kept;
    put(earlier / "config.json", server.files["config.json"].bytes);
    put(earlier / "model.safetensors", server.files["model.safetensors"].bytes);
    put(earlier / "tokenizer.json", "of another version");
    EXPECT_EQ(error(), "");
    EXPECT_EQ(asked, std::vector<std::string>{"tokenizer.json"});
    EXPECT_TRUE(fs::equivalent(master() / "model.safetensors", earlier / "model.safetensors"));
    EXPECT_EQ(bytes_of(earlier / "tokenizer.json"), "of another version");
    EXPECT_EQ(bytes_of(master() / "tokenizer.json"), "{}");
  }
}

TEST_F(ModelScopeTest, OfflineUsesWhatIsThere) {
  options.offline = true;
  EXPECT_NE(error().find("and the hub is not asked"), std::string::npos);
  const fs::path earlier = options.cache / "hub/models/org/tiny-0___1";
  for (const auto& [name, file] : server.files) put(earlier / name, file.bytes);
  Hub hub(options, nullptr, log);
  EXPECT_EQ(fetch_model(hub, tiny, true), earlier);
  put(master() / "config.json", "{}");
  EXPECT_NE(error().find("no weights that hone reads"), std::string::npos);
  EXPECT_TRUE(cookies.empty());
}

TEST_F(ModelScopeTest, TokenIsACookie) {
  options.token = kSecret;
  EXPECT_EQ(error(), "");
  ASSERT_FALSE(cookies.empty());
  for (const std::string& cookie : cookies) {
    EXPECT_EQ(cookie, "m_session_id=" + std::string(kSecret));
  }
  EXPECT_EQ(log.all().find(kSecret), std::string::npos);
}

TEST_F(ModelScopeTest, BranchesMayHaveSlashes) {
  tiny.revision = "fix/this";
  EXPECT_EQ(error(), "");
  EXPECT_EQ(bytes_of(model_folder() / "snapshots/fix/this/config.json"),
            server.files["config.json"].bytes);
}

TEST_F(ModelScopeTest, ErrorsNameItsOwnVariables) {
  server.first = nullptr;
  EXPECT_NE(error().find("give a token as MODELSCOPE_API_TOKEN (or ms_hub_token)"),
            std::string::npos);
  server.first = [](const httplib::Request&, httplib::Response& response) {
    response.set_content(R"({"Code": 10010205001, "Message": "busy\u0007", "Data": null})",
                         "application/json");
    return true;
  };
  const std::string text = error();
  EXPECT_NE(text.find("answered with no list of files: busy\\x07\n  to do: look at "
                      "MODELSCOPE_ENDPOINT"),
            std::string::npos)
      << text;
}

TEST_F(ModelScopeTest, DataSetsComeInPages) {
  server.files.clear();
  for (int i = 0; i < 450; ++i) server.files["n" + std::to_string(i) + ".txt"] = {"no data set"};
  server.files["z/train.jsonl"] = {"{}"};
  Hub hub(options, nullptr, log);
  DatasetPlace wanted;
  wanted.repository = {RepositoryKind::dataset, "org/set", "master"};
  wanted.folder = "z";
  const std::vector<fs::path> files = fetch_dataset(hub, wanted);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0], options.cache / "datasets/org--set/snapshots/master/z/train.jsonl");
  EXPECT_EQ(bytes_of(files[0]), "{}");
}

}  // namespace
}  // namespace hone::hub
