"""DeepSpeed's and FSDP's configurations in real runs: our own files, offload to a disk, and plans of
ranks that nobody has started."""

import json
import pathlib
import re

import program
from ranks_test import RanksTest

EXAMPLES = program.REPOSITORY / "examples"


class Configurations(RanksTest):
    def wide(self, **changes):
        return {"model_name_or_path": self.place / "W", "learning_rate": "1e-4", **changes}

    def test_our_own_files_have_the_losses_of_one_rank(self):
        self.train(1, "ONE", per_device_train_batch_size=4, bf16="true", **self.wide())
        for setting, file, stage in (("deepspeed", "deepspeed/ds_z2_config.json", 2),
                                     ("deepspeed", "deepspeed/ds_z3_offload_config.json", 3),
                                     ("fsdp_config", "accelerate/fsdp_config.yaml", 3)):
            name = pathlib.Path(file).stem
            output, _ = self.train(2, name, per_device_train_batch_size=2, bf16="true",
                                   **{setting: EXAMPLES / file}, **self.wide())
            self.assertIn(f"ZeRO stage {stage} over 2 ranks", output)
            self.assert_close("ONE", name)

    def test_a_batch_that_counts_other_ranks(self):
        zero = json.dumps({"train_batch_size": 4, "zero_optimization": {"stage": 2}})
        _, errors = self.train(2, "WRONG", per_device_train_batch_size=4, deepspeed=zero, status=1,
                               **self.wide())
        self.assertIn("found: 8: 2 ranks x per_device_train_batch_size 4", errors)


class Offload(RanksTest):
    place_parent = "/var/tmp"  # not in memory

    def files(self, stage, parameters=False):
        where = {"device": "nvme", "nvme_path": str(self.place)}
        zero = {"stage": stage, "offload_optimizer": where}
        if parameters:
            zero["offload_param"] = where
        return json.dumps({"zero_optimization": zero})

    def test_files_change_no_bit(self):
        wide = {"model_name_or_path": self.place / "W", "learning_rate": "1e-4",
                "save_strategy": "steps", "save_steps": 2}
        for ranks in (1, 2):
            self.train(ranks, f"HERE{ranks}", **wide)
            for stage, parameters in ((1, False), (2, False), (3, False), (3, True)):
                name = f"FILES{ranks}_{stage}{parameters}"
                output, _ = self.train(ranks, name, deepspeed=self.files(stage, parameters), **wide)
                self.assertRegex(output, f"optimizer state: .* in files of {self.place}")
                if parameters:
                    self.assertRegex(output, f"weights: .* in files of {self.place}")
                for file in ("model.safetensors", "checkpoint-2/optimizer.safetensors"):
                    self.assert_same_files(f"HERE{ranks}/{file}", f"{name}/{file}")
        self.assertEqual([path.name for path in self.place.glob("hone-offload*")], [])

    def test_a_folder_that_is_not_there(self):
        nowhere = json.dumps({"zero_optimization": {
            "stage": 2, "offload_optimizer": {"device": "nvme", "nvme_path": "/nowhere"}}})
        _, errors = self.train(1, "RUN", deepspeed=nowhere, status=1)
        self.assertIn("found: /nowhere: No such file or directory", errors)
        self.assertIn("to do: name a folder that is there, on a fast local disk", errors)


class Plans(RanksTest):
    def plan(self, *words, status=0):
        got, output, errors = self.run_program("plan", *words)
        self.assertEqual(got, status, output + errors)
        return output, errors

    def test_named_cards(self):
        words = [f"model_name_or_path={self.place / 'W'}", "finetuning_type=full",
                 "devices=8xMI300X", "zero_stage=3"]
        output, _ = self.plan(*words)
        self.assertIn("devices: 8 x MI300X (gfx942), 192 GiB each", output)
        self.assertIn("shared out: ZeRO stage 3 over 8 ranks", output)
        self.assertIn("ways to share out the model, bytes of one rank:", output)
        output, _ = self.plan(*words[:2], "devices=2x2.001GiB", status=1)
        self.assertIn("Does not fit", output)

    def test_the_model_alone_is_enough(self):
        (self.place / "BARE").mkdir()
        config = (self.place / "W" / "config.json").read_bytes()
        (self.place / "BARE" / "config.json").write_bytes(config)
        self.plan(f"model_name_or_path={self.place / 'BARE'}", "devices=4x7900XTX")

    def test_planned_ranks_take_what_ranks_take(self):
        """The table of ranks that nobody started, against the table of a rank that trains."""
        for stage in range(4):
            file = EXAMPLES / "deepspeed" / f"ds_z{stage}_config.json"
            same = {"model_name_or_path": self.place / "W", "deepspeed": file, "cutoff_len": 64,
                    "per_device_train_batch_size": 1, "dataset_dir": self.records()}
            trained, _ = self.train(4, f"RUN{stage}", max_steps=1, **same)
            words = [f"{name}={value}" for name, value in same.items()]
            planned, _ = self.plan(*words, "finetuning_type=full", "devices=4xcpu")
            for part in ("trainable weights", "gradients", "optimizer state"):
                left, right = self.part(planned, part), self.part(trained, part)
                self.assertLess(abs(left - right), 0.05 * right, (stage, part, planned, trained))

    def records(self):
        folder = self.place / "FEW"
        if not folder.exists():
            self.write_records(["a" * 100] * 4)  # each as long as cutoff_len
        return folder

    def part(self, output, name):
        scale = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
        found = re.search(rf"^ *{name} +([0-9.,]+) ([KMG]?i?B)", output, re.MULTILINE)
        self.assertIsNotNone(found, (name, output))
        return float(found[1].replace(",", "")) * scale[found[2]]


if __name__ == "__main__":
    program.main()
