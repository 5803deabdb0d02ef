"""Planned memory, peak memory and speed of hone's runs, freely and under a memory_limit.

usage: measure_memory.py HONE MODEL DATA.json

HONE is the program, MODEL a transformers folder of SmolLM2-135M in f32. Three kinds of run (LoRA in f32, LoRA with
bf16, full in f32), each as it is and with the memory_limit of docs/performance.md; four steps of batch 4 x 2, the first
of them not counted in the speed. The peak is what the kernel says of the finished process (wait4).
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

STEPS = 4
KINDS = {"lora": (["finetuning_type=lora"], "1100MiB"),
         "lora-bf16": (["finetuning_type=lora", "bf16=true"], "800MiB"),
         "full": (["finetuning_type=full"], "2700MiB")}


def settings_of(model, data, folder):
    (folder / "dataset_info.json").write_text(json.dumps({"d": {"file_name": str(pathlib.Path(data).resolve())}}))
    return [f"{key}={value}" for key, value in dict(
        model_name_or_path=model, stage="sft", do_train="true", dataset="d", dataset_dir=folder, template="chatml",
        cutoff_len=512, output_dir=folder / "run", overwrite_output_dir="true", per_device_train_batch_size=4,
        gradient_accumulation_steps=2, max_steps=STEPS, learning_rate=1e-5, logging_steps=1, save_strategy="no",
        include_num_input_tokens_seen="true").items()]


def planned_mib(program, arguments):
    done = subprocess.run([program, "plan"] + arguments, check=True, capture_output=True, text=True)
    amount, unit = re.search(r"^ *total +([\d.,]+) (\w+)", done.stdout, re.MULTILINE).groups()
    return float(amount.replace(",", "")) * {"MiB": 1, "GiB": 1024}[unit]


def train(program, arguments, folder):
    times = []
    with open(folder / "errors", "w") as errors:
        process = subprocess.Popen([program, "train"] + arguments, stdout=subprocess.PIPE, stderr=errors, text=True)
        for line in process.stdout:
            if line.startswith(f"step {len(times) + 1}/{STEPS} "):
                times.append(time.perf_counter())
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, (folder / "errors").read_text()
    log = [json.loads(line) for line in (folder / "run" / "trainer_log.jsonl").read_text().splitlines()]
    steps = {entry["current_steps"]: entry for entry in log if "loss" in entry}
    tokens = steps[STEPS]["total_tokens"] - steps[1]["total_tokens"]
    return {"peak": usage.ru_maxrss / 1024, "rate": tokens / (times[-1] - times[0]),
            "losses": [steps[step]["loss"] for step in range(1, STEPS + 1)]}


def main():
    program, model, data = sys.argv[1:4]
    for kind, (arguments, limit) in KINDS.items():
        free = None
        for extra in ([], [f"memory_limit={limit}"]):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                everything = settings_of(model, data, folder) + arguments + extra
                planned = planned_mib(program, everything)
                result = train(program, everything, folder)
            line = (f"{kind:9} {extra[0] if extra else '':21} planned {planned:5.0f} MiB, peak {result['peak']:5.0f} MiB, "
                    f"{result['rate']:5.1f} tokens/s")
            if free is None:
                free = result
            else:
                apart = max(abs(a - b) for a, b in zip(free["losses"], result["losses"]))
                line += f" ({100 * result['rate'] / free['rate']:.0f} %), losses at most {apart:.1e} apart"
            print(line, flush=True)


if __name__ == "__main__":
    main()
