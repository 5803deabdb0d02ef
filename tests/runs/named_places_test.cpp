// What was mistyped is said at once, with the full path and what is near, and no network is asked.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

class NamedPlaces : public testing::Test {
 protected:
  std::string refusal(const std::string& model, const std::string& home = "") const {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::string> words = shop_.words({"model_name_or_path=" + model});
    const std::string error = run_words(words, {.home = home, .plan_only = true})->error;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    return error;
  }
  void expect_refusal(const std::string& model, const std::vector<std::string>& parts) const {
    const std::string error = refusal(model);
    for (const std::string& part : parts) {
      EXPECT_NE(error.find(part), std::string::npos) << "'" << part << "' is not in: " << error;
    }
  }

  Workshop shop_;
};

TEST_F(NamedPlaces, MissingFoldersAreNamedInFull) {
  const std::string here = fs::current_path().string();
  expect_refusal("./no_such", {"folder not found: " + here + "/no_such"});
  expect_refusal("/no/such", {"folder not found: /no/such"});
  expect_refusal("$HOME/m", {"folder not found: " + here + "/$HOME/m"});
  expect_refusal("org/name", {"folder not found: " + here + "/org/name",
                              "a name on the hub with its "
                              "owner: org/name"});
}

TEST_F(NamedPlaces, NearNamesAreShown) {
  const std::string place = shop_.place().path().string();
  expect_refusal(place + "/model", {"folder not found: " + place + "/model", "MODEL"});
  expect_refusal(place + "/MODLE", {"folder not found: " + place + "/MODLE", "MODEL"});
}

TEST_F(NamedPlaces, SlashesAndHomesAreUnderstood) {
  EXPECT_EQ(refusal(shop_.model().string() + "/"), "");
  EXPECT_EQ(refusal(shop_.model().string() + "//"), "");
  EXPECT_EQ(refusal("~/MODEL", shop_.place().path().string()), "");
  const std::string missing = refusal("~/m", shop_.place().path().string());
  EXPECT_NE(missing.find("folder not found: " + shop_.place().path().string() + "/m"),
            std::string::npos)
      << missing;
}

TEST_F(NamedPlaces, FilesInThePlaceOfFolders) {
  const std::string file = (shop_.model() / "model.safetensors").string();
  expect_refusal(file, {"a file that is no GGUF: " + file,
                        "name the folder that it lies in: " + shop_.model().string()});
}

TEST_F(NamedPlaces, FoldersThatLackSomething) {
  const std::string empty = (shop_.place().path() / "EMPTY").string();
  fs::create_directories(empty);
  expect_refusal(empty, {"no config.json in " + empty});
  fs::copy_file(shop_.model() / "config.json", empty + "/config.json");
  fs::copy_file(shop_.model() / "tokenizer.json", empty + "/tokenizer.json");
  expect_refusal(empty, {"no weights in " + empty, "model.safetensors"});
  std::ofstream(empty + "/pytorch_model.bin") << "PK";
  expect_refusal(empty, {"only .bin weights in " + empty, "safetensors"});
}

TEST_F(NamedPlaces, DataSetsAndTheirFiles) {
  const auto session = shop_.plan({"dataset=nope"});
  EXPECT_NE(session->error.find("dataset: nope"), std::string::npos) << session->error;
  EXPECT_NE(session->error.find("choose one that is defined (d)"), std::string::npos);
  fs::remove(shop_.data() / "d.json");
  const auto missing = shop_.plan();
  EXPECT_NE(missing->error.find((shop_.data() / "d.json").string()), std::string::npos)
      << missing->error;
}

// A wrong model and a wrong data set are said together.
TEST_F(NamedPlaces, AllAtOnce) {
  const auto session = shop_.plan({"model_name_or_path=/no/such", "dataset=nope"});
  EXPECT_NE(session->error.find("/no/such"), std::string::npos);
  EXPECT_NE(session->error.find("dataset: nope"), std::string::npos) << session->error;
}

}  // namespace
}  // namespace hone::kit
