"""A metric that counts a precision of which no kernel ran is not measurable, and all that shows results says so in words. Which metric a preset
is depends on that, and on the vendor.

Made-up tables: each event counts what its name says, whatever this processor executes.
"""

import csv
import json

import support

WIDTHS = ("SCAL", "128", "256", "512")
OPERATIONS = ("ADD", "SUB", "MUL", "FMA", "DIV", "SQRT")
LANES = {"H": (1, 8, 16, 32), "S": (1, 4, 8, 16), "D": (1, 2, 4, 8)}
HALF, SINGLE = "half precision", "single precision"
WITH_HALF = ("FP Instrs. with HP", "FP Ops. with HP", "FP Instrs. with HP and an FMA once", "FP Ops. with HP and an FMA once")


def basis():
    with open(support.SOURCE / "bases/cpu-flops.csv", newline="") as stream:
        return [row for row in csv.DictReader(line for line in stream if line[0] != "#")]


def weights():
    """For each event its counts by symbol: instructions by precision and width, an FMA twice (P) or once (Q)."""
    for precision in LANES:
        for width in WIDTHS:
            for name, fma in (("P", 2), ("Q", 1)):
                yield f"{name}_{precision}_{width}", {f"{precision}_{operation}_{width}": fma if operation == "FMA" else 1 for operation in OPERATIONS}


