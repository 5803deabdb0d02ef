"""What ./run says when something is missing, and how it counts. The script runs in a copy, with a PATH
of stand-ins, so that nothing is installed."""

import pathlib
import shutil
import subprocess
import unittest

from example_tree import ExampleTree

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++"
	tests="12"
	failures="2"
	disabled="1"
	skipped="3"
	hostname=""
	time="1"
	timestamp="2024-01-01T00:00:00"
	>
	<testcase name="a" classname="a" time="0.1" status="run"/>
</testsuite>
"""


class Run(ExampleTree):
    def setUp(self):
        super().setUp()
        shutil.copy(REPOSITORY / "run", self.root / "run")
        shutil.copytree(REPOSITORY / "packaging", self.root / "packaging")
        self.write("CMakePresets.json", '{"name": "cpu-release"}')
        # A machine without dpkg's packages, not root, without sudo.
        for name in ("bash", "dirname", "readlink", "sed", "grep", "tr", "cat"):
            (self.root / "bin").mkdir(exist_ok=True)
            (self.root / "bin" / name).symlink_to(shutil.which(name))
        self.stand_in("id", "echo 1000")
        self.stand_in("dpkg-query", "exit 1")

    def stand_in(self, name, script):
        self.write(f"bin/{name}", f"#!{shutil.which('bash')}\n{script}\n")
        (self.root / "bin" / name).chmod(0o755)

    def bash(self, script):
        return subprocess.run([shutil.which("bash"), "-c", script], cwd=self.root, text=True, check=False,
                              env={"PATH": str(self.root / "bin")}, capture_output=True)

    def sourced(self, script):
        return self.bash(". packaging/install.sh; . packaging/build.sh; " + script)

    def test_help_names_every_command(self):
        text = (self.root / "run").read_text()
        printed = self.bash("./run help").stdout
        for line in text.splitlines():
            if line.startswith("command_"):
                self.assertIn(f"./run {line.split('_', 1)[1].split('(')[0]}", printed + "./run help")

    def test_an_unknown_command_or_preset_is_refused(self):
        refused = self.bash("./run tset")
        self.assertEqual((refused.returncode, refused.stderr),
                         (1, "run: there is no ./run tset; ./run help lists the commands\n"))
        refused = self.bash("./run build gone")
        self.assertEqual((refused.returncode, refused.stderr), (1, "run: CMakePresets.json has no preset gone\n"))

    def test_without_root_and_sudo_it_says_what_to_install(self):
        refused = self.sourced("distribution() { echo debian-12; }; need build")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("run: not root and no sudo. Install first: apt-get install g++ cmake", refused.stderr)
        self.assertNotIn("mmdebstrap", refused.stderr)

    def test_on_an_unknown_distribution_it_names_debians_packages(self):
        refused = self.sourced("distribution() { echo plan9-4; }; need format")
        self.assertEqual((refused.returncode, refused.stderr),
                         (1, "run: plan9-4 has no list in packaging/. Install what Debian calls: python3-venv\n"))

    def test_only_what_is_missing_is_installed(self):
        self.stand_in("g++", "")
        self.stand_in("dpkg-query", '[ "${!#}" = libfmt-dev ] && echo installed')
        wanted = self.sourced("distribution() { echo debian-12; }; missing_packages build bench").stdout.split()
        self.assertIn("cmake", wanted)
        self.assertIn("libbenchmark-dev", wanted)
        self.assertFalse({"g++", "libfmt-dev", "clang"} & set(wanted))

    def test_nothing_is_said_when_nothing_is_missing(self):
        self.stand_in("dpkg-query", "echo installed")
        quiet = self.sourced("distribution() { echo debian-12; }; need format")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, "", ""))

    def test_a_rocm_folder_that_lacks_something_is_refused(self):
        def refusal():
            return self.bash('. packaging/install.sh; . packaging/rocm.sh; ROCM_PATH=rocm; '
                             'check_rocm_installation "$(rocm_installation)"').stderr
        self.assertEqual(refusal(), "run: ROCM_PATH is rocm, and there is no such folder: name the folder of ROCm "
                                    "(usually /opt/rocm), or unset ROCM_PATH\n")
        (self.root / "rocm").mkdir()
        self.assertIn("no llvm/bin/clang++ is in rocm: install ROCm's package rocm-llvm", refusal())
        self.write("rocm/llvm/bin/clang++", "")
        (self.root / "rocm/llvm/bin/clang++").chmod(0o755)
        self.assertIn("no include/hip/hip_runtime.h is in rocm: install ROCm's package hip-dev", refusal())
        self.write("rocm/include/hip/hip_runtime.h", "")
        self.assertEqual(refusal(), "")

    def test_the_gpu_module_is_for_the_cards_that_are_named(self):
        def targets(variable):
            return self.bash(". packaging/install.sh; . packaging/rocm.sh; . packaging/gpu_module.sh; "
                             f"{variable} module_targets /nowhere")
        self.assertEqual(targets("GPU_TARGETS='gfx942:xnack-; gfx1100'").stdout, "gfx942,gfx1100\n")
        self.assertEqual(targets("PYTORCH_ROCM_ARCH=gfx90a").stdout, "gfx90a\n")
        self.assertEqual(targets("").stderr, "run: no GPU is seen here, so say for which to build: "
                                             "GPU_TARGETS=gfx942 ./run build gpu\n")

    def test_every_list_names_the_same_groups(self):
        def groups(path):
            return {line.split()[0] for line in path.read_text().splitlines() if line and line[0] != "#"}
        lists = sorted((self.root / "packaging").glob("*-*.txt"))
        self.assertEqual(len(lists), 4)
        for path in lists:
            self.assertEqual(groups(path), {"build", "bench", "threads", "format", "package", "distro"}, path)

    def test_counts_skipped_and_disabled_tests(self):
        self.write("tests.xml", JUNIT)
        printed = self.sourced("add_counts tests.xml; closing_line; add_counts tests.xml; closing_line").stdout
        self.assertEqual(printed, "6 passed, 2 failed, 4 skipped\n12 passed, 4 failed, 8 skipped\n")


if __name__ == "__main__":
    unittest.main()
