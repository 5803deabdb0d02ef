#include "ops/product.h"

#include "ops/cases.h"

namespace hone::tests {
namespace {

struct Form {
  bool transpose_a = false;
  bool transpose_b = false;
  bool accumulate = false;
};

auto maker(const Form& form) {
  return [form](const Operands& o) {
    ops::Product op;
    op.a = o["a"];
    op.b = o["b"];
    op.c = o["c"];
    op.transpose_a = form.transpose_a;
    op.transpose_b = form.transpose_b;
    op.accumulate = form.accumulate;
    return op;
  };
}

std::string form_name(const Form& form) {
  return std::string(form.transpose_a ? "t" : "n") + (form.transpose_b ? "t" : "n") +
         (form.accumulate ? "_onto" : "");
}

OpCase product_case(std::int64_t m, std::int64_t n, std::int64_t k, const Form& form,
                    DType b = DType::f32, std::int64_t gap = 0) {
  const Shape a_shape = form.transpose_a ? Shape{k, m} : Shape{m, k};
  const Shape b_shape = form.transpose_b ? Shape{n, k} : Shape{k, n};
  const OperandSpec c = form.accumulate ? updated("c", {m, n}) : assigned("c", {m, n});
  const std::string name = form_name(form) + "_" + std::to_string(m) + "_" + std::to_string(n) +
                           "_" + std::to_string(k) + "_" + std::string(hone::name(b)) +
                           (gap > 0 ? "_strided" : "");
  OpCase result = op_case(
      name,
      {in("a", a_shape).strided(gap), in("b", b_shape).as(b).strided(2 * gap), c.strided(gap)},
      maker(form), sum_of(static_cast<double>(k + 1), 1.0, "sum of k products of factors below 1"));
  result.reference_in_own_dtypes = true;  // sums in double, each rounded once
  result.rounds_visibly = k >= 32 && m * n >= 64;
  return result;
}

}  // namespace

Cases product_cases() {
  Cases cases;
  for (const DType b : {DType::f32, DType::bf16, DType::f16}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        for (const bool onto : {false, true}) {
          cases.push_back(product_case(13, 17, 19, {ta, tb, onto}, b));
          cases.push_back(product_case(40, 33, 65, {ta, tb, onto}, b, 3));
          cases.push_back(product_case(1, 1, 1, {ta, tb, onto}, b));
          if (ta != tb) continue;
          cases.push_back(product_case(3, 4, 0, {ta, tb, onto}, b));
          cases.push_back(product_case(0, 4, 3, {ta, tb, onto}, b));
          cases.push_back(product_case(4, 0, 3, {ta, tb, onto}, b));
        }
      }
    }
    // Decoding: every count of rows that has its own kernel.
    for (std::int64_t m = 1; m <= 9; ++m) {
      cases.push_back(product_case(m, 71, 100, {false, true, m % 2 == 0}, b));
    }
  }
  // Several panels of b: over columns of c, and over terms.
  cases.push_back(product_case(9, 4200, 150, {false, true, true}, DType::bf16));
  cases.push_back(product_case(9, 150, 4200, {false, false, false}, DType::bf16));
  cases.push_back(product_case(3, 150, 4200, {true, false, true}, DType::f16));
  return cases;
}

}  // namespace hone::tests
