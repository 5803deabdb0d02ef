"""ZeRO's stages by DeepSpeed's files: the same bits as without them, and whole files."""

import json

import program
from ranks_test import RanksTest

EXAMPLES = program.REPOSITORY / "examples" / "deepspeed"


class Sharded(RanksTest):
    """On a model of several segments of the gradient norm."""

    def stage(self, number, **zero):
        file = self.place / f"z{number}.json"
        file.write_text(json.dumps({
            "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
            "gradient_accumulation_steps": "auto",
            "zero_optimization": {"stage": number, **zero}}))
        return {"deepspeed": file, "model_name_or_path": self.place / "W",
                "per_device_train_batch_size": 2, "learning_rate": "1e-5"}

    def test_all_stages_have_the_same_bits(self):
        self.train(1, "ONE", **{**self.stage(0), "per_device_train_batch_size": 4})
        for stage in range(4):
            settings = {**self.stage(stage), "save_strategy": "steps", "save_steps": 2}
            output, _ = self.train(2, f"RUN{stage}", **settings)
            self.assert_close("ONE", f"RUN{stage}")
            self.assertIn(f"ZeRO stage {stage}", output)
            for name in ("model.safetensors", "checkpoint-2/model.safetensors",
                         "checkpoint-2/optimizer.safetensors"):
                self.assert_same_files(f"RUN{stage}/{name}", f"RUN0/{name}")

    def test_what_is_saved_is_whole(self):
        # A rate that changes nothing: the bits of the input come back.
        for ranks in (2, 3):
            name = f"RUN{ranks}"
            self.train(ranks, name, **{**self.stage(3), "learning_rate": "1e-30",
                                       "save_strategy": "steps", "save_steps": 1})
            for file in (f"{name}/model.safetensors", f"{name}/checkpoint-1/model.safetensors"):
                self.assertEqual(self.tensors(self.place / file),
                                 self.tensors(self.place / "W" / "model.safetensors"))
        lora = {"finetuning_type": "lora", "lora_rank": 16, "lora_target": "all"}
        self.train(2, "ADAPTER3", **{**self.stage(3), **lora})
        self.train(2, "ADAPTER0", **{**self.stage(0), **lora})
        self.assert_same_files("ADAPTER3/adapter_model.safetensors",
                               "ADAPTER0/adapter_model.safetensors")

    def test_resumed(self):
        settings = {**self.stage(3), "num_train_epochs": 2, "save_strategy": "steps",
                    "save_steps": 2, "lr_scheduler_type": "constant"}
        self.train(2, "WHOLE", **settings)
        for ranks, stage, batch in ((2, 3, 2), (2, 1, 2), (1, 0, 4), (4, 2, 1)):
            name = f"RUN{ranks}{stage}"
            self.train(2, name, **{**settings, "max_steps": 2})
            (self.place / name / "model.safetensors").unlink()
            changed = {**settings, **self.stage(stage), "per_device_train_batch_size": batch}
            output, _ = self.train(ranks, name, **changed)
            self.assertIn("after step 2", output)
            self.assert_close("WHOLE", name)
            if ranks == 2:
                self.assert_same_files(f"{name}/model.safetensors", "WHOLE/model.safetensors")
            else:
                self.assertIn(f"ranks: {ranks}, where the checkpoint was made with 2", output)

    def test_the_example_file_on_eight_ranks(self):
        wide = {"model_name_or_path": self.place / "W", "learning_rate": "1e-5"}
        output, _ = self.train(8, "EIGHT", deepspeed=EXAMPLES / "ds_z3_config.json",
                               per_device_train_batch_size=1, **wide)
        self.assertIn("ZeRO stage 3 over 8 ranks", output)
        self.train(1, "ONE", per_device_train_batch_size=8, **wide)
        self.assert_close("ONE", "EIGHT")

    def tensors(self, file):
        """The bytes of each tensor, by name."""
        bytes_ = file.read_bytes()
        size = int.from_bytes(bytes_[:8], "little")
        header = json.loads(bytes_[8:8 + size])
        header.pop("__metadata__", None)
        return {name: (entry["dtype"], entry["shape"],
                       bytes_[8 + size + entry["data_offsets"][0]:
                              8 + size + entry["data_offsets"][1]])
                for name, entry in header.items()}


if __name__ == "__main__":
    program.main()
