"""A folder includes only what the include table allows. The table is the USES of the hone_room lines
in src/CMakeLists.txt (transitive; base is always allowed), so it is also what the linker sees."""

import re

import tree

# Rules that USES cannot say.
APPS_MUST_NOT = ("kernels", "device/cpu", "device/gpu", "device/emulated")
FAMILIES = "model/families"
FAMILIES_SEEN_BY = ("model", "assemble")
VENDOR = re.compile(r"^(hip/|hip[a-z]+/|rocblas|rocm|rccl|cuda)")
VENDOR_SEEN_BY = ("device/gpu", "kernels/gpu", "parallel/collectives")

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
_ROOM = re.compile(r"hone_room\(\s*([^)]*)\)")


def read_table(cmake_text):
    """{room: set of rooms in its USES} from the text of src/CMakeLists.txt."""
    table = {}
    for call in _ROOM.finditer(re.sub(r"#[^\n]*", "", cmake_text)):
        words = call.group(1).split()
        uses, reading = set(), False
        for word in words[1:]:
            if word in ("USES", "LINKS"):
                reading = word == "USES"
            elif reading:
                uses.add(word)
        table[words[0]] = uses
    return table


def reach(table, room):
    """Every room that `room` may include, itself and base among them."""
    seen, waiting = {"base"}, [room]
    while waiting:
        at = waiting.pop()
        if at not in seen or at == "base":
            seen.add(at)
            waiting.extend(table.get(at, set()) - seen)
    return seen


def table_faults(table):
    where = "src/CMakeLists.txt:1:"
    for room, uses in table.items():
        for used in sorted(uses - set(table)):
            yield f"{where} {room} USES {used}, which is no room declared above or below it"
        for used in sorted(uses & set(table)):
            if room in reach(table, used):
                yield f"{where} {room} and {used} use each other"


def includes(text):
    """(line, quote, path) of every include."""
    for match in _INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def source_fault(room, included, quote, table):
    """What is wrong with a file of src/<room> including this, or None."""
    if quote == "<" and VENDOR.match(included):
        return None if room in VENDOR_SEEN_BY else f"only {', '.join(VENDOR_SEEN_BY)} may see a vendor's headers"
    if quote == "<" and "/" not in included:  # <memory> is the standard library's
        return None
    target = tree.room_of(included, table)
    if target is None:
        return "an include in quotes names a file by its path in src/" if quote == '"' else None
    if target not in reach(table, room):
        return f"{room} may not use {target}; its row is in src/CMakeLists.txt"
    if included.startswith(FAMILIES + "/") and room not in FAMILIES_SEEN_BY:
        return f"only {' and '.join(FAMILIES_SEEN_BY)} may name a family's header"
    return None


def source_findings(root, table):
    for path in tree.files(root, tree.CPP + (".hip",), ["src"]):
        inside = path.relative_to("src")
        room = tree.room_of(inside, table)
        if room is None:
            if len(inside.parts) > 1:
                yield f"{path}:1: src/{inside.parent} is no room: declare it in src/CMakeLists.txt"
            continue
        for line, quote, included in includes(tree.text(root, path)):
            fault = source_fault(room, included, quote, table)
            if fault:
                yield f"{path}:{line}: includes {included}: {fault}"


def apps_findings(root):
    for path in tree.files(root, tree.CPP, ["apps"]):
        for line, _, included in includes(tree.text(root, path)):
            for forbidden in APPS_MUST_NOT:
                if included.startswith(forbidden + "/"):
                    yield f"{path}:{line}: includes {included}: apps may not name {forbidden}"


def pair_findings(root):
    """Two headers that include each other."""
    edges = {}
    for path in tree.files(root, [".h"], ["src"]):
        name = str(path.relative_to("src"))
        edges[name] = {included for _, _, included in includes(tree.text(root, path))}
    for name, targets in edges.items():
        for target in sorted(targets):
            if name < target and name in edges.get(target, set()):
                yield f"src/{name}:1: src/{name} and src/{target} include each other"


def findings(root):
    table = read_table(tree.text(root, "src/CMakeLists.txt"))
    return [*table_faults(table), *source_findings(root, table), *apps_findings(root), *pair_findings(root)]
