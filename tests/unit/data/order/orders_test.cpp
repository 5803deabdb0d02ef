// Values recorded from torch 2.13.0 (randperm on a CPU generator) and numpy 2.4.6.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "data/order/numpy_random.h"
#include "data/order/torch_order.h"

namespace hone::data {
namespace {

// FNV-1a over whole numbers instead of bytes: enough to compare long orders with a recorded value.
template <class Order>
std::uint64_t digest(const Order& order) {
  std::uint64_t value = 1469598103934665603u;
  for (const auto item : order) value = (value ^ static_cast<std::uint64_t>(item)) * 1099511628211u;
  return value;
}

TEST(TorchOrder, ShortOrders) {
  using Order = std::vector<std::int32_t>;
  EXPECT_EQ(torch_random_order(10, 42), (Order{2, 6, 1, 8, 4, 5, 0, 9, 3, 7}));
  EXPECT_EQ(torch_random_order(10, 43), (Order{8, 4, 9, 0, 5, 1, 6, 7, 2, 3}));
  EXPECT_EQ(torch_random_order(7, 0), (Order{4, 0, 5, 3, 2, 6, 1}));
  EXPECT_EQ(torch_random_order(0, 1), (Order{}));
  EXPECT_EQ(torch_random_order(1, 1), (Order{0}));
}

TEST(TorchOrder, SeedsBeyond32BitsAndNegative) {
  using Order = std::vector<std::int32_t>;
  EXPECT_EQ(torch_random_order(5, 4294967299), (Order{1, 0, 3, 4, 2}));
  EXPECT_EQ(torch_random_order(5, -1), (Order{1, 3, 4, 2, 0}));
}

TEST(TorchOrder, LongOrders) {
  EXPECT_EQ(digest(torch_random_order(999, 42)), 17361865450781239572u);
  EXPECT_EQ(digest(torch_random_order(999, 43)), 2406644244472893232u);
  EXPECT_EQ(digest(torch_random_order(100000, 7)), 11416545121573358821u);
}

TEST(TorchOrder, RefusesWhereTorchDrawsOtherwise) {
  try {
    torch_random_order(kTorchOrderLimit, 42);
    FAIL() << "not refused";
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "shuffle the training data\n"
                 "  found: 214748364 records; shuffling goes up to 214748363\n"
                 "  to do: set disable_shuffling: true, or limit the records with max_samples");
  }
}

TEST(NumpyPermutation, ShortOrders) {
  using Order = std::vector<std::int64_t>;
  EXPECT_EQ(numpy_permutation(0, 42), (Order{}));
  EXPECT_EQ(numpy_permutation(1, 42), (Order{0}));
  EXPECT_EQ(numpy_permutation(2, 42), (Order{1, 0}));
  EXPECT_EQ(numpy_permutation(10, 42), (Order{5, 6, 0, 7, 3, 2, 4, 9, 1, 8}));
  EXPECT_EQ(numpy_permutation(10, 0), (Order{4, 6, 2, 7, 3, 5, 9, 0, 8, 1}));
  EXPECT_EQ(numpy_permutation(7, 1234567890123), (Order{0, 5, 1, 6, 3, 2, 4}));
}

TEST(NumpyPermutation, LongOrders) {
  EXPECT_EQ(digest(numpy_permutation(999, 42)), 16165495778849496958u);
  EXPECT_EQ(digest(numpy_permutation(1000, 0)), 12911919861957710345u);
  EXPECT_EQ(digest(numpy_permutation(4097, 1)), 11859093155568231709u);
  EXPECT_EQ(digest(numpy_permutation(100000, 42)), 3045766109176775409u);
  EXPECT_EQ(digest(numpy_permutation(65536, 9223372036854775813u)), 3167957045374892751u);
}

}  // namespace
}  // namespace hone::data
