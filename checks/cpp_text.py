"""C++ text with comments and literals blanked, so that a check reads code only. Line numbers and
columns stay; raw strings are blanked whole."""

import re

_TOKEN = re.compile(
    r'(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)'
    r'|(?P<raw>R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    # A quote after a digit or letter separates digits (1'000'000).
    r"|(?P<character>(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+')",
    re.S)


def _blank(piece):
    return re.sub(r"[^\n]", " ", piece)


def without_comments(text):
    def replace(match):
        return _blank(match.group()) if match.group("comment") else match.group()
    return _TOKEN.sub(replace, text)


def code_only(text):
    """Comments and the contents of literals blanked; the quotes of a literal stay."""
    def replace(match):
        piece = match.group()
        if match.group("comment"):
            return _blank(piece)
        return piece[0] + _blank(piece[1:-1]) + piece[-1]
    return _TOKEN.sub(replace, text)
