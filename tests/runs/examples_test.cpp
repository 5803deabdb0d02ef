// The configurations in examples/, each run in miniature: their own words, on a tiny model.
#include <gtest/gtest.h>

#include <algorithm>

#include "kit/training_session.h"

namespace hone::kit {
namespace {

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(HONE_SOURCE_ROOT "/examples")) {
    // accelerate's files are read beside a configuration, and are none themselves.
    const std::filesystem::path& path = entry.path();
    if (path.parent_path().filename() == "accelerate") continue;
    if (path.extension() == ".yaml") files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Examples, TrainInMiniature) {
  ASSERT_GE(examples().size(), 4u);
  for (const std::filesystem::path& file : examples()) {
    SCOPED_TRACE(file.filename());
    const Workshop workshop({}, data_k10());
    // What points elsewhere, and the template, whose tokens the tiny model lacks.
    const auto session =
        run_words({file.string(), "model_name_or_path=" + workshop.model().string(),
                   "dataset_dir=" + workshop.data().string(), "dataset=d", "template=default",
                   "output_dir=" + workshop.results().string(), "max_steps=2"});
    EXPECT_EQ(session->error, "");
    EXPECT_EQ(session->events.steps.size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(workshop.results() / "train_results.json"));
  }
}

}  // namespace
}  // namespace hone::kit
