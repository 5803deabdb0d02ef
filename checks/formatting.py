"""Every C++ file is as the pinned clang-format writes it. With --fix it is made so."""

import argparse
import pathlib
import subprocess
import sys

import tree

FOLDERS = ("src", "apps", "tests", "bench", "examples")


def run_clang_format(root, clang_format, options):
    paths = [str(path) for path in tree.files(root, tree.CPP + (".hip",), FOLDERS)]
    if not paths:
        return ""
    return subprocess.run([clang_format, *options, *paths], cwd=root, capture_output=True,
                          text=True, check=False).stderr


def findings(root, clang_format):
    found = {}
    for line in run_clang_format(root, clang_format, ["--dry-run"]).splitlines():
        place, _, rest = line.partition(": ")
        if "clang-format-violations" in rest:
            path, number = place.split(":")[:2]
            found.setdefault(path, f"{path}:{number}: is not formatted: ./run format")
    return list(found.values())


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--clang-format", required=True)
    arguments.add_argument("--fix", action="store_true", required=True)
    sys.stderr.write(run_clang_format(pathlib.Path(__file__).resolve().parent.parent,
                                      str(pathlib.Path(arguments.parse_args().clang_format).absolute()), ["-i"]))
