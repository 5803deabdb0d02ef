// Ranks that meet at a service, agree, fall silent, die and fail: every time in milliseconds.
#include <gtest/gtest.h>
#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "parallel/ranks/agreement.h"
#include "parallel/ranks/hex_text.h"
#include "parallel/ranks/memory_store.h"
#include "parallel/ranks/run_link.h"
#include "parallel/ranks/service.h"
#include "parallel/ranks/watch.h"

namespace hone::parallel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong = std::chrono::seconds(20);

ServiceOptions service_options(const std::string& run) {
  return {.address = "127.0.0.1",
          .first_port = 29411,
          .ports = 40,
          .run_id = run,
          .ranks = 4,
          .heartbeat_limit = kLong,
          .pulse = milliseconds(10)};
}

LinkOptions link_options(const Service& service, const std::string& run, int rank) {
  return {.rank = rank,
          .address = "127.0.0.1",
          .first_port = service.port(),
          .ports = 1,
          .run_id = run,
          .where = "host h, pid " + std::to_string(rank),
          .connect_limit = milliseconds(2000),
          .heartbeat_limit = kLong,
          .beat = milliseconds(10)};
}

// Keeps the one death that a link tells of.
class News {
 public:
  std::function<void(const std::string&)> listener() {
    return [this](const std::string& what) {
      const std::lock_guard<std::mutex> lock(mutex_);
      text_ += what;
      changed_.notify_all();
    };
  }
  std::string await() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, kLong, [&] { return !text_.empty(); });
    return text_;
  }
  std::string now() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(HexText, AnyBytesThereAndBack) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(from_hex(to_hex(bytes)), bytes);
  EXPECT_EQ(to_hex("a/?"), "612f3f");
  EXPECT_EQ(from_hex("6"), "");
  EXPECT_EQ(from_hex("6x"), "");
}

TEST(Rendezvous, ValuesAreSeenByAllAndWaitedFor) {
  const Service service(service_options("values"));
  News news;
  RunLink zero(link_options(service, "values", 0), news.listener());
  RunLink one(link_options(service, "values", 1), news.listener());
  const std::string bytes("\0\n\xff?&=", 6);
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(30));
    one.set("a key/with?marks", bytes);
  });
  EXPECT_EQ(zero.get("a key/with?marks", kLong), bytes);
  later.join();
  EXPECT_EQ(one.get("a key/with?marks", milliseconds(0)), bytes);
  one.set("a key/with?marks", "");
  EXPECT_EQ(zero.get("a key/with?marks", kLong), "");
  const std::string text = refusal([&] { zero.get("never", milliseconds(20)); });
  EXPECT_EQ(text.find("'never' from another rank\n  found: nothing within 0.0 s"), 0u) << text;
  EXPECT_EQ(news.now(), "");
}

TEST(Rendezvous, APortThatIsTakenIsPassedOver) {
  const ServiceOptions options = service_options("first run");
  const Service first(options);
  ServiceOptions other = service_options("second run");
  other.first_port = first.port();
  const Service second(other);
  EXPECT_GT(second.port(), first.port());
  News news;
  LinkOptions link = link_options(first, "second run", 0);
  link.ports = 40;
  const RunLink found(link, news.listener());
  EXPECT_EQ(found.port(), second.port());
  other.ports = 1;
  const std::string taken = refusal([&] { Service third(other); });
  EXPECT_NE(taken.find("are taken"), std::string::npos) << taken;
  EXPECT_NE(taken.find("set MASTER_PORT to a free one"), std::string::npos) << taken;
}

TEST(Rendezvous, ALinkThatFindsAnotherRunSaysSo) {
  const Service service(service_options("theirs"));
  News news;
  LinkOptions options = link_options(service, "ours", 3);
  options.connect_limit = milliseconds(100);
  const std::string text = refusal([&] { RunLink link(options, news.listener()); });
  EXPECT_NE(text.find("rank 3 looks for run 'ours' at 127.0.0.1"), std::string::npos) << text;
  EXPECT_NE(text.find("belongs to run 'theirs'"), std::string::npos) << text;
  EXPECT_NE(text.find("see that rank 0 was started"), std::string::npos) << text;
}

TEST(Rendezvous, AFailureIsToldToAllAndTheFirstOneStays) {
  const Service service(service_options("failure"));
  News at_zero, at_one, at_two;
  RunLink zero(link_options(service, "failure", 0), at_zero.listener());
  RunLink one(link_options(service, "failure", 1), at_one.listener());
  RunLink two(link_options(service, "failure", 2), at_two.listener());
  one.set("here", "1");
  two.report_failure("no space left on /data");
  const std::string expected = "rank 2 (host h, pid 2): no space left on /data";
  EXPECT_EQ(at_zero.await(), expected);
  EXPECT_EQ(at_one.await(), expected);
  EXPECT_EQ(at_two.await(), expected);
  one.report_failure("something later");
  // Whoever waits for a key is freed.
  const std::string text = refusal([&] { zero.get("never", kLong); });
  EXPECT_NE(text.find(expected), std::string::npos) << text;
}

