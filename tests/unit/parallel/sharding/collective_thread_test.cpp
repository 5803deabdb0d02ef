#include "parallel/sharding/collective_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "parallel/collectives/in_process.h"

namespace hone::parallel {
namespace {

class CollectiveThreadTest : public testing::Test {
 protected:
  InProcessGroup group_{2};
  std::unique_ptr<Transport> transport_ = group_.join(0);
};

TEST_F(CollectiveThreadTest, RunsWorkInItsOrderBesideTheCaller) {
  CollectiveThread thread(*transport_);
  std::vector<int> order;
  std::atomic<bool> go{false};
  thread.submit([&] {
    while (!go) std::this_thread::yield();
    order.push_back(1);
  });
  const auto second = thread.submit([&] { order.push_back(2); });
  go = true;
  thread.wait(second);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  thread.submit([&] { order.push_back(3); });
  thread.wait_for_all();
  EXPECT_EQ(order.size(), 3u);
  thread.wait(0);
}

TEST_F(CollectiveThreadTest, WhatFailsIsThrownToWhoeverWaitsAndNothingFollows) {
  CollectiveThread thread(*transport_);
  std::atomic<bool> go{false};
  std::atomic<int> later{0};
  thread.submit([&] {
    while (!go) std::this_thread::yield();
    throw std::runtime_error("lost");
  });
  thread.submit([&] { ++later; });
  go = true;
  EXPECT_THROW(thread.wait_for_all(), std::runtime_error);
  EXPECT_THROW(thread.submit([] {}), std::runtime_error);
  EXPECT_EQ(later, 0);
}

TEST_F(CollectiveThreadTest, ItsEndDoesNotWaitForAPeer) {
  std::byte in{0};
  const Incoming never{1, &in, 1};
  std::atomic<bool> begun{false};
  const auto start = std::chrono::steady_clock::now();
  {
    CollectiveThread thread(*transport_);
    thread.submit([&] {
      begun = true;
      transport_->exchange({"wait", {}, {&never, 1}, std::chrono::seconds(60)});
    });
    while (!begun) std::this_thread::yield();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace hone::parallel
