#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"FLT-01", Grade::failure, false, "The GPU touched memory that is not there.",
     "A kernel went beyond a buffer or used one that was freed; on RX 9060 and 9070 often "
     "hipBLASLt "
     "with LoRA's narrow matrices; or code of another target runs.",
     "on gfx12 set TORCH_BLAS_PREFER_HIPBLASLT=0 ROCBLAS_USE_HIPBLASLT=0; unset "
     "HSA_OVERRIDE_GFX_VERSION; AMD_SERIALIZE_KERNEL=3 shows which kernel it is",
     "!memory access fault by gpu\n!hub] page fault\n!hub0] page fault\n!no-retry page fault\n"
     "l2_protection_fault_status\nan illegal memory access was "
     "encountered\nhiperrorillegaladdress\n"
     "hsa_status_error_memory_fault\nmemory_aperture_violation"},
    {"FLT-02", Grade::failure, false, "The GPU wrote to memory that is for reading only.",
     "Weights mapped from a file, or constants, were the target of a kernel.",
     "copy them before they are changed; report it to the makers of the program",
     "!write access to a read-only page"},
    {"FLT-03", Grade::failure, false, "A token id or label lies beyond the vocabulary.",
     "Tokens were added and the embedding was not resized, or padding has an id of its own.",
     "use the tokenizer that belongs to the model, or resize_vocab: true (hone refuses such a "
     "record)",
     "!t >= 0 && t < n_classes\n!indexselectlargeindex\n!srcindex < srcselectdimsize\n"
     "index out of range in self"},
    {"FLT-04", Grade::failure, false, "The GPU hung.",
     "A kernel that does not end, a fault of memory or of the links between cards, or firmware.",
     "look in `sudo dmesg` for ECC, RAS and XGMI lines first; update firmware; go on from the last "
     "checkpoint",
     "!hw exception by gpu*gpu hang\n!qcm fence wait loop timeout\n!unsuccessful queues "
     "preemption\n"
     "hsa_status_error_fatal\n?hw exception by gpu"},
    {"FLT-05", Grade::warning, false, "One card's fault resets all cards that are linked to it.",
     "Cards with Infinity Fabric links are reset together.",
     "restart the job from its checkpoint, and replace the card that failed first", "mode1 reset"},
    {"FLT-06", Grade::failure, true,
     "A card's memory or logic has an error that cannot be corrected.",
     "Hardware, rarely firmware.",
     "stop using the card, restart the machine, test it with AMD's tools (RVS, AGFHC), and have it "
     "replaced if it comes again",
     "!uncorrectable hardware error\n!uncorrectable error detected in\n!uncorrectable ecc "
     "error\n!hiperroreccnotcorrectable\n"
     "!hw exception by gpu*ecc\n!reason*ecc failure"},
    {"FLT-07", Grade::warning, true, "A card corrects errors of its memory or links.",
     "Ageing memory, or a link of poor quality; the uncorrectable ones come later.",
     "watch whether the count grows, and plan to replace the card",
     "correctable hardware errors detected"},
    {"FLT-08", Grade::failure, true, "A link between cards is missing or has errors.",
     "A bridge, board or link is defective or not seated.",
     "seat it anew or have it replaced; until then use single cards",
     "xgmi*error*detected\nxgmi_wafl*error"},
    {"FLT-09", Grade::warning, true,
     "A card's connection to the processor is slower than it could be.",
     "A riser, a slot of the chipset, a bad contact, or power saving while the card is idle.",
     "seat the card in the first slot of the processor, without riser; set Gen4 instead of Gen5 in "
     "the "
     "BIOS if errors are counted",
     "aer: corrected error\naer: *correct*error*received\npcie bus error: severity"},
    {"FLT-10", Grade::warning, true, "A card is as hot as it may become.",
     "Cooling, dust, or a warm room; the card lowers its clock.",
     "clean it, give it air, or lower its power cap", "thermal throttl\nthrottling*thermal"},
    {"FLT-11", Grade::note, true, "A card's power is capped below its usual value.",
     "An administrator or the chassis lowered it.",
     "`sudo amd-smi set --power-cap` with the usual watts, if that is not meant"},
    {"FLT-12", Grade::warning, true, "A card's clock is fixed by hand.",
     "The performance level is not 'auto'.",
     "`echo auto | sudo tee /sys/class/drm/card*/device/power_dpm_force_performance_level`"},
    {"FLT-13", Grade::failure, false,
     "The kernel stopped a job that took too long beside the desktop.",
     "A card that drives a display resets work that blocks it.",
     "use a card without display for training, or the processor's graphics unit for the display",
     "!ring gfx*timeout\nhiperrorlaunchtimeout\nthe launch timed out and was terminated"},
    {"FLT-14", Grade::warning, false, "The machine restarts when training starts.",
     "The power supply cannot follow the peaks of the cards.",
     "lower the power cap by a tenth or two, use separate cables, or a larger supply", "",
     "the machine is gone before anything can be written"},
    {"FLT-15", Grade::failure, false, "A copy never ends or arrives wrong.",
     "The copy engines or their driver.", "`export HSA_ENABLE_SDMA=0`, and update ROCm",
     "sdma*ring*timeout\nring sdma*timeout"},
    {"FLT-16", Grade::failure, false, "The IOMMU refused a device's access to memory.",
     "Remapping mode or BIOS, or access to memory that was freed.",
     "add `iommu=pt` to the kernel command line, and update the BIOS",
     "!io_page_fault\n!dmar: *fault addr\n!dmar: [dma"},
    {"FLT-17", Grade::warning, true, "More than one process computes on the GPUs.",
     "Radeon cards may be reset when several jobs share one.", "run one job per card"},
};

}  // namespace

std::span<const Entry> fault_entries() {
  return kEntries;
}

}  // namespace hone::doctor
