// The order of calls that parameters/contracts.h promises: what sharding and offload will rest on.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "golden/expectation.h"
#include "kernels/reference/reference_table.h"

namespace hone::golden {
namespace {

// Passes every call on, and fails the test where one breaks the contract.
class Witness final : public ParameterSource, public GradientSink {
 public:
  explicit Witness(ModelRun& run)
      : registry_(run.decoder.registry),
        source_(run.weights->parameters()),
        sink_(run.gradients.get()) {}

  void announce(Unit unit) override { announced_.insert(unit); }
  void acquire(Unit unit) override {
    EXPECT_TRUE(unit >= kEmbeddingUnit && unit <= registry_.head_unit()) << unit;
    ++held_[unit];
    order.push_back(unit);
  }
  void release(Unit unit) override {
    EXPECT_GT(held_[unit], 0) << "unit " << unit << " was not acquired";
    --held_[unit];
  }
  ConstTensorView get(ParameterId id) override {
    EXPECT_GT(held_[registry_.at(id).unit], 0) << registry_.at(id).name << " is not acquired";
    return source_.get(id);
  }

  TensorView gradient(ParameterId id) override {
    EXPECT_EQ(finished_count.count(id), 0u)
        << registry_.at(id).name << " gets a contribution after it was finished";
    return sink_->gradient(id);
  }
  void finished(ParameterId id) override {
    EXPECT_TRUE(registry_.at(id).trainable) << registry_.at(id).name;
    ++finished_count[id];
    finished_units.push_back(registry_.at(id).unit);
  }

  bool all_released() const {
    return std::all_of(held_.begin(), held_.end(), [](const auto& one) { return one.second == 0; });
  }
  bool was_announced(Unit unit) const { return announced_.count(unit) != 0; }

  std::vector<Unit> order;           // of acquisition
  std::vector<Unit> finished_units;  // of every finished parameter
  std::map<ParameterId, int> finished_count;

 private:
  const ParameterRegistry& registry_;
  ParameterSource& source_;
  GradientSink* sink_;
  std::map<Unit, int> held_;
  std::set<Unit> announced_;
};

const std::filesystem::path kTiny = std::filesystem::path(HONE_TEST_DATA) / "tiny";

class WalkContract : public testing::Test {
 protected:
  void open(const char* model, Train train, const model::LoraOptions* lora = nullptr) {
    run_ = std::make_unique<ModelRun>(kTiny / model, kernels::reference_table(), train, lora);
    witness_ = std::make_unique<Witness>(*run_);
    const layers::AdapterSet* adapters = run_->adapters ? &*run_->adapters : nullptr;
    walk_ = std::make_unique<model::Walk>(run_->decoder, *run_->buffers, *witness_, adapters,
                                          run_->ops);
    walk_->prepare();
    walk_->set_training(*witness_, 42);
    pack_ = std::make_unique<Pack>(std::vector<std::vector<std::int32_t>>{{1, 2, 3, 4}, {5, 6}});
  }

  double train() { return walk_->train(pack_->view(), run_->loss, 0.25); }

  // Each trained parameter was finished, once, and from the head down.
  void expect_all_finished() {
    const ParameterRegistry& registry = run_->decoder.registry;
    for (ParameterId id = 0; id < registry.size(); ++id) {
      EXPECT_EQ(witness_->finished_count[id], registry.at(id).trainable ? 1 : 0)
          << registry.at(id).name;
    }
    EXPECT_TRUE(std::is_sorted(witness_->finished_units.rbegin(), witness_->finished_units.rend()));
    EXPECT_TRUE(witness_->all_released());
  }

  std::unique_ptr<ModelRun> run_;
  std::unique_ptr<Witness> witness_;
  std::unique_ptr<model::Walk> walk_;
  std::unique_ptr<Pack> pack_;
};

TEST_F(WalkContract, EveryGradientIsFinishedOnceAfterItsLastContribution) {
  open("llama_gqa", Train::everything);
  train();
  expect_all_finished();
}

// The embedding's weight has a contribution of the head, and one at the very end.
TEST_F(WalkContract, ATiedEmbeddingIsFinishedLast) {
  open("llama_tied", Train::everything);
  train();
  expect_all_finished();
  ASSERT_FALSE(witness_->finished_units.empty());
  EXPECT_EQ(witness_->finished_units.back(), kEmbeddingUnit);
}

TEST_F(WalkContract, EveryPassFinishesAnew) {
  open("qwen2", Train::everything);
  const double first = train();
  expect_all_finished();
  witness_->finished_count.clear();
  witness_->finished_units.clear();
  EXPECT_EQ(train(), first);
  expect_all_finished();
}

TEST_F(WalkContract, UnitsAreWalkedUpAndDownTheNextOneAnnounced) {
  open("llama_gqa", Train::everything);
  train();
  const Unit head = run_->decoder.registry.head_unit();
  const auto top = std::find(witness_->order.begin(), witness_->order.end(), head);
  ASSERT_NE(top, witness_->order.end());
  EXPECT_TRUE(std::is_sorted(witness_->order.begin(), top));
  EXPECT_TRUE(std::is_sorted(std::make_reverse_iterator(witness_->order.end()),
                             std::make_reverse_iterator(top)));
  for (Unit unit = block_unit(0); unit <= head; ++unit) {
    EXPECT_TRUE(witness_->was_announced(unit)) << unit;
  }
}

// Below the lowest adapter, backward acquires nothing: there is no one to hand a gradient to.
TEST_F(WalkContract, BackwardEndsWhereTheLowestAdapterSits) {
  open("llama_gqa", Train::everything);
  const std::int64_t blocks = run_->decoder.registry.blocks();
  ASSERT_GE(blocks, 2);
  model::LoraOptions lora;
  lora.rank = 2;
  lora.targets = {"layers." + std::to_string(blocks - 1) + ".self_attn.q_proj"};
  open("llama_gqa", Train::adapters, &lora);
  train();
  expect_all_finished();
  EXPECT_EQ(std::count(witness_->order.begin(), witness_->order.end(), block_unit(blocks - 1)), 2);
  EXPECT_EQ(std::count(witness_->order.begin(), witness_->order.end(), block_unit(0)), 1);
}

TEST_F(WalkContract, EvaluationTouchesNoGradient) {
  open("llama_tied", Train::everything);
  walk_->evaluate(pack_->view(), run_->loss);
  EXPECT_TRUE(witness_->finished_count.empty());
  EXPECT_TRUE(witness_->all_released());
}

}  // namespace
}  // namespace hone::golden
