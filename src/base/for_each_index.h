// Work that is cut into numbered pieces, on several threads; the pieces may allocate, read files
// and throw.
#pragma once

#include <cstdint>
#include <functional>

namespace hone {

// Calls work(index) for 0 <= index < count, each once, and returns when all are done.
//
// Threads: at most `threads` (>= 1) at a time, the caller's among them, never more than there are
// indices; fewer where the system gives no more. The others live only as long as the call. With one
// thread, all calls are the caller's own.
// Order: indices are started in rising order; with several threads they end in any order.
// Exceptions: the first ends the work early: what has been started is finished, nothing more is
// started. The one of the lowest index is thrown on, whatever the timing.
void for_each_index(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace hone
