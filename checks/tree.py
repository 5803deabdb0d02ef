"""The files of the repository as every check sees them, and how a check reports.

A check is one file with `findings(root) -> list of "path:line: sentence"`; none means it passed.
"""

import os
import pathlib

# Made by builds, tools and runs; the same folders as in .gitignore.
LEFT_OUT = {".git", ".cache", ".venv", "build", "saves", "__pycache__"}

CPP = (".cpp", ".h")


def files(root, suffixes, under=()):
    """Paths relative to root, sorted by folder, in one of the folders `under` (everywhere when there is
    none). A suffix is the end of a name, or a whole name when it begins with a slash."""
    root = pathlib.Path(root)
    found = []
    for start in [root / folder for folder in under] or [root]:
        for folder, names, file_names in os.walk(start):
            names[:] = sorted(name for name in names if name not in LEFT_OUT)
            for name in sorted(file_names):
                if f"/{name}".endswith(tuple(suffixes)):
                    found.append((pathlib.Path(folder) / name).relative_to(root))
    return found


def text(root, path):
    return (pathlib.Path(root) / path).read_text(encoding="utf-8")


def room_of(path, rooms):
    """The longest room that holds this path (relative to src/), or None."""
    path = str(path)
    holding = [room for room in rooms if path == room or path.startswith(room + "/")]
    return max(holding, key=len, default=None)
