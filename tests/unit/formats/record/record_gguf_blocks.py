"""Records data/gguf_blocks.bin: blocks of every type that hone dequantizes, and ggml's values for them.

    python3 -m venv v && v/bin/pip install gguf==0.19.0 && v/bin/python record_gguf_blocks.py ../data

Layout, repeated: u32 type id, u32 bytes of blocks, u32 elements, the blocks, the elements as f32.
Expected values come from the numpy dequantization of the gguf package.
"""
import pathlib
import struct
import sys

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from gguf.quants import dequantize

# Byte offsets of the f16 fields of a block: these must be finite numbers, the rest may be anything.
HALVES = {
    Type.F16: [0], Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q8_0: [0],
    Type.Q4_K: [0, 2], Type.Q6_K: [208], Type.BF16: [], Type.F32: [],
}


def random_half(rng):
    while True:
        bits = int(rng.integers(0, 1 << 16))
        if bits & 0x7C00 != 0x7C00:
            return struct.pack("<H", bits)


def main(folder):
    rng = np.random.default_rng(20240607)
    out = b""
    for kind, halves in HALVES.items():
        elements, size = GGML_QUANT_SIZES[kind]
        count = max(6, 64 // elements)
        raw = bytearray()
        for _ in range(count):
            block = bytearray(rng.integers(0, 256, size, dtype=np.uint8).tobytes())
            if kind == Type.F32:
                block[:] = np.float32(rng.standard_normal()).tobytes()
            if kind == Type.BF16 and block[1] & 0x7F == 0x7F:
                block[1] &= 0xBF
            for offset in halves:
                block[offset:offset + 2] = random_half(rng)
            raw += block
        values = dequantize(np.frombuffer(bytes(raw), dtype=np.uint8).reshape(count, size), kind) \
            if kind not in (Type.F32, Type.F16) else np.frombuffer(
                bytes(raw), dtype=np.float32 if kind == Type.F32 else np.float16).astype(np.float32)
        values = np.ascontiguousarray(values, dtype=np.float32).reshape(-1)
        assert values.size == count * elements and np.isfinite(values).all(), kind
        out += struct.pack("<III", int(kind), len(raw), values.size) + bytes(raw) + values.tobytes()
    (pathlib.Path(folder) / "gguf_blocks.bin").write_bytes(out)


main(sys.argv[1])
