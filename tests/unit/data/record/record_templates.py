"""Records how LLaMA-Factory encodes conversations with each of its templates.

    python3 -m venv venv && . venv/bin/activate
    pip install torch==2.13.0
    pip install transformers==5.6.0 peft==0.18.1 datasets==4.0.0 accelerate==1.11.0 pillow
    pip install --no-deps llamafactory==0.9.5 trl==0.24.0
    python3 record_templates.py ../data/templates

torchvision must not be installed beside a torch for the CPU alone. torchaudio is stood in for below.
Writes tokenizer.json and tokenizer_config.json (a small tokenizer with the markers of all templates),
dialogues.json, and recorded.json: per group of templates that give the same, the repaired tokenizer and
the ids and labels of every dialogue. Ids are numbers of pieces, which stand at the end of the file: what
is alike is written once. Labels are lengths of runs: masked, learnt, masked, ...; "other" lists
[place, label] where a masked place has a label after all (efficient_eos).
Three templates of LLaMA-Factory's later sources are declared below, with those sources' values.
"""
import copy
import datetime
import importlib.machinery
import json
import pathlib
import re
import sys
import types

torchaudio = types.ModuleType("torchaudio")
torchaudio.__spec__ = importlib.machinery.ModuleSpec("torchaudio", None)
sys.modules["torchaudio"] = torchaudio

from llamafactory.data import template as lf  # noqa: E402
from llamafactory.data import tool_utils  # noqa: E402
from llamafactory.data.formatter import EmptyFormatter, StringFormatter  # noqa: E402
from llamafactory.data.mm_plugin import get_mm_plugin  # noqa: E402
from llamafactory.data.processor.supervised import SupervisedDatasetProcessor  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

WEATHER = {"name": "get_weather", "description": "Get the weather of a city",
           "parameters": {"type": "object", "properties": {
               "city": {"type": "string", "description": "City name"},
               "unit": {"type": "string", "enum": ["C", "F"]},
               "days": {"type": "array", "description": "Which days", "items": {"type": "integer"}}},
               "required": ["city"]}}
CLOCK = {"type": "function", "function": {
    "name": "get_time", "description": "Zeit ☕", "parameters": {"type": "object", "properties": {
        "tz": {"type": "string", "description": "Time zone"}}, "required": ["tz"]}}}
CALL = '{"name": "get_weather", "arguments": {"city": "Oslo", "days": [1, 2]}}'
CALLS = ('[' + CALL + ', {"name": "get_time", "arguments": {"tz": "UTC", "b": true, "a": null, '
         '"deep": {"z": 1.5, "k": "Straße"}}}]')


def talk(*contents, roles=("user", "assistant"), **more):
    return {"messages": [[roles[i % 2] if isinstance(roles, tuple) else roles.split()[i], text]
                         for i, text in enumerate(contents)], **more}


# {open} and {close} become the template's words around thoughts, {call} and {/call} those around calls.
DIALOGUES = {
    "one": talk("What is 2 + 2?", "4."),
    "turns": talk("Hello", "Hi there", "And now?", "Bye.\n", system="Be brief."),
    "tools": talk("Weather in Oslo?", CALL, '{"t": 3}', "Cold.", roles="user function observation assistant",
                  system="Help.", tools=json.dumps([WEATHER])),
    "calls": talk("Weather and time?", "{open}hm{close}" + CALLS, "ok", "{call}" + CALL + "{/call}",
                  roles="user function observation function", tools=json.dumps([WEATHER, CLOCK], ensure_ascii=False)),
    "no_tools": talk("Hi", "Yes", tools="[]"),
    "thinking": talk("Why?", "{open}One.\nTwo.{close}Because.", "So?", "\n\n{open}{close}Done."),
    "empty": talk("", ""),
    "unicode": talk("Grüße 世界 🎉 {{content}} {{idx}} <|im_end|>", " naïve\u00a0☕ </s>"),
}
MARKER = re.compile(r"<[|｜][^<>\s]*[|｜]?>|<[a-z_/]+\|>|</?(?:start|end)_of_turn>|<(?:beginning|end)_of_sentence>|"
                    r"</?role>|\[/?[A-Z_]{4,}\]|\[gMASK\]|</?s?o?p?>|\[\|[a-z]+\|\]|<_[a-z]+>|</?think>|◁/?think▷|"
                    r"\[e~\[|\]~b\]|\]~!b\[|<\|turn>|<sep>|<eod>|<unk>|</?tool_call>")


