"""hone against transformers + peft: LoRA on SmolLM2, the same records, alternately, in one process tree.

usage: compare_training.py HONE PYTHON MODEL DATA.json [ROUNDS [STEPS]]

HONE is the program, PYTHON one with torch, transformers and peft, MODEL a transformers folder in f32. Each round runs
hone and both forms of train_transformers.py; sums of real tokens over sums of seconds are compared. hone's seconds
include its first step; the peers' do not.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run_hone(program, model, data, steps, folder):
    (folder / "dataset_info.json").write_text(json.dumps({"d": {"file_name": str(pathlib.Path(data).resolve())}}))
    settings = dict(model_name_or_path=model, stage="sft", do_train="true", finetuning_type="lora", dataset="d",
                    dataset_dir=folder, template="chatml", cutoff_len=512, output_dir=folder / "run",
                    overwrite_output_dir="true", per_device_train_batch_size=4, gradient_accumulation_steps=2,
                    max_steps=steps, learning_rate=1e-4, save_strategy="no", include_num_input_tokens_seen="true")
    subprocess.run([program, "train"] + [f"{k}={v}" for k, v in settings.items()], check=True, capture_output=True)
    results = json.loads((folder / "run" / "train_results.json").read_text())
    return {"tokens": results["num_input_tokens_seen"], "seconds": results["train_runtime"]}


def run_peer(python, model, data, form, steps):
    done = subprocess.run([python, HERE / "train_transformers.py", model, data, form, str(steps)], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    program, python, model, data = sys.argv[1:5]
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    steps = int(sys.argv[6]) if len(sys.argv) > 6 else 3
    sums = {name: [0, 0.0] for name in ("hone", "padded", "packed")}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            results = {"hone": run_hone(program, model, data, steps, pathlib.Path(folder))}
        for form in ("padded", "packed"):
            results[form] = run_peer(python, model, data, form, steps)
        for name, result in results.items():
            sums[name][0] += result["tokens"]
            sums[name][1] += result["seconds"]
    rates = {name: tokens / seconds for name, (tokens, seconds) in sums.items()}
    for name, rate in rates.items():
        print(f"{name:8} {rate:7.1f} real tokens/s   hone is {rates['hone'] / rate:.2f} times as fast")


if __name__ == "__main__":
    main()
