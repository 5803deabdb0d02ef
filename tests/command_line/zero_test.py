"""DeepSpeed's and FSDP's configurations in real runs: our own files, offload to a disk, and plans of
ranks that nobody has started."""

import json
import pathlib

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


if __name__ == "__main__":
    program.main()