class LoneTools(lf.Template):
    """The later sources' MossVLTemplate: tools without system text lose the line ends in front."""

    def _encode(self, tokenizer, messages, system, tools):
        if tools and not (system or self.default_system):
            trimmed = copy.copy(self)
            plain = self.format_tools
            trimmed.format_tools = types.SimpleNamespace(
                apply=lambda content: [plain.apply(content=content)[0].lstrip("\n")])
            return lf.Template._encode(trimmed, tokenizer, messages, system, tools)
        return super()._encode(tokenizer, messages, system, tools)


def declare_later_templates():
    bos = EmptyFormatter(slots=[{"bos_token"}])
    lf.register_template(
        name="hy_dense_1_8b", format_prefix=bos, efficient_eos=True, stop_words=["<｜hy_place▁holder▁no▁2｜>"],
        format_system=StringFormatter(slots=["{{content}}<｜hy_place▁holder▁no▁3｜>"]),
        format_user=StringFormatter(slots=["<｜hy_User｜>{{content}}"]),
        format_assistant=StringFormatter(slots=["<｜hy_Assistant｜>{{content}}"]))
    lf.register_template(
        name="hy_dense_7b", format_prefix=bos, efficient_eos=True, stop_words=["<|eos|>"],
        format_system=StringFormatter(slots=["{{content}}<|extra_4|>"]),
        format_user=StringFormatter(slots=["{{content}}<|extra_0|>"]),
        format_assistant=StringFormatter(slots=["{{content}}"]))
    qwen = copy.copy(lf.TEMPLATES["qwen3_nothink"])
    lf.TEMPLATES["moss_vl"] = LoneTools(**{field: getattr(qwen, field) for field in qwen.__dataclass_fields__})


def texts_of(template):
    formatters = [template.format_prefix, template.format_system, template.format_user, template.format_assistant,
                  template.format_observation, template.format_function]
    for formatter in formatters:
        for slot in formatter.slots:
            yield slot if isinstance(slot, str) else " ".join(slot.values()) if isinstance(slot, dict) else ""
    yield from (template.default_system, *template.stop_words, *template.thought_words, *template.tool_call_words)


def byte_letters():
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, spare = {}, 256
    for byte in range(256):
        letters[byte] = chr(byte) if byte in kept else chr(spare)
        spare += byte not in kept
    return letters


def make_tokenizer(folder):
    """Bytes, one merge after the other up to every frequent word, and the markers as special tokens."""
    texts = [text for name in sorted(lf.TEMPLATES) for text in texts_of(lf.TEMPLATES[name])]
    markers = sorted({marker for text in texts for marker in MARKER.findall(text) if len(marker) > 2} |
                     {"sop", "<s>", "</s>"})
    prompts = [value for key, value in sorted(vars(tool_utils).items()) if key.endswith("_TOOL_PROMPT")]
    words = re.findall(r" ?[A-Za-z]{3,}", " ".join([*texts, *prompts, json.dumps(DIALOGUES)]))
    common = sorted({word for word in words if words.count(word) > 2})
    vocabulary, merges = {letter: i for i, letter in enumerate(byte_letters().values())}, []
    for word in sorted(common, key=lambda word: (word.startswith(" "), word)):
        letters = [*word.strip()] if word.startswith(" ") else [*word]
        pieces = [("".join(letters[:i]), letters[i]) for i in range(1, len(letters))]
        if word.startswith(" "):
            pieces.append(("Ġ", word.strip()))
        for left, right in pieces:
            if left + right not in vocabulary:
                vocabulary[left + right] = len(vocabulary)
                merges.append(f"{left} {right}")
    added = [{"id": len(vocabulary) + i, "content": marker, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": True} for i, marker in enumerate(markers)]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    made = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
            "pre_tokenizer": level, "post_processor": None, "decoder": level,
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                      "vocab": vocabulary, "merges": merges}}
    write(folder / "tokenizer.json", made)
    write(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>",
                                             "eos_token": "</s>", "clean_up_tokenization_spaces": False})


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def spelled(dialogue, template):
    words = dict(zip(("{open}", "{close}", "{call}", "{/call}"),
                     (*template.thought_words, *template.tool_call_words)))
    messages = []
    for role, content in dialogue["messages"]:
        for mark, word in words.items():
            content = content.replace(mark, word)
        messages.append({"role": role, "content": content})
    return messages


