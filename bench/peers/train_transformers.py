"""Steps of fine-tuning in transformers + peft, timed; the peer that compare_training.py runs.

usage: train_transformers.py MODEL DATA.json lora|lora-bf16|full padded|packed STEPS

lora-bf16: frozen weights in bf16, adapters in f32, autocast, as LLaMA-Factory has it for `bf16: true`.
padded: as LLaMA-Factory does it: batches of 4 padded to a multiple of 8, gradient checkpointing, logits of every
position. packed: the best by hand: the records of a step in one row, each attending to itself only, logits where there
are labels. Prints one JSON line: real tokens and seconds of all steps but a first one that warms up.
"""

import contextlib
import json
import pathlib
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "record"))
from lf_samples import IGNORED, encode_sample, read_alpaca, steps_of_epochs

TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
BATCH, ACCUMULATION, CUTOFF, SEED = 4, 2, 512, 42


def padded_loss(model, batch, labels_in_step):
    length = -(-max(len(ids) for ids, _ in batch) // 8) * 8
    rows = [(ids + [0] * (length - len(ids)), labels + [IGNORED] * (length - len(labels)),
             [1] * len(ids) + [0] * (length - len(ids))) for ids, labels in batch]
    ids, labels, mask = (torch.tensor(column) for column in zip(*rows))
    logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].flatten(0, 1).float()
    return torch.nn.functional.cross_entropy(logits, labels[:, 1:].flatten(), ignore_index=IGNORED,
                                             reduction="sum") / labels_in_step


def packed_loss(model, records, labels_in_step):
    ids = torch.tensor([[token for ids, _ in records for token in ids]])
    positions = torch.tensor([[t for ids, _ in records for t in range(len(ids))]])
    owner = torch.tensor([r for r, (ids, _) in enumerate(records) for _ in ids])
    seen = (owner[:, None] == owner[None, :]) & torch.ones(len(owner), len(owner), dtype=torch.bool).tril()
    mask = torch.zeros(seen.shape).masked_fill(~seen, torch.finfo(torch.float32).min)[None, None]
    targets = torch.tensor([label for _, labels in records for label in labels[1:] + [IGNORED]])
    decoder = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = decoder.model(input_ids=ids, position_ids=positions, attention_mask=mask).last_hidden_state[0]
    rows = targets != IGNORED
    return torch.nn.functional.cross_entropy(decoder.lm_head(hidden[rows]), targets[rows],
                                             reduction="sum") / labels_in_step


def precision(kind):
    return torch.autocast("cpu", torch.bfloat16) if kind == "lora-bf16" else contextlib.nullcontext()


def run(model, samples, kind, form, steps):
    weights = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=1e-4, weight_decay=0.0)
    tokens, seconds = 0, 0.0
    for step, (_, window) in zip(range(steps + 1), steps_of_epochs(len(samples), SEED, BATCH, ACCUMULATION)):
        batches = [[samples[i] for i in batch] for batch in window]
        records = [record for batch in batches for record in batch]
        labels = sum(label != IGNORED for _, ls in records for label in ls)
        start = time.perf_counter()
        for part in ([records] if form == "packed" else batches):
            with precision(kind):
                loss = (packed_loss if form == "packed" else padded_loss)(model, part, labels)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step > 0:
            seconds += time.perf_counter() - start
            tokens += sum(len(ids) for ids, _ in records)
    return tokens, seconds


def load(folder, kind, form):
    dtype = torch.bfloat16 if kind == "lora-bf16" else torch.float32
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, attn_implementation="sdpa")
    if kind != "full":
        model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=TARGETS, task_type="CAUSAL_LM"))
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.data.float()
    if form == "padded":
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
        model.enable_input_require_grads()
    model.train()
    return model


def main():
    folder, data, kind, form, steps = sys.argv[1:6]
    torch.set_num_threads(2)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    samples = [encode_sample(tokenizer, "chatml", q, a, CUTOFF) for q, a in read_alpaca(data)]
    tokens, seconds = run(load(folder, kind, form), samples, kind, form, int(steps))
    print(json.dumps({"tokens": tokens, "seconds": seconds}))


if __name__ == "__main__":
    main()
