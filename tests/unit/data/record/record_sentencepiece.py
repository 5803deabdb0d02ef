"""Trains small vocabularies of SentencePiece's kinds and records what the `tokenizers` package makes of texts.

    pip install tokenizers==0.23.3 sentencepiece==0.2.3 transformers==5.24.0 protobuf
    python3 record_sentencepiece.py ../data/sentencepiece         # the fixtures
    python3 record_sentencepiece.py --large /tmp/kinds            # folders for compat/compare_tokenizers.py

The fixtures: NAME.json (a tokenizer.json) or NAME.model for each kind, and recorded.json: the texts, and per
kind the ids, what they are decoded to, and the ids with special tokens split. With --large, each kind is a
folder, its vocabulary is larger, and the normalization rules are SentencePiece's whole set.
"""
import argparse
import io
import json
import pathlib
import tempfile

import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers.convert_slow_tokenizer import SpmConverter

from hard_strings import MARKED_PIECES, MARKED_WRITTEN, mixtures
from training_text import TEXTS

MARK = "\u2581"
# A small set of rules in SentencePiece's format: code points, tab, code points.
RULES = """
FB01\t66 69
FB03\t66 66 69
2026\t2E 2E 2E
FF21\t41
FF22\t42
FF11\t31
2460\t31
BD\t31 2044 32
212B\tC5
41 30A\tC5
65 301\tE9
1\t
7F\t
AD\t
200B\t20
FEFF\t20
9\t20
A\t20
D\t20
A0\t20
3000\t20
FF76 FF9E\t30AC
130\t69 307
"""
ADDED = [
    AddedToken("<|im_start|>", special=True, normalized=False),
    AddedToken("<|im_end|>", special=True, normalized=False),
    AddedToken("[INST]", special=False, normalized=False),
    AddedToken("<tool>", special=False, normalized=True),
    AddedToken("<strip>", special=False, normalized=False, lstrip=True, rstrip=True),
    AddedToken("word", special=False, normalized=False, single_word=True),
    AddedToken("<norm>", special=True, normalized=True),
]
SEQUENCE, PRE, DECODERS = normalizers.Sequence, pre_tokenizers.Sequence, decoders.Sequence


def train(large, kind, **options):
    """A SentencePiece model as its message."""
    written = io.BytesIO()
    settings = dict(model_type=kind, vocab_size=(1500 if kind == "bpe" else 900) if large else 520, character_coverage=0.98, hard_vocab_limit=False,
                    num_threads=1, minloglevel=2, user_defined_symbols=["<usr>"], byte_fallback=True, normalization_rule_name="identity")
    if not large:
        settings["max_sentencepiece_length"] = 10
    settings.update(options)
    with tempfile.TemporaryDirectory() as folder:
        if settings["normalization_rule_name"] == "small":
            del settings["normalization_rule_name"]
            settings["normalization_rule_tsv"] = f"{folder}/rules.tsv"
            pathlib.Path(folder, "rules.tsv").write_text(RULES.strip() + "\n")
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(TEXTS.split("\n")), model_writer=written, **settings)
    return sentencepiece_model_pb2.ModelProto.FromString(written.getvalue())


def bpe(message, **options):
    vocabulary = {piece.piece: index for index, piece in enumerate(message.pieces)}
    ranked = sorted(((-piece.score, index, piece.piece[:cut], piece.piece[cut:]) for index, piece in enumerate(message.pieces) if piece.type == 1
                     for cut in range(1, len(piece.piece)) if piece.piece[:cut] in vocabulary and piece.piece[cut:] in vocabulary))
    settings = dict(vocab=vocabulary, merges=[(left, right) for _, _, left, right in ranked], unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    settings.update(options)
    return Tokenizer(models.BPE(**settings))


def unigram(message, byte_fallback):
    pieces = [(piece.piece, piece.score) for piece in message.pieces]
    return Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=byte_fallback))


