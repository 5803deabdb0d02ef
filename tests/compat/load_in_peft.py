"""Loads adapters and models that hone wrote in peft and transformers, and compares logits. Run by hand:

    pip install torch transformers peft
    ninja -C build/... write_models
    python3 tests/compat/load_in_peft.py build/.../tests/write_models tests/golden/data

Every tiny adapter of tests/golden/data is read by hone, changed, and written as an adapter, as merged models (f32, bf16)
and, for its base, as a full model in shards; some models without adapter as full models (two with a tied head). The exit status is 1 when something does not load or differs.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

# f32 sums in two orders, relative to the largest logit: a few tens of roundings.
BOUND = 5e-6


def load(folder):
    model, report = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    faults = {key: value for key, value in report.items() if value and key != "error_msgs"}
    assert not faults, f"{folder}: {faults}"
    return model.eval()


def load_adapter(base, folder):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*(missing|unexpected|adapter keys).*")  # peft only warns
        return PeftModel.from_pretrained(load(base), folder).eval()


def difference(model, expected, ids):
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0]
    expected = torch.tensor(expected)
    return ((logits - expected).abs().max() / expected.abs().max()).item()


def compare(program, base, adapter, out):
    subprocess.run([program, base, adapter or "-", out], check=True)
    logits = json.loads((out / "logits.json").read_text())
    worst = 0.0
    for name in ("adapter", "merged_f32", "merged_bf16", "full"):
        if name not in logits:
            continue
        model = load_adapter(base, out / name) if name == "adapter" else load(out / name)
        found = difference(model, logits[name], logits["ids"])
        plain = difference(load(base), logits[name], logits["ids"])
        wrong = found > BOUND or plain < 100 * BOUND  # the second: an adapter that changes nothing
        print(f"{(adapter or base).name} {name}: {found:.1e} (the base: {plain:.1e}){'  WRONG' if wrong else ''}")
        worst = max(worst, float("inf") if wrong else found)
    if not adapter:
        return worst
    config = json.loads((out / "merged_bf16" / "config.json").read_text())
    assert "bfloat16" in (config.get("torch_dtype"), config.get("dtype")), config
    stored = AutoModelForCausalLM.from_pretrained(out / "merged_bf16", dtype="auto")
    assert stored.dtype == torch.bfloat16, stored.dtype
    return worst


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    worst = 0.0
    pairs = [(data / "tiny" / name, None) for name in ("llama_tied", "qwen2_tied", "mistral")]
    for adapter in sorted((data / "tiny_lora").iterdir()):
        pairs.append((data / "tiny" / json.loads((adapter / "expected.json").read_text())["base"], adapter))
    for base, adapter in pairs:
        with tempfile.TemporaryDirectory() as out:
            worst = max(worst, compare(program, base, adapter, pathlib.Path(out)))
    print(f"largest difference: {worst:.1e}")
    return 1 if worst > BOUND else 0


sys.exit(main())
