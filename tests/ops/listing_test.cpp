// No operation without a case, a proof of its gradient, and a kernel on the CPU.
#include <gtest/gtest.h>

#include <set>

#include "kernels/cpu/cpu_kernels.h"
#include "ops/cases.h"

namespace hone::tests {
namespace {

template <class Op>
void expect_complete(const std::set<std::string>& cases) {
  EXPECT_TRUE(ops::supported<Op>(kernels::cpu_table())) << Op::kName;
  EXPECT_TRUE(ops::supported<Op>(kernels::reference_table())) << Op::kName;
  EXPECT_EQ(cases.count(std::string(Op::kName)), 1u) << Op::kName << " has no case";
}

template <class... Ops>
void expect_all_complete(const std::set<std::string>& cases) {
  // A slot is two pointers; the list below must name every slot of the table.
  EXPECT_EQ(sizeof(ops::OpTable), sizeof...(Ops) * sizeof(ops::Kernel<ops::Product>));
  (expect_complete<Ops>(cases), ...);
}

TEST(Listing, EveryOperationHasCasesAndKernels) {
  std::set<std::string> cases;
  for (const OpCase& c : all_cases()) cases.insert(c.op);
  expect_all_complete<ops::EmbeddingForward, ops::EmbeddingBackward, ops::RmsNormForward,
                      ops::RmsNormBackward, ops::Product, ops::BiasForward, ops::BiasBackward,
                      ops::LoraDown, ops::LoraUp, ops::LoraUpBackward, ops::LoraDownBackward,
                      ops::Rope, ops::AttentionForward, ops::AttentionBackward, ops::SwiGluForward,
                      ops::SwiGluBackward, ops::GatherRows, ops::ScatterAddRows,
                      ops::HeadStatistics, ops::HeadGradient, ops::SquaredNorm, ops::AdamW,
                      ops::Cast, ops::AddScaled>(cases);
}

TEST(Listing, EveryBackwardIsProved) {
  std::set<std::string> proved;
  for (const GradientCase& c : all_gradient_cases()) proved.insert(c.op);
  for (const OpCase& c : all_cases()) {
    const bool is_backward = c.op.find("backward") != std::string::npos ||
                             c.op == ops::HeadGradient::kName || c.op == ops::Rope::kName ||
                             c.op == ops::ScatterAddRows::kName;
    if (!is_backward) continue;
    EXPECT_EQ(proved.count(c.op), 1u) << c.op << " is not proved";
  }
}

TEST(Listing, NamesAreUnique) {
  std::set<std::string> names;
  for (const OpCase& c : all_cases())
    EXPECT_TRUE(names.insert(c.op + "_" + c.name).second) << c.name;
}

}  // namespace
}  // namespace hone::tests
