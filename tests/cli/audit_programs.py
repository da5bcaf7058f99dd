"""Formulas held against random programs: what is right on the kernels alone is found there."""

import json

import auditing
import support
import validate


class Programs(auditing.Audit):
    model, sweep = validate.Validate.model, validate.Validate.sweep

    def test_right_on_kernels_alone(self):
        right = validate.operations()
        pmu = self.model({"RIGHT": right, "MORE": f"{right} + 20 * ({validate.meetings()})", "ALL": "instructions", "LOADS": "loads"})
        out = self.sweep(pmu, "--benchmark", "cpu-flops,mem-ops", "--repetitions", "2")
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nFP Ops.,RIGHT,,\nmore,MORE,,\nshare,RIGHT / ALL,,\n"
                              'uneven,"max(MORE, 0) / ALL",,\n')
        names = self.write("map.csv", "metric,signature\nmore,FP Ops.\nshare,1 FP Ops. / Instructions\nuneven,1 FP Ops. / Instructions\n")
        before = self.audit(out, formulas, options=["--map", names])["formulas"]
        self.assertEqual([(entry["verdict"], entry["programs"], entry["program_median"]) for entry in before], [("right", 0, None)] * 4)
        for entry in before:
            self.assertIn("cannot be distinguished: " + ("RIGHT from MORE" if "RIGHT" in entry["formula"] else "MORE from RIGHT"), json.dumps(entry["numerator"]))
        self.assertIn(support.Run("validate", out, "--pmu", pmu, "--programs", "16", "--all-events").code, (0, 1))
        loads, results = self.write("loads.csv", "metric,formula,unit,source\nLoads,LOADS,,\n"), self.folder / "results.json"
        self.expect(support.Run("analyze", out, "--format", "json", "--output", results), 0, err=None)
        said = [self.audit(against, loads)["formulas"][0] for against in (out, results)]
        self.assertEqual([(one["verdict"], one["partial"], one["programs"] > 8) for one in said], [("right", False, True), ("right", False, False)])
        self.assertEqual(said[0]["numerator"], said[1]["numerator"])
        self.assertNotIn("of which no kernel was run", json.dumps(said[0]["numerator"]))  # mem-ops has loads that each level answers
        after = self.audit(out, formulas, options=["--map", names], code=1)["formulas"]
        self.assertEqual([entry["verdict"] for entry in after], ["right", "wrong", "right", "wrong"])
        for entry in after:
            self.assertGreater(entry["programs"], 8)
            self.assertNotIn("cannot be distinguished: RIGHT", json.dumps(entry["numerator"]))
            self.assertEqual(entry["program_median"] < 0.015, entry["verdict"] == "right")
            if entry["verdict"] == "wrong":
                self.assertRegex(entry["numerator"]["measures"], r"^median deviation \d+ % in \d+ programs that are not kernels$")

    def test_right_is(self):
        """Where the results have no definition of what a ratio's sides should be, events called as its own are solved for it."""
        widths = {name: f"fp_d_{name.lower()} + 2*fp_d_{name.lower()}_fma" for name in ("SCALAR", "128", "256", "512")}
        wide = f"4*({widths['256']}) + 8*({widths['512']})"
        pmu = self.model({f"FP:{name}": expression for name, expression in widths.items()} | {"ALL": "instructions", "FP:ODD": f"{wide} + loads"})
        out = self.sweep(pmu, "--benchmark", "cpu-flops", "--repetitions", "2")
        formulas = self.write("formulas.csv", "metric,formula,unit,source\n"
                              "share,\"max('FP:SCALAR' + 'FP:128' + 'FP:256' + 'FP:512', 0) / ALL\",,\n")
        names = self.write("map.csv", "metric,signature\nshare,1 AVX DP Ops. / Instructions\n")
        entry = self.audit(out, formulas, options=["--map", names], code=1)["formulas"][0]
        self.assertEqual(entry["verdict"], "wrong")
        right = {term["event"]: term["coefficient"] for term in entry["numerator"]["definition"]}
        self.assertTrue(right)
        self.assertLessEqual(right.items(), {"FP:256": 4, "FP:512": 8}.items())
        self.assertEqual([(term["event"], term["coefficient"]) for term in entry["denominator"]["definition"]], [("ALL", 1)])


if __name__ == "__main__":
    support.main()
