"""What ./run check gpu reads of a compiler's output, and what it refuses."""

import os
import unittest

import example_tree
import gpu_compile
import gpu_figures
import gpu_kernels
import gpu_record

NAME = "_ZN4hone7kernels3gpu10run_kernelINS1_10SumKernelEEEvT_"
DEMANGLED = "void hone::kernels::gpu::run_kernel<hone::kernels::gpu::SumKernel<hone::kernels::gpu::Mfma, 64> >(...)"
REMARKS = f"""a.cpp:1:1: remark: Function Name: {NAME} [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     TotalSGPRs: 30 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     VGPRs: 65 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     ScratchSize [bytes/lane]: 0 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     Occupancy [waves/SIMD]: 7 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     SGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
a.cpp:1:1: remark:     LDS Size [bytes/block]: 128 [-Rpass-analysis=kernel-resource-usage]
"""
# A product before the loop, one in it, and a branch back to it.
CODE = f"""0000000000001900 <{NAME}>:
\tv_mfma_f32_16x16x16_bf16 a[0:3], v[0:1], v[2:3], a[0:3]    // 000000001900: D3E10000
\ts_mov_b32 s0, 0                                            // 000000001908: BE800080
\tv_mfma_f32_16x16x16_bf16 a[0:3], v[0:1], v[2:3], a[0:3]    // 00000000190C: D3E10000
\ts_cbranch_scc1 65534                                       // 000000001914: BF85FFFD <{NAME}+0xc>
\ts_endpgm                                                   // 000000001918: BF810000
"""
EMPTY = f"0000000000001900 <{NAME}>:\n\ts_endpgm    // 000000001900: BF810000\n"
GOOD = {"vgpr": 65, "agpr": 0, "sgpr": 30, "lds": 128, "occupancy": 7, "scratch": 0, "vgpr spills": 0,
        "sgpr spills": 0, "matrix": 2, "matrix in loops": 1}


def exceptions(*lines):
    return gpu_record.Exceptions(lines)


def spills(figures, *lines):
    return list(gpu_record.spill_faults(figures, exceptions(*lines)))


class Figures(unittest.TestCase):
    def test_reads_remarks_and_code(self):
        self.assertEqual(gpu_figures.kernels(REMARKS, CODE, lambda name: DEMANGLED), {"SumKernel<Mfma, 64>": GOOD})

    def test_a_kernel_for_another_card_is_left_out(self):
        self.assertEqual(gpu_figures.kernels(REMARKS, EMPTY, lambda name: DEMANGLED), {})

    def test_only_innermost_loops_count(self):
        outer = [("v_mfma_x", 0, None), ("v_add", 4, None), ("s_cbranch", 8, 4), ("s_cbranch", 12, 0)]
        self.assertEqual(gpu_figures.code_figures(outer), {"matrix": 1, "matrix in loops": 0})


