// What every transport must do, with answers that are known in closed form.
#include "parallel/collectives/collectives.h"

#include <atomic>
#include <cmath>
#include <limits>

#include "base/half.h"
#include "unit/parallel/collectives/transports.h"

namespace hone::parallel {
namespace {

struct Case {
  TransportKind kind;
  int ranks;
};

class OnEveryTransport : public testing::TestWithParam<Case> {
 protected:
  int ranks() const { return GetParam().ranks; }
  void run(const std::function<void(Collectives&)>& body, const CollectiveOptions& options = {}) {
    run_on(GetParam().kind, ranks(), [&](Transport& transport) {
      Bound bound(transport, options);
      body(bound.collectives);
    });
  }
};

// Element i of rank r: small whole numbers, so that every sum is exact, in bf16 too.
float value(int rank, std::int64_t i) {
  return static_cast<float>(rank + 1 + i % 5);
}

float sum_of_values(int ranks, std::int64_t i) {
  float sum = 0.0f;
  for (int rank = 0; rank < ranks; ++rank) sum += value(rank, i);
  return sum;
}

std::vector<float> values_of(int rank, std::int64_t elements) {
  std::vector<float> values(static_cast<std::size_t>(elements));
  for (std::int64_t i = 0; i < elements; ++i) values[static_cast<std::size_t>(i)] = value(rank, i);
  return values;
}

// Uneven, some empty, each rank in two places, the last rank nothing.
std::vector<Part> scattered_parts(std::int64_t elements, int ranks) {
  std::vector<Part> parts;
  std::int64_t first = 0;
  for (int round = 0; round < 2; ++round) {
    for (int rank = 0; rank + 1 < ranks; ++rank) {
      const std::int64_t size = std::min<std::int64_t>(elements - first, 3 * rank + 5 * round);
      parts.push_back({rank, first, size});
      first += size;
    }
  }
  parts.push_back({0, first, elements - first});
  return parts;
}

TEST_P(OnEveryTransport, ReduceScatterGivesEachOwnerItsSums) {
  // A staging room of two elements per peer makes many rounds.
  for (const std::int64_t staging : {std::int64_t{1} << 20, std::int64_t{8} * ranks()}) {
    for (const std::int64_t elements : {0, 1, 7, 61}) {
      run(
          [&](Collectives& collectives) {
            for (const auto& parts :
                 {even_parts(elements, ranks()), scattered_parts(elements, ranks())}) {
              std::vector<float> values = values_of(collectives.rank(), elements);
              collectives.reduce_scatter(view_of(values), parts);
              for (const Part& part : parts) {
                for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
                  const bool own = part.owner == collectives.rank();
                  EXPECT_EQ(values[static_cast<std::size_t>(i)],
                            own ? sum_of_values(ranks(), i) : value(collectives.rank(), i));
                }
              }
            }
          },
          {.staging_bytes = staging});
    }
  }
}

TEST_P(OnEveryTransport, ReduceScatterAddsToWhatIsThereWhenAsked) {
  run([&](Collectives& collectives) {
    const std::vector<Part> parts = scattered_parts(61, ranks());
    std::vector<float> values = values_of(collectives.rank(), 61);
    const std::int64_t own = owned_elements(parts, collectives.rank());
    std::vector<float> mine(static_cast<std::size_t>(own), 100.0f);
    const auto expect_mine = [&](float base, float factor) {
      std::size_t at = 0;
      for (const Part& part : parts) {
        if (part.owner != collectives.rank()) continue;
        for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
          EXPECT_EQ(mine[at++], base + factor * sum_of_values(ranks(), i));
        }
      }
      EXPECT_EQ(at, mine.size());
    };
    collectives.reduce_scatter(view_of(values), parts, view_of(mine), true);
    collectives.reduce_scatter(view_of(values), parts, view_of(mine), true);
    expect_mine(100.0f, 2.0f);
    EXPECT_EQ(values, values_of(collectives.rank(), 61));
    collectives.reduce_scatter(view_of(values), parts, view_of(mine), false);
    expect_mine(0.0f, 1.0f);
  });
}

