"""Records data/reference.safetensors: a small file as the reference implementation writes it.

    python3 -m venv v && v/bin/pip install safetensors==0.8.0 numpy && v/bin/python record_safetensors.py ../data
"""
import pathlib
import sys

import numpy as np
from safetensors.numpy import save_file


def main(folder):
    tensors = {
        "b.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
        "a.weight": np.arange(3, dtype=np.float32),
        "half": np.arange(5, dtype=np.float16),
        "wide": np.arange(2, dtype=np.int64),
        "double": np.array([0.5], dtype=np.float64),
        "flag": np.array([True, False, True]),
        "byte": np.arange(3, dtype=np.uint8),
        "scalar": np.array(7.0, dtype=np.float32),
        "empty": np.zeros((0, 4), dtype=np.float32),
        "name \u00e9 \"x\"": np.array([1, 2], dtype=np.int32),
    }
    save_file(tensors, pathlib.Path(folder) / "reference.safetensors", metadata={"format": "pt"})


main(sys.argv[1])
