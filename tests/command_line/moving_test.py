"""What somebody brings along who used LLaMA-Factory: commands of published guides, word by word but for
the model's path, a folder with its data and an example's YAML, and the files that are expected back."""

import json
import os
import re

import program
from program import PROGRAM, ProgramTest

PAGE = program.pathlib.Path(__file__).resolve().parents[2] / "docs" / "llamafactory.md"

# LLaMA-Factory's example of LoRA, with its values.
LORA_EXAMPLE = """\
### model
model_name_or_path: MODEL
trust_remote_code: true

### method
stage: sft
do_train: true
finetuning_type: lora
lora_rank: 8
lora_target: all

### dataset
dataset: identity,alpaca_en_demo
template: llama3
cutoff_len: 2048
max_samples: 1000
preprocessing_num_workers: 16
dataloader_num_workers: 4

### output
output_dir: saves/llama3-8b/lora/sft
logging_steps: 10
save_steps: 500
plot_loss: true
overwrite_output_dir: true
save_only_model: false
report_to: none  # choices: [none, wandb, tensorboard, swanlab, mlflow]

### train
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
learning_rate: 1.0e-4
num_train_epochs: 3.0
lr_scheduler_type: cosine
warmup_ratio: 0.1
bf16: true
ddp_timeout: 180000000
resume_from_checkpoint: null

### eval
val_size: 0.1
per_device_eval_batch_size: 1
eval_strategy: steps
eval_steps: 500
"""


