"""Two "machines" as network namespaces joined by a cable (veth), two ranks each. Needs root."""

import os
import shutil
import signal
import subprocess
import unittest

import program
from program import PROGRAM, SECONDS
from rank_faults_test import RankFaults

ADDRESSES = ("10.77.31.1", "10.77.31.2")


def ip(*words):
    return subprocess.run(["ip", *words], check=True, capture_output=True)


def can_make_namespaces():
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"hone{os.getpid()}t"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except subprocess.CalledProcessError:
        return False
    return True


@unittest.skipUnless(can_make_namespaces(), "network namespaces need root and iproute2")
class TwoMachines(RankFaults):
    def setUp(self):
        super().setUp()
        self.names = [f"hone{os.getpid()}{letter}" for letter in "ab"]
        for name in self.names:
            ip("netns", "add", name)
            self.addCleanup(ip, "netns", "del", name)
        ends = [f"h{os.getpid()}{letter}"[-15:] for letter in "ab"]
        ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for name, end, address in zip(self.names, ends, ADDRESSES):
            ip("link", "set", end, "netns", name)
            ip("-n", name, "link", "set", end, "name", "cable0")
            ip("-n", name, "addr", "add", f"{address}/24", "dev", "cable0")
            ip("-n", name, "link", "set", "cable0", "up")
            ip("-n", name, "link", "set", "lo", "up")

    def launch_on(self, node, results, changes=None, **environment):
        words = ["ip", "netns", "exec", self.names[node], PROGRAM,
                 *self.words(results, **(changes or {}))]
        return self.start(*words[1:], program=words[0], FORCE_TORCHRUN="1", NNODES="2",
                          NODE_RANK=str(node), NPROC_PER_NODE="2", MASTER_ADDR=ADDRESSES[0],
                          MASTER_PORT="29500", HONE_HEARTBEAT_SECONDS="3", **environment)

    def test_runs_as_on_one(self):
        changes = {"max_steps": 6}
        nodes = [self.launch_on(node, "RUN", changes) for node in range(2)]
        for node in nodes:
            status, output, errors = self.end(node, SECONDS)
            self.assertEqual((status, errors), (0, ""), output)
            self.assertIn("Multi-node training enabled: num nodes: 2", output)
        one = self.launch("ONE", ranks=4, changes=changes)
        self.assertEqual(self.end(one, SECONDS)[0], 0)
        self.assert_same_files("RUN/model.safetensors", "ONE/model.safetensors")
        logs = sorted(path.name for path in (self.place / "RUN" / "logs").iterdir())
        self.assertEqual(logs, ["rank-1.log", "rank-2.log", "rank-3.log"])

    def test_the_interface_is_named(self):
        nodes = [self.launch_on(node, "RUN", {"max_steps": 2}, GLOO_SOCKET_IFNAME="cable0")
                 for node in range(2)]
        ended = [self.end(node, SECONDS) for node in nodes]
        self.assertEqual([one[0] for one in ended], [0, 0], ended)
        self.assertIn("through the interface cable0 (GLOO_SOCKET_IFNAME)", ended[0][1])

    def test_the_cable_is_cut(self):
        nodes = [self.launch_on(node, "RUN") for node in range(2)]
        self.wait_for_checkpoint("RUN")
        pids = [pid for node in nodes for pid in self.children(node)]
        ip("-n", self.names[0], "link", "set", "cable0", "down")
        ended = [self.end(node, 40) for node in nodes]
        self.assertEqual([one[0] for one in ended], [1, 1])
        self.assertRegex(self.last_line_first(ended[0][2]), r"error: rank [23] \(host ")
        self.assertRegex(self.last_line_first(ended[1][2]), r"error: rank 0 \(10\.77\.31\.1\): ")
        self.assert_gone(pids)

    def test_a_machine_is_gone(self):
        nodes = [self.launch_on(node, "RUN") for node in range(2)]
        self.wait_for_checkpoint("RUN")
        for pid in [*self.children(nodes[1]), nodes[1].pid]:
            os.kill(pid, signal.SIGKILL)
        nodes[1].communicate(timeout=SECONDS)
        status, _, errors = self.end(nodes[0], 20)
        self.assertEqual(status, 1)
        self.assertRegex(self.last_line_first(errors),
                         r"error: rank [23] \(host [^,]+, pid \d+\): its connection closed")
        self.compare_after("RUN", ranks=4)


if __name__ == "__main__":
    program.main()
