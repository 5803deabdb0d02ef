"""A note to do something later carries the number of the issue where it is kept: (#12) or issue 12."""

import re

import tree

SUFFIXES = tree.CPP + (".hip", ".py", ".sh", ".cmake", ".md", "/CMakeLists.txt", "/run")
# Put together, so that this file does not hold the words that it refuses.
WORDS = ["TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK"]
_WORD = re.compile(r"\b(" + "|".join(WORDS) + r")\b")
_ISSUE = re.compile(r"#\d+|\bissue \d+", re.I)


def findings(root):
    found = []
    for path in tree.files(root, SUFFIXES):
        for number, line in enumerate(tree.text(root, path).splitlines(), 1):
            word = _WORD.search(line)
            if word and not _ISSUE.search(line):
                found.append(f"{path}:{number}: {word.group()} without the number of an issue")
    return found
