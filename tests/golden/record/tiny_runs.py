"""Five AdamW steps of two micro-batches on a tiny model: full, and LoRA.

usage: tiny_runs.py TINY_MODELS TINY_LORA OUT        (../data/tiny ../data/tiny_lora ../data/tiny_runs)

Weight decay 0.1 in transformers' groups, clipping (in the LoRA run at a norm that only some steps pass), cosine with two warm-up steps; all in f64.
OUT/<run>.json holds options, samples and every step; OUT/<run>.safetensors the final trained weights (f32).
"""

import pathlib
import sys

import torch
from peft import PeftModel
from safetensors.torch import save_file

from lf_samples import cosine_factor
from recording import IGNORED, accumulate, count_labels, rounded, sampled, stamp, write_json
from tiny_adapters import load_base, saved_name
from tiny_models import VOCABULARY, decayed_names

STEPS = 5
MICRO_BATCHES = 2
OPTIONS = dict(beta1=0.9, beta2=0.999, epsilon=1e-8, weight_decay=0.1, schedule="cosine", warmup_steps=2, steps=STEPS)


def samples():
    """[step][micro-batch][sequence], of 2 to 14 tokens, with a few labels or many."""
    generator = torch.Generator().manual_seed(11)

    def sequence():
        length = int(torch.randint(2, 15, (1,), generator=generator))
        prompt = int(torch.randint(0, length, (1,), generator=generator))
        ids = torch.randint(3, VOCABULARY, (length,), generator=generator).tolist()
        return {"ids": ids, "labels": [IGNORED] * prompt + ids[prompt:]}

    return [[[sequence() for _ in range(2)] for _ in range(MICRO_BATCHES)] for _ in range(STEPS)]


def train(model, learning_rate, max_grad_norm):
    """Trains in place; returns what every step logged."""
    decayed = set(decayed_names(model))
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    groups = [{"params": [p for n, p in named if n in decayed], "weight_decay": OPTIONS["weight_decay"]},
              {"params": [p for n, p in named if n not in decayed], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=learning_rate, betas=(OPTIONS["beta1"], OPTIONS["beta2"]), eps=OPTIONS["epsilon"])
    log = []
    for step, micro_batches in enumerate(samples()):
        rate = learning_rate * cosine_factor(step, OPTIONS["warmup_steps"], STEPS)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = accumulate(model, micro_batches)
        norm = torch.nn.utils.clip_grad_norm_([p for _, p in named], max_grad_norm).item()
        optimizer.step()
        optimizer.zero_grad()
        log.append({"loss": loss, "grad_norm": norm, "learning_rate": rate, "micro_batches": micro_batches,
                    "label_count": count_labels([s for batch in micro_batches for s in batch])})
    return log, [n for n, _ in named if n not in decayed]


def record(out, name, base, adapter, model, learning_rate, max_grad_norm):
    initial = {n: p.detach().clone() for n, p in model.named_parameters() if p.requires_grad}
    log, undecayed = train(model, learning_rate, max_grad_norm)
    final = {n: p.detach() for n, p in model.named_parameters() if p.requires_grad}
    content = {**stamp(), "base": base, "adapter": adapter, "options": {**OPTIONS, "learning_rate": learning_rate, "max_grad_norm": max_grad_norm},
               "without_decay": [saved_name(n) for n in undecayed], "steps": log,
               "change_norms": {saved_name(n): rounded((final[n] - initial[n]).norm().item()) for n in final},
               "final": {saved_name(n): sampled(w, 4) for n, w in final.items()}}
    write_json(out / f"{name}.json", content)
    save_file({saved_name(n): w.float().contiguous() for n, w in final.items()}, out / f"{name}.safetensors")
    print(name, [(round(s["loss"], 6), round(s["grad_norm"], 6)) for s in log])


def main():
    models, adapters, out = map(pathlib.Path, sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    record(out, "full", "llama_biases", None, load_base(models / "llama_biases", torch.float64), 0.02, 1.0)
    record(out, "full_tied", "llama_tied", None, load_base(models / "llama_tied", torch.float64), 0.02, 1.0)
    lora = PeftModel.from_pretrained(load_base(models / "llama_gqa", torch.float64), adapters / "llama_gqa_lora",
                                     is_trainable=True, autocast_adapter_dtype=False).to(torch.float64).eval()
    record(out, "lora", "llama_gqa", "llama_gqa_lora", lora, 0.02, 4.5)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
