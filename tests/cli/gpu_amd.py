"""An AMD GPU without one: the software GPU's HIP, its model of an MI250X, and the paper's Table VI, live."""

import json

import support

OPTIONS = ("--pmu", "software:mi250x", "--benchmark", "gpu-flops", "--format", "json", *support.software_alone())
ALL = {f"All {letter}P Ops.": {f"SQ_INSTS_VALU_{operation}_{width}": weight for operation, weight in
                               (("ADD", 1), ("MUL", 1), ("TRANS", 1), ("FMA", 2))} for letter, width in (("H", "F16"), ("S", "F32"), ("D", "F64"))}


class GpuAmd(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.document = support.Run("discover", *OPTIONS).json()

    def metric(self, name):
        return support.metric(self.document, "gpu-flops", name)

    def test_table_vi(self):
        """Additions and subtractions are one event: half of it is the best that there is for one of them, with an error of sqrt(2) - 1."""
        for name in ("HP Add Ops.", "HP Sub Ops."):
            entry = self.metric(name)
            self.assertFalse(entry["composable"])
            self.assertEqual(support.definition(entry), {"SQ_INSTS_VALU_ADD_F16": 0.5})
            self.assertAlmostEqual(entry["backward_error"], 2**0.5 - 1, places=9)
        self.assertEqual(support.definition(self.metric("HP Add and Sub Ops.")), {"SQ_INSTS_VALU_ADD_F16": 1})
        for name, definition in ALL.items():
            entry = self.metric(name)
            self.assertEqual((entry["composable"], support.definition(entry)), (True, definition))

    def test_all_that_is_defined_is_validated(self):
        composable = [entry for entry in support.benchmark(self.document, "gpu-flops")["metrics"] if entry["composable"]]
        self.assertEqual(len(composable), 16)
        for entry in composable:
            with self.subTest(metric=entry["metric"]):
                validation = entry["validation"]
                self.assertEqual((validation["failed"], validation["worst"]), (0, 0))
                self.assertGreaterEqual(validation["programs"], 8)  # that execute any of it

    def test_it_goes_out_to_the_profilers(self):
        results = self.write("results.json", json.dumps(self.document))
        for to, options, words in (("rocprofv3", ("--cpu", "gfx90a"), "2*reduce(SQ_INSTS_VALU_FMA_F64,sum)"), ("rocprof-compute", (), "2 * SQ_INSTS_VALU_FMA_F64"),
                                   ("papi-user", ("--cpu", "gfx90a"), "SQ_INSTS_VALU_FMA_F64")):
            self.assertIn(words, self.expect(support.Run("export", "--to", to, results, *options), 1, err="2 definitions are not composable").out)


if __name__ == "__main__":
    support.main()
