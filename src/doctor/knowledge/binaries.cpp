#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"BIN-01", Grade::failure, true, "The program has no code for this GPU.",
     "It was built for other targets than the card's; a small GPU of the processor that is visible "
     "causes it as well.",
     "build for the card's target (GPU_TARGETS or PYTORCH_ROCM_ARCH=gfx942 for MI300X, gfx90a for "
     "MI250, gfx1100 for RX 7900), or hide the other GPU with ROCR_VISIBLE_DEVICES",
     "hiperrornobinaryforgpu\nno kernel image is available for execution\n"
     "unable to find code object for all current devices\ncoudn't find binary for current devices\n"
     "missing co for these isas\n"
     "cannot find co in the bundle\nhip error 209\ndevice kernel image is invalid"},
    {"BIN-02", Grade::failure, false, "A kernel is missing in the code for this GPU.",
     "One of the libraries was built for other targets, or an old copy of it is loaded.",
     "build that library for the card's target; for gfx1101 and gfx1102 with code for gfx1100 "
     "HSA_OVERRIDE_GFX_VERSION=11.0.0 helps for the moment",
     "invalid device function\nhiperrorinvaliddevicefunction\ninvalid device symbol\n"
     "named symbol not found\nhip error 98"},
    {"BIN-03", Grade::failure, true, "The code was made for another family of GPUs.",
     "HSA_OVERRIDE_GFX_VERSION pretends a card that this one is not.",
     "unset HSA_OVERRIDE_GFX_VERSION and use a build for the card's own target",
     "hsa_status_error_invalid_isa\n0x100f"},
    {"BIN-04", Grade::failure, true, "The GPU met an instruction that it does not have.",
     "Code of another target runs on it: HSA_OVERRIDE_GFX_VERSION, or a build for the wrong gfx "
     "name.",
     "unset HSA_OVERRIDE_GFX_VERSION and build for the card: PYTORCH_ROCM_ARCH with its gfx name",
     "!hsa_status_error_illegal_instruction\n!illegal shader instruction\n"
     "!illegal opcode in\nillegal instruction (core dumped)\naborting with error*code: 0x2a"},
    {"BIN-05", Grade::failure, false, "The runtime cannot read the GPU code.",
     "It was built by a newer compiler than the runtime understands, or a cached copy is cut off.",
     "update ROCm's runtime or build with -mcode-object-version=5; delete the cache of compiled "
     "kernels",
     "hsa_status_error_invalid_code_object\nhiperrorinvalidimage\nhiperrorinvalidsource"},
    {"BIN-06", Grade::failure, false, "A library could not register its GPU code.",
     "It has none for one of the visible GPUs, or belongs to another ROCm release.",
     "hide GPUs that are not meant (ROCR_VISIBLE_DEVICES) and use libraries of one ROCm release",
     "shared object initialization failed\nhiperrorsharedobjectinitfailed"},
    {"BIN-07", Grade::warning, true, "Code and process differ in xnack or sramecc.",
     "The code was built for one setting only, and HSA_XNACK asks for the other.",
     "unset HSA_XNACK, or build without the suffix (:xnack+), which works for both",
     "hiperrornobinaryforgpu*xnack\nfind*binary*:xnack"},
    {"BIN-08", Grade::failure, true, "This ROCm release no longer has libraries for this GPU.",
     "Releases leave old cards out: gfx906 since 7, gfx1010 since 5.3.",
     "use an older ROCm or a distribution's build of it"},
    {"BIN-09", Grade::failure, true, "The HIP runtime libamdhip64 was not found.",
     "ROCm is not installed, is another major version, or its folder is unknown to the loader.",
     "install ROCm's runtime (hip-runtime-amd) of the major version asked for; then `echo "
     "/opt/rocm/lib | sudo tee /etc/ld.so.conf.d/rocm.conf && sudo ldconfig`",
     "!libamdhip64.so*cannot open shared object\n!cannot find -lamdhip64\n!libamdhip64.so*not "
     "found"},
    {"BIN-10", Grade::failure, true, "A library that HIP needs is missing.",
     "A package was left out, or a newer distribution has another version of it (libxml2).",
     "install the package of the library that is named: hsa-rocr, comgr, libdrm-amdgpu, libnuma1, "
     "libelf1",
     "!libhsa-runtime64.so*cannot open\n!libamd_comgr.so*cannot open\n"
     "!librocprofiler-register.so*cannot open\n!libdrm_amdgpu.so*cannot open\n"
     "!libnuma.so*cannot open\n!libelf.so*cannot open\n!libxml2.so.2*cannot open"},
    {"BIN-11", Grade::warning, true, "More than one ROCm is within reach.",
     "Libraries of several releases (/opt/rocm-*, LD_LIBRARY_PATH, Python wheels) may be mixed in "
     "one "
     "process, which crashes.",
     "keep one: unset LD_LIBRARY_PATH, point ROCM_PATH at the one that is meant"},
    {"BIN-12", Grade::failure, false, "The C or C++ library is older than ROCm needs.",
     "ROCm was built on a newer distribution, or Conda's old libstdc++ comes first.",
     "use a newer distribution or container; take Conda's copy out of LD_LIBRARY_PATH, or `conda "
     "install -c conda-forge libstdcxx-ng`",
     "!version `glibc*not found\n!version 'glibc*not found\n!version `cxxabi*not found\n"
     "!glibcxx_*not found"},
    {"BIN-13", Grade::failure, true, "HIP's headers or device libraries were not found.",
     "ROCM_PATH does not point at a ROCm, or the development packages are not installed.",
     "`export ROCM_PATH=/opt/rocm` (the folder that holds include/hip) and install hip-dev and "
     "rocm-device-libs",
     "!hip/hip_runtime.h*file not found\n!hip/hip_runtime.h: no such file\n"
     "!hip_runtime_api.h*no such file\n!cannot find rocm device library\n"
     "could not find*hip*hip-config.cmake\nrocm_path*not found"},
    {"BIN-14", Grade::failure, true, "hipcc does not find the C++ headers.",
     "Its clang takes the newest GCC folder, whose C++ headers are not installed.",
     "`sudo apt install libstdc++-14-dev` with the number of the newest folder in "
     "/usr/lib/gcc/x86_64-linux-gnu",
     "!'cmath' file not found\n!'cstdlib' file not found\n!'limits' file not found"},
    {"BIN-15", Grade::failure, false, "GPU source code does not compile with this HIP.",
     "Since ROCm 6.4 and 7 lane masks have 64 bits and warpSize is not a constant.",
     "take a newer version of the library that is being built, or an older ROCm",
     "mask must be a 64-bit\nmask*64-bit integer*__shfl\nwarpsize*not a constant expression"},
};

}  // namespace

std::span<const Entry> binary_entries() {
  return kEntries;
}

}  // namespace hone::doctor
