"""What the system does to runs.

Fifty real kills at random moments: what is there afterwards is always enough to go on, and the end is
that of a run that was never killed. And a limit on addresses."""

import json
import random
import resource
import signal
import subprocess

import program
from program import ProgramTest

KILLS = 50
SAVED = ("model.safetensors", "optimizer.safetensors")


class Kills(ProgramTest):
    place_parent = None  # a real file system: most of the time is spent in saves, as it should be

    def command(self, results):
        return ["train", *self.settings(
            output_dir=self.place / results, num_train_epochs=4, save_strategy="steps",
            save_steps=1, save_total_limit=2)]

    def history(self, results):
        text = (self.place / results / "trainer_state.json").read_text()
        return [entry for entry in json.loads(text)["log_history"] if "loss" in entry]

    def compare(self, results):
        self.assert_same_files(f"{results}/model.safetensors", "WHOLE/model.safetensors")
        self.assertEqual(self.history(results), self.history("WHOLE"))
        # Every line but the summary has a learning rate.
        log = (self.place / results / "trainer_log.jsonl").read_text().splitlines()
        self.assertEqual(sum("lr" not in json.loads(line) for line in log), 1)
        names = sorted(path.name for path in (self.place / results).glob("checkpoint-*"))
        self.assertEqual(names, ["checkpoint-19", "checkpoint-20"])
        for name in SAVED:
            self.assert_same_files(f"{results}/checkpoint-20/{name}", f"WHOLE/checkpoint-20/{name}")

    def test_fifty(self):
        status, _, errors = self.run_program(*self.command("WHOLE"))
        self.assertEqual((status, errors), (0, ""))
        for name in SAVED:
            self.assertTrue((self.place / "WHOLE/checkpoint-20" / name).exists(), name)
        dice = random.Random(20)
        kills = resumed = runs = 0
        while kills < KILLS:
            runs += 1
            results = f"RUN{runs}"
            while True:
                with self.start(*self.command(results)) as process:
                    try:
                        # Long enough for some runs to end: they must be right too.
                        output, errors = process.communicate(timeout=dice.uniform(0.0, 1.0))
                    except subprocess.TimeoutExpired:
                        process.send_signal(signal.SIGKILL)
                        output, errors = process.communicate()
                resumed += "resuming from" in output
                if process.returncode == 0:
                    break
                self.assertEqual(process.returncode, -signal.SIGKILL, errors)
                kills += 1
            self.compare(results)
        # The kills were spread over the runs, not all of them before the first save.
        self.assertGreater(resumed, KILLS // 4)


class Addresses(ProgramTest):
    def test_limit_is_said_and_nothing_is_written(self):
        (self.place / "K10" / "d.json").write_text(json.dumps(
            [{"instruction": "x", "input": "", "output": "a" * 3000}] * 100))
        words = self.settings(per_device_train_batch_size=100, cutoff_len=4096,
                              micro_step_tokens=400000)
        _, free = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, free))  # the program inherits it
        try:
            status, _, errors = self.run_program("train", *words)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (free, free))
        self.assertEqual(status, 1)
        self.assertIn("error: memory: ", errors)
        self.assertIn("micro_step_tokens", errors)
        self.assertNotIn("defect", errors)
        self.assertEqual(list((self.place / "RUN").rglob("*")), [])


if __name__ == "__main__":
    program.main()
