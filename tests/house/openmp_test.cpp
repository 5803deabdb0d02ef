// One OpenMP runtime in the process: oneDNN's regions run on the same libomp as ours, although
// Debian's oneDNN is linked with libgomp (docs/decisions/threads.md).
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "dnnl.h"

namespace {

std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

void multiply_with_onednn() {
  constexpr dnnl_dim_t kSize = 512;
  std::vector<float> a(kSize * kSize, 1.0f), b(kSize * kSize, 0.5f), c(kSize * kSize);
  ASSERT_EQ(dnnl_success, dnnl_sgemm('N', 'N', kSize, kSize, kSize, 1.0f, a.data(), kSize, b.data(),
                                     kSize, 0.0f, c.data(), kSize));
  EXPECT_EQ(c[kSize], 0.5f * kSize);
}

int threads_of_our_region() {
  int count = 0;
#pragma omp parallel num_threads(2) reduction(+ : count)
  count += 1;
  return count;
}

// The file of the library in which the dynamic linker finds a symbol for everyone.
std::string library_of(const char* symbol) {
  Dl_info info{};
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address == nullptr || dladdr(address, &info) == 0) return "(none)";
  return std::filesystem::path(info.dli_fname).filename();
}

TEST(OneOpenmpRuntime, ServesOnednnAndUs) {
  omp_set_num_threads(2);
  const std::ptrdiff_t before = threads_of_process();
  multiply_with_onednn();
  // One more, or two where the thread sanitizer starts a thread of its own beside the first worker.
  const std::ptrdiff_t with_onednn = threads_of_process();
  ASSERT_GT(with_onednn, before) << "oneDNN was to use a thread beside this one";
  EXPECT_EQ(threads_of_our_region(), 2);
  EXPECT_EQ(threads_of_process(), with_onednn) << "our region brought a worker of a second runtime";
}

TEST(OneOpenmpRuntime, IsLibomp) {
  for (const char* symbol : {"GOMP_parallel", "omp_get_max_threads", "kmp_set_blocktime"}) {
    EXPECT_EQ(library_of(symbol).rfind("libomp", 0), 0u) << symbol << ": " << library_of(symbol);
  }
}

}  // namespace
