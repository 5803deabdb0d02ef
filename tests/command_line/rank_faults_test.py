"""Ranks that die, stall or are stopped: the others end within the limit, the user is told which rank
and why, and the run goes on from its last checkpoint with the bits of one that was never stopped."""

import os
import pathlib
import signal
import time

import program
from program import SECONDS, ProgramTest


class RankFaults(ProgramTest):
    def words(self, results, **changes):
        values = {"output_dir": self.place / results, "num_train_epochs": 400,
                  "per_device_train_batch_size": 1, "save_strategy": "steps", "save_steps": 5,
                  "save_total_limit": 2, "lr_scheduler_type": "constant"}
        values.update(changes)
        return ["train", *self.settings(**values)]

    def launch(self, results, ranks=2, changes=None, **environment):
        return self.start(*self.words(results, **(changes or {})), FORCE_TORCHRUN="1",
                          NPROC_PER_NODE=str(ranks), **environment)

    def children(self, launcher):
        text = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text()
        return [int(word) for word in text.split()]

    def wait_for(self, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = what()
            if found:
                return found
            time.sleep(0.02)
        self.fail("waited in vain")

    def wait_for_checkpoint(self, results, step=0):
        """The newest one beyond this step."""
        def newest():
            folders = (self.place / results).glob("checkpoint-*")
            steps = [int(path.name.split("-")[1]) for path in folders
                     if path.name.split("-")[1].isdigit()]
            return max((step_ for step_ in steps if step_ > step), default=0)
        return self.wait_for(newest)

    def end(self, launcher, seconds):
        """(status, output, errors) of a launcher that must end within these seconds."""
        start = time.monotonic()
        output, errors = launcher.communicate(timeout=SECONDS)
        self.assertLess(time.monotonic() - start, seconds)
        return launcher.returncode, output, errors

    def assert_gone(self, pids, seconds=10):
        def gone():
            return not any(self.is_alive(pid) for pid in pids)
        self.wait_for(gone, seconds)

    @staticmethod
    def is_alive(pid):
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state != "Z"

    def last_line_first(self, errors):
        """The error that stands last, its first line."""
        lines = errors.rstrip("\n").splitlines()
        return [line for line in lines if not line.startswith(" ")][-1]

    def compare_after(self, results, ranks=2):
        """Goes on to a fixed number of steps beyond; equal to a run that was never stopped."""
        checkpoint = self.wait_for_checkpoint(results)
        steps = {"max_steps": checkpoint + 7}
        for name in (results, "WHOLE"):
            launcher = self.launch(name, ranks, {**steps, "save_total_limit": 100})
            status, output, errors = self.end(launcher, SECONDS)
            self.assertEqual(status, 0, output + errors)
            if name == results:
                self.assertIn("resuming from", output)
        self.assert_same_files(f"{results}/model.safetensors", "WHOLE/model.safetensors")


class Killed(RankFaults):
    def test_one_rank(self):
        launcher = self.launch("RUN")
        self.wait_for_checkpoint("RUN")
        ranks = self.children(launcher)
        os.kill(ranks[1], signal.SIGKILL)
        status, _, errors = self.end(launcher, 15)
        self.assertEqual(status, 1)
        self.assertEqual(self.last_line_first(errors),
                         f"error: rank 1 (pid {ranks[1]}) ended by signal 9")
        self.assertIn("give the same command again", errors)
        self.assertNotIn("defect", errors)
        self.assert_gone(ranks)
        self.compare_after("RUN")

    def test_rank_0(self):
        launcher = self.launch("RUN", ranks=3)
        self.wait_for_checkpoint("RUN")
        ranks = self.children(launcher)
        os.kill(ranks[0], signal.SIGKILL)
        status, _, errors = self.end(launcher, 15)
        self.assertEqual(status, 1)
        self.assertEqual(self.last_line_first(errors),
                         f"error: rank 0 (pid {ranks[0]}) ended by signal 9")
        for rank in (1, 2):
            log = (self.place / "RUN" / "logs" / f"rank-{rank}.log").read_text()
            self.assertIn("error: rank 0 (", log)
            self.assertIn("its connection closed", log)

    def test_the_launcher(self):
        launcher = self.launch("RUN")
        self.wait_for_checkpoint("RUN")
        ranks = self.children(launcher)
        launcher.send_signal(signal.SIGKILL)
        launcher.communicate(timeout=SECONDS)
        self.assert_gone(ranks)

    def test_restarted_by_itself(self):
        # What an earlier run left is replaced, what this one saved is not.
        launcher = self.launch("RUN", changes={"max_steps": 60, "overwrite_output_dir": "true",
                                               "save_total_limit": 100}, MAX_RESTARTS="2")
        saved = self.wait_for_checkpoint("RUN")
        os.kill(self.children(launcher)[1], signal.SIGKILL)
        status, output, errors = self.end(launcher, SECONDS)
        self.assertEqual((status, errors), (0, ""), output)
        self.assertIn("ended by signal 9", output)
        self.assertIn("all ranks are started again (restart 1 of 2)", output)
        self.assertIn("resuming from", output)
        self.assertLess(0, saved)
        launcher = self.launch("WHOLE", changes={"max_steps": 60})
        self.assertEqual(self.end(launcher, SECONDS)[0], 0)
        self.assert_same_files("RUN/model.safetensors", "WHOLE/model.safetensors")

    def test_without_a_launcher_rank_0_says_it(self):
        import socket
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        ranks = [self.start(*self.words("RUN"), RANK=str(i), WORLD_SIZE="2", LOCAL_RANK=str(i),
                            LOCAL_WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
                 for i in range(2)]
        self.wait_for_checkpoint("RUN")
        ranks[1].send_signal(signal.SIGKILL)
        status, _, errors = self.end(ranks[0], 15)
        ranks[1].communicate(timeout=SECONDS)
        self.assertEqual(status, 1)
        self.assertRegex(errors, rf"error: rank 1 \(host [^,]+, pid {ranks[1].pid}\): "
                                 "its connection closed: it ended, or lost its network")


class Stopped(RankFaults):
    def test_by_a_signal_to_the_launcher(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            results = f"RUN{number}"
            launcher = self.launch(results)
            self.wait_for_checkpoint(results)
            launcher.send_signal(number)
            status, output, errors = self.end(launcher, 15)
            self.assertEqual(status, 130, output + errors)
            self.assertEqual(errors.count("stopping after this step and saving"), 1)
            self.assertIn("and saved; to go on", output)

    def test_by_a_signal_to_one_rank(self):
        launcher = self.launch("RUN")
        self.wait_for_checkpoint("RUN")
        os.kill(self.children(launcher)[1], signal.SIGTERM)
        status, output, errors = self.end(launcher, 15)
        self.assertIn("and saved; to go on", output)
        self.assertEqual(status, 130, errors)

    def test_for_a_while(self):
        launcher = self.launch("RUN", changes={"max_steps": 40}, HONE_HEARTBEAT_SECONDS="10")
        self.wait_for_checkpoint("RUN")
        rank = self.children(launcher)[1]
        os.kill(rank, signal.SIGSTOP)
        time.sleep(4)
        os.kill(rank, signal.SIGCONT)
        status, output, errors = self.end(launcher, SECONDS)
        self.assertEqual((status, errors), (0, ""), output)
        launcher = self.launch("WHOLE", changes={"max_steps": 40})
        self.assertEqual(self.end(launcher, SECONDS)[0], 0)
        self.assert_same_files("RUN/model.safetensors", "WHOLE/model.safetensors")

    def test_for_good(self):
        launcher = self.launch("RUN", HONE_HEARTBEAT_SECONDS="2")
        self.wait_for_checkpoint("RUN")
        ranks = self.children(launcher)
        os.kill(ranks[1], signal.SIGSTOP)
        status, _, errors = self.end(launcher, 30)
        self.assertEqual(status, 1)
        self.assertRegex(self.last_line_first(errors),
                         rf"error: rank 1 \(host [^,]+, pid {ranks[1]}\): no sign of life for 2\.")
        self.assert_gone(ranks)


if __name__ == "__main__":
    program.main()
