#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"LCH-01", Grade::failure, false, "A kernel failed, and a later call told of it.",
     "Kernels run on their own; the call that reports is not the one that failed.",
     "run again with AMD_SERIALIZE_KERNEL=3 AMD_SERIALIZE_COPY=3 HIP_LAUNCH_BLOCKING=1 to see "
     "which",
     "?unspecified launch "
     "failure\n?hiperrorlaunchfailure\n?hsa_status_error_invalid_packet_format"},
    {"LCH-02", Grade::failure, false,
     "A kernel asked for a block or grid that this GPU does not allow.",
     "More than 1024 threads in a block, a dimension of zero, or 2^32 or more threads in all (AMD "
     "counts "
     "threads where CUDA counts blocks).",
     "lower per_device_train_batch_size or cutoff_len; to find out whether fused attention is the "
     "one, "
     "set disable_flash_attn: true",
     "kernel launch configuration invalid\ninvalid launch configuration\n"
     "invalid configuration argument\nhiperrorinvalidconfiguration\n"
     "hsa_status_error_incompatible_arguments"},
    {"LCH-03", Grade::failure, false,
     "A kernel was started with larger blocks than it was compiled for.",
     "Without launch bounds the compiler assumes a limit of its own (256 or 1024).",
     "build with __launch_bounds__ or --gpu-max-threads-per-block=1024; to get on, set "
     "disable_flash_attn: true if it is an attention kernel",
     "!are larger than launch bounds"},
    {"LCH-04", Grade::failure, false, "A kernel wants more shared memory (LDS) than the GPU has.",
     "A block has 64 KiB on all cards but MI350 (160 KiB); code for other makers assumes more.",
     "use a build with smaller tiles for this card, or set disable_flash_attn: true",
     "local memory (*exceeds limit\nhsa_status_error_invalid_allocation\n"
     "shared memory*exceeds*65536\nout of resource: shared memory*hardware limit: 65536"},
    {"LCH-05", Grade::failure, false, "A kernel wants more registers than the GPU has.",
     "Too many threads in a block for what each needs.",
     "use smaller blocks, or a build with launch bounds",
     "out_of_registers\ntoo many resources requested for launch\nhiperrorlaunchoutofresources"},
    {"LCH-06", Grade::failure, false, "There is no memory for what kernels spill.",
     "Spilled registers of every thread that can run at once must fit into the card's memory.",
     "leave more memory free; use a build without spills; or limit it with "
     "HSA_SCRATCH_SINGLE_LIMIT",
     "!aborting with error*out_of_resources\n!available free mem :*mb"},
    {"LCH-07", Grade::failure, false, "A kernel stopped itself: an assertion or an exception.",
     "An index out of range, such as a token id beyond the vocabulary, or code of another target.",
     "check token ids and labels; use a build for the card's target",
     "hsa_status_error_exception\nhardware exception. code: 0x1016\nhiperrorassert\n"
     "?device-side assert triggered"},
    {"LCH-08", Grade::failure, false,
     "A cooperative launch has more blocks than the GPU holds at once.",
     "A partition mode or a mask of compute units leaves fewer of them.",
     "undo the partition mode (SPX) and unset HSA_CU_MASK",
     "too many blocks in cooperative launch\nhiperrorcooperativelaunchtoolarge"},
    {"LCH-09", Grade::failure, false, "Something was done while a graph was being recorded.",
     "Synchronizing, allocating or loading code is not allowed there, and HIP 7 is stricter.",
     "run every kernel once before recording; leave collectives out of graphs",
     "hiperrorstreamcapture\noperation not permitted when stream is capturing"},
    {"LCH-10", Grade::failure, false, "A kernel assumes waves of another width.",
     "Instinct cards have 64 lanes in a wave, Radeon cards 32.",
     "use a version of the library that knows both (bitsandbytes 0.50 or later)", "",
     "it gives wrong numbers and no message; tests of the kernels on each kind of card find it"},
    {"LCH-11", Grade::note, false, "HIP counts half as many compute units as the card has.",
     "On Radeon cards it counts pairs of them.",
     "use the driver's count (`hone doctor` does) for peak figures", "",
     "a question of which number is read, not an error of a machine"},
    {"LCH-12", Grade::warning, true, "This process may use one processor core only.",
     "ROCm's helper threads then share it with the training.",
     "do not pin to a single core (taskset, Slurm's --cpus-per-task), or set "
     "HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0 and pin widely"},
};

}  // namespace

std::span<const Entry> launch_entries() {
  return kEntries;
}

}  // namespace hone::doctor
