// The one header of this room that names ROCm. The tests compile the room against a stand-in of the
// same names (tests/stand_in_rocm), which needs no card.
#pragma once

#if !defined(__HIP_PLATFORM_AMD__)
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>
