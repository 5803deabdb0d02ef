"""The ban of banned_calls.py, held on the compiled rooms: an object file that refers to getenv, exit
or a stream reached it through a macro or a header that the source text does not show.
checks/banned_symbols.txt lists what a library's inlined code brings along, with the reason."""

import pathlib
import subprocess

import tree

BANNED = {
    "getenv", "secure_getenv", "environ", "setenv", "unsetenv", "putenv",
    "exit", "_exit", "_Exit", "quick_exit", "abort",
    "printf", "__printf_chk", "vprintf", "__vprintf_chk", "puts", "putchar", "perror",
    "stdout", "stderr", "std::cout", "std::cerr", "std::clog",
}


def read_allowances(root):
    """[(object file pattern, symbol)] from lines "pattern  symbol  reason", and faults of the list."""
    allowed, faults = [], []
    for number, line in enumerate(tree.text(root, "checks/banned_symbols.txt").splitlines(), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 3:
            faults.append(f"checks/banned_symbols.txt:{number}: wanted: object, symbol, reason")
            continue
        allowed.append((words[0], words[1]))
    return allowed, faults


def undefined(archive):
    """(object file, symbol) of every undefined symbol in a static library."""
    listing = subprocess.run(["nm", "--undefined-only", "--demangle", str(archive)],
                             capture_output=True, text=True, check=True).stdout
    member = ""
    for line in listing.splitlines():
        kind, _, symbol = line.strip().partition(" ")
        if line.endswith(".o:"):
            member = line[:-1]
        elif kind == "U":
            yield member, symbol.split("@")[0]


def archives(build):
    return sorted(pathlib.Path(build).glob("src/libhone_*.a"))


def findings(root, build):
    allowed, found = read_allowances(root)
    rooms = archives(build)
    if not rooms:
        return [*found, f"{build}:1: no room was built there: run ./run build"]
    used = set()
    for archive in rooms:
        for member, symbol in undefined(archive):
            if symbol not in BANNED:
                continue
            place = f"{archive.stem.removeprefix('libhone_')}/{member}"
            matching = {entry for entry in allowed
                        if entry[1] == symbol and pathlib.PurePath(place).match(entry[0])}
            used |= matching
            if not matching:
                found.append(f"{archive.name}:1: {member} refers to {symbol}; only apps/ may")
    for pattern, symbol in sorted(set(allowed) - used):
        found.append(f"checks/banned_symbols.txt:1: {pattern} {symbol} is not needed any more: delete it")
    return found
