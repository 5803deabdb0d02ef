"""Runs every check and says what each found. ./run check calls it with a finished build."""

import argparse
import pathlib
import sys

import banned_calls
import banned_symbols
import documents
import family_names
import formatting
import include_table
import open_ends
import sizes


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--build", required=True, type=pathlib.Path)
    arguments.add_argument("--clang-format", required=True, type=pathlib.Path)
    given = arguments.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    checks = {
        "include table": lambda: include_table.findings(root),
        "sizes": lambda: sizes.findings(root),
        "formatting": lambda: formatting.findings(root, str(given.clang_format.absolute())),
        "documents": lambda: documents.findings(root),
        "banned calls": lambda: banned_calls.findings(root),
        "banned symbols": lambda: banned_symbols.findings(root, given.build),
        "family names": lambda: family_names.findings(root),
        "open ends": lambda: open_ends.findings(root),
    }
    failed = 0
    for name, check in checks.items():
        found = check()
        failed += bool(found)
        print(f"check {name}: {'failed' if found else 'ok'}")
        for line in found:
            print(f"  {line}")
    print(f"sizes: {sizes.remark(root)}")
    print(f"checks: {len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
