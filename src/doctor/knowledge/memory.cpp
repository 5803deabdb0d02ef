#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"MEM-01", Grade::failure, false, "The GPU's memory is used up, or cut into pieces too small.",
     "The batch or the sequences are too long for it, or an allocator keeps pieces of many sizes.",
     "lower per_device_train_batch_size or cutoff_len, or use LoRA; with PyTorch also "
     "PYTORCH_ALLOC_CONF=expandable_segments:True; `hone plan` says beforehand what fits",
     "hip out of memory\nhiperroroutofmemory\nhiperrorruntimememory\nhipmalloc*out of memory\n"
     "hip error*: out of memory"},
    {"MEM-02", Grade::failure, false, "A small allocation failed although most memory is free.",
     "A limit of files, mappings or the driver, not of memory.",
     "raise `ulimit -n` and vm.max_map_count (`hone doctor` looks at both), and update ROCm", "",
     "the text is that of MEM-01; the limits that cause it are checked beforehand (D-13, D-16)"},
    {"MEM-03", Grade::warning, true, "Memory of a GPU is in use although no process holds it.",
     "A killed process, another container or the driver left it behind.",
     "end what still holds it (`fuser -v /dev/kfd`); if nothing does, reset the card (`sudo "
     "amd-smi "
     "reset -G`) or restart the machine"},
    {"MEM-04", Grade::warning, false,
     "The process has no file numbers left, which looks like no memory.",
     "Each piece of GPU memory may hold an open file; the usual limit is 1024.",
     "`ulimit -n 65536`, or LimitNOFILE=65536 for a service",
     "hipmemcreate*os call failed\nhiperroroperatingsystem\nos call failed or operation not "
     "supported"},
    {"MEM-05", Grade::warning, false, "The process has no memory mappings left.",
     "The kernel limits how many pieces of memory a process maps.",
     "`sudo sysctl -w vm.max_map_count=1048576`",
     "max_map_count\nmmap*failed*cannot allocate memory"},
    {"MEM-06", Grade::note, false, "HIP reports more free memory than can be had.",
     "It does not count what the desktop uses.",
     "plan with the driver's own count and leave 1 GiB free", "",
     "the number comes from HIP on a card; the driver's own figures are what hone reads"},
    {"MEM-07", Grade::note, false, "Freed memory does not come back.",
     "Memory stays attached while its address range is reserved.",
     "free the address range as well, or update ROCm", "",
     "a defect of programs that manage addresses themselves; nothing is printed"},
    {"MEM-08", Grade::failure, false, "Memory of the host could not be given to the GPU.",
     "The driver limits it to a part of RAM, and containers to theirs.",
     "use fewer buffers in host memory, raise ttm.pages_limit or the container's limit",
     "!system memory limit\nhiphostmalloc*out of memory\nhiphostmalloc "
     "failed\nhiphostregister*failed\n"
     "mapping of buffer object failed"},
    {"MEM-09", Grade::failure, false, "The kernel ended the process because RAM was used up.",
     "The machine or container has too little for weights and buffers; on APUs the GPU's memory is "
     "RAM.",
     "set memory_limit, use a smaller batch or cutoff_len, or give the container more; on APUs "
     "leave "
     "8 GiB to the system",
     "!out of memory: killed process\noom-kill:\noom-kill event\nout-of-memory handler\nmemory "
     "cgroup out of memory\n"
     "exit code 137\nexitcode: -9"},
    {"MEM-10", Grade::warning, true, "The APU sees only a part of the memory it could use.",
     "Kernels before 6.16.9 count it wrongly, and the usual limit is half of RAM.",
     "use Linux 6.16.9 or later, set the BIOS share to its smallest, and give the kernel "
     "`ttm.pages_limit=25165824` (96 GiB) with the same ttm.page_pool_size"},
    {"MEM-11", Grade::note, true, "The APU's memory counters contradict each other.",
     "The fixed share, the mapped share and a limit are counted in different places.",
     "hone plans with the smallest of them; state memory_limit to choose yourself"},
    {"MEM-12", Grade::note, true, "This card hangs the machine when its memory is full.",
     "The driver for RX 9060 and 9070 stops instead of refusing.",
     "keep a tenth of the card's memory free: memory_limit"},
    {"MEM-13", Grade::warning, true, "The processor sees only a small part of the card's memory.",
     "Resizable BAR or 'Above 4G decoding' is off; copies are slow and cards cannot reach each "
     "other.",
     "switch on 'Above 4G decoding' and 'Resizable BAR' in the BIOS, and CSM off",
     "!vram on small bar is not allowed"},
    {"MEM-14", Grade::warning, true,
     "The cards hang on a processor node that this process may not use.",
     "Memory and cores of another node are used, and every copy crosses between them.",
     "start with `numactl --cpunodebind` and `--membind` of the card's node"},
    {"MEM-15", Grade::failure, false, "Memory was freed while the GPU used it.",
     "A buffer was let go before the work on it was over.",
     "report it to the makers of the program; a run with AMD_SERIALIZE_KERNEL=3 shows the place",
     "!memory critical error by agent"},
    {"MEM-16", Grade::failure, false, "A tensor has more elements than 32 bits can count.",
     "Logits of a long batch with a large vocabulary pass 2^31 elements.",
     "lower per_device_train_batch_size or cutoff_len (hone computes logits in pieces)",
     "numel*2147483647\nint32*overflow*tensor\ntensor*more than 2^31"},
    {"MEM-17", Grade::warning, false, "Managed memory is slow or fails.",
     "Pages move on demand only with XNACK on MI200 and MI300, and never on Radeon cards.",
     "use plain allocations (hone does)", "hipmallocmanaged*"},
};

}  // namespace

std::span<const Entry> memory_entries() {
  return kEntries;
}

}  // namespace hone::doctor
