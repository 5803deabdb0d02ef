"""Ten steps of supervised fine-tuning of SmolLM2-135M-Instruct in transformers and peft: LoRA or full.

usage: smollm2_runs.py lora|full MODEL_F32 DATA.json OUT.json BIG [float32|float64]

OUT.json holds settings, every step, and per tensor norms and some entries; it is small and stays in the repository.
BIG/ gets the whole final weights as `final.safetensors` and, for LoRA, the initial adapter as a peft folder.
The sequences run unpadded, one by one; loss and gradient of a step are the sum over labels / all labels of the step.
"""

import hashlib
import math
import pathlib
import sys

import numpy
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from lf_samples import cosine_factor, encode_sample, read_alpaca, steps_of_epochs
from recording import accumulate, count_labels, rounded, sampled, stamp, write_json
from tiny_adapters import TARGETS, saved_name

SETTINGS = dict(template="chatml", cutoff_len=512, per_device_train_batch_size=4, gradient_accumulation_steps=2, seed=42, max_steps=10,
                lr_scheduler_type="cosine", warmup_ratio=0.1, weight_decay=0.0, max_grad_norm=1.0, adam_beta1=0.9, adam_beta2=0.999,
                adam_epsilon=1e-8)
OF_KIND = {"lora": dict(finetuning_type="lora", lora_target="all", lora_rank=8, lora_alpha=16, lora_dropout=0.0, learning_rate=1e-4),
           "full": dict(finetuning_type="full", learning_rate=1e-5)}
KEPT_ENTRIES = {"lora": 24, "full": 64}
FORMULA = ("lora_B is 0. lora_A of module m = 7*block + place in (q,k,v,o,gate,up,down), row-major element i, all in uint32: "
           "h = m*0x9E3779B1 + i; h ^= h>>16; h *= 0x85EBCA6B; h ^= h>>13; h *= 0xC2B2AE35; h ^= h>>16; "
           "A[i] = float32(1/sqrt(in_features)) * ((h>>8) * 2^-23 - 1), in float32")


def hashed_matrix(module, rows, columns):
    """The initial lora_A of FORMULA, float32 [rows, columns]."""
    h = numpy.arange(rows * columns, dtype=numpy.uint32) + numpy.uint32((module * 0x9E3779B1) & 0xFFFFFFFF)
    h ^= h >> numpy.uint32(16)
    h *= numpy.uint32(0x85EBCA6B)
    h ^= h >> numpy.uint32(13)
    h *= numpy.uint32(0xC2B2AE35)
    h ^= h >> numpy.uint32(16)
    unit = (h >> numpy.uint32(8)).astype(numpy.float32) * numpy.float32(2.0 ** -23) - numpy.float32(1)
    return torch.from_numpy((numpy.float32(1 / math.sqrt(columns)) * unit).reshape(rows, columns))


def formula_samples():
    """Some entries of FORMULA, for whoever writes it again: [module, in_features, element, value]."""
    return [[m, columns, i, hashed_matrix(m, 8, columns).reshape(-1)[i].item()]
            for m, columns, i in ((0, 576, 0), (0, 576, 1), (6, 1536, 12287), (104, 576, 77), (209, 1536, 4000))]


def add_adapter(model):
    settings = OF_KIND["lora"]
    model = get_peft_model(model, LoraConfig(r=settings["lora_rank"], lora_alpha=settings["lora_alpha"], lora_dropout=0.0,
                                             target_modules=TARGETS, task_type="CAUSAL_LM"), autocast_adapter_dtype=False)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_A" in name:
                parts = name.split(".")
                module = 7 * int(parts[parts.index("layers") + 1]) + TARGETS.index(parts[parts.index("lora_A") - 1])
                weight.copy_(hashed_matrix(module, *weight.shape))
    return model


def load_model(kind, folder, dtype, big):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="eager").eval()
    if kind == "lora":
        model = add_adapter(model)
        model.peft_config["default"].base_model_name_or_path = ""
        model.save_pretrained(big / "initial_adapter")
    return model


def train(model, samples):
    """Trains in place; returns what every step logged, with the records that each micro-batch took."""
    weights = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=0.0, betas=(SETTINGS["adam_beta1"], SETTINGS["adam_beta2"]), eps=SETTINGS["adam_epsilon"],
                                  weight_decay=SETTINGS["weight_decay"])
    steps, log = SETTINGS["max_steps"], []
    warmup = math.ceil(steps * SETTINGS["warmup_ratio"])
    windows = steps_of_epochs(len(samples), SETTINGS["seed"], SETTINGS["per_device_train_batch_size"], SETTINGS["gradient_accumulation_steps"])
    for step, (_, window) in zip(range(steps), windows):
        batches = [[samples[i] for i in batch] for batch in window]
        rate = SETTINGS["learning_rate"] * cosine_factor(step, warmup, steps)
        optimizer.param_groups[0]["lr"] = rate
        loss = accumulate(model, batches)
        norm = torch.nn.utils.clip_grad_norm_(weights, SETTINGS["max_grad_norm"]).item()
        optimizer.step()
        optimizer.zero_grad()
        flat = [s for batch in batches for s in batch]
        log.append({"loss": loss, "grad_norm": norm, "learning_rate": rate, "real_tokens": sum(len(s["ids"]) for s in flat),
                    "label_count": count_labels(flat), "records": window})
        print(step + 1, loss, norm, log[-1]["real_tokens"], flush=True)
    return log


def summary(initial, final, kept):
    change = (final.double() - initial.double()).norm().item()
    return {**sampled(final, kept), "change_norm": rounded(change)}


def main():
    kind, folder, data, out, big = sys.argv[1:6]
    dtype = getattr(torch, sys.argv[6]) if len(sys.argv) > 6 else torch.float32
    big = pathlib.Path(big)
    big.mkdir(parents=True, exist_ok=True)
    SETTINGS.update(OF_KIND[kind])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    encoded = [encode_sample(tokenizer, SETTINGS["template"], q, a, SETTINGS["cutoff_len"]) for q, a in read_alpaca(data)]
    samples = [{"ids": ids, "labels": labels} for ids, labels in encoded]
    model = load_model(kind, folder, dtype, big)
    trained = {saved_name(n): p for n, p in model.named_parameters() if p.requires_grad}
    initial = {n: p.detach().clone() for n, p in trained.items()}
    log = train(model, samples)
    save_file({n: p.detach().float().contiguous() for n, p in trained.items()}, big / "final.safetensors")
    adapter = {"formula": FORMULA, "samples": formula_samples()} if kind == "lora" else None
    content = {**stamp(), "dtype": str(dtype), "settings": SETTINGS, "initial_adapter": adapter,
               "data": {"file": pathlib.Path(data).name, "records": len(samples),
                        "sha256": hashlib.sha256(pathlib.Path(data).read_bytes()).hexdigest()},
               "steps": log, "tensors": {n: summary(initial[n], p.detach(), KEPT_ENTRIES[kind]) for n, p in trained.items()}}
    write_json(out, content)


if __name__ == "__main__":
    torch.set_num_threads(2)
    main()
