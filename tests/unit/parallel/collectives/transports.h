// Every transport, for tests that must hold on each.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "memory/arena.h"
#include "parallel/collectives/collectives.h"

namespace hone::parallel {

enum class TransportKind { in_process, gloo };

std::string to_text(TransportKind kind);

// Runs body on a thread for each rank, joined by this kind of transport; errors of bodies are
// thrown on (the first).
void run_on(TransportKind kind, int ranks, const std::function<void(Transport&)>& body);

// Collectives with their memory.
struct Bound {
  explicit Bound(Transport& transport, const CollectiveOptions& options = {});
  Collectives collectives;

 private:
  std::unique_ptr<Device> device_;
  std::unique_ptr<Arena> arena_;
};

inline TensorView view_of(std::vector<float>& values) {
  return {values.data(), DType::f32, {static_cast<std::int64_t>(values.size())}};
}

}  // namespace hone::parallel
