"""Compiles the kernels of src/kernels/gpu for one GPU after the other, without a GPU: all sources as one,
since reading HIP's headers takes longer than compiling a file of kernels. What was compiled before, from
the same sources by the same compiler, is not compiled again."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess

import gpu_figures

# Sources without kernels.
NO_KERNELS = ("gpu_table.cpp", "emulated_machine.cpp")
FLAGS = ("-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-std=c++20", "-O3", "-fno-math-errno",
         "-fno-trapping-math", "-Rpass-analysis=kernel-resource-usage")
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


class Toolchain:
    """The programs of a ROCm folder: .cache/rocm/compiler, /opt/rocm, or what ROCM_PATH names."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.compiler = self._tool("clang++")
        self.objdump = self._tool("llvm-objdump")
        version = subprocess.run([self.compiler, "--version"], capture_output=True, text=True, check=True).stdout
        self.name = re.sub(r"^\S+ clang", "clang", version.splitlines()[0]).strip()

    def _tool(self, name):
        for place in ("lib/llvm/bin", "llvm/bin", "bin"):
            if (self.folder / place / name).exists():
                return str(self.folder / place / name)
        raise SystemExit(f"no {name} in {self.folder}: point ROCM_PATH at a ROCm installation")

    def flags(self):
        """The unpacked compiler's wrapper knows its paths."""
        return [] if (self.folder / "wave_width.h").exists() else [f"--rocm-path={self.folder}"]


def sources(root):
    return [path for path in sorted((root / "src/kernels/gpu").glob("*.cpp")) if path.name not in NO_KERNELS]


def closure(root, path, seen):
    """The file and everything of src/ that it includes."""
    if path in seen or not path.exists():
        return seen
    seen.add(path)
    for included in _INCLUDE.findall(path.read_text(encoding="utf-8")):
        closure(root, root / "src" / included, seen)
    return seen


def key_of(root, target, tools):
    digest = hashlib.sha256(" ".join((tools.name, target, *FLAGS, *tools.flags())).encode())
    for part in (pathlib.Path(__file__), pathlib.Path(gpu_figures.__file__)):
        digest.update(part.read_bytes())
    files = set()
    for path in sources(root):
        closure(root, path, files)
    for file in sorted(files):
        digest.update(str(file.relative_to(root)).encode() + file.read_bytes())
    return digest.hexdigest()


def demangle(name):
    return subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout.strip()


def compile_one(root, target, tools, cache):
    """({kernel: figures}, error text) for one target."""
    store = cache / f"{target}.json"
    key = key_of(root, target, tools)
    if store.exists():
        kept = json.loads(store.read_text())
        if kept["key"] == key:
            return kept["kernels"], ""
    store.parent.mkdir(parents=True, exist_ok=True)
    code = store.with_suffix(".co")
    together = "".join(f'#include "{path}"\n' for path in sources(root))
    done = subprocess.run([tools.compiler, *FLAGS, *tools.flags(), f"--offload-arch={target}", f"-I{root / 'src'}",
                           "-c", "-", "-o", str(code)], input=together, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {}, done.stderr
    text = subprocess.run([tools.objdump, "-d", str(code)], capture_output=True, text=True, check=True).stdout
    kernels = gpu_figures.kernels(done.stderr, text, demangle)
    code.unlink()
    partial = store.with_suffix(".partial")
    partial.write_text(json.dumps({"key": key, "kernels": kernels}))
    partial.replace(store)
    return kernels, ""


def jobs():
    wanted = os.environ.get("MAX_JOBS", "")
    if wanted and not (wanted.isdigit() and int(wanted) > 0):
        raise SystemExit(f"MAX_JOBS: '{wanted}' is no whole number above zero: name how many compilers may run at once")
    return int(wanted) if wanted else os.cpu_count() or 1


def compile_all(root, targets, tools, cache):
    """({target: {kernel: figures}}, [what did not compile])"""
    figures, faults = {}, []
    with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
        results = pool.map(lambda target: compile_one(root, target, tools, cache), targets)
        for target, (kernels, error) in zip(targets, results):
            figures[target] = kernels
            if error:
                first = next((line for line in error.splitlines() if "error:" in line), error.strip()[-300:])
                faults.append(f"the kernels do not compile for {target}: {first}")
    return figures, faults
