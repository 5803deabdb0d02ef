"""The library neither prints nor exits nor reads the environment: only apps/ does. Looked for in the
sources of src/ here, and in what was compiled from them by banned_symbols.py."""

import re

import cpp_text
import tree

BANNED = {
    "reads the environment": r"\b(?:secure_)?getenv\s*\(|\benviron\b|\b(?:set|put|unset)env\s*\(",
    "ends the process": r"\b(?:std::|::)?(?:exit|_exit|_Exit|quick_exit|abort|terminate)\s*\(",
    "prints": r"\bstd::(?:cout|cerr|clog|wcout|wcerr)\b|\b(?:std::)?v?printf\s*\(|\b(?:puts|putchar|perror)\s*\("
              r"|\bfmt::print\b|\bstd::print(?:ln)?\b|\b(?:stdout|stderr)\b|#\s*include\s*<iostream>",
}
# A declaration or a member of that name is another matter: token.exit(), Node::abort(.
_MEMBER = re.compile(r"(?:\.|->|\w::)\s*$")


def findings(root):
    found = []
    for path in tree.files(root, tree.CPP + (".hip",), ["src"]):
        code = cpp_text.code_only(tree.text(root, path))
        for what, pattern in BANNED.items():
            for match in re.finditer(pattern, code):
                before = code[max(0, match.start() - 40):match.start()]
                if _MEMBER.search(before) and not before.endswith("std::"):
                    continue
                line = code.count("\n", 0, match.start()) + 1
                found.append(f"{path}:{line}: {match.group().strip(' (')} {what}; only apps/ may")
    return found
