#include "device/gpu/product_library.h"

#include <hipblas/hipblas.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "device/gpu/hip_status.h"
#include "device/gpu/product_samples.h"

namespace hone::hip {
namespace {

void require_blas(hipblasStatus_t status, const std::string& asked) {
  if (status == HIPBLAS_STATUS_SUCCESS) return;
  throw UserError({asked, "hipBLAS answers " + std::string(hipblasStatusToString(status)),
                   "check that rocBLAS has kernels for this card (`hone doctor`), or set "
                   "device: cpu"});
}

int narrow(std::int64_t extent) {
  HONE_ASSERT(extent >= 0 && extent <= std::numeric_limits<int>::max(), extent);
  return static_cast<int>(extent);
}

hipblasOperation_t operation(const LibraryMatrix& matrix) {
  return matrix.transposed ? HIPBLAS_OP_T : HIPBLAS_OP_N;
}

}  // namespace

ProductLibrary::ProductLibrary(hipStream_t stream, std::string device)
    : stream_(stream), device_(std::move(device)) {
  const std::string asked = "matrix products on " + device_;
  hipblasHandle_t handle = nullptr;
  require_blas(hipblasCreate(&handle), asked);
  handle_ = handle;
  require_blas(hipblasSetStream(handle, stream), asked);
  require_blas(hipblasSetAtomicsMode(handle, HIPBLAS_ATOMICS_NOT_ALLOWED), asked);
}

ProductLibrary::~ProductLibrary() {
  (void)hipblasDestroy(static_cast<hipblasHandle_t>(handle_));
}

void ProductLibrary::multiply(const LibraryProduct& product) {
  if (product.m == 0 || product.n == 0 || product.k == 0) return;
  const Form form = {
      product.m,         product.n, product.k, product.a.transposed, product.b.transposed,
      product.accumulate};
  if (checked_.insert(form).second) {
    multiply_checked(product);
  } else {
    start(product);
  }
}

void ProductLibrary::multiply_checked(const LibraryProduct& product) {
  const std::string asked = "matrix products on " + device_;
  require(hipStreamSynchronize(stream_), asked);
  const ProductSamples samples(product);
  if (!product.accumulate) {
    require(hipMemset2DAsync(product.c, static_cast<std::size_t>(product.c_stride) * sizeof(float),
                             0xFF, static_cast<std::size_t>(product.n) * sizeof(float),
                             static_cast<std::size_t>(product.m), stream_),
            asked);
  }
  start(product);
  require(hipStreamSynchronize(stream_), asked);
  const std::string wrong = samples.what_is_wrong();
  if (wrong.empty()) return;
  throw UserError({asked, "hipBLAS computes wrong sums: " + wrong,
                   "update ROCm, or use a version that is known to work on this card; "
                   "`hone doctor` says which one is there. Until then: device: cpu"});
}

// The library counts by columns: what it sees is c^T = b'^T a'^T.
void ProductLibrary::start(const LibraryProduct& product) {
  const float one = 1.0f, onto = product.accumulate ? 1.0f : 0.0f;
  require_blas(
      hipblasSgemm(static_cast<hipblasHandle_t>(handle_), operation(product.b),
                   operation(product.a), narrow(product.n), narrow(product.m), narrow(product.k),
                   &one, product.b.data, narrow(product.b.stride), product.a.data,
                   narrow(product.a.stride), &onto, product.c, narrow(product.c_stride)),
      "a matrix product on " + device_);
}

}  // namespace hone::hip
