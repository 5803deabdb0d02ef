"""Tiny random models of every family, their logits, loss and gradients.

usage: tiny_models.py OUT        (OUT is ../data/tiny)

Each OUT/<name>/ is a model folder as transformers writes it (f32 weights), with `expected.json` and
`grad.safetensors` (f32) beside it. `attention_bias`, `sliding_window` and so on are chosen so that they change the result.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config, Trainer

from recording import IGNORED, accumulate, count_labels, run_sequence, sampled, rounded, stamp, write_json

VOCABULARY = 97
COMMON = dict(vocab_size=VOCABULARY, hidden_size=24, intermediate_size=37, num_hidden_layers=2, num_attention_heads=6,
              num_key_value_heads=2, max_position_embeddings=64, rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2,
              pad_token_id=None, tie_word_embeddings=False)
LLAMA3_SCALING = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                      original_max_position_embeddings=16)


def config_of(kind, **changes):
    return kind(**{**COMMON, **changes})


MODELS = {
    "llama_gqa": config_of(LlamaConfig),
    "llama_tied": config_of(LlamaConfig, num_attention_heads=3, num_key_value_heads=3, tie_word_embeddings=True),
    "llama_biases": config_of(LlamaConfig, num_attention_heads=4, attention_bias=True, mlp_bias=True),
    "llama_head_dim": config_of(LlamaConfig, hidden_size=21, num_attention_heads=3, num_key_value_heads=1, head_dim=8),
    "llama_rope_llama3": config_of(LlamaConfig, num_attention_heads=3, num_key_value_heads=1, rope_parameters=LLAMA3_SCALING),
    "llama_rope_linear": config_of(LlamaConfig, num_attention_heads=3, num_key_value_heads=1,
                                   rope_parameters=dict(rope_type="linear", rope_theta=10000.0, factor=4.0)),
    "mistral": config_of(MistralConfig, num_attention_heads=4, head_dim=6, sliding_window=5),
    "qwen2": config_of(Qwen2Config, num_attention_heads=4, rms_norm_eps=1e-6),
    "qwen2_tied": config_of(Qwen2Config, num_attention_heads=4, rms_norm_eps=1e-6, tie_word_embeddings=True),
    "qwen3": config_of(Qwen3Config, hidden_size=20, num_hidden_layers=3, num_attention_heads=4, head_dim=8, rms_norm_eps=1e-6),
}
# These folders keep the older spelling of rope settings, which most published models have.
OLDER_SPELLING = {"llama_gqa", "llama_rope_linear", "qwen2", "qwen3"}


def randomise(model, seed):
    """Weights of a size that makes every part matter; norms around 1, biases around 0."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn(weight.shape, generator=generator)
            if "norm" in name:
                weight.copy_(1 + 0.3 * noise)
            elif name.endswith("bias"):
                weight.copy_(0.3 * noise)
            else:
                weight.copy_(noise * (1.0 if "embed" in name else 1.2 * weight.shape[1] ** -0.5))


def sequences():
    """13 tokens with ignored labels before and between, and 7 with all labels, also the unused one of token 0."""
    generator = torch.Generator().manual_seed(5)
    long, short = (torch.randint(3, VOCABULARY, (n,), generator=generator).tolist() for n in (13, 7))
    labels = [IGNORED] * 4 + long[4:]
    labels[8] = IGNORED
    return [{"ids": long, "labels": labels}, {"ids": short, "labels": list(short)}]


def spell_older(path):
    """rope_parameters -> rope_theta and rope_scaling, dtype -> torch_dtype."""
    config = json.loads(path.read_text())
    rope = config.pop("rope_parameters")
    config["rope_theta"] = rope.pop("rope_theta")
    config["rope_scaling"] = None if rope["rope_type"] == "default" else {"type": rope.pop("rope_type"), **rope}
    config["torch_dtype"] = config.pop("dtype")
    path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")


def decayed_names(model):
    """The parameters that get weight decay in transformers' trainer."""
    return Trainer.get_decay_parameter_names(None, model)


def expected_of(folder):
    """Logits, loss and gradients of the saved folder, read back and run in f64."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float64, attn_implementation="eager").eval()
    batch = sequences()
    content = {**stamp(), "note": "loss = sum of label cross-entropies / label_count; "
                                   "computed in f64 (transformers does norms, softmax and rope tables in f32), written with 9 digits"}
    content["label_count"] = count_labels(batch)
    content["loss"] = accumulate(model, [batch])
    with torch.no_grad():
        content["sequences"] = [{**s, "logits": rounded(run_sequence(model, s).tolist())} for s in batch]
    gradients = {name: weight.grad for name, weight in model.named_parameters()}
    content["gradient_norm"] = torch.cat([g.reshape(-1) for g in gradients.values()]).norm().item()
    content["gradients"] = {name: sampled(g, 8) for name, g in gradients.items()}
    content["decayed_parameters"] = decayed_names(model)
    return content, gradients


def main():
    out = pathlib.Path(sys.argv[1])
    for number, (name, config) in enumerate(MODELS.items()):
        folder = out / name
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        randomise(model, 1000 + number)
        model.save_pretrained(folder)
        if name in OLDER_SPELLING:
            spell_older(folder / "config.json")
        content, gradients = expected_of(folder)
        write_json(folder / "expected.json", content)
        save_file({n: g.float().contiguous() for n, g in gradients.items()}, folder / "grad.safetensors")
        print(f"{name}: loss {content['loss']:.6f}, gradient norm {content['gradient_norm']:.6f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
