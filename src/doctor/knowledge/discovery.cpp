#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"DEV-01", Grade::note, true, "No AMD GPU can be used.",
     "There is none, its driver is not there, the devices were not given to this container, or "
     "this "
     "user may not open them.",
     "run `hone doctor`, which says which of these it is; in a container start with `docker run "
     "--device=/dev/kfd --device=/dev/dri`; until then hone trains on the CPU",
     "?hiperrornodevice\n?no rocm-capable device is detected\n?no hip gpus are available\n"
     "?hip error*: no device\n?hip error 100"},
    {"DEV-02", Grade::failure, true, "/dev/kfd, the compute device of the driver, is missing.",
     "The container was started without it, or the amdgpu driver is not loaded or refused the "
     "card.",
     "start the container with `docker run --device=/dev/kfd --device=/dev/dri ...` (Apptainer "
     "with "
     "--containall: `--bind /dev/kfd,/dev/dri`); outside a container load the driver: `sudo "
     "modprobe amdgpu`",
     "!/dev/kfd*no such file or directory\n!custom device \"/dev/kfd\""},
    {"DEV-03", Grade::failure, true, "This user may not open /dev/kfd.",
     "The device belongs to a group (render, on older systems video) that this process is not in; "
     "a group that was added is in force only after a new login.",
     "`sudo usermod -aG render,video $USER`, then log out and in again; for a service "
     "`SupplementaryGroups=render video`",
     "!/dev/kfd*permission denied\n!/dev/kfd*operation not permitted\n"
     "!not member of \"render\" group\n!not in the render group"},
    {"DEV-04", Grade::failure, true, "The container's groups do not have the number of the device.",
     "Only the number of a group counts across the border of a container, not its name.",
     "add `--group-add $(stat -c %g /dev/kfd) --group-add $(stat -c %g /dev/dri/renderD128)` to "
     "`docker run`, with the host's numbers; Podman: `--group-add keep-groups`",
     "!render*group*gid*container\n!group-add*render*numeric"},
    {"DEV-05", Grade::failure, true, "One render node may not be opened, and so no GPU at all.",
     "ROCm's runtime opens the render node of every GPU it sees and gives up at the first that is "
     "refused; it speaks of resources, but a permission is missing.",
     "`sudo usermod -aG render $USER` and log in again, or give the container only render nodes "
     "that this user may open",
     "hsa api call failure*rocminfo\n!call returned hsa_status_error_out_of_resources\n"
     "!hsa_init*out_of_resources\n!/dev/dri/render*permission denied\n"
     "?hiperrorruntimeother\n?hsa_init*4104\n?hsa_init*0x1008"},
    {"DEV-06", Grade::warning, true, "Some GPUs of this host are hidden from this process.",
     "The container or the job was given only some of the devices.",
     "ask the scheduler for more devices, or give the whole folder: `--device=/dev/dri`"},
    {"DEV-07", Grade::failure, true, "/dev/kfd answers 'Invalid argument'.",
     "Often the device file in a container was made by hand and its number belongs to another "
     "driver now: the number of kfd changes when the driver is loaded again.",
     "map the host's device (`--device=/dev/kfd`) instead of making one with mknod; after the "
     "driver was loaded again, start the container anew",
     "!/dev/kfd*invalid argument"},
    {"DEV-08", Grade::failure, true, "/dev/kfd answers 'Cannot allocate memory'.",
     "No memory is missing: the driver accepted no GPU for computing (too old a card, a slot "
     "without PCIe atomics, or a kernel older than the card).",
     "look for 'not supported in kfd' and 'PCI rejects atomics' in `sudo dmesg`; move the card to "
     "a "
     "slot of the processor, or use a newer kernel",
     "!/dev/kfd*cannot allocate memory"},
    {"DEV-09", Grade::failure, true, "The driver amdgpu is not loaded.",
     "It is on a blacklist or held off by a kernel option, the card is bound to vfio-pci for a "
     "virtual machine, or its module was not built for this kernel.",
     "`sudo modprobe amdgpu`; if that fails, take it off the blacklist in /etc/modprobe.d, build "
     "the "
     "initramfs again and restart",
     "!rock module is not loaded\n!amdgpu*blacklist\n?modprobe: fatal: module amdgpu not found"},
    {"DEV-10", Grade::failure, true, "The driver left a card out: its slot has no PCIe atomics.",
     "A chipset slot, riser, Thunderbolt case or virtual machine does not complete atomic "
     "operations.",
     "put the card in a slot of the processor and update the BIOS; in QEMU use a pcie-root-port of "
     "a "
     "recent version",
     "!pci rejects atomics"},
    {"DEV-11", Grade::failure, true, "The driver could not start the card.",
     "The firmware files are older than the card, its BIOS is broken, or a virtual machine handed "
     "it "
     "over without a reset.",
     "update linux-firmware (or amdgpu-dkms-firmware), build the initramfs again, and switch the "
     "machine off and on; then the card maker's firmware",
     "!direct firmware load for amdgpu/\n!fatal error during gpu init\n!psp firmware loading "
     "failed\n"
     "!invalid ip discovery binary\n!amdgpu_discovery_init failed"},
    {"DEV-12", Grade::failure, true, "The kernel does not know this card for computing.",
     "The kernel, or AMD's driver package, is older than the card.",
     "install a newer kernel or a newer amdgpu-dkms (RX 9060 and 9070: Linux 6.12 or later; MI350: "
     "amdgpu-dkms 6.14 or later)",
     "!not supported in kfd\n!won't add gpu to topology"},
    {"DEV-13", Grade::warning, true,
     "The variables that choose GPUs leave none, or others than meant.",
     "ROCR_VISIBLE_DEVICES filters first, HIP_VISIBLE_DEVICES (or CUDA_VISIBLE_DEVICES) counts in "
     "what is left of it, and GPU_DEVICE_ORDINAL after that.",
     "set only one of them, ROCR_VISIBLE_DEVICES, to numbers below the number of GPUs",
     "invalid device ordinal\nhiperrorinvaliddevice \nhip error 101"},
    {"DEV-14", Grade::note, true, "The cards differ, and tools count them in different orders.",
     "HIP, the driver and the monitoring tools each have an order of their own.",
     "choose a card by its PCI address or its unique id, never by a number from another tool"},
    {"DEV-15", Grade::warning, true, "A processor's own graphics unit is among the GPUs.",
     "The small GPU of a Ryzen shows up as a device; libraries without kernels for it fail, and it "
     "may come first.",
     "leave it out: `export ROCR_VISIBLE_DEVICES=` with the number of the large card, or switch it "
     "off in the BIOS; never set HSA_OVERRIDE_GFX_VERSION for both"},
    {"DEV-16", Grade::warning, true,
     "This is WSL, where a GPU appears as /dev/dxg and not as /dev/kfd.",
     "WSL needs ROCm's build for WSL (librocdxg), a Windows driver of the same version and one of "
     "few "
     "cards.",
     "install AMD's ROCm packages for WSL and the matching Adrenalin driver; with releases before "
     "7.13 set HSA_ENABLE_DXG_DETECTION=1; for several GPUs use Linux itself",
     "!wsl environment detected\n!rocr: unsupported gpu\n!thunk_proxy*assert\n!/dev/dxg"},
    {"DEV-17", Grade::note, true, "This is a virtual machine with a share of a GPU.",
     "A virtual function needs a guest driver of the host's version, and cannot set power or "
     "clocks.",
     "keep guest driver and host driver at the same release; leave power and clocks to the host",
     "vf number exceeds limit"},
    {"DEV-18", Grade::warning, true, "The cards are divided into partitions.",
     "In CPX, DPX or NPS modes one card shows up as several devices with a part of its compute "
     "units and perhaps of its memory.",
     "for training undo it when nobody uses the cards: `sudo amd-smi set --compute-partition SPX` "
     "and "
     "`--memory-partition NPS1`",
     "amdsmi_status_amdgpu_restart_err"},
    {"DEV-19", Grade::failure, false, "A child process used the GPU of its parent.",
     "What the driver keeps belongs to the process that opened it, and does not survive fork().",
     "start workers before the GPU is first used, or start them as new processes (spawn)",
     "hsa_status_error_not_initialized\nhiperrornotinitialized\n"
     "cannot re-initialize*in forked subprocess\nhip error*initialization error"},
    {"DEV-20", Grade::note, true, "Each card of this kind is two devices.",
     "An MI250 has two processors with 64 GB each.",
     "plan for twice as many devices of 64 GB, and put neighbouring ranks on one card"},
};

}  // namespace

std::span<const Entry> discovery_entries() {
  return kEntries;
}

}  // namespace hone::doctor
