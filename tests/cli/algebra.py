"""Linear algebra is OpenBLAS's: the same results at every run and on every processor, and none where it computes wrongly."""

import os
import pathlib
import platform

import support

FLAGS = {"Haswell": "avx2 fma", "Zen": "avx2 fma", "SkylakeX": "avx512f avx512dq avx512bw avx512vl"}
ALIKE = 1e-9
# Both methods, and a table whose noise makes every figure a rounded one.
ANALYSES = [("--method", method, "--benchmark", "dcache") for method in ("catmint", "paper")]


def differences(one, other, where=""):
    """Where two documents differ by more than rounding errors."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [found for key in one for found in differences(one[key], other[key], f"{where}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [found for i, pair in enumerate(zip(one, other)) for found in differences(*pair, f"{where}/{i}")]
    if isinstance(one, float) and isinstance(other, float) and abs(one - other) <= ALIKE * max(1.0, abs(one)):
        return []
    return [] if one == other else [f"{where}: {one} and {other}"]


class Algebra(support.Case):
    def analyze(self, analysis, **changes):
        return support.Run("analyze", support.RECORDED["dcache"], *analysis, "--events-detail", "all", "--format", "json", **changes)

    def test_five_runs_give_the_same_bytes(self):
        for analysis in ANALYSES:
            with self.subTest(analysis):
                runs = [self.analyze(analysis) for _ in range(5)]
                self.assertEqual({run.code for run in runs}, {0}, runs[0])
                self.assertEqual(len({run.out for run in runs}), 1)

    def test_core_types_agree(self):
        if platform.machine() != "x86_64":
            self.skipTest("core types of x86-64")
        flags = set(pathlib.Path("/proc/cpuinfo").read_text().split("flags", 1)[1].split("\n", 1)[0].split())
        able = [core for core, needed in FLAGS.items() if set(needed.split()) <= flags]
        if len(able) < 2:
            self.skipTest(f"this processor can be {able or 'none'} of {list(FLAGS)}")
        for analysis in ANALYSES:
            documents = [self.analyze(analysis, OPENBLAS_CORETYPE=core).json() for core in able]
            for core, document in zip(able[1:], documents[1:]):
                with self.subTest(f"{able[0]} and {core}: {analysis}"):
                    self.assertEqual(differences(documents[0], document), [])

    def test_wrong_algebra_is_found(self):
        run = self.analyze(ANALYSES[0], **support.preloading(os.environ["CATMINT_WRONG_ALGEBRA"]))
        self.expect(run, 4, err="catmint: OpenBLAS computes wrongly on this processor, which it takes for .*OPENBLAS_CORETYPE", out="")


if __name__ == "__main__":
    support.main()
