"""LoRA adapters of tiny models, saved by peft, with logits, loss and gradients.

usage: tiny_adapters.py TINY_MODELS OUT        (../data/tiny ../data/tiny_lora)

Each OUT/<model>_<variant>/ holds adapter_config.json and adapter_model.safetensors as peft writes them, `expected.json`,
and `grad.safetensors` (f32) under the names of adapter_model.safetensors. B is not zero, so A has gradients.
"""

import pathlib
import sys

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

from recording import accumulate, count_labels, run_sequence, sampled, rounded, stamp, write_json
from tiny_models import sequences

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
BASES = ("llama_gqa", "qwen3")
VARIANTS = {"lora": {}, "rslora": {"use_rslora": True}, "saved_modules": {"modules_to_save": ["embed_tokens", "lm_head"]}}


def saved_name(name):
    """The name of a trained parameter in adapter_model.safetensors."""
    return name.replace(".default.", ".").replace(".modules_to_save.", ".")


def trained(model):
    return {saved_name(n): p for n, p in model.named_parameters() if p.requires_grad}


def load_base(folder, dtype):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="eager").eval()


def make_adapter(base_folder, folder, variant, seed):
    config = LoraConfig(r=4, lora_alpha=8, lora_dropout=0.0, target_modules=TARGETS, task_type="CAUSAL_LM", **VARIANTS[variant])
    model = get_peft_model(load_base(base_folder, torch.float32), config)
    model.peft_config["default"].base_model_name_or_path = base_folder.name
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in trained(model).items():
            noise = torch.randn(weight.shape, generator=generator)
            if "lora_" in name:
                weight.copy_(noise * 0.6 * weight.shape[1] ** -0.5)
            else:
                weight.add_(0.2 * noise)
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)


def expected_of(base_folder, folder):
    model = PeftModel.from_pretrained(load_base(base_folder, torch.float64), folder, is_trainable=True, autocast_adapter_dtype=False)
    model = model.to(torch.float64).eval()
    batch = sequences()
    content = {**stamp(), "base": base_folder.name, "label_count": count_labels(batch), "loss": accumulate(model, [batch])}
    with torch.no_grad():
        content["sequences"] = [{**s, "logits": rounded(run_sequence(model, s).tolist())} for s in batch]
        with model.disable_adapter():
            content["last_logits_without_adapter"] = rounded(run_sequence(model, batch[0])[-1].tolist())
    gradients = {name: weight.grad for name, weight in trained(model).items()}
    content["gradient_norm"] = torch.cat([g.reshape(-1) for g in gradients.values()]).norm().item()
    content["gradients"] = {name: sampled(g, 4) for name, g in gradients.items()}
    return content, gradients


def main():
    models, out = map(pathlib.Path, sys.argv[1:3])
    for number, base in enumerate(BASES):
        for place, variant in enumerate(VARIANTS):
            folder = out / f"{base}_{variant}"
            make_adapter(models / base, folder, variant, 2000 + 10 * number + place)
            content, gradients = expected_of(models / base, folder)
            write_json(folder / "expected.json", content)
            save_file({n: g.float().contiguous() for n, g in gradients.items()}, folder / "grad.safetensors")
            print(f"{folder.name}: loss {content['loss']:.6f}, gradient norm {content['gradient_norm']:.6f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
