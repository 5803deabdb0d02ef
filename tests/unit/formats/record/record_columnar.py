#!/usr/bin/env python3
"""Writes the fixtures of columnar_test.cpp: python3 record_columnar.py (needs the package pyarrow)."""

import datetime
import pathlib

import pyarrow
import pyarrow.parquet

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "data"
TABLE = pyarrow.table({
    "instruction": pyarrow.array(["plain", "d\u00e9j\u00e0 \U0001f600", "", None]),
    "output": pyarrow.array(["a", "b", "c", "d"], pyarrow.large_string()),
    "word": pyarrow.array(["x", "y", "x", None]).dictionary_encode(),
    "count": pyarrow.array([1, -2, 3, None], pyarrow.int32()),
    "share": pyarrow.array([0.5, 1e300, -0.25, None]),
    "good": pyarrow.array([True, False, None, True]),
    "messages": pyarrow.array([
        [{"role": "user", "content": "q"}, {"role": "assistant", "content": None}], [], None,
        [{"role": "user", "content": "r"}]]),
    "day": pyarrow.array([datetime.date(2024, 2, 29)] * 4),
})


def main():
    pyarrow.parquet.write_table(TABLE, FOLDER / "columns.parquet", row_group_size=3,
                                compression="zstd")
    with pyarrow.ipc.new_stream(str(FOLDER / "stream.arrow"), TABLE.schema) as stream:
        stream.write_table(TABLE, max_chunksize=3)
    with pyarrow.ipc.new_file(str(FOLDER / "file.arrow"), TABLE.schema) as file:
        file.write_table(TABLE, max_chunksize=3)


if __name__ == "__main__":
    main()
