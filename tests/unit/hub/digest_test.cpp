#include "hub/digest.h"

#include <gtest/gtest.h>

#include "unit/hub/hub_kit.h"

namespace hone::hub {
namespace {

// FIPS 180-4, and `git hash-object`.
TEST(Digest, IsThatOfTheStandards) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(git_blob_name(""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(git_blob_name("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST_F(HubTest, DigestOfAFileIsThatOfItsBytes) {
  const std::string bytes(3 << 20, 'x');
  put(place / "f", bytes);
  EXPECT_EQ(digest_of_file(place / "f", 64), sha256(bytes));
  EXPECT_EQ(digest_of_file(place / "f", 40), git_blob_name(bytes));
  EXPECT_NE(error_of([&] { digest_of_file(place / "none", 40); }), "");
}

}  // namespace
}  // namespace hone::hub
