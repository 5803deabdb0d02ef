#!/usr/bin/env python3
"""Memory and time of preparing a data set, by its size.

usage: data_memory.py PROGRAM MODEL_FOLDER [MEGABYTES ...]      (default: 250 2048)

Writes a JSONL file of each size with generated conversations, runs `hone data` on it with an empty
cache and again with a filled one, and prints peak resident memory and wall time of both. The model
folder needs no more than config.json and tokenizer files. Exits with 1 when a peak is above 600 MB.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

LIMIT_MEGABYTES = 600
WORDS = ("the of and to in is that for it as was with be by on not he his but at are this have "
         "from or had an they which one you were all her she there would their we him been has "
         "when who will no more if out so up said what its about than into them can only other "
         "time new some could these two may first then do any like my now over such our man me "
         "even most made after also well did many before must years back through").split()


def write_records(file, megabytes):
    draw = random.Random(1)
    pieces = [" ".join(draw.choice(WORDS) for _ in range(draw.randint(20, 90)))
              for _ in range(5000)]
    with open(file, "w", encoding="utf-8") as out:
        while out.tell() < megabytes * 1_000_000:
            lines = []
            for _ in range(1000):
                question, answer = draw.choice(pieces), draw.choice(pieces)
                lines.append(f'{{"instruction": "{question}?", "input": "", "output": "{answer}."}}\n')
            out.write("".join(lines))


def measure(command, environment):
    started = time.monotonic()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command} ended with {process.returncode}")
    return usage.ru_maxrss / 1024, time.monotonic() - started


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, model = sys.argv[1:3]
    sizes = [int(word) for word in sys.argv[3:]] or [250, 2048]
    worst = 0.0
    for megabytes in sizes:
        with tempfile.TemporaryDirectory(prefix="hone_data_memory_") as name:
            folder = pathlib.Path(name)
            write_records(folder / "d.jsonl", megabytes)
            (folder / "dataset_info.json").write_text('{"d": {"file_name": "d.jsonl"}}')
            command = [program, "data", "--show", "0", f"model_name_or_path={model}",
                       "do_train=true", f"output_dir={folder / 'RUN'}", "template=default",
                       f"dataset_dir={folder}", "dataset=d"]
            environment = {**os.environ, "HF_DATASETS_CACHE": str(folder / "cache")}
            for cache in ("empty", "filled"):
                peak, seconds = measure(command, environment)
                worst = max(worst, peak)
                print(f"{megabytes} MB, cache {cache}: peak {peak:.0f} MiB, {seconds:.1f} s",
                      flush=True)
    return 1 if worst > LIMIT_MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
