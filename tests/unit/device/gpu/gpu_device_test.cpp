#include "device/gpu/gpu_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/error.h"
#include "stand_in_rocm/stand_in.h"

namespace hone::hip {
namespace {

using stand_in::machine;
using stand_in::Machine;
using stand_in::PlayedCard;

// The text of the UserError that `call` ends with.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

class Gpu : public testing::Test {
 protected:
  void SetUp() override { stand_in::reset(); }
  void TearDown() override {
    EXPECT_EQ(machine().used_bytes, 0u);
    EXPECT_EQ(machine().streams, 0);
    EXPECT_EQ(machine().handles, 0);
  }
};

TEST_F(Gpu, KnowsItsCard) {
  machine().cards = {{}, {"Radeon RX 7900 XTX", "gfx1100", std::size_t{1} << 29, 32, true}};
  const GpuDevice first(0, 1), second(1, 3);
  EXPECT_EQ(first.properties().name, "AMD Instinct MI300X (gfx942)");
  EXPECT_EQ(first.properties().kind, DeviceKind::gpu);
  EXPECT_EQ(first.properties().memory_bytes, std::size_t{1} << 30);
  EXPECT_EQ(first.card().target, "gfx942");
  EXPECT_EQ(first.card().wave_width, 64);
  EXPECT_EQ(first.card().matrix_unit, MatrixUnit::mfma);
  EXPECT_FALSE(first.card().matrix_unit_flushes);
  EXPECT_EQ(second.properties().threads, 3);
  EXPECT_EQ(second.card().wave_width, 32);
  EXPECT_EQ(second.card().matrix_unit, MatrixUnit::wmma11);
  EXPECT_EQ(matrix_unit_of("gfx1201"), MatrixUnit::wmma12);
  EXPECT_EQ(matrix_unit_of("gfx1030"), MatrixUnit::none);
}

TEST_F(Gpu, GivesZeroedMemoryAndTakesItBack) {
  GpuDevice device(0, 1);
  const DeviceMemory memory(device, 10000);
  const auto* bytes = static_cast<const char*>(memory.data());
  EXPECT_EQ(std::count(bytes, bytes + 10000, '\0'), 10000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 4096, 0u);
  EXPECT_EQ(machine().used_bytes, 10000u);
  device.populate(memory.data(), memory.bytes());
  EXPECT_EQ(device.allocate(0), nullptr);
}

TEST_F(Gpu, WhatADriverDoesNotKnowOfPlacingIsNoFault) {
  machine().failures = {{"hipMemAdvise", hipErrorInvalidValue},
                        {"hipMemPrefetchAsync", hipErrorInvalidValue}};
  GpuDevice device(0, 1);
  const DeviceMemory memory(device, 100);
  device.populate(memory.data(), memory.bytes());
}

TEST_F(Gpu, CopiesAreDoneWhenTheyReturn) {
  GpuDevice device(0, 1);
  const DeviceMemory memory(device, 3 * sizeof(int));
  const int sent[] = {1, 2, 3};
  int got[3] = {};
  device.copy_in(memory.data(), sent, sizeof sent);
  device.copy_out(got, memory.data(), sizeof got);
  EXPECT_TRUE(std::equal(std::begin(sent), std::end(sent), got));
  device.fill_zero(memory.data(), sizeof sent);
  device.copy_out(got, memory.data(), sizeof got);
  EXPECT_EQ(got[2], 0);
}

TEST_F(Gpu, SaysWhyThereIsNone) {
  machine().cards.clear();
  EXPECT_EQ(refusal([] { GpuDevice(0, 1); }),
            "a GPU\n  found: no ROCm-capable device is detected (hipErrorNoDevice, 100)\n"
            "  to do: run `hone doctor`, which says why no GPU is seen; or set device: cpu");
  machine().failures = {{"hipGetDeviceCount", hipErrorInsufficientDriver}};
  EXPECT_NE(refusal([] { GpuDevice(0, 1); }).find("install the amdgpu driver of this ROCm version"),
            std::string::npos);
}

TEST_F(Gpu, ListsWhatIsThereInsteadOfWhatIsNot) {
  machine().cards = {{}, {"Radeon RX 7900 XTX", "gfx1100", std::size_t{1} << 29, 32, true}};
  EXPECT_EQ(refusal([] { GpuDevice(2, 1); }),
            "device: gpu:2\n  found: 2 GPUs: gpu:0 AMD Instinct MI300X, gpu:1 Radeon RX 7900 XTX\n"
            "  to do: name one of them; variables such as HIP_VISIBLE_DEVICES hide others");
}

TEST_F(Gpu, RefusesADriverWithoutSharedMemory) {
  machine().cards.front().managed_memory = false;
  EXPECT_NE(refusal([] { GpuDevice(0, 1); }).find("memory that CPU and GPU share is not offered"),
            std::string::npos);
}

TEST_F(Gpu, SaysWhatDidNotFit) {
  GpuDevice device(0, 1);
  const std::string text = refusal([&] { device.allocate(std::size_t{2} << 30); });
  EXPECT_EQ(text,
            "memory: 2147483648 bytes on GPU 0, AMD Instinct MI300X (gfx942)\n"
            "  found: out of memory (hipErrorOutOfMemory, 2)\n"
            "  to do: set memory_limit, a smaller cutoff_len or micro_step_tokens, or end other "
            "programs on the device");
}

TEST_F(Gpu, AFaultOfAKernelNamesTheOperation) {
  GpuDevice device(0, 1);
  machine().failures = {{"hipStreamSynchronize", hipErrorIllegalAddress}};
  const std::string text = refusal([&] { device.settle("swiglu_forward"); });
  EXPECT_NE(text.find("swiglu_forward on GPU 0"), std::string::npos) << text;
  EXPECT_NE(text.find("AMD_SERIALIZE_KERNEL=3"), std::string::npos) << text;
  machine().failures = {{"hipStreamSynchronize", hipErrorUnknown}};
  EXPECT_NE(refusal([&] { device.settle("rope"); }).find("hone doctor --explain"),
            std::string::npos);
  machine().failures.clear();
}

TEST_F(Gpu, SaysThatTheLibraryDoesNotStart) {
  machine().blas_starts = false;
  const std::string text = refusal([] { GpuDevice(0, 1); });
  EXPECT_NE(text.find("hipBLAS answers HIPBLAS_STATUS_NOT_INITIALIZED"), std::string::npos) << text;
}

// Every transpose, with gaps between rows, onto something and not.
TEST_F(Gpu, ProductsAreRowByRow) {
  GpuDevice device(0, 1);
  EXPECT_FALSE(machine().atomics_allowed);
  constexpr std::int64_t kM = 3, kN = 4, kK = 5, kStride = 7;
  std::vector<float> a(kStride * kStride), b(kStride * kStride);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 11) - 5.0f;
    b[i] = static_cast<float>(i % 13) - 6.0f;
  }
  for (int form = 0; form < 8; ++form) {
    const bool ta = form % 2 != 0, tb = form / 2 % 2 != 0, onto = form / 4 != 0;
    std::vector<float> c(kM * kStride, 2.0f);
    device.products().multiply(
        {kM, kN, kK, {a.data(), kStride, ta}, {b.data(), kStride, tb}, c.data(), kStride, onto});
    device.settle("product");
    for (std::int64_t i = 0; i < kM; ++i) {
      for (std::int64_t j = 0; j < kStride; ++j) {
        float sum = onto ? 2.0f : 0.0f;
        for (std::int64_t k = 0; k < kK; ++k) {
          sum += a[static_cast<std::size_t>(ta ? k * kStride + i : i * kStride + k)] *
                 b[static_cast<std::size_t>(tb ? j * kStride + k : k * kStride + j % kN)];
        }
        const float expected = j < kN ? sum : 2.0f;  // the gap is not touched
        EXPECT_EQ(c[static_cast<std::size_t>(i * kStride + j)], expected) << form;
        if (j >= kN) break;
      }
    }
  }
}

TEST_F(Gpu, AWrongLibraryIsFoundOut) {
  GpuDevice device(0, 1);
  std::vector<float> a(64, 1.0f), b(64, 1.0f), c(64, 0.0f);
  const LibraryProduct product = {8,        8, 8,    {a.data(), 8, false}, {b.data(), 8, true},
                                  c.data(), 8, false};
  for (const float error : {0.5f, std::numeric_limits<float>::quiet_NaN()}) {
    machine().product_error = error;
    ProductLibrary library(device.stream(), "a card");
    const std::string text = refusal([&] { library.multiply(product); });
    EXPECT_NE(text.find("hipBLAS computes wrong sums: row 7, column 7 is "), std::string::npos)
        << text;
    EXPECT_NE(text.find("should be 8 (8 x 8, sums of 8)"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace hone::hip
