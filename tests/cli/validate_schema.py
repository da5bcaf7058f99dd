"""What validate and discover write against the schemas in docs/, live."""

import json

import schema
import support


class Validation(schema.Schema):
    def test_verdicts_and_results(self):
        out = self.folder / "out"
        pmu = ("--pmu", "software:zen4", *support.software_alone(), "--benchmark", "branch", "--repetitions", "2")
        run = support.Run("discover", *pmu, "--out", out, "--programs", "4", "--format", "json")
        self.load_schema("catmint.metrics-1.schema.json")
        document = self.expect(run, 0).json()
        self.validate(document)
        taken = support.metric(document, "branch", "Conditional Branches Taken")
        self.assertEqual([taken["validation"][key] for key in ("seed", "failed", "refuted_by")], [1, 0, None])
        self.assertIsNone(support.metric(document, "branch", "Conditional Branches Executed")["validation"])
        self.refuse(json.dumps(document), [
            lambda d: support.metric(d, "branch", "All Branches")["validation"].pop("median"),
            lambda d: support.metric(d, "branch", "All Branches")["validation"].update(programs=0),
            lambda d: support.metric(d, "branch", "All Branches").update(validation=[]),
        ])
        self.load_schema("catmint.validation-1.schema.json")
        verdicts = self.expect(support.Run("validate", out, "--programs", "4", "--format", "json"), 0).json()
        self.validate(verdicts)
        self.refuse(json.dumps(verdicts), [
            lambda d: d.update(schema="catmint.validation/2"),
            lambda d: d.update(programs=0),
            lambda d: d.pop("seed"),
            lambda d: d["benchmarks"][0]["metrics"][0].update(verdict="perhaps"),
            lambda d: d["benchmarks"][0]["metrics"][0].pop("validation"),
        ])

    def test_nothing_to_judge(self):
        """No definition has an event: that is no success."""
        model = support.make_model(self.folder / "model", {"NOTHING": "0*instructions"})
        out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", f"software:{model}", "--component", "sde", "--benchmark", "branch", "--repetitions", "2", "--out", out), 0)
        self.expect(support.Run("validate", out, "--pmu", f"software:{model}", "--format", "json"), 3, err=f"^catmint: {out}: no definition here was held against a program$", out="")


if __name__ == "__main__":
    support.main()