class Record(unittest.TestCase):
    def test_is_read_as_it_was_written(self):
        spilt = {**GOOD, "vgpr spills": 3, "scratch": 16}
        figures = {"gfx90a": {"A": GOOD}, "gfx942": {"A": GOOD}, "gfx1100": {"A": GOOD, "B<64, float>": spilt}}
        self.assertEqual(gpu_record.read(gpu_record.text("clang 1", figures)), ("clang 1", figures))

    def test_refuses_a_spill_but_for_one_that_is_named(self):
        figures = {"gfx942": {"A": {**GOOD, "vgpr spills": 3}}}
        self.assertEqual(spills(figures), ["A on gfx942: vgpr spills is 3: registers do not suffice"])
        self.assertEqual(spills(figures, "gfx942 | A | vgpr spills | 3 | outside of loops"), [])
        self.assertEqual(len(spills(figures, "gfx942 | A | vgpr spills | 2 | outside of loops")), 1)

    def test_refuses_what_is_worse_than_before(self):
        for figure, value in (("vgpr", 66), ("lds", 129), ("occupancy", 6), ("matrix in loops", 0)):
            now = {"gfx942": {"A": {**GOOD, figure: value}}}
            self.assertEqual(list(gpu_record.record_faults(now, {"gfx942": {"A": GOOD}}, exceptions())),
                             [f"A on gfx942: {figure} is {value}, recorded is {GOOD[figure]}"])

    def test_passes_what_is_better_or_new(self):
        now = {"gfx942": {"A": {**GOOD, "vgpr": 64, "occupancy": 8}, "B": GOOD}}
        self.assertEqual(list(gpu_record.record_faults(now, {"gfx942": {"A": GOOD}}, exceptions())), [])

    def test_an_exception_is_whole_and_needed(self):
        self.assertIn("wants target | kernel", exceptions("gfx942 | A | vgpr | 3 |").faults[0])
        idle = list(exceptions("gfx942 | A | vgpr spills | 3 | why").idle({"gfx942": {"A": GOOD}}))
        self.assertEqual(idle, ["checks/gpu_exceptions.txt:1: A on gfx942: vgpr spills is 0, not 3: mend or delete the line"])

    def test_attention_must_use_the_matrix_unit(self):
        name = "AttentionMatrixKernel<Mfma, 64, true>"
        def faults(target, kernels):
            return list(gpu_record.matrix_faults({target: kernels}))
        self.assertEqual(faults("gfx942", {name: GOOD}), [])
        self.assertEqual(faults("gfx942", {name: {**GOOD, "matrix in loops": 0}}),
                         [f"{name} on gfx942: its inner loops issue no matrix instructions"])
        self.assertEqual(faults("gfx942", {}), ["AttentionMatrixKernel on gfx942: no instance was compiled"])
        self.assertEqual(faults("gfx1030", {}), [])


class Wishes(unittest.TestCase):
    def wish(self, **variables):
        for name in ("GPU_TARGETS", "PYTORCH_ROCM_ARCH", "MAX_JOBS"):
            os.environ.pop(name, None)
        os.environ.update(variables)
        self.addCleanup(lambda: [os.environ.pop(name, None) for name in variables])

    def test_targets_are_those_asked_for(self):
        self.wish()
        self.assertEqual(gpu_kernels.wanted_targets(), gpu_kernels.TARGETS)
        self.wish(PYTORCH_ROCM_ARCH="gfx90a:xnack-;gfx942 gfx942")
        self.assertEqual(gpu_kernels.wanted_targets(), ("gfx90a", "gfx942"))
        self.wish(GPU_TARGETS="MI300X")
        with self.assertRaisesRegex(SystemExit, "GPU_TARGETS: 'MI300X' is no GPU target: write names such as gfx942"):
            gpu_kernels.wanted_targets()

    def test_max_jobs_is_a_number(self):
        self.wish(MAX_JOBS="3")
        self.assertEqual(gpu_compile.jobs(), 3)
        self.wish(MAX_JOBS="many")
        with self.assertRaisesRegex(SystemExit, "MAX_JOBS: 'many' is no whole number above zero"):
            gpu_compile.jobs()


class Keys(example_tree.ExampleTree):
    def test_they_are_compiled_again_when_what_it_includes_changes(self):
        self.write("src/kernels/gpu/a.cpp", '#include "kernels/gpu/a.h"\n')
        self.write("src/kernels/gpu/a.h", '#include "base/b.h"\n')
        self.write("src/base/b.h", "int b;\n")
        source = self.root / "src/kernels/gpu/a.cpp"
        self.assertEqual(len(gpu_compile.closure(self.root, source, set())), 3)
        class Tools:
            name = "clang 1"
            def flags(self):
                return []
        before = gpu_compile.key_of(self.root, "gfx942", Tools())
        self.assertNotEqual(before, gpu_compile.key_of(self.root, "gfx90a", Tools()))
        self.write("src/base/b.h", "int c;\n")
        self.assertNotEqual(before, gpu_compile.key_of(self.root, "gfx942", Tools()))


if __name__ == "__main__":
    unittest.main()
