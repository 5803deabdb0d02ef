"""Compares final weights with recorded ones: per tensor |ours - recorded| / |recorded - initial| (Frobenius).

usage: compare_final_weights.py RECORDED.safetensors INITIAL.safetensors OURS.safetensors [LIMIT]

All three have the same tensor names (peft's for an adapter). Prints the worst tensors; fails above LIMIT (0.01).
"""

import sys

from safetensors import safe_open


def main():
    recorded, initial, ours = (safe_open(path, "pt") for path in sys.argv[1:4])
    limit = float(sys.argv[4]) if len(sys.argv) > 4 else 0.01
    missing = set(recorded.keys()) ^ set(ours.keys())
    rows = []
    for name in set(recorded.keys()) - missing:
        want = recorded.get_tensor(name).double()
        change = (want - initial.get_tensor(name).double()).norm().item()
        error = (ours.get_tensor(name).double() - want).norm().item()
        rows.append((error / change if change else float(error > 0), error, change, name))
    rows.sort(reverse=True)
    for ratio, error, change, name in rows[:10]:
        print(f"{ratio:.3e}  error {error:.3e}  change {change:.3e}  {name}")
    failed = sum(row[0] > limit for row in rows)
    print(f"{len(rows)} tensors, {failed} above {limit}, {len(missing)} in one file only {sorted(missing)[:3]}")
    sys.exit(1 if failed or missing else 0)


if __name__ == "__main__":
    main()
