// HIP's streams, owned.
#pragma once

#include "device/gpu/hip_status.h"

namespace hone::hip {

// Of the device that is current when it is made. Not ordered with the default stream.
class Stream {
 public:
  Stream() { require(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), "a stream"); }
  ~Stream() { (void)hipStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  hipStream_t handle() const { return stream_; }

 private:
  hipStream_t stream_ = nullptr;
};

}  // namespace hone::hip