def tables(heading):
    """The rows of each table below a heading of the moving page, as lists of cells."""
    text = PAGE.read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    for block in section.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("| ")]
        if lines:
            yield [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def files_of(table, column, kind):
    """The files that a table of the page promises for `kind`, LoRA or full."""
    files = set()
    for row in table:
        word = row[column].split(":")[0].split(",")[0]
        if word in ("yes", kind):
            files.update(re.findall(r"`([^`]+)`", row[0]))
    return files


class Moving(ProgramTest):
    def setUp(self):
        super().setUp()
        # A tiny Llama 3: its tokenizer has the marks of the template.
        self.model = self.place / "T"
        file = self.model / "tokenizer.json"
        tokenizer = json.loads(file.read_text())
        for name in ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"):
            added = dict(tokenizer["added_tokens"][0], content=name)
            added["id"] = 256 + len(tokenizer["added_tokens"])
            tokenizer["added_tokens"].append(added)
        file.write_text(json.dumps(tokenizer))
        # As pip's entry point is called.
        self.program = self.place / "llamafactory-cli"
        self.program.symlink_to(PROGRAM)
        (self.place / "data").mkdir()
        sets = ("identity", "alpaca_en_demo", "my_custom_data")
        for name in sets:
            records = [{"instruction": f"{name} {i}", "input": "", "output": "a" * (i % 9 + 1)}
                       for i in range(40)]
            (self.place / "data" / f"{name}.json").write_text(json.dumps(records))
        (self.place / "data" / "dataset_info.json").write_text(
            json.dumps({name: {"file_name": f"{name}.json"} for name in sets}))

    def cli(self, *words, **environment):
        return self.run_program(*words, program=self.program, **environment)

    def test_version(self):
        status, output, errors = self.cli("version")
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"^hone \d")

    def test_the_lora_command_of_a_guide(self):
        # `python src/train.py` is `hone train`.
        status, output, errors = self.cli(
            "train", "--stage", "sft", "--model_name_or_path", str(self.model), "--do_train",
            "--finetuning_type", "lora", "--lora_target", "q_proj,v_proj", "--dataset", "my_custom_data",
            "--template", "llama3", "--backend", "pt", "--compute_dtype", "bfloat16",
            "--output_dir", "./saves/llama3-lora-rocm",
            CUDA_VISIBLE_DEVICES="0", PYTORCH_ROCM_ARCH="gfx942")
        self.assertEqual((status, errors), (0, ""))
        saved = self.place / "saves" / "llama3-lora-rocm"
        adapter = json.loads((saved / "adapter_config.json").read_text())
        self.assertEqual(sorted(adapter["target_modules"]), ["q_proj", "v_proj"])
        self.assertTrue((saved / "adapter_model.safetensors").exists())
        for line in ("--compute_dtype (command line) is read as compute_type, its name here",
                     "backend: pt (command line) has no effect: hone computes by itself",
                     "compute_type: bfloat16 is read as bf16: true"):
            self.assertIn(line, output)

    def test_the_yaml_lines_of_a_guide(self):
        (self.place / "lora_finetune.yaml").write_text(
            f"model_name_or_path: {self.model}\nstage: sft\ndo_train: true\ndataset: my_custom_data\n"
            "template: llama3\noutput_dir: saves/guide\nmax_steps: 4\nlogging_steps: 1\n"
            "# lora_finetune.yaml\n"
            "compute_type: bf16  # 关键修改：弃用 fp16，改用 bf16\n"
            "optim: adamw_bf16   # 配合使用支持 bf16 的优化器\n"
            "lr_scheduler_type: cosine\n"
            "warmup_ratio: 0.1\n", encoding="utf-8")
        status, output, errors = self.cli("train", "lora_finetune.yaml")
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"optim +adamw_bf16 +\(lora_finetune.yaml, line 11\)")
        self.assertRegex(output, r"bf16 +true +\(from compute_type, lora_finetune.yaml, line 10\)")
        # fp16, which the guide warns of, is refused with bf16 named.
        status, _, errors = self.cli("train", "lora_finetune.yaml", "compute_type=fp16")
        self.assertEqual(status, 1)
        self.assertIn("use bf16", errors)

    def test_a_folder_of_llama_factory(self):
        examples = self.place / "examples" / "train_lora"
        examples.mkdir(parents=True)
        (self.place / "models").mkdir()
        os.rename(self.model, self.place / "models" / "Meta-Llama-3-8B-Instruct")
        (examples / "llama3_lora_sft.yaml").write_text(
            LORA_EXAMPLE.replace("MODEL", "models/Meta-Llama-3-8B-Instruct"))
        status, output, errors = self.cli("train", "examples/train_lora/llama3_lora_sft.yaml")
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"the adapter lies in \S+/saves/llama3-8b/lora/sft\n")
        merged = ("export", f"model_name_or_path={self.place}/models/Meta-Llama-3-8B-Instruct",
                  "adapter_name_or_path=saves/llama3-8b/lora/sft", "template=llama3", "export_dir=merged")
        self.assertEqual(self.cli(*merged)[0], 0)
        # Not one evaluation is due within its 500 steps.
        self.check_files("LoRA", self.place / "saves" / "llama3-8b" / "lora" / "sft",
                         {"training_eval_loss.png"})

    def test_the_files_of_full_tuning(self):
        status, _, errors = self.cli("train", *self.settings(
            output_dir="saves/full", dataset_dir="data", dataset="identity", plot_loss="true",
            val_size="0.2", eval_strategy="epoch", save_strategy="epoch"))
        self.assertEqual((status, errors), (0, ""))
        self.check_files("full", self.place / "saves" / "full")

    def check_files(self, kind, folder, missing=frozenset()):
        run, checkpoint = tables("The files of a run")
        names = {re.sub(r"-\d+$", "-<step>", name) for name in os.listdir(folder)} | missing
        self.assertEqual(names, files_of(run, 2, kind))
        newest = max(folder.glob("checkpoint-*"))
        self.assertEqual(set(os.listdir(newest)), files_of(checkpoint, 2, kind))
        # What LLaMA-Factory has and hone has not stands in the page with its reason.
        self.assertEqual(files_of(run, 1, kind) - names, {"training_args.bin"})


if __name__ == "__main__":
    program.main()
