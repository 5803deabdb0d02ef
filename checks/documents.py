"""What the documents name exists: files in backticks, links and their headings, ./run commands and
hone commands. A path with <placeholders> is read as a pattern; what builds and runs write is left out."""

import re

import tree

_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.S | re.M)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"^\.?/?[\w.<>*{},-]+(?:/[\w.<>*{},-]*)+$")
_COMMAND = re.compile(r"(?:^|\s|`)(?:\./|[\w/-]*bin/)?(run|hone|llamafactory-cli)(?=\s)\s+([a-z][a-z-]*)")
# Speaks of what is not there yet: its links are held, its paths and commands are not.
ABOUT_THE_FUTURE = ("docs/roadmap.md",)
WRITTEN_LATER = ("build/", ".cache/", ".venv/", "saves/")


def run_commands(root):
    return set(re.findall(r"^command_(\w+)\(\)", tree.text(root, "run"), re.M))


def hone_commands(root):
    """Those that apps/cli/command.h declares; none is known before there is one."""
    header = root / "apps/cli/command.h"
    return set(re.findall(r"^int run_(\w+)\(", header.read_text(), re.M)) if header.exists() else set()


def exists(root, path):
    """`path` as it stands, or below src/ (rooms are usually named without it), patterns allowed."""
    pattern = re.sub(r"<[^<>]*>", "*", path.removeprefix("./").rstrip("/"))
    choices = [pattern]
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces:
        choices = [pattern[:braces.start()] + word + pattern[braces.end():] for word in braces.group(1).split(",")]
    return all(any(True for base in (root, root / "src") for _ in base.glob(choice)) for choice in choices)


def is_ours(root, path):
    """Whether a word with slashes speaks of a place in this repository."""
    path = path.removeprefix("./")
    first = path.split("/")[0]
    if path.startswith(("/", *WRITTEN_LATER)) or not _PATH.match(path) or "<" in first or "*" in first:
        return False
    return (root / first).is_dir() or (root / "src" / first).is_dir()


def path_faults(root, where, code):
    for word in code.split():
        word = re.sub(r":\d+(?:-\d+)?$", "", word.strip("\"'(),;"))
        word = re.sub(r"^(\.\./)+", "", word)  # seen from a folder that the text speaks of
        if is_ours(root, word) and not exists(root, word):
            yield f"{where}: names {word}, which does not exist"


def command_faults(root, where, line):
    known = {"run": run_commands(root), "hone": hone_commands(root)}
    for match in _COMMAND.finditer(line):
        program, command = match.groups()
        if program == "run" and "./run" not in match.group():
            continue
        commands = known["run" if program == "run" else "hone"]
        if commands and command not in commands:
            yield f"{where}: {program} has no command {command}"


def slug(heading):
    """The anchor that a heading gets on the usual hosts."""
    text = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", text))


def link_faults(root, path, where, target):
    if re.match(r"[a-z]+:", target):
        return
    name, _, anchor = target.partition("#")
    pointed = (root / path).parent / name if name else root / path
    if not pointed.exists():
        yield f"{where}: links to {target}, which does not exist"
    elif anchor and pointed.suffix == ".md":
        headings = re.findall(r"^#+\s+(.*)$", pointed.read_text(encoding="utf-8"), re.M)
        if anchor not in map(slug, headings):
            yield f"{where}: links to {target}, but there is no such heading"


def document_faults(root, path):
    text = tree.text(root, path)
    fenced_lines = {number for match in _FENCE.finditer(text)
                    for number in range(text.count("\n", 0, match.start()) + 1, text.count("\n", 0, match.end()) + 1)}
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path}:{number}"
        codes = [line] if number in fenced_lines else _CODE.findall(line)
        for code in [] if str(path) in ABOUT_THE_FUTURE else codes:
            yield from path_faults(root, where, code)
            yield from command_faults(root, where, code)
        if number not in fenced_lines:
            for match in _LINK.finditer(_CODE.sub("", line)):
                yield from link_faults(root, path, where, match.group(1) or match.group(2))


def findings(root):
    return [fault for path in tree.files(root, [".md"]) for fault in document_faults(root, path)]