class Lacking(support.Case):
    def table(self, fits):
        """Of the kernels that fit, scalable vectors aside."""
        rows = [row for row in basis() if all(row[symbol] == "0" or ("_V" not in symbol and fits(symbol)) for symbol in row if symbol != "kernel")]
        lines = [",".join(["event", "repetition", "thread", *(row["kernel"] for row in rows)])]
        for event, counts in weights():
            numbers = [str(sum(weight * float(row[symbol]) for symbol, weight in counts.items())) for row in rows]
            lines += [",".join([event, str(repetition), "0", *numbers]) for repetition in range(2)]
        return self.write("measured/cpu-flops.csv", "\n".join(lines) + "\n").parent

    def metrics(self, fits):
        results = self.expect(support.Run("analyze", self.table(fits), "--format", "json"), 0).json()
        return {metric["metric"]: metric for metric in results["benchmarks"][0]["metrics"]}

    def test_every_precision_ran(self):
        metrics = self.metrics(lambda symbol: True)
        for name in ("FP Instrs.", "FP Ops.", "FP Instrs. with an FMA once", "FP Ops. with an FMA once", *WITH_HALF):
            with self.subTest(name):
                once, half = "once" in name, "HP" in name
                terms = {f"{'Q' if once else 'P'}_{precision}_{width}": lanes if "Ops." in name else 1
                         for precision in ("HSD" if half else "SD") for width, lanes in zip(WIDTHS, LANES[precision])}
                self.assertTrue(support.usable(metrics[name]))
                self.assertIsNone(metrics[name]["lacks"])
                self.assertEqual({term["event"]: term["coefficient"] for term in metrics[name]["definition"]}, terms)

    def test_a_width_is_no_precision(self):
        metrics = self.metrics(lambda symbol: not symbol.endswith("_512"))
        for name in ("FP Ops.", *WITH_HALF):
            self.assertTrue(support.usable(metrics[name]), name)

    def test_a_precision_did_not_run(self):
        rows = (("H", HALF, ("HP Ops.", "Packed HP Instrs.", *WITH_HALF), ("FP Ops.", "SP Ops.", "FMA Instrs.")),
                ("S", SINGLE, ("SP Ops.", "FP Ops.", "FMA Instrs.", *WITH_HALF), ("DP Ops.", "HP Ops.")),
                ("HS", f"{HALF} and {SINGLE}", WITH_HALF, ("DP Ops.",)))
        for without, words, lacking, others in rows:
            metrics = self.metrics(lambda symbol, without=without: symbol[0] not in without or symbol[1] != "_")
            for name in lacking:
                with self.subTest(without=without, metric=name):
                    metric = metrics[name]
                    self.assertEqual((metric["lacks"], metric["measurable"], support.usable(metric), metric["definition"]), (words, False, False, []))
            for name in others:
                self.assertIsNone(metrics[name]["lacks"], name)

    def test_kernels_of_a_kind_did_not_run(self):
        """Others of the precision did, so that the precision is not what is missing."""
        both = f"FMA in {SINGLE} and FMA in double precision"
        rows = ((lambda symbol: "_FMA_" not in symbol, {"SP FMA Instrs.": f"FMA in {SINGLE}", "FMA Instrs.": both, "SP Instrs.": None, "FP Ops.": None}),
                (lambda symbol: symbol == "LOOP" or symbol.endswith("_SCAL"), {"Packed SP Instrs.": f"what it counts in {SINGLE}", "SP Ops.": None}))
        for fits, wanted in rows:
            metrics = self.metrics(fits)
            self.assertEqual({name: metrics[name]["lacks"] for name in wanted}, wanted)

    def test_words(self):
        measured, results, page = self.table(lambda symbol: not symbol.startswith("H_")), self.folder / "results.json", self.folder / "page.html"
        said = f"not measurable on this machine: no kernel of {HALF} ran"
        for method in ("catmint", "paper"):
            self.expect(support.Run("analyze", measured, "--method", method, COLUMNS="200"), 0, out=rf"^FP Ops\. with HP +no[ -]+{said}$")
        self.expect(support.Run("explain", "--metric", "FP Ops. with HP", measured), 0, out=f"^Verdict +{said}$")
        self.expect(support.Run("analyze", measured, "--format", "json", "--output", results), 0, err=None)
        self.expect(support.Run("report", results, "--output", page), 0, err=None)
        self.assertIn(f"<p>No kernel of {HALF} ran on this machine.</p>", page.read_text())
        self.expect(support.Run("count", "--results", results, "--metrics", "FP Ops. with HP", "--", "true"), 125,
                    err=f"'FP Ops. with HP' has no definition: no kernel of {HALF} ran on the machine of the results")
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nHP Ops.,P_H_SCAL + 8 * P_H_128,,me\n")
        self.expect(support.Run("audit", formulas, "--against", results), 0, out=f"no kernel was run that has {HALF}")

    def test_a_processor_of_less_on_trial(self):
        """What --cpu does not execute is not tried, and said: a machine with AVX-512 judges formulas of one without it."""
        results = self.folder / "results.json"
        self.expect(support.Run("analyze", self.table(lambda symbol: True), "--format", "json", "--output", results), 0)
        narrow, odd = "N0|N1|2|*|+|N2|4|*|+|", "N0|N1|3|*|+|N2|4|*|+|"
        rows = "".join(f"PRESET,{preset},DERIVED_POSTFIX,{formula},P_D_SCAL,P_D_128,P_D_256\n" for preset, formula in (("PAPI_DP_OPS", narrow), ("PAPI_DP_OPS", odd)))
        self.write("tree/src/papi_events.csv", "".join(f"CPU,{cpu}\n{rows}" for cpu in ("bdw_ep", "skx", "arm_n1")))
        for cpu, lacks, verdicts in (("bdw_ep", "AVX512F AVX512VL AVX512-FP16", ["right", "wrong"]), ("skx", "AVX512-FP16", ["wrong"] * 2), ("arm_n1", None, ["wrong"] * 2)):
            with self.subTest(cpu=cpu):
                options = ("--upstream", self.folder / "tree", "--cpu", cpu, "--against", results)
                judged = self.expect(support.Run("audit", *options, "--format", "json"), 1).json()
                self.assertEqual([entry["verdict"] for entry in judged["formulas"]], verdicts)
                self.assertEqual([entry["partial"] for entry in judged["formulas"]], [verdict == "right" for verdict in verdicts])  # the table has no controls
                self.assertEqual(judged["upstream"].get("not_executed"), lacks)
                right = {term["event"]: term["coefficient"] for term in judged["formulas"][1]["numerator"]["definition"]}
                self.assertEqual(right, {f"P_D_{width}": lanes for width, lanes in zip(WIDTHS, LANES["D"]) if width != "512" or cpu != "bdw_ep"})
                said = self.expect(support.Run("audit", *options), 1).out
                self.assertEqual(f"Not tried     facts that {cpu} does not execute: {lacks}" in said, lacks is not None, said)

    def presets(self, pmu, vendor, fits):
        measured = self.table(fits)
        (measured / "manifest.json").write_text(json.dumps({"schema": "catmint.sweep/1", "pmu": pmu, "machine": {"vendor": vendor}}))
        results = self.expect(support.Run("analyze", measured, "--format", "json"), 0).json()
        return {metric["preset"]: metric["metric"] for metric in results["benchmarks"][0]["metrics"]}

    def test_presets_by_vendor(self):
        once, usual = "FP Instrs. with an FMA once", ("FP Instrs.", "FP Ops.")
        rows = (("software:zen4", "GenuineIntel", True, once, "FP Ops."), ("software:skylake", "AuthenticAMD", True, *usual),
                ("software:golden-cove", "AuthenticAMD", True, "FP Instrs. with HP", "FP Ops. with HP"), ("software:golden-cove", "", False, *usual),
                ("software:power10", "", False, once, "FP Ops."),
                ("software:neoverse-v2", "", True, "FP Instrs. with HP and an FMA once", "FP Ops. with HP"), ("software:neoverse-v2", "", False, once, "FP Ops."),
                ("hardware", "AuthenticAMD", True, once, "FP Ops."), ("hardware", "GenuineIntel", True, "FP Instrs. with HP", "FP Ops. with HP"),
                ("hardware", "GenuineIntel", False, *usual), ("hardware", "", True, *usual))
        for pmu, vendor, half, instructions, operations in rows:
            with self.subTest(pmu=pmu, vendor=vendor, half=half):
                presets = self.presets(pmu, vendor, lambda symbol, half=half: half or not symbol.startswith("H_"))
                self.assertEqual((presets["PAPI_FP_INS"], presets["PAPI_FP_OPS"]), (instructions, operations))


if __name__ == "__main__":
    support.main()
