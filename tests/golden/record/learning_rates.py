"""Records the learning rates of transformers' schedules: python learning_rates.py learning_rates.json

Every case is a schedule with its settings and the rates of its updates, as get_scheduler gives them; of
reduce_lr_on_plateau, the rate after each of a row of evaluation losses.
"""

import sys

import torch
from recording import rounded, stamp, write_json
from transformers import get_scheduler

RATE = 1e-3
DIGITS = 15

# name, warm-up updates, all updates, lr_scheduler_kwargs
CASES = [
    ("linear", 3, 12, {}),
    ("constant", 3, 8, {}),
    ("constant_with_warmup", 3, 8, {}),
    ("cosine", 3, 12, {}),
    ("cosine", 0, 12, {"num_cycles": 1.5}),
    ("cosine_with_restarts", 2, 14, {}),
    ("cosine_with_restarts", 2, 14, {"num_cycles": 3}),
    ("polynomial", 2, 12, {}),
    ("polynomial", 2, 12, {"lr_end": 2e-4, "power": 2.0}),
    ("inverse_sqrt", 4, 20, {}),
    ("inverse_sqrt", 0, 8, {}),
    ("inverse_sqrt", 4, 20, {"timescale": 9}),
    ("cosine_with_min_lr", 2, 12, {"min_lr": 1e-4}),
    ("cosine_with_min_lr", 2, 12, {"min_lr_rate": 0.3, "num_cycles": 1.0}),
    ("cosine_warmup_with_min_lr", 3, 12, {"min_lr": 1e-4}),
    ("cosine_warmup_with_min_lr", 3, 12, {"min_lr_rate": 0.2, "warmup_lr_rate": 0.5}),
    ("warmup_stable_decay", 3, 20, {"num_stable_steps": 5, "num_decay_steps": 12}),
    ("warmup_stable_decay", 3, 20, {"num_stable_steps": 5, "num_decay_steps": 8, "min_lr_ratio": 0.1,
                                    "warmup_type": "cosine", "decay_type": "linear"}),
    ("warmup_stable_decay", 4, 20, {"num_stable_steps": 5, "num_decay_steps": 8, "min_lr_ratio": 0.25,
                                    "warmup_type": "1-sqrt", "decay_type": "1-sqrt"}),
    ("warmup_stable_decay", 4, 20, {"num_stable_steps": 2, "num_decay_steps": 14, "num_cycles": 1.5}),
]

LOSSES = [3.0, 2.5, 2.5, 2.6, 2.4999, 2.7, 2.7, 2.7, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 1.0, float("nan"), 1.1, 1.2, 1.3]
PLATEAUS = [
    {"patience": 1},
    {"patience": 0, "factor": 0.5, "cooldown": 2},
    {"patience": 1, "factor": 0.5, "threshold": 0.2, "threshold_mode": "abs", "min_lr": 2e-4},
    {"patience": 1, "mode": "max", "factor": 0.9, "threshold": 0.05},
    {"patience": 0, "mode": "max", "factor": 0.5, "threshold": 0.3, "threshold_mode": "abs", "eps": 1e-4},
    {},
]


def optimizer():
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE)


def rates(name, warmup, total, settings):
    sgd = optimizer()
    schedule = get_scheduler(name, sgd, warmup, total, scheduler_specific_kwargs=dict(settings))
    seen = []
    for _ in range(total):
        seen.append(sgd.param_groups[0]["lr"])
        sgd.step()
        schedule.step()
    return seen


def plateau(settings):
    sgd = optimizer()
    schedule = get_scheduler("reduce_lr_on_plateau", sgd, scheduler_specific_kwargs=dict(settings))
    seen = []
    for loss in LOSSES:
        schedule.step(loss)
        seen.append(sgd.param_groups[0]["lr"])
    return seen


def main():
    write_json(sys.argv[1], {
        **stamp(),
        "learning_rate": RATE,
        "schedules": [{"name": name, "warmup": warmup, "total": total, "settings": settings,
                       "rates": rounded(rates(name, warmup, total, settings), DIGITS)}
                      for name, warmup, total, settings in CASES],
        "losses": [None if loss != loss else loss for loss in LOSSES],
        "plateaus": [{"settings": settings, "rates": rounded(plateau(settings), DIGITS)} for settings in PLATEAUS],
    })


if __name__ == "__main__":
    main()
