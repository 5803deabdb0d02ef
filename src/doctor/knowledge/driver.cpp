#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"DRV-01", Grade::failure, true, "AMD's driver package was not built for the running kernel.",
     "amdgpu-dkms is older than the kernel and does not compile against it.",
     "install a newer amdgpu-dkms or the distribution's standard kernel, or remove the package and "
     "use the kernel's own driver (`amdgpu-install --no-dkms`)",
     "!bad return status for module build\n!/var/lib/dkms/amdgpu*make.log\ndkms*amdgpu*failed"},
    {"DRV-02", Grade::failure, true, "Secure Boot keeps the driver out.",
     "The module is signed with a key that this machine has not enrolled, or not at all.",
     "`sudo mokutil --import /var/lib/dkms/mok.pub` (Ubuntu: /var/lib/shim-signed/mok/MOK.der), "
     "restart and enrol the key; or switch Secure Boot off; or use the kernel's own driver",
     "!key was rejected by service\n!loading of unsigned module is rejected\n"
     "!lockdown: modprobe: unsigned module loading"},
    {"DRV-03", Grade::warning, true, "Driver and ROCm are too far apart.",
     "AMD supports a driver and a ROCm that are at most about two releases apart; in a container "
     "the "
     "driver is the host's.",
     "update amdgpu-dkms or the kernel of the host, or take an image with an older ROCm",
     "!incompatible kernel and userspace\n"
     "driver version is insufficient for runtime version\nhiperrorinsufficientdriver"},
    {"DRV-04", Grade::warning, true, "Two memory managers of two drivers are loaded (ttm, amdttm).",
     "AMD's package and the kernel each bring one; an option for one is not seen by the other.",
     "keep one driver; until then give limits for both: `options ttm pages_limit=...` and `options "
     "amdttm pages_limit=...`"},
    {"DRV-05", Grade::failure, true, "Strix Halo runs a firmware that hangs it (MES 0x83).",
     "That version of the scheduler firmware is broken; 0x80 works.",
     "update linux-firmware, or go back to one with MES 0x80, and build the initramfs again",
     "!mes feature version*0x00000083\n!mes_fw_version*83"},
    {"DRV-06", Grade::failure, false,
     "The GPU's scheduler stopped answering and the card was reset.",
     "Mostly what comes after a page fault or a hanging kernel; sometimes its firmware.",
     "look at the first fault line before it; update firmware and kernel; restart the machine if "
     "HIP "
     "calls keep failing",
     "mes failed to resp\nfailed to remove hardware queue from mes\n"
     "mes might be in unrecoverable state\nfailed to add hardware queue to mes\n"
     "?gpu reset begin\n?vram is lost\n?failed to unmap legacy queue"},
    {"DRV-07", Grade::note, false, "This line is harmless.",
     "Healthy machines print it too: optional firmware, no display, or a table of names is "
     "missing.",
     "nothing; look at the other lines of the log",
     ".smu driver if version not matched\n.ras: optional ras ta ucode is not available\n"
     ".cannot find any crtc or sizes\n.refused to change power state\n"
     ".amdgpu.ids: no such file or directory"},
    {"DRV-08", Grade::warning, true, "The driver runs with options from old advice.",
     "noretry, vm_fragment_size, gttsize, ppfeaturemask and the like cause hangs, lost memory or "
     "slow "
     "runs on today's drivers.",
     "remove them from the kernel command line and /etc/modprobe.d; on APUs use ttm.pages_limit "
     "only"},
};

}  // namespace

std::span<const Entry> driver_entries() {
  return kEntries;
}

}  // namespace hone::doctor
