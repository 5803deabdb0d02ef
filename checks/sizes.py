"""How long files and functions are. A file: usually under 400 lines, never above 800. A function:
nine in ten under 36 lines, never above 100. checks/exceptions.txt holds the exceptions and reasons."""

import ast
import re

import cpp_text
import tree

FILE_LIMIT, FILE_HABIT = 800, 400
FUNCTION_LIMIT, FUNCTION_HABIT = 100, 35
SUFFIXES = tree.CPP + (".hip", ".py", ".sh", ".cmake", "/CMakeLists.txt", "/run")

_TYPE = re.compile(r"\b(class|struct|union|enum)\b")
_INITIALIZERS = re.compile(r"\)\s*(noexcept\s*)?:[^:]")


def _kind_of_brace(head, outer):
    """What a `{` after this text opens: function, init (a member initializer), scope or other."""
    if "function" in outer:
        return "inner"
    before = head.rstrip()
    if re.search(r"\bnamespace\b", head) or before.endswith('extern " "') or re.search(r'extern\s+"\s*"$', before):
        return "scope"
    if _INITIALIZERS.search(head) and re.search(r"[\w>]$", before):
        return "init"
    if "(" in head and not before.endswith(("=", ",", "(", "return")):
        return "function"
    return "scope" if _TYPE.search(head) else "other"


def cpp_functions(text):
    """(name, first line, number of lines) of every function body outside another function.
    Reads braces, not grammar: enough for formatted code."""
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m.group()),
                  cpp_text.code_only(text), flags=re.M)
    stack, head_start = [], 0
    for position, character in enumerate(code):
        if character == "{":
            head = code[head_start:position]
            kind = _kind_of_brace(head, [entry[0] for entry in stack])
            stack.append((kind, head_start + len(head) - len(head.lstrip()), head))
            if kind != "init":
                head_start = position + 1
        elif character == "}" and stack:
            kind, start, head = stack.pop()
            if kind == "function":
                first = code.count("\n", 0, start) + 1
                name = re.search(r"([\w:~]+)\s*\(", head)
                yield name.group(1) if name else "?", first, code.count("\n", 0, position) + 2 - first
            if kind != "init":
                head_start = position + 1
        elif character == ";" and (not stack or stack[-1][0] != "init"):
            head_start = position + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def shell_functions(text):
    for match in re.finditer(r"^(\w+)\(\) \{\n.*?^\}", text, re.S | re.M):
        yield match.group(1), text.count("\n", 0, match.start()) + 1, match.group().count("\n") + 1


def functions(path, text):
    if path.suffix == ".py":
        return list(python_functions(text))
    if path.suffix in (".cpp", ".h", ".hip"):
        return list(cpp_functions(text))
    if path.suffix == ".sh" or path.name == "run":
        return list(shell_functions(text))
    return []


def read_exceptions(root):
    """{"path" or "path:function"} from lines "path[:function]  reason", and faults of the list."""
    names, faults = set(), []
    for number, line in enumerate(tree.text(root, "checks/exceptions.txt").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, _, reason = line.partition(" ")
        if not reason.strip():
            faults.append(f"checks/exceptions.txt:{number}: {name} gives no reason")
        names.add(name)
    return names, faults


def ninth_tenth(values):
    ordered = sorted(values)
    return ordered[int(0.9 * (len(ordered) - 1))] if ordered else 0


def measured(root):
    """(path, lines, functions) of every file of code."""
    for path in tree.files(root, SUFFIXES):
        text = tree.text(root, path)
        yield path, text.count("\n"), functions(path, text)


def findings(root):
    excepted, faults = read_exceptions(root)
    used, file_lines, function_lines = set(), [], []

    def too_long(name, where, sentence):
        if name in excepted:
            used.add(name)
        else:
            faults.append(f"{where}: {sentence}")

    for path, lines, found in measured(root):
        file_lines.append(lines)
        if lines > FILE_LIMIT:
            too_long(str(path), f"{path}:1", f"{lines} lines, more than {FILE_LIMIT}")
        for name, first, length in found:
            function_lines.append(length)
            if length > FUNCTION_LIMIT:
                too_long(f"{path}:{name}", f"{path}:{first}", f"{name} has {length} lines, more than {FUNCTION_LIMIT}")
    for unused in sorted(excepted - used):
        faults.append(f"checks/exceptions.txt:1: {unused} is no longer too long: delete its line")
    if ninth_tenth(function_lines) > FUNCTION_HABIT:
        faults.append(f"src:1: one function in ten has over {ninth_tenth(function_lines)} lines, more than {FUNCTION_HABIT}")
    return faults


def remark(root):
    """Printed beside the verdict: a habit, not a rule."""
    sizes = list(measured(root))
    longest = ninth_tenth([lines for _, lines, _ in sizes])
    text = f"nine files in ten have at most {longest} lines, functions " \
           f"{ninth_tenth([length for _, _, found in sizes for _, _, length in found])}"
    return text + (f"; WARNING: the habit is {FILE_HABIT}" if longest > FILE_HABIT else "")
