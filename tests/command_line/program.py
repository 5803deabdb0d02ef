"""Runs the built program in a folder of its own: what the tests of this folder share."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# ctest gives them; see tests/CMakeLists.txt.
PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 2 else None
WRITE_KIT = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
# Runs sync what they save: in memory that costs nothing.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
# Far more than anything here takes; a hang must end.
SECONDS = 120


def main():
    if PROGRAM is None:
        sys.exit(f"usage: {sys.argv[0]} PROGRAM WRITE_KIT [unittest's arguments]")
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])


class ProgramTest(unittest.TestCase):
    place_parent = MEMORY

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hone_program_", dir=self.place_parent)
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name).resolve()
        subprocess.run([WRITE_KIT, self.place], check=True)
        kept = ("PATH", "TMPDIR", "LD_LIBRARY_PATH")
        self.environment = {name: value for name, value in os.environ.items()
                            if name in kept or name.endswith("SAN_OPTIONS")}
        self.environment["HOME"] = str(self.place)

    def settings(self, **changes):
        """The words of a run on model T and the ten records, with these settings changed."""
        values = {
            "model_name_or_path": self.place / "T", "stage": "sft", "do_train": "true",
            "finetuning_type": "full", "dataset_dir": self.place / "K10", "dataset": "d",
            "template": "default", "output_dir": self.place / "RUN",
            "per_device_train_batch_size": 2, "learning_rate": "1e-3", "logging_steps": 1,
            "num_train_epochs": 1, "save_strategy": "no", "threads": 1,
        }
        values.update(changes)
        return [f"{name}={value}" for name, value in values.items()]

    def start(self, *words, program=None, **environment):
        return subprocess.Popen(
            [program or PROGRAM, *words], cwd=self.place, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
            env={**self.environment, **environment})

    def run_program(self, *words, program=None, **environment):
        """(exit status, standard output, standard error)"""
        with self.start(*words, program=program, **environment) as process:
            output, errors = process.communicate(timeout=SECONDS)
        return process.returncode, output, errors

    def losses(self, results="RUN"):
        """(step, loss) of every log entry, from trainer_log.jsonl."""
        lines = (self.place / results / "trainer_log.jsonl").read_text().splitlines()
        entries = [json.loads(line) for line in lines]
        return [(entry["current_steps"], entry["loss"]) for entry in entries if "loss" in entry]

    def assert_same_files(self, left, right):
        self.assertTrue((self.place / left).read_bytes() == (self.place / right).read_bytes(),
                        f"{left} and {right} differ")
