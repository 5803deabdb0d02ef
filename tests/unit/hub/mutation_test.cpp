// What hubs answer, damaged: read or refused, never anything else.
#include "fuzz/hub_trials.h"
#include "fuzz/mutations.h"

namespace hone::hub {
namespace {

TEST(Mutations, OfListings) {
  const std::string sha(64, 'a');
  const std::string commit(40, 'b');
  const std::vector<std::string> seeds = {
      R"({"sha": ")" + commit +
          R"(", "siblings": [{"rfilename": "a/b.json", "size": 3, "blobId": ")" + commit +
          R"("}, {"rfilename": "m", "lfs": {"sha256": ")" + sha + R"(", "size": 9}}]})",
      R"({"Code": 200, "Message": "", "Data": {"Files": [{"Path": "a", "Type": "tree"}, )"
      R"({"Path": "a/m", "Type": "blob", "Size": 9, "Sha256": ")" +
          sha + R"("}]}})"};
  const std::vector<std::string> pieces = {"../",   "/",       "\\",   "\"",  "[",    "]",
                                           "{",     "}",       ",",    ":",   "null", "-1",
                                           "1e999", "\\u0000", "\xC3", "true"};
  fuzz::expect_both(fuzz::run(try_hub_listing, seeds, pieces, 4000));
}

TEST(Mutations, OfNamePatterns) {
  const std::vector<std::string> seeds = {"data/**/[!a-c]x?*.par[q]uet\ndata/a/b/dxyz.parquet",
                                          "**/train-*\ntrain-00000-of-00001.jsonl"};
  const std::vector<std::string> pieces = {"*", "**", "**/", "[", "]", "!", "-", "?", "/", "\n"};
  fuzz::expect_both(fuzz::run(try_name_pattern, seeds, pieces, 8000));
}

TEST(Mutations, OfWishedWaits) {
  const std::vector<std::string> seeds = {"12.5", "Thu, 01 Jan 1970 00:01:00 GMT",
                                          "\"api\";r=0;t=55"};
  const std::vector<std::string> pieces = {"-", "inf", "nan", "1e999", ";t=", " ", "GMT", "99999"};
  fuzz::expect_both(fuzz::run(try_wished_wait, seeds, pieces, 4000));
}

}  // namespace
}  // namespace hone::hub
