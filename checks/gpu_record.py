"""docs/gpu-kernels.md: what each kernel took of each card when it was last recorded, and the rules that
hold what it takes now."""

import re

import gpu_figures

TITLE = """# What the GPU kernels take of a card

Written by `./run check gpu`, which compiles every kernel of `src/kernels/gpu` for every card, without
one. It fails when a kernel spills registers, when a figure is worse than the one below, or when the
inner loops of attention multiply without the card's matrix instructions; `checks/gpu_exceptions.txt`
names what may be so and why.

vgpr, agpr, sgpr: registers of a thread, or (sgpr) of a wave. lds: bytes of local data share of a block.
occupancy: waves that a SIMD can hold with these registers. matrix: matrix instructions in the code, and
those in innermost loops. scratch and spills are 0 unless they are named.
"""
_COLUMNS = ("vgpr", "agpr", "sgpr", "lds", "occupancy", "matrix", "matrix in loops")
_KERNEL = re.compile(r"^\| `([^`]+)` \| (.*) \|$")


def row(name, figures):
    cells = [str(figures.get(column, 0)) for column in _COLUMNS]
    spilt = ", ".join(f"{figures[figure]} {figure}" for figure in gpu_figures.SPILLS if figures.get(figure))
    return f"| `{name}` | {' | '.join(cells)} | {spilt} |"


def text(compiler, figures):
    """The whole document. Targets whose figures are alike share one table."""
    lines = [TITLE, f"Compiler: {compiler}\n"]
    groups = []
    for target, kernels in figures.items():
        same = next((group for group in groups if group[1] == kernels), None)
        if same:
            same[0].append(target)
        else:
            groups.append(([target], kernels))
    for targets, kernels in groups:
        lines.append(f"## {', '.join(targets)}\n")
        lines.append(f"| kernel | {' | '.join(_COLUMNS)} | spilt |")
        lines.append("|---|" + "---:|" * len(_COLUMNS) + "---|")
        lines.extend(row(name, kernels[name]) for name in sorted(kernels))
        lines.append("")
    return "\n".join(lines)


def read(document):
    """(compiler, {target: {kernel: figures}}) of the document's text."""
    compiler, targets, figures = "", [], {}
    for line in document.splitlines():
        if line.startswith("Compiler: "):
            compiler = line.removeprefix("Compiler: ").strip()
        elif line.startswith("## "):
            targets = line.removeprefix("## ").split(", ")
            figures.update({target: {} for target in targets})
        elif match := _KERNEL.match(line):
            cells = [cell.strip() for cell in match.group(2).split(" | ")]
            known = {column: int(cell) for column, cell in zip(_COLUMNS, cells)}
            known.update({figure: 0 for figure in gpu_figures.SPILLS})
            for number, figure in re.findall(r"(\d+) ([a-z][a-z ]*)", cells[len(_COLUMNS)] if len(cells) > len(_COLUMNS) else ""):
                known[figure.strip()] = int(number)
            for target in targets:
                figures[target][match.group(1)] = known
    return compiler, figures


class Exceptions:
    """Lines "target | kernel | figure | value | reason"."""

    def __init__(self, lines):
        self.entries, self.faults = {}, []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != 5 or parts[2] not in gpu_figures.FIGURES or not parts[3].isdigit() or not parts[4]:
                self.faults.append(f"checks/gpu_exceptions.txt:{number}: wants target | kernel | figure | value | reason")
            else:
                self.entries[tuple(parts[:3])] = (int(parts[3]), number)

    def allow(self, target, kernel, figure, value):
        entry = self.entries.get((target, kernel, figure))
        return entry is not None and not worse(figure, value, entry[0])

    def idle(self, figures):
        """Lines whose figure is better by now, of the targets that were looked at."""
        for (target, kernel, figure), (value, number) in self.entries.items():
            now = figures.get(target, {}).get(kernel, {}).get(figure)
            if target in figures and (now is None or now != value):
                yield f"checks/gpu_exceptions.txt:{number}: {kernel} on {target}: {figure} is {now}, not {value}: mend or delete the line"


def worse(figure, value, than):
    return value < than if figure in gpu_figures.MORE_IS_BETTER else value > than


def spill_faults(figures, exceptions):
    for target, kernels in figures.items():
        for kernel, known in kernels.items():
            for figure in gpu_figures.SPILLS:
                value = known.get(figure, 0)
                if value and not exceptions.allow(target, kernel, figure, value):
                    yield f"{kernel} on {target}: {figure} is {value}: registers do not suffice"


def record_faults(figures, recorded, exceptions):
    for target, kernels in figures.items():
        for kernel, known in kernels.items():
            before = recorded.get(target, {}).get(kernel, {})
            for figure in gpu_figures.FIGURES:
                if figure in gpu_figures.SPILLS or figure not in before:
                    continue
                value = known.get(figure, 0)
                if worse(figure, value, before[figure]) and not exceptions.allow(target, kernel, figure, value):
                    yield f"{kernel} on {target}: {figure} is {value}, recorded is {before[figure]}"


# Targets whose cards have matrix instructions that kernels here use, and the kernels that must.
MATRIX_TARGETS = re.compile(r"gfx(90a|942|950|11|12)")
MUST_MULTIPLY = ("AttentionMatrixKernel",)


def matrix_faults(figures):
    for target, kernels in figures.items():
        if not MATRIX_TARGETS.match(target):
            continue
        for wanted in MUST_MULTIPLY:
            found = {name: known for name, known in kernels.items() if name.startswith(wanted + "<")}
            if not found:
                yield f"{wanted} on {target}: no instance was compiled"
            for name, known in found.items():
                if not known.get("matrix in loops"):
                    yield f"{name} on {target}: its inner loops issue no matrix instructions"
