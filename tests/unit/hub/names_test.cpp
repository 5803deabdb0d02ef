#include <gtest/gtest.h>

#include <string>

#include "hub/addresses.h"
#include "hub/hub_answers.h"
#include "hub/name_pattern.h"
#include "hub/repository.h"

namespace hone::hub {
namespace {

TEST(RepositoryId, IsWhatAHubAccepts) {
  for (const char* id : {"org/name", "meta-llama/Llama-3.2-1B-Instruct", "a/b", "A_1/b.c-d_e"}) {
    EXPECT_TRUE(is_repository_id(id)) << id;
  }
  for (const char* id :
       {"", "name", "./name", "../name", "/org/name", "org/", "/name", "org/name/more", "~/m",
        "$HOME/m", "org/na me", "org/-name", "org/name-", "org/.name", "a--b/name", "org/a..b",
        "org/name.git", "org\\name", "org/n\xc3\xa4me"}) {
    EXPECT_FALSE(is_repository_id(id)) << id;
  }
  EXPECT_FALSE(is_repository_id("org/" + std::string(93, 'x')));
  EXPECT_TRUE(is_repository_id("org/" + std::string(92, 'x')));
}

TEST(FileName, StaysInItsFolder) {
  for (const char* name : {"a", "data/train-00000-of-00001.parquet", "a.b/c", "..a", "a b"}) {
    EXPECT_TRUE(is_safe_file_name(name)) << name;
  }
  for (const char* name :
       {"", "/a", "a/", "a//b", "..", "../a", "a/../b", ".", "./a", "a\\b", "a\nb", "a\x7f"}) {
    EXPECT_FALSE(is_safe_file_name(name)) << name;
  }
  EXPECT_FALSE(is_safe_file_name(std::string(513, 'a')));
}

struct PatternCase {
  const char* pattern;
  const char* name;
  bool fits;
};

TEST(NamePattern, IsThatOfCards) {
  const PatternCase cases[] = {
      {"data/train-*", "data/train-00000-of-00001.parquet", true},
      {"data/train-*", "data/more/train-1.parquet", false},
      {"*.json", "a.json", true},
      {"*.json", "data/a.json", false},
      {"**/*.json", "data/a.json", true},
      {"**/*.json", "a.json", true},
      {"**/*.json", "xa.jsonl", false},
      {"**", "a/b/c", true},
      {"data/**", "data/a/b", true},
      {"data/**", "dat/a", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/xb", false},
      {"t?st.csv", "test.csv", true},
      {"t?st.csv", "t/st.csv", false},
      {"[tT]est[0-9].txt", "Test4.txt", true},
      {"[!t]est", "test", false},
      {"[!t]est", "best", true},
      {"a[b", "a[b", true},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
  };
  for (const PatternCase& each : cases) {
    EXPECT_EQ(matches(each.pattern, each.name), each.fits) << each.pattern << "  " << each.name;
  }
}

TEST(NamePattern, OfManyStarsTakesNoTime) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(2000, 'a')));
}

HubOptions at(HubKind kind) {
  HubOptions options;
  options.kind = kind;
  options.endpoint = "https://h";
  return options;
}

TEST(Addresses, EscapeWhatIsInThem) {
  const HubOptions options = at(HubKind::huggingface);
  EXPECT_EQ(listing_address(options, {RepositoryKind::model, "org/name", "refs/pr/1"}, 1),
            "https://h/api/models/org/name/revision/refs%2Fpr%2F1?blobs=true");
  const Repository data = {RepositoryKind::dataset, "o/d", "main"};
  EXPECT_EQ(file_address(options, data, "c0", "a b/#1?.csv"),
            "https://h/datasets/o/d/resolve/c0/a%20b/%231%3F.csv");
  EXPECT_EQ(search_address(options, {RepositoryKind::model, "org/na me&x", "main"}),
            "https://h/api/models?limit=50&search=na%20me%26x");
  EXPECT_EQ(page_address(options, data), "https://h/datasets/o/d");
  EXPECT_EQ(page_address(options, {RepositoryKind::model, "o/m", "main"}), "https://h/o/m");
}

TEST(Addresses, OfModelScopeAreItsOwn) {
  const HubOptions options = at(HubKind::modelscope);
  const Repository model = {RepositoryKind::model, "o/m", "a/b"};
  EXPECT_EQ(listing_address(options, model, 1),
            "https://h/api/v1/models/o/m/repo/files?Revision=a%2Fb&Recursive=True");
  EXPECT_EQ(file_address(options, model, "a/b", "x/y z.json"),
            "https://h/api/v1/models/o/m/repo?Revision=a%2Fb&FilePath=x%2Fy%20z.json");
  EXPECT_EQ(listing_address(options, {RepositoryKind::dataset, "o/d", "master"}, 3),
            "https://h/api/v1/datasets/o/d/repo/tree?Revision=master&Recursive=True&PageNumber=3"
            "&PageSize=200");
  EXPECT_EQ(page_address(options, model), "https://h/models/o/m");
}

TEST(RepositoryIds, OfDataSetsMayLackAnOwner) {
  EXPECT_TRUE(has_valid_id({RepositoryKind::dataset, "squad", "main"}));
  EXPECT_FALSE(has_valid_id({RepositoryKind::model, "squad", "main"}));
  for (const char* id : {"", "..", "../x", "a/../b", "/etc", "a/b/c", "a b"}) {
    EXPECT_FALSE(has_valid_id({RepositoryKind::dataset, id, "main"})) << id;
  }
}

TEST(Origin, IsSchemeHostAndPort) {
  EXPECT_EQ(origin_of("HTTPS://User:pass@Host.Example:8443/a?b"), "https://host.example:8443");
  EXPECT_EQ(origin_of("http://h"), "http://h");
  for (const char* url : {"", "h", "ftp://h/", "file:///etc/passwd", "https://", "https:///x"}) {
    EXPECT_EQ(origin_of(url), "") << url;
  }
}

TEST(WishedWait, IsReadInEveryForm) {
  EXPECT_EQ(wished_wait({{"retry-after", "12"}}, 0), 12.0);
  EXPECT_EQ(wished_wait({{"retry-after", "Thu, 01 Jan 1970 00:01:00 GMT"}}, 10), 50.0);
  EXPECT_EQ(wished_wait({{"retry-after", "Thu, 01 Jan 1970 00:01:00 GMT"}}, 100), 0.0);
  EXPECT_EQ(wished_wait({{"ratelimit", "\"api\";r=0;t=55"}}, 0), 55.0);
  EXPECT_EQ(wished_wait({{"retry-after", "soon"}}, 0), std::nullopt);
  EXPECT_EQ(wished_wait({{"retry-after", "-3"}}, 0), std::nullopt);
  EXPECT_EQ(wished_wait({}, 0), std::nullopt);
}

}  // namespace
}  // namespace hone::hub