TEST_P(OnEveryTransport, AllGatherAndAllReduce) {
  for (const std::int64_t elements : {0, 1, 6, 50}) {
    run([&](Collectives& collectives) {
      const std::vector<Part> parts = scattered_parts(elements, ranks());
      std::vector<float> gathered(static_cast<std::size_t>(elements), -1.0f);
      for (const Part& part : parts) {
        if (part.owner != collectives.rank()) continue;
        for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
          gathered[static_cast<std::size_t>(i)] = value(part.owner, i);
        }
      }
      collectives.all_gather(view_of(gathered), parts);
      for (const Part& part : parts) {
        for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
          EXPECT_EQ(gathered[static_cast<std::size_t>(i)], value(part.owner, i));
        }
      }
      std::vector<float> values = values_of(collectives.rank(), elements);
      collectives.all_reduce(view_of(values));
      for (std::int64_t i = 0; i < elements; ++i) {
        EXPECT_EQ(values[static_cast<std::size_t>(i)], sum_of_values(ranks(), i));
      }
    });
  }
}

TEST_P(OnEveryTransport, GatherBringsAllPartsToTheRootAlone) {
  for (const std::int64_t elements : {0, 1, 6, 50}) {
    for (const int root : {0, ranks() - 1}) {
      run([&](Collectives& collectives) {
        const std::vector<Part> parts = scattered_parts(elements, ranks());
        std::vector<float> values(static_cast<std::size_t>(elements), -1.0f);
        for (const Part& part : parts) {
          if (part.owner != collectives.rank()) continue;
          for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
            values[static_cast<std::size_t>(i)] = value(part.owner, i);
          }
        }
        collectives.gather(view_of(values), parts, root);
        for (const Part& part : parts) {
          const bool there = collectives.rank() == root || part.owner == collectives.rank();
          for (std::int64_t i = part.first; i < part.first + part.elements; ++i) {
            EXPECT_EQ(values[static_cast<std::size_t>(i)], there ? value(part.owner, i) : -1.0f);
          }
        }
      });
    }
  }
}

TEST_P(OnEveryTransport, SeveralNumbersAreSummedAtOnce) {
  run([&](Collectives& collectives) {
    const double mine = collectives.rank() + 0.5;
    std::vector<double> numbers = {mine, 1.0, collectives.rank() == 0 ? 0.1 : 0.0};
    collectives.sum(numbers);
    const double count = ranks();
    EXPECT_EQ(numbers, (std::vector<double>{count * count / 2.0, count, 0.1}));
    collectives.sum(std::span<double>());
  });
}

TEST_P(OnEveryTransport, Bf16IsSummedInF32AndRoundedOnce) {
  run([&](Collectives& collectives) {
    // 256 + 1 + 1: in bf16 each 1 is lost, in f32 neither is.
    const float mine = collectives.rank() == 0 ? 256.0f : 1.0f;
    std::vector<BFloat16> values(5, to_bfloat16(mine));
    collectives.all_reduce(TensorView(values.data(), DType::bf16, {5}));
    const float exact = 256.0f + static_cast<float>(ranks() - 1);
    for (const BFloat16 each : values) EXPECT_EQ(each.bits, to_bfloat16(exact).bits);
    std::vector<float> sums(
        static_cast<std::size_t>(owned_elements(even_parts(5, ranks()), collectives.rank())));
    std::fill(values.begin(), values.end(), to_bfloat16(mine));
    collectives.reduce_scatter(TensorView(values.data(), DType::bf16, {5}), even_parts(5, ranks()),
                               view_of(sums), false);
    for (const float each : sums) EXPECT_EQ(each, exact);
  });
}

