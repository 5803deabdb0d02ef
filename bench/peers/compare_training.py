"""hone against transformers + peft: SmolLM2 on the same records, alternately, in one process tree.

usage: compare_training.py HONE PYTHON MODEL DATA.json [KIND [ROUNDS [STEPS]]]

HONE is the program, PYTHON one with torch, transformers and peft, MODEL a transformers folder in f32. KIND: lora (LoRA
in f32), lora-bf16 (`bf16: true`), full (f32). Each round runs hone and the forms of train_transformers.py that KIND
has; sums of real tokens over sums of seconds are compared. On every side a first step warms up and is not counted, and
the counted steps hold the same records. Steps during which other processes took more than 0.15 of a processor are
counted too, but the share is printed, so that one knows whether to trust a round.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FORMS = {"lora": ("padded", "packed"), "lora-bf16": ("padded",), "full": ("padded", "packed")}
KIND_SETTINGS = {"lora": {"finetuning_type": "lora"}, "lora-bf16": {"finetuning_type": "lora", "bf16": "true"},
                 "full": {"finetuning_type": "full"}}


def run_hone(program, model, data, kind, steps, folder):
    """Times from the line of step 1 to that of the last step, as a reader of the output sees them."""
    (folder / "dataset_info.json").write_text(json.dumps({"d": {"file_name": str(pathlib.Path(data).resolve())}}))
    settings = dict(model_name_or_path=model, stage="sft", do_train="true", dataset="d", dataset_dir=folder,
                    template="chatml", cutoff_len=512, output_dir=folder / "run", overwrite_output_dir="true",
                    per_device_train_batch_size=4, gradient_accumulation_steps=2, max_steps=steps + 1,
                    learning_rate=1e-4, logging_steps=1, save_strategy="no", include_num_input_tokens_seen="true",
                    **KIND_SETTINGS[kind])
    command = [program, "train"] + [f"{key}={value}" for key, value in settings.items()]
    times = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout:
            if line.startswith(f"step {len(times) + 1}/{steps + 1} "):
                times.append(time.perf_counter())
    assert process.returncode == 0 and len(times) == steps + 1, (process.returncode, times)
    log = [json.loads(line) for line in (folder / "run" / "trainer_log.jsonl").read_text().splitlines()]
    seen = {entry["current_steps"]: entry["total_tokens"] for entry in log if "loss" in entry}
    return {"tokens": seen[steps + 1] - seen[1], "seconds": times[-1] - times[0]}


def run_peer(python, model, data, kind, form, steps):
    done = subprocess.run([python, HERE / "train_transformers.py", model, data, kind, form, str(steps)], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def others_share(run):
    """Runs, and adds the share of one processor that other processes took meanwhile."""
    def busy():
        fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
        return (sum(map(int, fields)) - int(fields[3]) - int(fields[4])) / os.sysconf("SC_CLK_TCK")

    def ours():
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    start, busy_before, ours_before = time.perf_counter(), busy(), ours()
    result = run()
    elapsed = time.perf_counter() - start
    result["others"] = max(0.0, busy() - busy_before - (ours() - ours_before)) / elapsed
    return result


def main():
    program, python, model, data = sys.argv[1:5]
    kind = sys.argv[5] if len(sys.argv) > 5 else "lora"
    rounds = int(sys.argv[6]) if len(sys.argv) > 6 else 3
    steps = int(sys.argv[7]) if len(sys.argv) > 7 else 3
    sums = {name: [0, 0.0] for name in ("hone",) + FORMS[kind]}
    for round_number in range(1, rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            runs = {"hone": lambda: run_hone(program, model, data, kind, steps, pathlib.Path(folder))}
            for form in FORMS[kind]:
                runs[form] = lambda form=form: run_peer(python, model, data, kind, form, steps)
            for name, run in runs.items():
                result = others_share(run)
                sums[name][0] += result["tokens"]
                sums[name][1] += result["seconds"]
                print(f"round {round_number} {name:7} {result['tokens']} tokens in {result['seconds']:.2f} s, "
                      f"others took {result['others']:.2f} of a processor", flush=True)
    rates = {name: tokens / seconds for name, (tokens, seconds) in sums.items()}
    for name, rate in rates.items():
        print(f"{name:8} {rate:7.1f} real tokens/s   hone is {rates['hone'] / rate:.2f} times as fast")


if __name__ == "__main__":
    main()
