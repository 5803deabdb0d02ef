"""What a compiled kernel takes of a card: read from the compiler's remarks
(-Rpass-analysis=kernel-resource-usage) and from the disassembly of the code object."""

import re

# Remark of the compiler -> figure.
_REMARKS = {
    "TotalSGPRs": "sgpr", "VGPRs": "vgpr", "AGPRs": "agpr", "ScratchSize [bytes/lane]": "scratch",
    "Occupancy [waves/SIMD]": "occupancy", "SGPRs Spill": "sgpr spills", "VGPRs Spill": "vgpr spills",
    "LDS Size [bytes/block]": "lds",
}
FIGURES = ("vgpr", "agpr", "sgpr", "lds", "occupancy", "scratch", "vgpr spills", "sgpr spills", "matrix",
           "matrix in loops")
MORE_IS_BETTER = ("occupancy", "matrix", "matrix in loops")
SPILLS = ("scratch", "vgpr spills", "sgpr spills")

_REMARK = re.compile(r"remark:\s+(.+?): (\S+) \[-Rpass-analysis")
_LABEL = re.compile(r"^[0-9a-f]+ <(\S+)>:$")
_INSTRUCTION = re.compile(r"^\s+([a-z]\w+)\b.*?//\s*([0-9A-F]+):(?:.*<\S+?\+0x([0-9a-f]+)>|.*<([^+>]+)>)?")
_MATRIX = re.compile(r"v_(mfma|wmma)_")
_PADDING = ("s_code_end", "s_nop", "s_endpgm", "s_sendmsg", "s_waitcnt", "s_set_inst_prefetch_distance")


def remarks(text):
    """{mangled name: {figure: number}} of a compiler's standard error."""
    found, current = {}, None
    for match in _REMARK.finditer(text):
        key, value = match.group(1).strip(), match.group(2)
        if key == "Function Name":
            current = found.setdefault(value, {})
        elif key in _REMARKS and current is not None:
            current[_REMARKS[key]] = int(value)
    return found


def loops(instructions):
    """(first, last) offsets of the innermost loops: backward branches that contain no other."""
    spans = sorted({(target, offset) for _, offset, target in instructions
                    if target is not None and target <= offset})
    return [span for span in spans
            if not any(other != span and span[0] <= other[0] and other[1] <= span[1] for other in spans)]


def disassembled(text):
    """{mangled name: [(mnemonic, offset, offset of a branch's target or None)]}"""
    kernels, current, start = {}, None, None
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label:
            current, start = kernels.setdefault(label.group(1), []), None
            continue
        match = _INSTRUCTION.match(line)
        if not match or current is None:
            continue
        address = int(match.group(2), 16)
        start = address if start is None else start
        target = None
        if "branch" in match.group(1):
            target = int(match.group(3), 16) if match.group(3) else 0 if match.group(4) else None
        current.append((match.group(1), address - start, target))
    return kernels


def code_figures(instructions):
    """Matrix instructions, and how many of them lie in innermost loops."""
    inner = loops(instructions)
    matrix = [offset for mnemonic, offset, _ in instructions if _MATRIX.match(mnemonic)]
    in_loops = sum(any(first <= offset <= last for first, last in inner) for offset in matrix)
    return {"matrix": len(matrix), "matrix in loops": in_loops}


def is_empty(instructions):
    """A kernel for another kind of card is compiled to nothing."""
    return all(mnemonic in _PADDING for mnemonic, _, _ in instructions)


def readable(demangled):
    """'AttentionMatrixKernel<Mfma, 64>' from c++filt's text; None: no kernel of ours."""
    match = re.match(r"void hone::kernels::gpu::run_kernel<(.*?) ?>\(", demangled)
    if not match:
        return None
    name = re.sub(r"\b(?:\w+::)+", "", match.group(1))
    return re.sub(r"\s*>", ">", name)


def kernels(remark_text, disassembly, demangle):
    """{readable name: figures} of the kernels that are more than nothing. `demangle` maps mangled names
    to c++filt's text."""
    code = disassembled(disassembly)
    found = {}
    for mangled, figures in remarks(remark_text).items():
        name = readable(demangle(mangled))
        instructions = code.get(mangled, [])
        if name is None or is_empty(instructions):
            continue
        found[name] = {"agpr": 0, **figures, **code_figures(instructions)}
    return found
