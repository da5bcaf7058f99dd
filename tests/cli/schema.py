"""Real output against docs/catmint.metrics-1.schema.json."""

import json
import sys

import support

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed", file=sys.stderr)
    sys.exit(support.SKIPPED)

SCHEMA = json.loads((support.SOURCE / "docs/catmint.metrics-1.schema.json").read_text())


class Schema(support.Case):
    def validate(self, document):
        jsonschema.Draft202012Validator(SCHEMA).validate(document)

    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_recorded(self):
        for benchmark, table in support.RECORDED.items():
            for options in ([], ["--tau", "inf"]):
                run = support.Run("analyze", table, "--benchmark", benchmark, "--format", "json", *options)
                self.expect(run, 0, err="")
                self.validate(run.json())

    def test_live(self):
        run = support.Run("discover", "--pmu", "software", "--format", "json")
        if run.code == 4:
            self.skipTest(run.err.strip())
        self.validate(self.expect(run, 0, err="").json())

    def test_what_was_not_run(self):
        lines = support.measurements("cpu-flops", {"SCALAR": {"D_SCAL": 1}}).splitlines()
        table = self.write("scalar.csv", "".join(",".join(line.split(",")[:6]) + "\n" for line in lines))
        run = self.expect(support.Run("analyze", table, "--benchmark", "cpu-flops", "--format", "json"), 0, err="")
        self.assertIn(False, [metric["measurable"] for metric in run.json()["benchmarks"][0]["metrics"]])
        self.validate(run.json())

    def test_what_is_wrong_does_not_pass(self):
        sound = support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json").out
        breakers = [
            lambda d: d.update(schema="catmint.metrics/2"),
            lambda d: d.update(pmu="wetware"),
            lambda d: d.pop("benchmarks"),
            lambda d: d["benchmarks"][0]["metrics"][0].update(composable=None),
            lambda d: d["benchmarks"][0]["metrics"][0].update(measurable=False),
            lambda d: d["benchmarks"][0]["metrics"][0].update(misfit=-1),
            lambda d: d["benchmarks"][0]["events"][0].update(status="fine"),
            lambda d: d["benchmarks"][0]["counts"].pop("noisy"),
            lambda d: d["benchmarks"][0].update(alpha=0),
        ]
        for breaker in breakers:
            document = json.loads(sound)
            breaker(document)
            with self.assertRaises(jsonschema.ValidationError):
                self.validate(document)


if __name__ == "__main__":
    support.main()
