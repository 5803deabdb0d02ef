"""What every recorder shares: the stamp of a recording, samples of tensors, the loss of a step."""

import json
import pathlib
import sys

import numpy
import peft
import safetensors
import torch
import transformers

IGNORED = -100


def stamp():
    """How a file was made: versions and the command, of paths only their last part."""
    return {
        "versions": {"python": sys.version.split()[0], "torch": torch.__version__, "transformers": transformers.__version__,
                     "peft": peft.__version__, "safetensors": safetensors.__version__, "numpy": numpy.__version__},
        "command": " ".join(["python"] + [pathlib.Path(argument).name for argument in sys.argv]),
    }


def rounded(value, digits=9):
    """A float (or nested lists of them) with so many significant digits, to keep files small."""
    if isinstance(value, list):
        return [rounded(v, digits) for v in value]
    return float(f"{value:.{digits}g}")


def write_json(path, content):
    """One key a line at the top, rows below it compact: readable in a diff and small."""
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}" for key, value in content.items()]
    pathlib.Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def spread_indices(count, wanted):
    """`wanted` (at most `count`) different flat indices, spread over a tensor by a fixed odd stride."""
    return sorted({(k * 2654435761 + 97) % count for k in range(wanted)})


def sampled(tensor, wanted, digits=9):
    """Frobenius norm and some entries by flat (row-major) index."""
    flat = tensor.detach().reshape(-1)
    indices = spread_indices(flat.numel(), wanted)
    return {"shape": list(tensor.shape), "norm": rounded(flat.double().norm().item(), digits),
            "indices": indices, "values": rounded(flat[indices].double().tolist(), digits)}


def count_labels(sequences):
    """Labels that are not ignored, counted before the shift by one (so a label on token 0 counts)."""
    return sum(label != IGNORED for sequence in sequences for label in sequence["labels"])


def token_loss_sum(logits, labels):
    """Sum of the cross-entropies of the labels, each predicted by the token before it."""
    return torch.nn.functional.cross_entropy(logits[:-1], torch.tensor(labels[1:]), ignore_index=IGNORED, reduction="sum")


def run_sequence(model, sequence):
    """Logits [tokens, vocabulary] of one unpadded sequence."""
    return model(input_ids=torch.tensor([sequence["ids"]]), use_cache=False).logits[0]


def accumulate(model, micro_batches):
    """Backward of one step, sequence by sequence; returns its loss: the sum over labels / all labels of the step."""
    count = count_labels([s for batch in micro_batches for s in batch])
    total = 0.0
    for batch in micro_batches:
        for sequence in batch:
            loss = token_loss_sum(run_sequence(model, sequence), sequence["labels"]) / count
            loss.backward()
            total += loss.item()
    return total
