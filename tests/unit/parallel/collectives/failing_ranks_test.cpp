// Ranks that do not answer, die, or are told to stop: nobody stays inside a call, and the error
// names the operation, the rank and the moment.
#include <atomic>
#include <thread>

#include "parallel/collectives/collective_error.h"
#include "parallel/collectives/gloo_transport.h"
#include "parallel/ranks/memory_store.h"
#include "unit/parallel/collectives/transports.h"

namespace hone::parallel {
namespace {

using std::chrono::milliseconds;

class Failing : public testing::TestWithParam<TransportKind> {};

// The error of a call that must fail.
template <class Call>
CollectiveError failure_of(const Call& call) {
  try {
    call();
  } catch (const CollectiveError& error) {
    return error;
  }
  throw std::runtime_error("the call did not fail");
}

bool contains(const CollectiveError& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

TEST_P(Failing, ATimeOutNamesTheOperationTheMissingRanksAndSinceWhen) {
  std::atomic<bool> over{false};
  run_on(GetParam(), 3, [&](Transport& transport) {
    if (transport.rank() != 0) {
      while (!over) std::this_thread::sleep_for(milliseconds(1));
      return;
    }
    Bound bound(transport, {.limit = milliseconds(80)});
    std::vector<float> values(10, 1.0f);
    const CollectiveError error =
        failure_of([&] { bound.collectives.all_reduce(view_of(values)); });
    over = true;
    EXPECT_EQ(error.failure(), CollectiveFailure::timeout);
    EXPECT_EQ(error.missing(), (std::vector<int>{1, 2}));
    EXPECT_TRUE(contains(error, "reduce-scatter on rank 0 of 3")) << error.what();
    EXPECT_TRUE(contains(error, "no answer from ranks 1 and 2 since 20")) << error.what();
    EXPECT_TRUE(contains(error, "UTC (0.")) << error.what();
    EXPECT_TRUE(contains(error, "the limit is 0.1 s")) << error.what();
    EXPECT_TRUE(contains(error, "look at the log of ranks 1 and 2")) << error.what();
  });
}

TEST_P(Failing, OnlyTheRankThatStallsIsNamed) {
  std::atomic<int> over{0};
  run_on(GetParam(), 3, [&](Transport& transport) {
    if (transport.rank() == 1) {
      while (over < 2) std::this_thread::sleep_for(milliseconds(1));
      return;
    }
    // Rank 2 waits longer: it must not end the wait of rank 0 by leaving. By then rank 0 has left.
    Bound bound(transport, {.limit = milliseconds(transport.rank() == 0 ? 300 : 600)});
    const CollectiveError error = failure_of([&] { bound.collectives.barrier(); });
    if (transport.rank() == 0) {
      EXPECT_EQ(error.failure(), CollectiveFailure::timeout);
      EXPECT_EQ(error.missing(), std::vector<int>{1}) << error.what();
    } else {
      EXPECT_NE(error.failure(), CollectiveFailure::stopped);
      EXPECT_FALSE(error.missing().empty());
    }
    ++over;
  });
}

TEST_P(Failing, ARankThatEndsIsNoticedAtOnce) {
  run_on(GetParam(), 3, [&](Transport& transport) {
    Bound bound(transport, {.limit = std::chrono::seconds(60)});
    bound.collectives.barrier();
    if (transport.rank() == 2) return;
    const auto start = std::chrono::steady_clock::now();
    const CollectiveError error = failure_of([&] { bound.collectives.barrier(); });
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_EQ(error.failure(), CollectiveFailure::lost) << error.what();
    EXPECT_FALSE(error.missing().empty());
    EXPECT_TRUE(contains(error, "gone, waited for since 20")) << error.what();
  });
}

TEST_P(Failing, AStopEndsTheCallInProgressAndEveryLaterOne) {
  run_on(GetParam(), 2, [&](Transport& transport) {
    Bound bound(transport, {.limit = std::chrono::seconds(60)});
    bound.collectives.barrier();
    std::byte in{0};
    const Incoming never{1 - transport.rank(), &in, 1};
    const auto wait = [&] {
      transport.exchange({"wait", {}, {&never, 1}, std::chrono::seconds(60)});
    };
    if (transport.rank() == 1) {
      const CollectiveError error = failure_of(wait);
      EXPECT_EQ(error.failure(), CollectiveFailure::lost) << error.what();
      EXPECT_EQ(error.missing(), std::vector<int>{0});
      return;
    }
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(milliseconds(30));
      transport.stop("rank 5 on host b: no space left");
    });
    const CollectiveError error = failure_of(wait);
    EXPECT_EQ(error.failure(), CollectiveFailure::stopped) << error.what();
    EXPECT_TRUE(contains(error, "rank 5 on host b: no space left")) << error.what();
    const CollectiveError again = failure_of([&] { bound.collectives.barrier(); });
    EXPECT_EQ(again.failure(), CollectiveFailure::stopped);
  });
}

std::string refusal(const GlooOptions& options) {
  MemoryStore store;
  try {
    connect_gloo(options, store);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(Connecting, AWrongInterfaceAndAnAbsentRankAreRefusedInWords) {
  EXPECT_EQ(refusal({.rank = 0, .ranks = 2, .interface = "nosuch0", .host = ""})
                .find("GLOO_SOCKET_IFNAME: 'nosuch0'\n  found: this machine has "),
            0u);
  const std::string text = refusal({.rank = 0,
                                    .ranks = 2,
                                    .interface = "",
                                    .host = "127.0.0.1",
                                    .connect_limit = milliseconds(50)});
  EXPECT_NE(text.find("from another rank\n  found: nothing within 0.1 s"), std::string::npos)
      << text;
  EXPECT_NE(text.find("see that all ranks were started"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Collectives, Failing,
                         testing::Values(TransportKind::in_process, TransportKind::gloo),
                         [](const testing::TestParamInfo<TransportKind>& each) {
                           return to_text(each.param);
                         });

}  // namespace
}  // namespace hone::parallel
