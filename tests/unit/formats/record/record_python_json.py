"""Records data/python_json.json: what Python's json.dumps and repr write.

    python3 record_python_json.py ../data
"""
import json
import math
import pathlib
import random
import struct
import sys

VALUES = [
    None, True, False, 0, -1, 9223372036854775807, -9223372036854775808,
    "", "plain", "quote \" backslash \\ slash /", "\n\r\t\b\f\x00\x1f\x7f",
    "caf\u00e9 \u65e5\u672c \U0001F600 \u2028", [], {}, [[]], {"a": {}},
    [1, 2.5, "x", None, [True]], {"b": 1, "a": [1, {"z": 2, "y": [3]}], "\u00e9": 3, "B": 4},
]
NUMBERS = [
    0.0, -0.0, 1.0, -1.0, 0.1, 1e-5, 1.5e-5, 1e-4, 1.5e-4, 0.001, 123456.789, 1e15, 1e16, 1.5e16,
    123456789012345680.0, 9007199254740993.0, 1e22, 1e100, 1e-100, 5e-324, 1.7976931348623157e308,
    2 / 3, 1.3687095642089844, 3.3333333333333335e-05, 100.0, 12345678.9, math.pi,
]


def main(folder):
    rng = random.Random(7)
    while len(NUMBERS) < 400:
        number = struct.unpack("<d", rng.randbytes(8))[0] if len(NUMBERS) % 2 else \
            rng.uniform(-1, 1) * 10 ** rng.randint(-8, 20)
        if math.isfinite(number):
            NUMBERS.append(number)
    cases = [{
        "value": value,
        "plain": json.dumps(value),
        "unicode": json.dumps(value, ensure_ascii=False),
        "indented": json.dumps(value, indent=2),
        "sorted": json.dumps(value, indent=4, sort_keys=True, ensure_ascii=False),
        "compact": json.dumps(value, separators=(",", ":")),
    } for value in VALUES]
    numbers = [{"hex": struct.pack(">d", number).hex(), "repr": repr(number)} for number in NUMBERS]
    text = json.dumps({"cases": cases, "numbers": numbers}, indent=0)
    (pathlib.Path(folder) / "python_json.json").write_text(text + "\n")


main(sys.argv[1])
