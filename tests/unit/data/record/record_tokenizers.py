"""Trains the small tokenizers of the fixtures and records their ids.

    pip install tokenizers==0.23.3
    python3 record_tokenizers.py ../data/tokenizers

Writes NAME.json (a tokenizer.json) for each kind, and recorded.json: the texts, and per kind the ids
that the `tokenizers` package gives and what it decodes them to.
"""
import json
import pathlib
import sys

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from hard_strings import WRITTEN, mixtures
from training_text import TEXTS

GPT2 = lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
PLAIN = lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SPLIT = lambda digits: pre_tokenizers.Sequence(
    [pre_tokenizers.Split(Regex(CONTRACTIONS + digits + REST), "isolated"), PLAIN()])

KINDS = {
    "gpt2": dict(pre=GPT2),
    "llama3": dict(pre=lambda: SPLIT(r"\p{N}{1,3}"), ignore_merges=True),
    "qwen2": dict(pre=lambda: SPLIT(r"\p{N}"), normalizer=normalizers.NFC),
    "smollm": dict(pre=lambda: pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), GPT2()])),
    # Parts that the large models do not use together: case folding, prefix space, other cuts.
    "folded": dict(pre=lambda: pre_tokenizers.Sequence([pre_tokenizers.Punctuation(), pre_tokenizers.Digits(),
                                                        pre_tokenizers.Split("the", "merged_with_next"),
                                                        pre_tokenizers.ByteLevel(add_prefix_space=True)]),
                   normalizer=lambda: normalizers.Sequence([normalizers.NFKD(), normalizers.Lowercase(),
                                                            normalizers.Replace(Regex(r"\s{3,}"), " ~ ")])),
    # A SuperBPE-like cut at white space first, then by words.
    "words": dict(pre=lambda: pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(r"\s+"), "merged_with_previous"),
                                                       pre_tokenizers.Split(Regex(r"\w+|[^\w\s]+"), "contiguous"), PLAIN()]),
                  normalizer=normalizers.NFKC),
}

ADDED = [
    AddedToken("<|endoftext|>", special=True, normalized=False),
    AddedToken("<|im_start|>", special=True, normalized=False),
    AddedToken("<|im_end|>", special=True, normalized=False),
    AddedToken("<tool>", special=False, normalized=False),
    AddedToken("<strip>", special=False, normalized=False, lstrip=True, rstrip=True),
    AddedToken("word", special=False, normalized=False, single_word=True),
    AddedToken("Normalised", special=False, normalized=True),
    AddedToken("<norm>", special=True, normalized=True),
]


def make(kind):
    part = KINDS[kind]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = part["pre"]()
    tokenizer.decoder = decoders.ByteLevel()
    if "normalizer" in part:
        tokenizer.normalizer = part["normalizer"]()
    trainer = trainers.BpeTrainer(vocab_size=1100, min_frequency=1, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(TEXTS.split("\n"), trainer)
    tokenizer.add_tokens(ADDED)
    description = json.loads(tokenizer.to_str())
    description["model"]["ignore_merges"] = part.get("ignore_merges", False)
    if part.get("ignore_merges"):  # words that no merge reaches
        vocabulary = description["model"]["vocab"]
        size = len(vocabulary)
        vocabulary["hello"] = size
        vocabulary["ĠWorld"] = size + 1
        for entry in description["added_tokens"]:
            entry["id"] += 2 if entry["id"] >= size else 0
    return Tokenizer.from_str(json.dumps(description))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    texts = WRITTEN + mixtures(220, seed=1)
    recorded = {"tokenizers": tokenizers.__version__, "texts": texts, "kinds": {}}
    for kind in KINDS:
        tokenizer = make(kind)
        tokenizer.save(str(folder / f"{kind}.json"), pretty=False)
        encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        split = []
        tokenizer.encode_special_tokens = True
        for index, text in enumerate(texts):
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            if ids != encoded[index]:
                split.append([index, ids])
        tokenizer.encode_special_tokens = False
        recorded["kinds"][kind] = {
            "ids": encoded,
            "split_special_tokens": split,  # [index of the text, ids], where they differ
            "decoded": [tokenizer.decode(ids, skip_special_tokens=False) for ids in encoded],
            "decoded_without_special": [tokenizer.decode(ids, skip_special_tokens=True) for ids in encoded],
        }
    (folder / "recorded.json").write_text(json.dumps(recorded, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


main()
