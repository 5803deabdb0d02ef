"""Faults of random kinds at random instants, and after each the same command again: nothing hangs,
no checkpoint is lost, and the run ends with the bits of one that was never disturbed.

HONE_FAULTS=200 asks for so many (12), HONE_FAULTS_SEED for others.
"""

import collections
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import program
from program import SECONDS
from rank_faults_test import RankFaults

STEPS = 40
HEARTBEAT = 2
MEETING = 10  # seconds that ranks wait for one that is stopped before it came
# A silent rank is noticed, the others end, the launcher ends what does not.
LIMIT = MEETING + 35
DISK_BYTES = 4 << 20


def kill(ranks, chance):
    os.kill(chance.choice(ranks), signal.SIGKILL)


def stop_for_good(ranks, chance):
    os.kill(chance.choice(ranks), signal.SIGSTOP)


def stop_for_a_moment(ranks, chance):
    rank = chance.choice(ranks)
    os.kill(rank, signal.SIGSTOP)
    time.sleep(chance.uniform(0.0, HEARTBEAT / 4))
    os.kill(rank, signal.SIGCONT)


def kill_all(ranks, _):
    for rank in ranks:
        os.kill(rank, signal.SIGKILL)


def ask_to_stop(ranks, chance):
    os.kill(chance.choice(ranks), signal.SIGTERM)


FAULTS = (kill, stop_for_good, stop_for_a_moment, kill_all, ask_to_stop)


class RandomFaults(RankFaults):
    def changes(self):
        return {"max_steps": STEPS, "save_steps": 3}

    def undisturbed(self, ranks):
        start = time.monotonic()
        launcher = self.launch(f"WHOLE{ranks}", ranks, self.changes())
        status, output, errors = self.end(launcher, SECONDS)
        self.assertEqual(status, 0, output + errors)
        return time.monotonic() - start

    def disturb(self, launcher, fault, chance, seconds):
        """The ranks that there were."""
        time.sleep(chance.uniform(0.0, seconds))
        ranks = []
        try:
            ranks = self.children(launcher)
            if ranks:
                fault(ranks, chance)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it had ended
        return ranks

    def assert_goes_on(self, results, ranks):
        launcher = self.launch(results, ranks, self.changes())
        status, output, errors = self.end(launcher, SECONDS)
        self.assertEqual(status, 0, output + errors)
        self.assert_same_files(f"{results}/model.safetensors", f"WHOLE{ranks}/model.safetensors")

    def one_fault(self, results, ranks, fault, chance, seconds):
        """The status that the run ended with."""
        launcher = self.launch(results, ranks, self.changes(),
                               HONE_HEARTBEAT_SECONDS=str(HEARTBEAT),
                               HONE_MEETING_SECONDS=str(MEETING))
        pids = self.disturb(launcher, fault, chance, seconds)
        status, output, errors = self.end(launcher, LIMIT)
        self.assert_gone(pids)
        self.assertIn(status, (0, 1, 130), output + errors)
        self.assertNotIn("defect", errors)
        if status == 1:
            self.assertIn("error: ", errors)
        self.assert_goes_on(results, ranks)
        shutil.rmtree(self.place / results)
        return status

    def test_all(self):
        seed = int(os.environ.get("HONE_FAULTS_SEED", "1"))
        chance = random.Random(seed)
        seconds = {ranks: self.undisturbed(ranks) for ranks in (2, 3)}
        ended = collections.Counter()
        for number in range(int(os.environ.get("HONE_FAULTS", "12"))):
            ranks = chance.choice((2, 3))
            fault = chance.choice(FAULTS)
            with self.subTest(number=number, seed=seed, fault=fault.__name__, ranks=ranks):
                status = self.one_fault(f"RUN{number}", ranks, fault, chance, seconds[ranks])
                ended[f"{fault.__name__}, status {status}"] += 1
        print("faults:", dict(sorted(ended.items())))

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("mount"), "a full disk needs root")
    def test_a_full_disk(self):
        self.undisturbed(2)
        chance = random.Random(int(os.environ.get("HONE_FAULTS_SEED", "1")))
        disk = self.place / "DISK"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "hone", disk],
                       check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        for _ in range(3):
            launcher = self.launch("DISK/RUN", 2, self.changes())
            time.sleep(chance.uniform(0.2, 1.0))
            ballast = disk / "ballast"
            with ballast.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            status, output, errors = self.end(launcher, LIMIT)
            if status != 0:
                self.assertIn("No space left on device", errors, output)
                self.assertNotIn("defect", errors)
            ballast.unlink()
            self.assert_goes_on("DISK/RUN", 2)
            shutil.rmtree(disk / "RUN")


if __name__ == "__main__":
    program.main()
