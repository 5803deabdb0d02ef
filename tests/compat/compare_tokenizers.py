"""Compares hone's tokenizer with the `tokenizers` package on generated strings. Run by hand:

    pip install tokenizers
    ninja -C build/... tokenize_lines
    python3 tests/compat/compare_tokenizers.py build/.../tests/tokenize_lines 20000 FOLDER...

Each FOLDER holds a tokenizer.json, or a tokenizer.model and in reference.json what the package shall read for
it (unit/data/record/record_sentencepiece.py --large writes such folders). Prints every text whose ids or decoded text differ; the exit
status is 1 when there is one.
"""
import json
import pathlib
import subprocess
import sys

from tokenizers import Tokenizer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "unit/data/record"))
from hard_strings import MARKED_PIECES, MARKED_WRITTEN, WRITTEN, mixtures  # noqa: E402


def compare(program, folder, texts):
    reference = pathlib.Path(folder) / "reference.json"
    tokenizer = Tokenizer.from_file(str(reference if reference.exists() else reference.with_name("tokenizer.json")))
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


def uses_tables(folder):
    files = [pathlib.Path(folder) / name for name in ("tokenizer.json", "reference.json")]
    description = "".join(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "model": None}) for file in files if file.exists())
    return any(f'"{name}"' in description for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "BertNormalizer", "BertPreTokenizer",
                                                        "Punctuation", "Digits", "Whitespace", "Regex", "ByteLevel", "Precompiled"))


def main():
    program, count, folders = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    half = count // 2
    texts = WRITTEN + MARKED_WRITTEN + mixtures(count - half, seed=2) + mixtures(half, seed=4, pieces=MARKED_PIECES)
    # Where no table of Unicode's decides about the ids, of every character that there is.
    all_of_unicode = texts[:len(texts) - half // 2] + mixtures(half // 2, seed=5, pieces=MARKED_PIECES, modern=True)
    return 1 if sum(compare(program, folder, texts if uses_tables(folder) else all_of_unicode) for folder in folders) else 0


sys.exit(main())
