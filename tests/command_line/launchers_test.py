"""Ranks started for real by torchrun, mpirun and a Slurm of one machine. Each is skipped where it is
not installed (PyPI's torch, whose torchrun HONE_TORCHRUN may name; Debian's openmpi-bin; slurm-wlm
with munge, as root)."""

import os
import pathlib
import shutil
import socket
import subprocess
import time
import unittest

import program
from program import SECONDS, ProgramTest


def torchrun():
    return os.environ.get("HONE_TORCHRUN") or shutil.which("torchrun")


class LaunchersTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
            self.environment[name] = "1"

    def settings(self, **changes):
        return super().settings(**{"per_device_train_batch_size": 1, "max_steps": 6, **changes})

    def launch(self, launcher, **changes):
        return self.run_program(*launcher[1:], program.PROGRAM, "train",
                                *self.settings(**changes), program=launcher[0])

    def assert_trains(self, ranks, launcher):
        status, output, errors = self.launch(launcher)
        self.assertEqual(status, 0, output + errors)
        self.assertIn(f"ranks: {ranks}, {ranks} of them on this machine", output)
        status, output, errors = self.run_program(
            "train", *self.settings(output_dir=self.place / "OURS"),
            FORCE_TORCHRUN="1", NPROC_PER_NODE=str(ranks))
        self.assertEqual(status, 0, output + errors)
        self.assert_same_files("RUN/model.safetensors", "OURS/model.safetensors")
        logs = sorted(path.name for path in (self.place / "RUN" / "logs").iterdir())
        self.assertEqual(logs, [f"rank-{rank}.log" for rank in range(1, ranks)])

    def assert_fault_is_said_once(self, launcher):
        status, output, errors = self.launch(launcher, dataset="nope")
        self.assertNotEqual(status, 0)
        self.assertEqual((output + errors).count("dataset: nope"), 1, output + errors)


@unittest.skipUnless(torchrun(), "there is no torchrun")
class Torchrun(LaunchersTest):
    def words(self, ranks):
        return [torchrun(), "--standalone", "--no-python", f"--nproc-per-node={ranks}"]

    def test_trains(self):
        self.assert_trains(3, self.words(3))

    def test_a_fault(self):
        self.assert_fault_is_said_once(self.words(2))


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class OpenMpi(LaunchersTest):
    def words(self, ranks):
        return ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"]

    def test_trains(self):
        self.assert_trains(4, self.words(4))

    def test_a_fault(self):
        self.assert_fault_is_said_once(self.words(2))


SLURM_PROGRAMS = ("slurmctld", "slurmd", "srun", "munged", "mungekey")


def has_slurm():
    return os.geteuid() == 0 and all(
        shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") for name in SLURM_PROGRAMS)


@unittest.skipUnless(has_slurm(), "Slurm of one machine needs root, slurm-wlm and munge")
class Slurm(LaunchersTest):
    def words(self, ranks):
        return ["srun", f"--ntasks={ranks}", "--overcommit"]

    def setUp(self):
        super().setUp()
        self.environment["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
        folder = self.place / "slurm"
        folder.mkdir()
        host = socket.gethostname().split(".")[0]
        ports = self.free_ports(2)
        socket_file = folder / "munge.socket"
        (folder / "slurm.conf").write_text(f"""
ClusterName=hone
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket_file}
CredType=cred/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SelectType=select/linear
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
""".lstrip())
        self.environment["SLURM_CONF"] = str(folder / "slurm.conf")
        self.run_quietly("mungekey", "--create", f"--keyfile={folder}/munge.key")
        self.daemon("munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                    f"--socket={socket_file}", f"--log-file={folder}/munge.log",
                    f"--pid-file={folder}/munge.pid", f"--seed-file={folder}/munge.seed")
        self.wait_for(socket_file.exists)
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.wait_for(lambda: "idle" in self.run_quietly("sinfo", "-h", "-o", "%T"))

    def free_ports(self, count):
        sockets = [socket.socket() for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
        return ports

    def run_quietly(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False).stdout

    def daemon(self, *words):
        log = pathlib.Path(self.place / f"{words[0]}.out").open("w")
        process = subprocess.Popen(words, env=self.environment, stdout=log, stderr=log)
        log.close()

        def end():
            process.terminate()
            process.wait(timeout=SECONDS)
        self.addCleanup(end)

    def wait_for(self, what):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if what():
                return
            time.sleep(0.2)
        texts = [path.read_text() for path in sorted(self.place.glob("*.out"))]
        self.fail("\n".join(texts))

    def test_trains(self):
        self.assert_trains(2, self.words(2))

    def test_a_fault(self):
        self.assert_fault_is_said_once(self.words(2))


if __name__ == "__main__":
    program.main()
