"""A family's name occurs in its own file only: if code elsewhere needs to name one, the description of
models lacks a field. Comments may; checks/family_names.txt lists the places that name something else
by the same word (a template, a tokenizer, a kind of rope scaling), with the reason."""

import re

import cpp_text
import tree

HOME = "src/model/families/"
NEVER_ABSENT = {"llama", "mistral", "qwen"}
# Files of the folder that are about all families.
GENERAL = {"families", "family", "family_list", "list", "registry"}
NOT_A_FAMILY = re.compile(r"llama-?_?factory(?:-cli)?|llama\.cpp|llama_cpp", re.I)


def family_words(root):
    """The names guarded: one per file of model/families, without its trailing number."""
    stems = {path.stem for path in tree.files(root, [".cpp"], [HOME])} - GENERAL
    return NEVER_ABSENT | {re.sub(r"[\d_]+$", "", stem) for stem in stems if not stem.endswith("_test")}


def read_allowances(root):
    allowed, faults = [], []
    for number, line in enumerate(tree.text(root, "checks/family_names.txt").splitlines(), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if len(words) < 3:
            faults.append(f"checks/family_names.txt:{number}: wanted: path, words, reason")
            continue
        allowed.append((words[0], words[1]))
    return allowed, faults


def findings(root):
    allowed, found = read_allowances(root)
    used = set()
    pattern = re.compile(r"\w*(?:" + "|".join(sorted(family_words(root))) + r")[\w-]*", re.I)
    for path in tree.files(root, tree.CPP, ["src", "apps"]):
        if str(path).startswith(HOME):
            continue
        code = cpp_text.without_comments(tree.text(root, path))
        code = NOT_A_FAMILY.sub(lambda match: "_" * len(match.group()), code)
        for match in pattern.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            entry = next((entry for entry in allowed if str(path).startswith(entry[0])
                          and (entry[1] == "*" or re.fullmatch(entry[1], match.group()))), None)
            if entry:
                used.add(entry)
            elif "include" not in code.splitlines()[line - 1]:
                found.append(f"{path}:{line}: names {match.group()}; families are named in {HOME} only")
    for prefix, words in sorted(set(allowed) - used):
        found.append(f"checks/family_names.txt:1: {prefix} {words} is not needed any more: delete it")
    return found