def with_parts(tokenizer, normalizer=None, pre=None, decoder=None, added=ADDED, specials=("<s>", "</s>", "<unk>"), normalized=False):
    if normalizer:
        tokenizer.normalizer = normalizer
    if pre:
        tokenizer.pre_tokenizer = pre
    tokenizer.decoder = decoder
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=normalized) for token in specials])
    tokenizer.add_tokens(list(added))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s>:1 $B:1", special_tokens=[("<s>", 1)])
    return tokenizer


def llama_decoder(strip=True):
    return DECODERS([decoders.Replace(MARK, " "), decoders.ByteFallback(), decoders.Fuse()] + ([decoders.Strip(" ", 1, 0)] if strip else []))


def charsmap(message):
    return normalizers.Precompiled(message.normalizer_spec.precompiled_charsmap)


def kinds(large):
    """Name, tokenizer, message to be written as tokenizer.model (or None)."""
    rules = "nmt_nfkc" if large else "small"
    plain = train(large, "bpe", remove_extra_whitespaces=False)
    yield "llama_legacy", with_parts(bpe(plain), SEQUENCE([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)]), None, llama_decoder()), None
    # As the first Llama files had it: control tokens are looked for in normalized text.
    yield "llama_normalized", with_parts(bpe(plain), SEQUENCE([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)]), None, llama_decoder(),
                                         normalized=True), None
    yield "llama_first", with_parts(bpe(plain), None, pre_tokenizers.Metaspace(MARK, "first", False), llama_decoder()), None
    yield "gemma", with_parts(bpe(plain), normalizers.Replace(" ", MARK), pre_tokenizers.Split(" ", "merged_with_previous"), llama_decoder(False)), None
    # Without all byte tokens: unknown tokens wait for the next known character.
    few = train(large, "bpe", byte_fallback=False, remove_extra_whitespaces=False)
    for byte in (0xe2, 0x96, 0x9f, 0x98, 0x80, 0xd0, 0xe0):
        few.pieces.add(piece=f"<0x{byte:02X}>", score=0.0, type=6)
    for name, options in (("unknown_fused", dict(fuse_unk=True)), ("unknown_single", dict(fuse_unk=False)), ("unknown_none", dict(unk_token=None))):
        yield name, with_parts(bpe(few, **options), None, pre_tokenizers.Metaspace(MARK, "never", True), llama_decoder(False), specials=("<s>", "</s>")), None
    ruled = train(large, "unigram", normalization_rule_name=rules, byte_fallback=False)
    yield "t5", with_parts(unigram(ruled, False), charsmap(ruled), PRE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(MARK, "always", True)]),
                           decoders.Metaspace(MARK, "always", True)), None
    yield "xlm_r", with_parts(unigram(ruled, False), SEQUENCE([charsmap(ruled), normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), MARK)]),
                              pre_tokenizers.Metaspace(MARK, "always", True), decoders.Metaspace(MARK, "always", True)), None
    yield "unigram_first", with_parts(unigram(ruled, False), charsmap(ruled), PRE([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(MARK, "first", True)]),
                                      decoders.Metaspace(MARK, "first", True)), None
    yield "albert", with_parts(unigram(ruled, False), SEQUENCE([normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
                                                                normalizers.StripAccents(), normalizers.Lowercase(), charsmap(ruled), normalizers.Replace(Regex(" {2,}"), " ")]),
                               pre_tokenizers.Metaspace(MARK, "always", True), decoders.Metaspace(MARK, "always", True)), None
    bytes_ = train(large, "unigram", byte_fallback=True, remove_extra_whitespaces=False)
    yield "unigram_bytes", with_parts(unigram(bytes_, True), normalizers.Nmt(), pre_tokenizers.Metaspace(MARK, "first", False), llama_decoder()), None
    # Parts that are rarely together.
    yield "bert_parts", with_parts(bpe(plain), normalizers.BertNormalizer(), PRE([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Metaspace(MARK, "first", False)]),
                                   DECODERS([decoders.Metaspace(MARK, "first"), decoders.ByteFallback(), decoders.Strip("e", 1, 0)])), None
    yield "odd_parts", with_parts(bpe(plain), SEQUENCE([normalizers.Strip(), normalizers.NFKC(), normalizers.Replace(Regex(r"\s"), MARK)]),
                                  PRE([pre_tokenizers.Split(MARK, "contiguous"), pre_tokenizers.CharDelimiterSplit("|"), pre_tokenizers.Metaspace(MARK, "first", True)]),
                                  DECODERS([decoders.Fuse(), decoders.Replace(Regex("a+"), "A"), decoders.Metaspace(MARK, "never"), decoders.Strip("A", 3, 0)])), None
    # tokenizer.model alone.
    for name, message, legacy in (("model_bpe", plain, False), ("model_legacy", plain, True), ("model_unigram", ruled, False),
                                  ("model_marked", train(large, "bpe", add_dummy_prefix=False, remove_extra_whitespaces=False,
                                                         user_defined_symbols=["<usr>", MARK * 2, MARK * 4]), False)):
        pieces = [(piece.piece, piece.score) for piece in message.pieces]
        vocabulary = {text: index for index, (text, _) in enumerate(pieces)} if message.trainer_spec.model_type == 2 else pieces
        tokenizer = SpmConverter.build_tokenizer_from_spm_proto(message, vocabulary, legacy=legacy)
        tokenizer.add_tokens([AddedToken(piece.piece, normalized=False, special=piece.type != 4) for piece in message.pieces
                              if piece.type in (2, 3) or (piece.type == 4 and MARK not in piece.piece)])
        yield name, tokenizer, message


