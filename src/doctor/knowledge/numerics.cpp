#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

constexpr Entry kEntries[] = {
    {"NUM-01", Grade::note, true, "On this card fp16 loses its smallest numbers.",
     "The MI200 series takes numbers below 6e-5 as zero in its matrix units.",
     "train with bf16: true; with fp16 keep loss scaling and set ROCBLAS_INTERNAL_FP16_ALT_IMPL=1"},
    {"NUM-02", Grade::failure, false, "The loss is not a number from the first step on.",
     "On RX 7900 and Strix Halo some fused attention kernels for bf16 are wrong; with fp16 it is "
     "overflow.",
     "set bf16: true if it is fp16; else disable_flash_attn: true, and update ROCm",
     "loss*nan*gfx11\nnan*attention*gfx11\nstep 0*loss*nan\nstep 1: loss = nan"},
    {"NUM-03", Grade::failure, false, "Gradients of attention become NaN after some hundred steps.",
     "Faults of attention kernels of single releases on MI300X.",
     "update ROCm and the attention library, or set disable_flash_attn: true",
     "nan*in gradient\ngrad_norm*nan\ngradient*not finite\ngradient overflow*nan"},
    {"NUM-04", Grade::failure, false, "The gradient norm explodes on several cards only.",
     "Not known in public; wrong collectives or products are suspected.",
     "try RCCL_MSCCL_ENABLE=0 NCCL_PROTO=Simple, then hipBLAS instead of hipBLASLt, then another "
     "ROCm",
     "", "it takes the same batch on one and on several cards"},
    {"NUM-05", Grade::failure, false, "fp8 numbers are doubled, halved or NaN.",
     "MI300 uses another encoding of fp8 than MI350, RX 9000 and files of models.",
     "convert weights for the card, or use bf16",
     "float8_e4m3fnuz*not supported\nfp8*fnuz\ne4m3fn*not supported"},
    {"NUM-06", Grade::failure, false, "fp16 overflows.",
     "Models trained in bf16 have values beyond 65504.", "set bf16: true instead of fp16",
     "loss scale*minimum\ncurrent loss scale already at minimum\noverflow*loss scale\n"
     "gradient overflow*skipping step"},
    {"NUM-07", Grade::failure, false, "Quantized weights are decoded wrongly.",
     "Kernels for 4 and 8 bits were written for waves of 32 lanes.",
     "use bitsandbytes 0.50 or later", "",
     "it gives wrong numbers and no message; it takes a comparison on the card"},
    {"NUM-08", Grade::note, false, "The same run gives other numbers.",
     "Sums in changing order, or another algorithm was chosen.",
     "on one machine and build hone gives the same bits twice; elsewhere turn on deterministic "
     "modes",
     "", "one run alone does not show it"},
    {"RUN-01", Grade::warning, false, "The loss does not fall.",
     "The learning rate is too large or far too small, there is no warm-up, or fp16 loses the "
     "gradients.",
     "halve learning_rate (1e-4 to 5e-5), set warmup_ratio: 0.1, and use bf16: true instead of "
     "fp16",
     "loss*does not decrease\nloss*not decreasing\nloss*does not fall\nloss*stays flat\n"
     "loss*is not going down\nloss 不下降\nloss*震荡"},
    {"RUN-02", Grade::warning, false, "The loss rises or swings widely.",
     "The learning rate is too large, or the warm-up too short.",
     "halve learning_rate or more (1e-4 to 5e-5 and below), and set warmup_ratio: 0.1",
     "loss*diverge\nloss*explode\nloss*oscillat"},
};

}  // namespace

std::span<const Entry> numerics_entries() {
  return kEntries;
}

}  // namespace hone::doctor
