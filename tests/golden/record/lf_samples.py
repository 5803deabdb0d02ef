"""Token ids, labels and sample order of supervised fine-tuning as LLaMA-Factory 0.9.5 makes them.

Written from the templates' slots and the rules of truncation, not by calling LLaMA-Factory.
"""

import json
import math

import torch

IGNORED = -100

# template -> (default system text, system slot, user slot, assistant slot)
TEMPLATES = {
    "chatml": ("", "<|im_start|>system\n{}<|im_end|>\n",
               "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n", "{}<|im_end|>\n"),
    "smollm2": ("You are a helpful AI assistant named SmolLM, trained by Hugging Face.",
                "<|im_start|>system\n{}<|im_end|>\n",
                "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n", "{}<|im_end|>\n"),
}


def read_alpaca(path):
    """(question, answer) per record; the input, where there is one, follows the instruction on a new line."""
    with open(path, encoding="utf-8") as file:
        records = json.load(file)
    return [("\n".join(text for text in (r["instruction"], r.get("input", "")) if text), r["output"])
            for r in records]


def encode_slot(tokenizer, text):
    return tokenizer(text, add_special_tokens=False).input_ids if text else []


def encode_prompt(tokenizer, template, question):
    default_system, system, user, _ = TEMPLATES[template]
    head = encode_slot(tokenizer, system.format(default_system)) if default_system else []
    return head + encode_slot(tokenizer, user.format(question))


def shorten(source_length, target_length, cutoff):
    """How many tokens of source and target are kept within the cutoff."""
    if target_length * 2 < cutoff:
        target_limit = cutoff
    elif source_length * 2 < cutoff:
        target_limit = cutoff - source_length
    else:
        target_limit = int(cutoff * (target_length / (source_length + target_length)))
    target = min(target_limit, target_length)
    return min(max(cutoff - target, 0), source_length), target


def encode_sample(tokenizer, template, question, answer, cutoff):
    """(ids, labels): the prompt carries no labels; the answer does, with its end mark and line end."""
    source = encode_prompt(tokenizer, template, question)
    target = encode_slot(tokenizer, TEMPLATES[template][3].format(answer))
    kept_source, kept_target = shorten(len(source), len(target), cutoff)
    source, target = source[:kept_source], target[:kept_target]
    return source + target, [IGNORED] * len(source) + target


def steps_of_epochs(count, seed, batch_size, accumulation, epochs=1000):
    """Yields (epoch, record indices of each micro-batch) per optimizer step; the last window of an epoch may be short."""
    for epoch in range(epochs):
        order = torch.randperm(count, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
        batches = [order[i:i + batch_size] for i in range(0, count, batch_size)]
        for i in range(0, len(batches), accumulation):
            yield epoch, batches[i:i + accumulation]


def cosine_factor(step, warmup_steps, total_steps):
    if step < warmup_steps:
        return step / max(1, warmup_steps)
    progress = (step - warmup_steps) / max(1, total_steps - warmup_steps)
    return max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))
