#include "unit/parallel/collectives/transports.h"

#include <mutex>
#include <thread>

#include "parallel/collectives/gloo_transport.h"
#include "parallel/collectives/in_process.h"
#include "parallel/ranks/memory_store.h"

namespace hone::parallel {
namespace {

void run_on_gloo(int ranks, const std::function<void(Transport&)>& body) {
  MemoryStore store;
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto transport = connect_gloo(
            {.rank = rank, .ranks = ranks, .interface = "", .host = "127.0.0.1"}, store);
        body(*transport);
      } catch (const std::exception&) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!first) first = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace

std::string to_text(TransportKind kind) {
  return kind == TransportKind::gloo ? "Gloo" : "InProcess";
}

void run_on(TransportKind kind, int ranks, const std::function<void(Transport&)>& body) {
  if (kind == TransportKind::gloo) {
    run_on_gloo(ranks, body);
  } else {
    run_ranks(ranks, body);
  }
}

Bound::Bound(Transport& transport, const CollectiveOptions& options)
    : collectives(transport, options), device_(open_cpu_device({.threads = 1})) {
  Plan plan;
  collectives.buffers().describe(plan);
  arena_ = std::make_unique<Arena>(*device_, plan);
  collectives.buffers().bind(*arena_);
}

}  // namespace hone::parallel
