"""The program and its GPU module, which here is linked with a stand-in of ROCm: no card is needed."""

import pathlib
import re
import shutil
import sys

import program
from program import PROGRAM, ProgramTest

LIBRARY, MODULE, ROCM = (pathlib.Path(word).resolve() for word in sys.argv[3:6])
del sys.argv[3:6]


class Gpu(ProgramTest):
    def setUp(self):
        super().setUp()
        for folder, file in (("bin", PROGRAM), ("lib", LIBRARY), ("lib", MODULE), ("lib", ROCM)):
            (self.place / folder).mkdir(exist_ok=True)
            shutil.copy2(file, self.place / folder / file.name)
        self.hone = self.place / "bin" / PROGRAM.name
        self.module = self.place / "lib" / MODULE.name
        self.environment["STAND_IN_ROCM"] = "gfx942:sramecc+:xnack-"

    def train(self, device, results="RUN", environment=None, **changes):
        words = self.settings(device=device, output_dir=self.place / results, **changes)
        return self.run_program("train", *words, program=self.hone, **(environment or {}))

    def refused(self, device="gpu", **environment):
        status, _, errors = self.train(device, environment=environment)
        self.assertEqual(status, 1)
        self.assertTrue(errors.startswith("error: "), errors)
        self.assertIn("to do:", errors)
        self.assertNotIn("defect", errors)
        self.assertFalse((self.place / "RUN").exists())
        return errors

    def test_trains_as_the_cpu_does(self):
        for changes in ({"finetuning_type": "full"}, {"finetuning_type": "lora", "bf16": "true"}):
            with self.subTest(**changes):
                status, output, errors = self.train("gpu", "gpu", overwrite_output_dir="true", **changes)
                self.assertEqual((status, errors), (0, ""))
                self.assertIn("device: Played gfx942:sramecc+:xnack- (gfx942)", output)
                self.assertNotIn("weights mapped from files", output)
                status, _, errors = self.train("cpu", "cpu", overwrite_output_dir="true", **changes)
                self.assertEqual((status, errors), (0, ""))
                found, expected = self.losses("gpu"), self.losses("cpu")
                self.assertEqual(len(found), 5)
                for (step, loss), (_, other) in zip(found, expected):
                    self.assertAlmostEqual(loss, other, delta=1e-4 * other + 1e-4, msg=str(step))

    def test_auto_takes_a_gpu_and_says_why_not(self):
        status, output, _ = self.train("auto")
        self.assertEqual(status, 0)
        self.assertIn("device: Played gfx942", output)
        status, output, _ = self.train("auto", overwrite_output_dir="true", environment={"STAND_IN_ROCM": ""})
        self.assertEqual(status, 0)
        self.assertIn("the CPU computes, as no GPU can be used: no ROCm-capable device is detected", output)
        self.assertRegex(output, r"device: .*, 1 threads")

    def test_the_second_of_two(self):
        two = {"STAND_IN_ROCM": "gfx942 gfx1100"}
        status, output, errors = self.train("gpu:1", environment=two)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("device: Played gfx1100", output)
        shutil.rmtree(self.place / "RUN")
        self.assertIn("2 GPUs: gpu:0 Played gfx942, gpu:1 Played gfx1100", self.refused("gpu:2", **two))

    def test_what_hides_gpus_is_shown(self):
        hidden = {"ROCR_VISIBLE_DEVICES": "0,1", "CUDA_VISIBLE_DEVICES": "7", "HIP_VISIBLE_DEVICES": "1",
                  "GPU_DEVICE_ORDINAL": "0"}
        said = ("GPUs that may be seen: ROCR_VISIBLE_DEVICES=0,1, and of those HIP_VISIBLE_DEVICES=1, "
                "and of those GPU_DEVICE_ORDINAL=0\n")
        _, output, _ = self.train("gpu", environment=hidden)
        self.assertIn(said, output)
        _, output, _ = self.train("cpu", overwrite_output_dir="true", environment=hidden)
        self.assertNotIn("GPUs that may be seen", output)

    def test_says_why_no_gpu_can_be_used(self):
        self.assertIn("no ROCm-capable device is detected (hipErrorNoDevice, 100)", self.refused(STAND_IN_ROCM=""))
        self.assertIn("driver version is insufficient",
                      self.refused(STAND_IN_ROCM="gfx942 hipGetDeviceCount=35"))
        self.assertIn("the GPU module has kernels for gfx942,gfx1100 only", self.refused(STAND_IN_ROCM="gfx1036"))
        self.assertIn("out of memory", self.refused(STAND_IN_ROCM="gfx942 hipMallocManaged=2"))

    def test_refuses_offload(self):
        config = self.place / "offload.json"
        config.write_text('{"zero_optimization": {"stage": 2, "offload_optimizer": {"device": "cpu"}}}')
        status, _, errors = self.train("gpu", deepspeed=config)
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"error: deepspeed: .*: stage 2, optimizer state in the host's memory\n")
        self.assertIn("found: a run on a GPU, which keeps all of the model's state in its own memory\n", errors)
        self.assertIn("to do: leave the offload out, or set device: cpu\n", errors)
        self.assertFalse((self.place / "RUN").exists())
        self.assertEqual(self.train("cpu", deepspeed=config)[0], 0)

    def test_says_which_part_is_missing(self):
        (self.place / "lib" / ROCM.name).unlink()
        self.assertIn(f"libhone_gpu.so wants {ROCM.name}, which is not on this machine", self.refused())
        self.module.write_bytes(b"no library")
        self.assertIn("the GPU module could not be loaded", self.refused())
        self.module.unlink()
        self.assertIn("this hone has no GPU module", self.refused())
        status, output, _ = self.train("auto")
        self.assertEqual(status, 0)
        self.assertNotIn("GPU", re.sub(r"device: .*", "", output))

    def test_answers_as_the_cpu_does(self):
        def ask(device, **environment):
            return self.run_program(
                "chat", f"model_name_or_path={self.place / 'T'}", "template=default", f"device={device}",
                "--prompt", "a", "max_new_tokens=4", "do_sample=false", program=self.hone, **environment)
        status, answer, errors = ask("gpu")
        self.assertEqual(status, 0, errors)
        self.assertEqual(answer, ask("cpu")[1])
        self.assertIn("no ROCm-capable device", ask("gpu", STAND_IN_ROCM="")[2])


if __name__ == "__main__":
    program.main()