def record(folder):
    texts = MARKED_WRITTEN + mixtures(80, seed=3, pieces=MARKED_PIECES)
    recorded = {"tokenizers": tokenizers.__version__, "texts": texts, "kinds": {}}
    for name, tokenizer, message in kinds(large=False):
        if message is None:
            tokenizer.save(str(folder / f"{name}.json"), pretty=False)
        else:
            (folder / f"{name}.model").write_bytes(small_bytes(message))
        encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        split = []
        tokenizer.encode_special_tokens = True
        for index, text in enumerate(texts):
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            if ids != encoded[index]:
                split.append([index, ids])
        tokenizer.encode_special_tokens = False
        recorded["kinds"][name] = {"ids": encoded, "split_special_tokens": split,
                                   "decoded": unless_same([tokenizer.decode(ids, skip_special_tokens=False) for ids in encoded], texts),
                                   "decoded_without_special": unless_same([tokenizer.decode(ids, skip_special_tokens=True) for ids in encoded],
                                                                          [tokenizer.decode(ids, skip_special_tokens=False) for ids in encoded])}
    (folder / "recorded.json").write_text(json.dumps(recorded, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def unless_same(texts, others):
    """None where a text is the other one, which is written down already."""
    return [None if text == other else text for text, other in zip(texts, others)]


def small_bytes(message):
    """The message without what the training leaves in it: paths and test texts."""
    message.trainer_spec.ClearField("input")
    message.trainer_spec.ClearField("model_prefix")
    message.normalizer_spec.ClearField("normalization_rule_tsv")
    return message.SerializeToString(deterministic=True)


def write_folders(folder):
    for name, tokenizer, message in kinds(large=True):
        (folder / name).mkdir(parents=True, exist_ok=True)
        if message is None:
            tokenizer.save(str(folder / name / "tokenizer.json"), pretty=False)
        else:
            tokenizer.save(str(folder / name / "reference.json"), pretty=False)
            (folder / name / "tokenizer.model").write_bytes(small_bytes(message))
            (folder / name / "tokenizer_config.json").write_text(json.dumps({"legacy": name == "model_legacy"}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (write_folders if arguments.large else record)(arguments.folder)


main()
