// State that no rank holds whole, read piece by piece on rank 0.
#include "assemble/state_gather.h"

#include <gtest/gtest.h>

#include "kit/kit_model.h"
#include "model/description/decoder.h"
#include "model/families/family.h"
#include "parallel/collectives/in_process.h"

namespace hone::assemble {
namespace {

// More elements than one piece that is fetched, and several segments of the norm.
kit::ModelOptions wide() {
  kit::ModelOptions options;
  options.sizes = kit::kWideSizes;
  return options;
}

class Gathering : public testing::TestWithParam<int> {
 protected:
  Gathering() : decoder_(model::describe_model(kit::kit_config(wide()), "config.json")) {
    for (ParameterId id = 0; id < decoder_.registry.size(); ++id) {
      decoder_.registry.set_trainable(id, true);
    }
    layout_ = std::make_unique<FlatLayout>(decoder_.registry);
    map_ = std::make_unique<parallel::ShardMap>(decoder_.registry, *layout_, GetParam());
  }

  // What a rank holds of an array whose element i is i + first.
  std::vector<float> shard(int rank, float first) const {
    std::vector<float> values;
    for (const parallel::FlatRun& run : map_->owned(rank)) {
      for (std::int64_t i = run.first; i < run.first + run.elements; ++i) {
        values.push_back(static_cast<float>(i) + first);
      }
    }
    return values;
  }

  model::Decoder decoder_;
  std::unique_ptr<FlatLayout> layout_;
  std::unique_ptr<parallel::ShardMap> map_;
};

TEST_P(Gathering, RankZeroReadsEveryElementAndNobodyHoldsMoreThanAPiece) {
  parallel::run_ranks(GetParam(), [&](parallel::Transport& transport) {
    parallel::Collectives collectives(transport, {});
    StateGather gather(*map_, collectives);
    std::vector<float> first = shard(transport.rank(), 0.0f);
    std::vector<float> second = shard(transport.rank(), 0.5f);
    const auto view = [](std::vector<float>& values) {
      return TensorView(values.data(), DType::f32, {static_cast<std::int64_t>(values.size())});
    };
    checkpoint::FlatValues arrays[] = {gather.add(view(first)), gather.add(view(second))};
    if (transport.rank() != 0) {
      gather.serve();
      return;
    }
    // In any order, and only parts.
    for (const int array : {1, 0}) {
      EXPECT_EQ(arrays[array].elements(), layout_->elements());
      std::int64_t at = 0;
      std::int64_t wrong = 0;
      std::int64_t most = 0;
      arrays[array].for_each_piece(0, [&](const ConstTensorView& piece) {
        most = std::max(most, piece.elements());
        for (std::int64_t i = 0; i < piece.elements(); ++i, ++at) {
          const float expected = static_cast<float>(at) + (array == 1 ? 0.5f : 0.0f);
          wrong += piece.data<float>()[i] != expected;
        }
      });
      EXPECT_EQ(at, layout_->elements());
      EXPECT_EQ(wrong, 0);
      EXPECT_LT(most, layout_->elements());
    }
    arrays[0].slice(65530, 10).for_each_piece(3, [&](const ConstTensorView& piece) {
      EXPECT_LE(piece.elements(), 3);
      EXPECT_GE(piece.data<float>()[0], 65530.0f);
    });
    gather.done();
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Gathering, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace hone::assemble