def runs_of(ids, labels):
    runs, learnt, other = [0], False, []
    for place, (token, label) in enumerate(zip(ids, labels)):
        is_learnt = label == token
        if label not in (-100, token):
            other.append([place, label])
        if is_learnt != learnt:
            runs.append(0)
            learnt = is_learnt
        runs[-1] += 1
    return runs, other


def encode(template, tokenizer, dialogue, settings):
    messages = spelled(dialogue, template)
    processor = SupervisedDatasetProcessor(template, tokenizer, None, settings)
    try:
        ids, labels = processor._encode_data_example(
            messages[:-1], messages[-1:], dialogue.get("system"), dialogue.get("tools"), [], [], [])
    except (ValueError, RuntimeError) as error:
        return {"error": str(error)[:60]}
    runs, other = runs_of(ids, labels)
    return {"ids": ids, "runs": runs, **({"other": other} if other else {})}


def settings_for(name, **changes):
    values = dict(template=name, train_on_prompt=False, tool_format=None, default_system=None, enable_thinking=True,
                  preserve_thinking=False, mask_history=False, cutoff_len=100000)
    return types.SimpleNamespace(**{**values, **changes})


def variants(template):
    """(key, dialogue, changed settings)"""
    for name in DIALOGUES:
        yield name, name, {}
    yield "turns mask_history", "turns", {"mask_history": True}
    if not template.efficient_eos:
        yield "turns train_on_prompt", "turns", {"train_on_prompt": True}
    if isinstance(template, lf.ReasoningTemplate):
        for word, value in (("false", False), ("null", None)):
            for name in ("turns", "thinking", "calls"):
                yield f"{name} enable_thinking={word}", name, {"enable_thinking": value}
        yield "thinking mask_history", "thinking", {"mask_history": True}
        yield "thinking mask_history enable_thinking=false", "thinking", {"mask_history": True, "enable_thinking": False}
        yield "thinking mask_history preserve_thinking", "thinking", {"mask_history": True, "preserve_thinking": True}


def record(name, folder):
    encodings, repairs = {}, None
    for key, dialogue, changes in variants(lf.TEMPLATES[name]):
        settings = settings_for(name, **changes)
        tokenizer = AutoTokenizer.from_pretrained(folder)
        before = len(tokenizer)
        registered = lf.TEMPLATES[name]
        lf.TEMPLATES[name] = copy.deepcopy(registered)
        lf.TEMPLATES[name].mm_plugin = get_mm_plugin("base")
        template = lf.get_template_and_fix_tokenizer(tokenizer, settings)
        lf.TEMPLATES[name] = registered
        encodings[key] = encode(template, tokenizer, DIALOGUES[dialogue], settings)
        repairs = {"eos": tokenizer.eos_token_id, "pad": tokenizer.pad_token_id,
                   "new": [tokenizer.convert_ids_to_tokens(i) for i in range(before, len(tokenizer))],
                   "stop": sorted(i for i in template.get_stop_token_ids(tokenizer) if i is not None)}
    return {"repairs": repairs, "encodings": encodings}


class Pieces:
    """Sequences of ids, cut behind line ends, full stops and markers, each written once."""

    def __init__(self, tokenizer):
        self.ends = {tokenizer.convert_tokens_to_ids(token) for token in "Ċ.:,"} | set(tokenizer.added_tokens_decoder)
        self.numbers = {}

    def numbers_of(self, ids):
        numbers, piece = [], []
        for place, token in enumerate(ids):
            piece.append(token)
            if token in self.ends or place + 1 == len(ids):
                numbers.append(self.numbers.setdefault(tuple(piece), len(self.numbers)))
                piece = []
        return numbers


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)

    class Day(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 11, 5)

    tool_utils.datetime = Day
    declare_later_templates()
    make_tokenizer(folder)
    groups = {}
    for name in lf.TEMPLATES:
        got = record(name, folder)
        groups.setdefault(json.dumps(got, sort_keys=True), {"names": [], **got})["names"].append(name)
    pieces = Pieces(AutoTokenizer.from_pretrained(folder))
    for group in groups.values():
        for encoding in group["encodings"].values():
            if "ids" in encoding:
                encoding["ids"] = pieces.numbers_of(encoding["ids"])
    write(folder / "recorded.json", {"groups": [*groups.values()], "pieces": [*pieces.numbers]})
    write(folder / "dialogues.json", DIALOGUES)


if __name__ == "__main__":
    main()
