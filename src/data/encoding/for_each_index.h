// Work that is cut into numbered pieces, on several threads.
#pragma once

#include <cstdint>
#include <functional>

namespace hone::data {

// Calls work(index) for 0 <= index < count, each once, on at most `threads` (>= 1) threads, the
// caller's among them; returns when all are done. An exception ends the work early; the one of the
// lowest index is thrown on, whatever the timing.
void for_each_index(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace hone::data
