#include "config/settings/storage.h"

namespace hone::config {
namespace {

constexpr const char* kNoAddedTokens =
    "tokens cannot be added to a model in this version; leave it out";
constexpr const char* kNotQuantized = "nothing is quantized in this version";
constexpr const char* kTextOnly = "hone trains on text alone";
constexpr const char* kOtherServer =
    "hone generates by itself; vLLM and SGLang read what it exports";
constexpr const char* kWithKt = "it belongs to use_kt, which is not in hone";
constexpr const char* kOwnKernels = "hone's own kernels are fused already";

void declare_working(Declarations& to) {
  to.works(Group::model, "model_name_or_path", Kind::path,
           stored<&Settings::model, &ModelSettings::model_name_or_path>(),
           "The folder of the model, its GGUF file, or its name on the hub. Required.")
      .default_shown_as("null");
  to.works(Group::model, "adapter_name_or_path", Kind::path_list,
           stored<&Settings::model, &ModelSettings::adapter_name_or_path>(),
           "Folders of PEFT adapters, or their names on the hub. Several: all but the last are "
           "merged, the last is used or "
           "trained further.");
  to.works(Group::model, "model_revision", Kind::text,
           stored<&Settings::model, &ModelSettings::model_revision>(),
           "Branch, tag or commit of a model on the hub.");
  to.works(Group::model, "cache_dir", Kind::path,
           stored<&Settings::model, &ModelSettings::cache_dir>(),
           "Folder of what is fetched from the hub; null: HF_HUB_CACHE, or that of transformers.");
  to.works(Group::model, "hf_hub_token", Kind::text,
           stored<&Settings::model, &ModelSettings::hf_hub_token>(),
           "Token for the Hugging Face hub; null: HF_TOKEN. It is shown and written nowhere.");
  to.works(Group::model, "ms_hub_token", Kind::text,
           stored<&Settings::model, &ModelSettings::ms_hub_token>(),
           "Token for ModelScope; null: MODELSCOPE_API_TOKEN. It is shown and written nowhere.");
  to.works(Group::model, "split_special_tokens", Kind::boolean,
           stored<&Settings::model, &ModelSettings::split_special_tokens>(),
           "Read the text of special tokens in records as ordinary text.");
  to.works(Group::model, "infer_dtype", Kind::choice,
           stored<&Settings::model, &ModelSettings::infer_dtype>(),
           "Number type of the weights in chat and export; auto: that of the model's files.")
      .choice("auto", static_cast<int>(InferType::automatic))
      .choice("bfloat16", static_cast<int>(InferType::bfloat16))
      .choice("float32", static_cast<int>(InferType::float32))
      .refuse_choices({"float16"}, "float16 is not computed on CPUs; use bfloat16 or float32");
  to.works(Group::model, "export_dir", Kind::path,
           stored<&Settings::export_to, &ExportSettings::export_dir>(),
           "The folder that `export` writes the merged model to.");
  to.works(Group::model, "export_size", Kind::whole,
           stored<&Settings::export_to, &ExportSettings::export_size>(),
           "Largest size of one file of exported weights, in GB.")
      .at_least(1);
  to.works(Group::model, "export_device", Kind::choice,
           stored<&Settings::export_to, &ExportSettings::export_device>(),
           "Where adapters are merged.")
      .choice("cpu", static_cast<int>(ExportDevice::cpu))
      .choice("auto", static_cast<int>(ExportDevice::automatic));
}

void declare_without_effect(Declarations& to) {
  to.no_effect(
      Group::model,
      {{"om_hub_token", Kind::text, "null", "Token for the Modelers hub.",
        "the Modelers hub is not asked by hone"},
       {"use_fast_tokenizer", Kind::boolean, "true", "Which of two tokenizers to use.",
        "there is one tokenizer, and it is fast"},
       {"low_cpu_mem_usage", Kind::boolean, "true", "Load weights without a second copy.",
        "weights are mapped from their files and never copied whole"},
       {"flash_attn", Kind::text, "auto", "Which attention kernel to use.",
        "attention is hone's own kernel, which never stores a T x T matrix"},
       {"disable_flash_attn", Kind::boolean, "false", "Turn fused attention off.",
        "attention is hone's own kernel, the same on every device"},
       {"use_unsloth", Kind::boolean, "false", "Use Unsloth's kernels.", kOwnKernels},
       {"use_unsloth_gc", Kind::boolean, "false", "Unsloth's way of recomputation.",
        "the memory plan chooses what is recomputed; see memory_limit"},
       {"enable_liger_kernel", Kind::boolean, "false", "Use Liger's kernels.", kOwnKernels},
       {"use_v1_kernels", Kind::boolean, "false", "LLaMA-Factory's experimental kernels.",
        kOwnKernels},
       {"disable_gradient_checkpointing", Kind::boolean, "false", "Recompute nothing in backward.",
        "the memory plan chooses what is recomputed, nothing unless a limit demands it; see "
        "memory_limit"},
       {"use_reentrant_gc", Kind::boolean, "true", "A variant of PyTorch's recomputation.",
        "there is one way of recomputation"},
       {"upcast_layernorm", Kind::boolean, "false", "Norm weights in f32.",
        "norms are computed in f32 always"},
       {"upcast_lmhead_output", Kind::boolean, "false", "Logits in f32.",
        "logits are computed in f32 always"},
       {"offload_folder", Kind::path, "offload", "Folder for weights that do not fit.",
        "weights are mapped from their own files"},
       {"use_kv_cache", Kind::boolean, "true", "Keep keys and values while generating.",
        "they are always kept; the text is the same"},
       {"print_param_status", Kind::boolean, "false", "Print every parameter.",
        "`hone plan` shows what is trained and where the memory goes"},
       {"trust_remote_code", Kind::boolean, "false", "Run Python code that comes with a model.",
        "no code of a model is ever run"},
       {"init_special_tokens", Kind::text, "noise_init", "First values of added tokens.",
        "no tokens are added in this version"},
       {"quantization_method", Kind::text, "bnb", "How to quantize.", kNotQuantized},
       {"quantization_type", Kind::text, "nf4", "Data type of quantized weights.", kNotQuantized},
       {"double_quantization", Kind::boolean, "true", "Quantize the scales too.", kNotQuantized},
       {"quantization_device_map", Kind::text, "null", "Where quantized weights lie.",
        kNotQuantized},
       {"export_quantization_dataset", Kind::path, "null", "Calibration data.", kNotQuantized},
       {"export_quantization_nsamples", Kind::whole, "128", "Calibration records.", kNotQuantized},
       {"export_quantization_maxlen", Kind::whole, "1024", "Calibration tokens per record.",
        kNotQuantized},
       {"vllm_maxlen", Kind::whole, "4096", "vLLM: longest text.", kOtherServer},
       {"vllm_gpu_util", Kind::number, "0.7", "vLLM: share of GPU memory.", kOtherServer},
       {"vllm_enforce_eager", Kind::boolean, "false", "vLLM: no graphs.", kOtherServer},
       {"vllm_max_lora_rank", Kind::whole, "32", "vLLM: largest rank.", kOtherServer},
       {"vllm_config", Kind::mapping, "null", "vLLM: further settings.", kOtherServer},
       {"sglang_maxlen", Kind::whole, "4096", "SGLang: longest text.", kOtherServer},
       {"sglang_mem_fraction", Kind::number, "0.7", "SGLang: share of GPU memory.", kOtherServer},
       {"sglang_tp_size", Kind::whole, "-1", "SGLang: GPUs.", kOtherServer},
       {"sglang_config", Kind::mapping, "null", "SGLang: further settings.", kOtherServer},
       {"sglang_lora_backend", Kind::text, "triton", "SGLang: LoRA kernels.", kOtherServer},
       {"kt_config", Kind::mapping, "null", "KTransformers: settings.", kWithKt},
       {"kt_weight_path", Kind::path, "null", "KTransformers: weights.", kWithKt},
       {"kt_non_expert_weight_path", Kind::path, "null", "KTransformers: other weights.", kWithKt},
       {"kt_expert_checkpoint_path", Kind::path, "null", "KTransformers: checkpoint.", kWithKt},
       {"kt_use_lora_experts", Kind::boolean, "null", "KTransformers: LoRA experts.", kWithKt},
       {"kt_lora_expert_num", Kind::whole, "null", "KTransformers: their number.", kWithKt},
       {"kt_lora_expert_intermediate_size", Kind::whole, "null", "KTransformers: their width.",
        kWithKt},
       {"image_max_pixels", Kind::whole, "589824", "Largest picture.", kTextOnly},
       {"image_min_pixels", Kind::whole, "1024", "Smallest picture.", kTextOnly},
       {"image_do_pan_and_scan", Kind::boolean, "false", "Cut pictures in parts.", kTextOnly},
       {"crop_to_patches", Kind::boolean, "false", "Cut pictures in patches.", kTextOnly},
       {"video_max_pixels", Kind::whole, "65536", "Largest video frame.", kTextOnly},
       {"video_min_pixels", Kind::whole, "256", "Smallest video frame.", kTextOnly},
       {"video_fps", Kind::number, "2.0", "Frames per second.", kTextOnly},
       {"video_maxlen", Kind::whole, "128", "Most frames.", kTextOnly},
       {"use_audio_in_video", Kind::boolean, "false", "Hear videos.", kTextOnly},
       {"audio_sampling_rate", Kind::whole, "16000", "Samples per second.", kTextOnly}});
}

void declare_refused(Declarations& to) {
  to.refused(
      Group::model,
      {{"adapter_folder", Kind::path, "null", "Folder inside the adapter's folder.",
        "an adapter is one folder; give its whole path in adapter_name_or_path"},
       {"resize_vocab", Kind::boolean, "false", "Make room for new tokens.", kNoAddedTokens},
       {"add_tokens", Kind::list, "null", "New ordinary tokens.", kNoAddedTokens},
       {"add_special_tokens", Kind::list, "null", "New special tokens.", kNoAddedTokens},
       {"new_special_tokens_config", Kind::path, "null", "File that describes new tokens.",
        kNoAddedTokens},
       {"rope_scaling", Kind::text, "null", "Stretch the positions of a model.",
        "the model's own config.json says it; set rope_scaling there, which is obeyed"},
       {"shift_attn", Kind::boolean, "false", "Shifted sparse attention.",
        "not in this version of hone; leave it out"},
       {"mixture_of_depths", Kind::text, "null", "Skip blocks per token.",
        "not in this version of hone; leave it out"},
       {"moe_aux_loss_coef", Kind::number, "null", "Weight of the router's loss.",
        "models with routers are not in this version; leave it out"},
       {"train_from_scratch", Kind::boolean, "false", "Start from random weights.",
        "not in this version of hone; give a model with weights"},
       {"infer_backend", Kind::text, "huggingface", "Which program generates.",
        "hone generates by itself; leave it out, and give vLLM or SGLang what `export` writes"},
       {"quantization_bit", Kind::whole, "null", "Quantize while loading.",
        "nothing is quantized in this version; train with finetuning_type: lora, and set "
        "memory_limit if memory is short"},
       {"export_quantization_bit", Kind::whole, "null", "Quantize the exported model.",
        "nothing is quantized in this version; export without it, then quantize with another "
        "program"},
       {"export_legacy_format", Kind::boolean, "false", "Write .bin files.",
        "weights are written as safetensors; leave it out: every current program reads them"},
       {"export_hub_model_id", Kind::text, "null", "Upload the exported model.",
        "hone uploads nothing; use `huggingface-cli upload` on export_dir"},
       {"use_kt", Kind::boolean, "false", "Train with KTransformers.",
        "KTransformers is not in hone; leave it out"},
       {"kt_cpu_activation", Kind::text, "null", "KTransformers: activations on the CPU.",
        "KTransformers is not in hone; leave it out"}});
}

}  // namespace

void declare_model(Declarations& declarations) {
  declare_working(declarations);
  declare_without_effect(declarations);
  declare_refused(declarations);
}

}  // namespace hone::config
