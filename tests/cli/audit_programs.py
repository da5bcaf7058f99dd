"""Formulas held against random programs: what is right on the kernels alone is found there."""

import auditing
import support
import validate


class Programs(auditing.Audit):
    model, sweep = validate.Validate.model, validate.Validate.sweep

    def test_right_on_kernels_alone(self):
        right = validate.operations()
        pmu = self.model({"RIGHT": right, "MORE": f"{right} + 20 * ({validate.meetings()})", "ALL": "instructions"})
        out = self.sweep(pmu, "--benchmark", "cpu-flops", "--repetitions", "2")
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nFP Ops.,RIGHT,,\nmore,MORE,,\nshare,RIGHT / ALL,,\n"
                              'uneven,"max(MORE, 0) / ALL",,\n')
        names = self.write("map.csv", "metric,signature\nmore,FP Ops.\nshare,1 FP Ops. / Instructions\nuneven,1 FP Ops. / Instructions\n")
        before = self.audit(out, formulas, options=["--map", names])["formulas"]
        self.assertEqual([(entry["verdict"], entry["programs"], entry["program_median"]) for entry in before], [("right", 0, None)] * 4)
        self.assertIn(support.Run("validate", out, "--pmu", pmu, "--programs", "16", "--all-events").code, (0, 1))
        after = self.audit(out, formulas, options=["--map", names], code=1)["formulas"]
        self.assertEqual([entry["verdict"] for entry in after], ["right", "wrong", "right", "wrong"])
        for entry in after:
            self.assertGreater(entry["programs"], 8)
            self.assertEqual(entry["program_median"] < 0.015, entry["verdict"] == "right")
            if entry["verdict"] == "wrong":
                self.assertRegex(entry["numerator"]["measures"], r"^off by \d+ % in the median of \d+ programs that are no kernels$")


if __name__ == "__main__":
    support.main()
