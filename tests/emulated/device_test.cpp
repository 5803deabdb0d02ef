// What the emulated device refuses, counts and promises as a device.
#include "device/emulated/emulated_device.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "base/error.h"
#include "device/emulated/emulated_cards.h"
#include "emulated/emulated_table.h"
#include "ops/elementwise.h"
#include "ops/op_context.h"

namespace hone::tests {
namespace {

Card card() {
  return emulated_cards().front();
}

void do_nothing(const void*, const emulated::Thread&, void*) {}

EmulatedDevice::Launch good_launch() {
  return {"nothing", 3, 128, 256, 64, 1024};
}

std::string refusal(const std::function<void(EmulatedDevice::Launch&)>& spoil) {
  EmulatedDevice device({.card = card()});
  EmulatedDevice::Launch launch = good_launch();
  spoil(launch);
  try {
    device.launch(launch, &do_nothing, nullptr);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(EmulatedDevice, RefusesLaunchesBeyondTheCardInWords) {
  using Launch = EmulatedDevice::Launch;
  EXPECT_EQ(refusal([](Launch&) {}), "");
  EXPECT_EQ(refusal([](Launch& l) { l.threads = l.most_threads = 1088; }),
            "nothing on gfx90a: 1088 threads a block, the card takes 1 to 1024");
  EXPECT_EQ(refusal([](Launch& l) { l.threads = 0; }),
            "nothing on gfx90a: 0 threads a block, the card takes 1 to 1024");
  EXPECT_EQ(refusal([](Launch& l) { l.threads = 320; }),
            "nothing on gfx90a: 320 threads a block, the kernel was compiled for 256");
  EXPECT_EQ(refusal([](Launch& l) { l.threads = 96; }),
            "nothing on gfx90a: 96 threads a block, which are no whole waves of 64");
  EXPECT_EQ(refusal([](Launch& l) { l.wave_width = 32; }),
            "nothing on gfx90a: compiled for waves of 32, the card's have 64");
  EXPECT_EQ(refusal([](Launch& l) { l.blocks = 0; }),
            "nothing on gfx90a: 0 blocks, the card takes 1 to 2147483647");
  EXPECT_EQ(refusal([](Launch& l) { l.blocks = 2147483648; }),
            "nothing on gfx90a: 2147483648 blocks, the card takes 1 to 2147483647");
  EXPECT_EQ(refusal([](Launch& l) { l.blocks = 40000000; }),
            "nothing on gfx90a: 40000000 blocks of 128 threads a block, the card takes 4294967295 "
            "threads in all");
  EXPECT_EQ(refusal([](Launch& l) { l.shared_bytes = 65537; }),
            "nothing on gfx90a: 65537 bytes of local data share, the card has 65536 a block");
}

ops::AddScaled addition(void* x, void* y, std::int64_t columns) {
  ops::AddScaled op;
  op.x = ConstTensorView(x, DType::f32, {2, columns});
  op.y = TensorView(y, DType::f32, {2, columns});
  return op;
}

std::string refusal_of_operand(EmulatedDevice& device, void* x, void* y, std::int64_t columns) {
  const ops::OpTable table = emulated_table();
  ops::OpContext context;
  context.table = &table;
  context.device = &device;
  try {
    ops::run(context, addition(x, y, columns));
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(EmulatedDevice, RefusesOperandsOutsideItsMemory) {
  EmulatedDevice device({.card = card()});
  const DeviceMemory x(device, 400), y(device, 400);
  std::vector<float> host(100);
  EXPECT_EQ(refusal_of_operand(device, x.data(), y.data(), 50), "");
  EXPECT_EQ(refusal_of_operand(device, x.data(), y.data(), 51),
            "add_scaled on gfx90a: x is not in the device's memory");
  EXPECT_EQ(refusal_of_operand(device, x.data(), host.data(), 50),
            "add_scaled on gfx90a: y is not in the device's memory");
  EmulatedDevice open({.card = card(), .host_memory_is_visible = true});
  EXPECT_EQ(refusal_of_operand(open, host.data(), host.data(), 50), "");
}

TEST(EmulatedDevice, CountsWhatALaunchMoves) {
  EmulatedDevice device({.card = card()});
  const DeviceMemory x(device, 400), y(device, 400);
  device.record_launches();
  EXPECT_EQ(refusal_of_operand(device, x.data(), y.data(), 50), "");
  ASSERT_EQ(device.launches().size(), 1u);
  EXPECT_EQ(device.launches()[0].kernel, "add_scaled");
  EXPECT_EQ(device.launches()[0].loaded_bytes, 800);
  EXPECT_EQ(device.launches()[0].stored_bytes, 400);
}

TEST(EmulatedDevice, GivesZeroedMemoryAndRefusesTooMuch) {
  EmulatedDevice device({.card = card(), .memory_bytes = 1000});
  {
    const DeviceMemory memory(device, 900);
    std::vector<unsigned char> bytes(900, 1);
    device.copy_out(bytes.data(), memory.data(), bytes.size());
    EXPECT_EQ(bytes, std::vector<unsigned char>(900, 0));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 4096, 0u);
    try {
      device.allocate(101);
      ADD_FAILURE() << "more than there is";
    } catch (const UserError& error) {
      EXPECT_STREQ(error.what(),
                   "memory: 101 bytes on gfx90a (emulated)\n"
                   "  found: 100 of 1000 bytes are free\n"
                   "  to do: set a smaller cutoff_len or micro_step_tokens");
    }
  }
  EXPECT_NE(DeviceMemory(device, 1000).data(), nullptr);
}

TEST(EmulatedDevice, CopiesOnlyWithinItsMemory) {
  EmulatedDevice device({.card = card()});
  const DeviceMemory memory(device, 8);
  std::vector<float> host(3);
  EXPECT_THROW(device.copy_in(memory.data(), host.data(), 12), InternalError);
  EXPECT_THROW(device.copy_out(host.data(), memory.data(), 12), InternalError);
  EXPECT_THROW(device.fill_zero(memory.data(), 12), InternalError);
}

}  // namespace
}  // namespace hone::tests
