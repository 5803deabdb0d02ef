"""Compares hone's tokenizer with the `tokenizers` package on generated strings. Run by hand:

    pip install tokenizers
    ninja -C build/... tokenize_lines
    python3 tests/compat/compare_tokenizers.py build/.../tests/tokenize_lines 20000 FOLDER...

Each FOLDER holds a tokenizer.json. Prints every text whose ids or decoded text differ; the exit
status is 1 when there is one.
"""
import json
import pathlib
import subprocess
import sys

from tokenizers import Tokenizer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "unit/data/record"))
from hard_strings import WRITTEN, mixtures  # noqa: E402


def compare(program, folder, texts):
    tokenizer = Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    answered = subprocess.run([program, folder], input=lines, capture_output=True, text=True, check=True, encoding="utf-8")
    differences = 0
    for text, line in zip(texts, answered.stdout.split("\n")):
        ours = json.loads(line)
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        if ours["ids"] != ids:
            differences += 1
            if differences <= 20:
                print(f"{folder}: {text!r}\n  hone {ours['ids']}\n  theirs {ids}")
                print("  hone", [tokenizer.id_to_token(i) for i in ours["ids"]], "\n  theirs", [tokenizer.id_to_token(i) for i in ids])
        elif ours["text"] != tokenizer.decode(ids, skip_special_tokens=False):
            differences += 1
            print(f"{folder}: {text!r} decodes to {ours['text']!r}")
    print(f"{folder}: {len(texts)} texts, {differences} differ")
    return differences


def main():
    program, count, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    texts = WRITTEN + mixtures(count, seed=2)
    return 1 if sum(compare(program, folder, texts) for folder in folders) else 0


sys.exit(main())
