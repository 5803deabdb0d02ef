// Texts that are made from declarations and kept in the repository, so that a change of them is
// seen. With HONE_WRITE_TEXTS=1 in the environment the tests write them anew instead.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace hone::config::testing {

inline void expect_kept_text(const std::string& made, const std::string& file) {
  if (std::getenv("HONE_WRITE_TEXTS") != nullptr) {
    std::ofstream(file, std::ios::binary) << made;
    return;
  }
  std::ifstream stream(file, std::ios::binary);
  ASSERT_TRUE(stream) << file;
  std::ostringstream kept;
  kept << stream.rdbuf();
  EXPECT_EQ(kept.str(), made) << file << " is out of date: run this test with HONE_WRITE_TEXTS=1";
}

}  // namespace hone::config::testing
