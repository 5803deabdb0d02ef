"""Trains the same configurations with LLaMA-Factory and with hone, and compares the losses.

    python3 -m venv venv && . venv/bin/activate
    pip install torch==2.13.0 transformers==5.6.0 peft==0.18.1 datasets==4.0.0 accelerate==1.11.0 \\
        pillow omegaconf
    pip install --no-deps llamafactory==0.9.5 trl==0.24.0
    python3 tests/compat/compare_losses.py --hone build/cpu-release/bin/hone --model MODEL_IN_F32 \\
        --data data/alpaca_en_demo.json [--steps 20] [--cutoff 256] [--only full lora split packed]

MODEL_IN_F32 is the folder of a small model. Four kinds of run, each of the same YAML file: the whole
model; LoRA from one and the same initial adapter; the whole model with records set apart by val_size;
and with neat_packing. For each the number of steps must be the same, the loss of every step within
1e-3, and LLaMA-Factory's eval_loss within 1e-3 of hone's eval_loss_batch_mean. Exits with 1 otherwise.
torchvision must not be installed beside a torch for the CPU alone; torchaudio is stood in for.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

TOLERANCE = 1e-3
START = """
import importlib.machinery, sys, types
audio = types.ModuleType("torchaudio")
audio.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
sys.modules["torchaudio"] = audio
from llamafactory.train.tuner import run_exp
sys.argv = ["train", sys.argv[1]]
run_exp()
"""
ADAPTER = """
import sys, torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM
torch.manual_seed(7)
model = get_peft_model(AutoModelForCausalLM.from_pretrained(sys.argv[1]), LoraConfig(
    r=8, lora_alpha=16, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM"))
model.save_pretrained(sys.argv[2])
"""


def settings(options, kind, work):
    values = {
        "model_name_or_path": options.model, "stage": "sft", "do_train": True, "finetuning_type": "full",
        "dataset": "records", "dataset_dir": str(work / "data"), "template": options.template,
        "cutoff_len": options.cutoff, "per_device_train_batch_size": options.batch,
        "gradient_accumulation_steps": 2, "learning_rate": 2.0e-5, "lr_scheduler_type": "cosine",
        "warmup_ratio": 0.1, "max_steps": options.steps, "logging_steps": 1, "save_strategy": "no",
        "report_to": "none", "overwrite_output_dir": True, "disable_gradient_checkpointing": True,
        "use_cpu": True, "seed": 42,
    }
    if kind == "lora":
        values.update(finetuning_type="lora", adapter_name_or_path=str(work / "adapter"),
                      learning_rate=5.0e-4)
    if kind == "split":
        values.update(val_size=0.02, eval_strategy="steps", eval_steps=options.steps,
                      per_device_eval_batch_size=4)
    if kind == "packed":
        values.update(neat_packing=True, per_device_train_batch_size=1)
    return values


def yaml_text(values):
    return "".join(f"{name}: {json.dumps(value)}\n" for name, value in values.items())


def run(command, log):
    environment = dict(os.environ, DISABLE_VERSION_CHECK="1", HF_HUB_OFFLINE="1")
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, env=environment)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed: see {log}")


def numbers(folder):
    with open(folder / "trainer_log.jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    losses = [line["loss"] for line in lines if "loss" in line]
    with open(folder / "all_results.json", encoding="utf-8") as file:
        return losses, json.load(file)


def compare(kind, theirs, ours):
    (their_losses, their_results), (our_losses, our_results) = numbers(theirs), numbers(ours)
    good = len(their_losses) == len(our_losses) > 0
    worst = max((abs(a - b) for a, b in zip(their_losses, our_losses)), default=float("nan"))
    print(f"{kind}: {len(their_losses)} and {len(our_losses)} steps, largest difference of a loss "
          f"{worst:.2e} (first {their_losses[0]:.4f} and {our_losses[0]:.4f}, "
          f"last {their_losses[-1]:.4f} and {our_losses[-1]:.4f})")
    good = good and worst <= TOLERANCE
    if "eval_loss" in their_results:
        difference = abs(their_results["eval_loss"] - our_results["eval_loss_batch_mean"])
        print(f"{kind}: eval_loss {their_results['eval_loss']:.6f}, eval_loss_batch_mean "
              f"{our_results['eval_loss_batch_mean']:.6f}, difference {difference:.2e}")
        good = good and difference <= TOLERANCE
    only_theirs = sorted(set(os.listdir(theirs)) - set(os.listdir(ours)))
    only_ours = sorted(set(os.listdir(ours)) - set(os.listdir(theirs)))
    print(f"{kind}: files of LLaMA-Factory alone: {only_theirs}; of hone alone: {only_ours}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hone", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--template", default="chatml")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--cutoff", type=int, default=256)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--work", default="compare_losses")
    parser.add_argument("--only", nargs="*", default=["full", "lora", "split", "packed"])
    options = parser.parse_args()
    options.model = os.path.abspath(options.model)
    work = pathlib.Path(options.work).absolute()
    (work / "data").mkdir(parents=True, exist_ok=True)
    shutil.copy(options.data, work / "data" / "records.json")
    (work / "data" / "dataset_info.json").write_text('{"records": {"file_name": "records.json"}}')
    if "lora" in options.only and not (work / "adapter").exists():
        run([sys.executable, "-c", ADAPTER, options.model, str(work / "adapter")], work / "adapter.log")
    good = True
    for kind in options.only:
        values = settings(options, kind, work)
        folders = {}
        for program in ("theirs", "ours"):
            folders[program] = work / f"{kind}-{program}"
            file = work / f"{kind}-{program}.yaml"
            file.write_text(yaml_text(dict(values, output_dir=str(folders[program]))))
            command = ([sys.executable, "-c", START, str(file)] if program == "theirs"
                       else [options.hone, "train", str(file)])
            run(command, work / f"{kind}-{program}.log")
        good = compare(kind, folders["theirs"], folders["ours"]) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