TEST(Rendezvous, ARankThatLeavesHasNotDied) {
  const Service service(service_options("leaving"));
  News news;
  RunLink zero(link_options(service, "leaving", 0), news.listener());
  {
    RunLink one(link_options(service, "leaving", 1), news.listener());
    one.set("k", "v");
  }
  std::this_thread::sleep_for(milliseconds(60));
  EXPECT_EQ(zero.get("k", kLong), "v");
  EXPECT_EQ(news.now(), "");
}

// As by a kill: the system closes the connection, and nobody says goodbye.
TEST(Rendezvous, AConnectionThatClosesWithoutAWordIsADeath) {
  const Service service(service_options("killed"));
  News news;
  const RunLink zero(link_options(service, "killed", 0), news.listener());
  httplib::Client killed("127.0.0.1", service.port());
  killed.Get("/control?rank=3&where=" + to_hex("host k, pid 77"),
             [](const char*, std::size_t) { return false; });
  EXPECT_EQ(news.await(),
            "rank 3 (host k, pid 77): its connection closed: it ended, or lost its network");
}

// As by a stop: the connection stays open, but there is no sign of life.
TEST(Rendezvous, ASilentRankIsADeathForAll) {
  ServiceOptions options = service_options("silent");
  options.heartbeat_limit = milliseconds(600);
  const Service service(options);
  News news;
  const RunLink zero(link_options(service, "silent", 0), news.listener());
  News other;
  LinkOptions silent = link_options(service, "silent", 1);
  silent.beat = kLong;
  const RunLink one(silent, other.listener());
  EXPECT_EQ(news.await().find("rank 1 (host h, pid 1): no sign of life for 0."), 0u) << news.now();
}

TEST(Rendezvous, TheEndOfTheServiceIsADeath) {
  auto service = std::make_unique<Service>(service_options("end"));
  News news;
  const RunLink one(link_options(*service, "end", 1), news.listener());
  std::this_thread::sleep_for(milliseconds(30));
  service.reset();
  EXPECT_EQ(news.await(),
            "rank 0 (127.0.0.1): its connection closed: it ended, or lost its network");
}

TEST(Watch, ASilentRankIsDeadAfterTheLimit) {
  Watch watch(milliseconds(200));
  watch.joined(0, "host a");
  watch.joined(1, "host b, pid 9");
  const auto end = Watch::Clock::now() + milliseconds(450);
  while (Watch::Clock::now() < end) {
    watch.beat(0);
    std::this_thread::sleep_for(milliseconds(5));
  }
  const auto failure = watch.failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->find("rank 1 (host b, pid 9): no sign of life for 0."), 0u) << *failure;
}

TEST(Watch, AClosedConnectionIsDeathUnlessTheRankHasLeft) {
  Watch watch(kLong);
  watch.joined(1, "host b");
  watch.left(1);
  watch.connection_closed(1);
  EXPECT_FALSE(watch.failure());
  watch.joined(2, "host c");
  watch.connection_closed(2);
  EXPECT_EQ(watch.failure(),
            "rank 2 (host c): its connection closed: it ended, or lost its network");
  EXPECT_EQ(watch.await_failure(0, milliseconds(0)), watch.failure());
}

TEST(Watch, WhoHasFailedWithoutAWord) {
  EXPECT_TRUE(failed_without_a_word(connection_closed_text("rank 0 (host a, pid 1)")));
  EXPECT_TRUE(failed_without_a_word("rank 2 (host b): no sign of life for 30.0 s"));
  EXPECT_FALSE(failed_without_a_word("rank 2 (host b): data set 'd'\n  found: its connection"));
}

TEST(Agreement, EveryDifferenceIsNamedWithBothSidesOnEveryRank) {
  MemoryStore store;
  const std::vector<RankFacts> facts = {{{"version", "1"}, {"learning_rate", "1e-4"}},
                                        {{"version", "1"}, {"learning_rate", "1e-4"}},
                                        {{"version", "2"}, {"seed", "7:8"}}};
  std::vector<std::string> texts(3);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      const auto at = static_cast<std::size_t>(rank);
      texts[at] =
          refusal([&] { compare_between_ranks(store, "start", rank, 3, facts[at], kLong); });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
  EXPECT_NE(texts[0].find("version must be the same on all ranks\n  found: rank 0 has '1', rank 2 "
                          "has '2'"),
            std::string::npos)
      << texts[0];
  EXPECT_NE(texts[0].find("rank 0 has none, rank 2 has '7:8'"), std::string::npos) << texts[0];
  EXPECT_NE(texts[0].find("rank 0 has '1e-4', rank 2 has none"), std::string::npos) << texts[0];
  store.set("agreement/next/1", "");
  compare_between_ranks(store, "alone", 0, 1, facts[0], kLong);
}

}  // namespace
}  // namespace hone::parallel
