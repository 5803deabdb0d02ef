// Which instruction sets are compiled: AVX-512, AVX2 (with FMA), and the compiler's plain code for
// processors older than that. Included before any Highway header.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
