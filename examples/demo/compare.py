"""Shows the demo's answers before and after side by side; arguments: BEFORE AFTER OUTPUT_DIR.

Exits with 1 unless at least two of the three answers hold their fact word afterwards and not before.
"""
import json
import sys
import textwrap

WIDTH = 46
NEEDED = 2


def columns(before, after):
    left = textwrap.wrap(before, WIDTH) or [""]
    right = textwrap.wrap(after, WIDTH) or [""]
    rows = max(len(left), len(right))
    left += [""] * (rows - len(left))
    right += [""] * (rows - len(right))
    return [f"  {a:<{WIDTH}} | {b}" for a, b in zip(left, right)]


def losses(output):
    with open(f"{output}/trainer_log.jsonl", encoding="utf-8") as log:
        return [entry["loss"] for entry in map(json.loads, log) if "loss" in entry]


def main(before_file, after_file, output):
    with open("examples/demo/questions.json", encoding="utf-8") as file:
        questions = json.load(file)
    with open(before_file, encoding="utf-8") as file:
        before = file.read().splitlines()
    with open(after_file, encoding="utf-8") as file:
        after = file.read().splitlines()
    print(f"\n  {'before':<{WIDTH}} | after")
    learned = 0
    for question, old, new in zip(questions, before, after, strict=True):
        fact = question["fact"]
        good = fact.lower() in new.lower() and fact.lower() not in old.lower()
        learned += good
        print(f"\n{question['question']}  (looking for: {fact})")
        print("\n".join(columns(old.strip(), new.strip())))
        print("  " + ("learned" if good else "not learned"))
    values = losses(output)
    print(f"\nloss: first {values[0]:.3f}, last {values[-1]:.3f}")
    print(f"loss curve: {output}/training_loss.png")
    print(f"adapter: {output} (transformers and PEFT read it)")
    print(f"{learned} of {len(questions)} facts learned")
    print("next: talk to it with `build/cpu-release/bin/hone chat`, as README.md shows,")
    print("      or put your own data into data/dataset_info.json and edit examples/demo/demo.yaml")
    return 0 if learned >= NEEDED else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
