"""Compiles the GPU kernels for every card and holds what they take of it. ./run check gpu calls it."""

import argparse
import os
import pathlib
import re
import sys
import time

import gpu_compile
import gpu_record

# What ROCm 6.4 and the compiler support, and the kernels are meant for.
TARGETS = ("gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1101", "gfx1102", "gfx1103",
           "gfx1150", "gfx1151", "gfx1200", "gfx1201")
DOCUMENT = "docs/gpu-kernels.md"
EXCEPTIONS = "checks/gpu_exceptions.txt"


def wanted_targets():
    """GPU_TARGETS, or PYTORCH_ROCM_ARCH, or all."""
    for name in ("GPU_TARGETS", "PYTORCH_ROCM_ARCH"):
        targets = [word for word in re.split(r"[;,\s]+", os.environ.get(name, "")) if word]
        for target in targets:
            if not re.fullmatch(r"gfx[0-9a-f]+(:\w+[+-])*", target):
                raise SystemExit(f"{name}: '{target}' is no GPU target: write names such as gfx942, separated by semicolons")
        if targets:
            return tuple(dict.fromkeys(re.sub(":.*", "", target) for target in targets))
    return TARGETS


def judge(root, tools, figures):
    """(what is wrong, whether the figures may be recorded)"""
    exceptions = gpu_record.Exceptions((root / EXCEPTIONS).read_text(encoding="utf-8").splitlines())
    document = root / DOCUMENT
    compiler, recorded = gpu_record.read(document.read_text(encoding="utf-8")) if document.exists() else ("", {})
    faults = list(exceptions.faults)
    faults += gpu_record.spill_faults(figures, exceptions)
    faults += gpu_record.matrix_faults(figures)
    comparable = compiler in ("", tools.name)
    if comparable:
        faults += gpu_record.record_faults(figures, recorded, exceptions)
        faults += exceptions.idle(figures)
    else:
        print(f"gpu kernels: {DOCUMENT} was recorded with {compiler}; {tools.name} is held to spills and matrix "
              "instructions only (delete the page to record it anew)")
    whole = set(TARGETS) <= set(figures)
    if comparable and whole and not faults:
        document.write_text(gpu_record.text(tools.name, figures), encoding="utf-8")
    return faults


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rocm", required=True, help="a folder with clang++ and llvm-objdump")
    arguments.add_argument("--cache", required=True, type=pathlib.Path, help="where figures are kept")
    given = arguments.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    targets, started = wanted_targets(), time.monotonic()
    tools = gpu_compile.Toolchain(given.rocm)
    figures, faults = gpu_compile.compile_all(root, targets, tools, given.cache)
    faults += judge(root, tools, figures) if not faults else []
    for fault in faults:
        print(f"  {fault}")
    kernels = sum(map(len, figures.values()))
    print(f"gpu kernels: {kernels} for {len(targets)} targets in {time.monotonic() - started:.0f} s, by {tools.name}: "
          f"{'failed' if faults else 'ok'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