// (1e8 + 1) - 1e8 is 0 in f32, (1e8 - 1e8) + 1 is 1.
TEST_P(OnEveryTransport, SumsAreTakenInTheOrderOfRanks) {
  if (ranks() < 3) return;
  const auto summed = [&](const std::vector<float>& by_rank) {
    std::atomic<float> result{-1.0f};
    run([&](Collectives& collectives) {
      const auto rank = static_cast<std::size_t>(collectives.rank());
      std::vector<float> values(9, rank < 3 ? by_rank[rank] : 0.0f);
      collectives.all_reduce(view_of(values));
      for (const float each : values) EXPECT_EQ(each, values[0]);
      result = values[0];
    });
    return result.load();
  };
  EXPECT_EQ(summed({1e8f, 1.0f, -1e8f}), 0.0f);
  EXPECT_EQ(summed({1e8f, -1e8f, 1.0f}), 1.0f);
}

TEST_P(OnEveryTransport, BroadcastFromEveryRoot) {
  for (int root = 0; root < ranks(); ++root) {
    for (const std::int64_t elements : {0, 1, 17}) {
      run([&](Collectives& collectives) {
        std::vector<float> values = values_of(collectives.rank(), elements);
        collectives.broadcast(view_of(values), root);
        EXPECT_EQ(values, values_of(root, elements));
      });
    }
  }
}

TEST_P(OnEveryTransport, ABarrierLetsNobodyPassBeforeAllAreThere) {
  std::atomic<int> there{0};
  run([&](Collectives& collectives) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * collectives.rank()));
    ++there;
    collectives.barrier();
    EXPECT_EQ(there.load(), ranks());
  });
}

TEST_P(OnEveryTransport, SumOfOneNumberEach) {
  run([&](Collectives& collectives) {
    EXPECT_EQ(collectives.sum(collectives.rank() + 0.5),
              0.5 * ranks() + 0.5 * ranks() * (ranks() - 1));
    const double hole =
        collectives.rank() == ranks() - 1 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    EXPECT_TRUE(std::isnan(collectives.sum(hole)));
  });
}

// The formulas of docs/algorithms.md: n elements of b bytes, W ranks, own share c.
TEST_P(OnEveryTransport, BytesOnTheWireAreThoseOfTheFormulas) {
  constexpr std::int64_t kElements = 103;
  run(
      [&](Collectives& collectives) {
        const int w = ranks();
        const int rank = collectives.rank();
        const std::vector<Part> parts = scattered_parts(kElements, w);
        const std::int64_t own = owned_elements(parts, rank);
        std::vector<float> values = values_of(rank, kElements);
        std::vector<BFloat16> narrow(kElements);
        std::int64_t before = 0;
        const auto sent = [&] {
          const std::int64_t bytes = collectives.counted().bytes - before;
          before = collectives.counted().bytes;
          return bytes;
        };
        collectives.reduce_scatter(view_of(values), parts);
        EXPECT_EQ(sent(), 4 * (kElements - own));
        collectives.all_gather(view_of(values), parts);
        EXPECT_EQ(sent(), 4 * own * (w - 1));
        collectives.all_reduce(view_of(values), parts);
        EXPECT_EQ(sent(), 4 * (kElements - own + own * (w - 1)));
        collectives.all_reduce(TensorView(narrow.data(), DType::bf16, {kElements}), parts);
        EXPECT_EQ(sent(), 2 * (kElements - own + own * (w - 1)));
        collectives.broadcast(view_of(values), w - 1);
        const std::int64_t share = owned_elements(even_parts(kElements, w), rank);
        const std::int64_t as_root = kElements - share + share * (w - 1);
        EXPECT_EQ(sent(), w == 1 ? 0 : 4 * (rank == w - 1 ? as_root : share * (w - 2)));
        collectives.gather(view_of(values), parts, w - 1);
        EXPECT_EQ(sent(), rank == w - 1 ? 0 : 4 * own);
        collectives.barrier();
        EXPECT_EQ(sent(), w - 1);
        collectives.sum(1.0);
        EXPECT_EQ(sent(), 8 * (w - 1));
      },
      {.staging_bytes = 64});
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const TransportKind kind : {TransportKind::in_process, TransportKind::gloo}) {
    for (const int ranks : {1, 2, 3, 4}) all.push_back({kind, ranks});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Collectives, OnEveryTransport, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& each) {
                           return to_text(each.param.kind) + std::to_string(each.param.ranks);
                         });

}  // namespace
}  // namespace hone::parallel
