"""Real output against the schemas in docs/."""

import json
import sys

import documents
import support

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed", file=sys.stderr)
    sys.exit(support.SKIPPED)


class Schema(support.Case):
    """One schema against documents that catmint wrote."""

    def load_schema(self, name):
        self.schema = json.loads((support.SOURCE / "docs" / name).read_text())
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def validate(self, document):
        jsonschema.Draft202012Validator(self.schema).validate(document)
        self.assertEqual(documents.misnamed(document, self.schema, self.schema), [])

    def refuse(self, sound, breakers):
        """None of the documents that `breakers` make of a sound one is valid, nor one with a member that is not named; one of an older version is."""
        self.validate(json.loads(sound))
        jsonschema.Draft202012Validator(self.schema).validate(documents.older(json.loads(sound), self.schema, self.schema))
        for number, breaker in enumerate([*breakers, lambda d: d.update(unnamed=1)]):
            document = json.loads(sound)
            breaker(document)
            with self.assertRaises(jsonschema.ValidationError, msg=f"breaker {number}"):
                self.validate(document)


class Projections(Schema):
    def test_documents(self):
        self.load_schema("catmint.project-1.schema.json")
        machines = [support.SOURCE / "data/machines" / f"{name}.csv" for name in ("neoverse-n1", "a64fx")]
        mix = self.write("mix.csv", "quantity,here,there\noperations,10,10\nfp_instructions,5,2\nbytes:L1,40,40\nbytes:L2,0,\nbytes:MEM,0,0\nperformance,1,\n")
        run = support.Run("project", "--from", machines[0], "--to", machines[1], "--mix", mix, "--format", "json", "--memory-bandwidth", "HBM=65,20")
        self.expect(run, 1)
        self.refuse(run.out, [
            lambda d: d.update(schema="catmint.project/2"),
            lambda d: d.pop("notes"),
            lambda d: d["from"]["bandwidth"].update(MEM="fast"),
            lambda d: d["intervals"][0].update(interval=[1]),
            lambda d: d["intervals"][0]["projections"][0]["source"].update(limited_by="luck"),
            lambda d: d["mixes"][0].update(operations=0),
        ])


def shortened(value):
    """Without most of long lists of numbers, which are most of a document and alike."""
    if isinstance(value, dict):
        return {key: shortened(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    alike = len(value) > 8 and not isinstance(value[0], dict)
    return [shortened(one) for one in (value[:4] + value[-4:] if alike else value)]


class Metrics(Schema):
    def setUp(self):
        super().setUp()
        self.load_schema("catmint.metrics-1.schema.json")

    def test_paper_events(self):
        for benchmark, table in support.RECORDED.items():
            for options in ([], ["--tau", "inf"]):
                run = support.Run("analyze", table, "--benchmark", benchmark, "--format", "json", *options)
                self.expect(run, 0, err="")
                self.validate(run.json())

    def test_live(self):
        self.validate(shortened(support.discovered_document("golden-cove")))

    def test_what_was_not_run(self):
        lines = support.measurements("cpu-flops", {"SCALAR": {"D_SCAL": 1}}).splitlines()
        table = self.write("scalar.csv", "".join(",".join(line.split(",")[:6]) + "\n" for line in lines))
        run = self.expect(support.Run("analyze", table, "--benchmark", "cpu-flops", "--format", "json"), 0, err="")
        self.assertIn(False, [metric["measurable"] for metric in run.json()["benchmarks"][0]["metrics"]])
        self.validate(run.json())

    def test_what_is_wrong_does_not_pass(self):
        sound = support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json").out
        self.refuse(sound, [
            lambda d: d.update(schema="catmint.metrics/2"),
            lambda d: d.update(pmu="wetware"),
            lambda d: d.pop("benchmarks"),
            lambda d: d["benchmarks"][0]["metrics"][0].update(composable=None),
            lambda d: d["benchmarks"][0]["metrics"][0].update(measurable=False),
            lambda d: d["benchmarks"][0]["metrics"][0].update(misfit=-1),
            lambda d: d["benchmarks"][0]["events"][0].update(status="fine"),
            lambda d: d["benchmarks"][0]["counts"].pop("noisy"),
            lambda d: d["benchmarks"][0].update(alpha=0),
        ])


class Values(Schema):
    FORMULAS = ("metric,formula,unit,source,parent,of\nall,A,x,,,\none,A / B,fraction,s,all,all\n"
                "\"two, too\",1 - one,fraction,s,all,all\nover,A / C,,,,A\n")

    def setUp(self):
        super().setUp()
        self.load_schema("catmint.evaluate-1.schema.json")

    def evaluate(self, counts, code):
        formulas, table = self.write("formulas.csv", self.FORMULAS), self.write("counts.csv", counts)
        return self.expect(support.Run("evaluate", formulas, "--counts", table, "--format", "json"), code)

    def test_without_faults(self):
        document = self.evaluate("event,x,y\nA,10,20\nB,20,40\nC,10,40\n", 0).json()
        self.validate(document)
        self.assertEqual(document["faults"], [])

    def test_with_faults(self):
        document = self.evaluate("event,x,y\nA,10,20\nB,0,1\n", 1).json()
        self.validate(document)
        self.assertIn(None, [fault["run"] for fault in document["faults"]])
        self.assertIn("x", [fault["run"] for fault in document["faults"]])

    def test_published_models(self):
        counts = self.write("counts.csv", "event,r\nCPU_CYCLES,100\n")
        for formulas in sorted((support.SOURCE / "data/formulas").glob("*.csv")):
            run = support.Run("evaluate", formulas, "--counts", counts, "--format", "json")
            self.validate(self.expect(run, 1).json())

    def test_what_is_wrong_does_not_pass(self):
        self.refuse(self.evaluate("event,x,y\nA,10,20\nB,0,1\nC,1,1\n", 1).out, [
            lambda d: d.update(schema="catmint.evaluate/2"),
            lambda d: d.update(runs=[]),
            lambda d: d.update(runs=["x", "x"]),
            lambda d: d.update(metrics=[]),
            lambda d: d.pop("faults"),
            lambda d: d["faults"][0].pop("run"),
            lambda d: d["faults"][0].update(fault=""),
            lambda d: d["metrics"][0].update(depth=1),
            lambda d: d["metrics"][1].update(depth=0),
            lambda d: d["metrics"][0].update(values=["10", 20]),
            lambda d: d["metrics"][0].update(reasons=[0, None]),
            lambda d: d["metrics"][0].pop("of"),
        ])


class Machine(Schema):
    def test_events(self):
        self.load_schema("catmint.events-1.schema.json")
        run = support.Run("events", "--format", "json")
        if run.code == 4:
            self.skipTest(run.err.strip())
        self.refuse(self.expect(run, 0).out, [
            lambda d: d.update(schema="catmint.events/2"),
            lambda d: d.update(pmu="wetware"),
            lambda d: d.pop("events"),
            lambda d: d["events"][0].update(event=""),
            lambda d: d["events"][0].update(countable=False, reason=""),
            lambda d: d["events"][0].pop("papi_name"),
        ])

    def test_doctor(self):
        self.load_schema("catmint.doctor-1.schema.json")
        nothing = self.folder / "nothing"  # a machine whose kernel says nothing
        for name in ("proc", "sys"):
            (nothing / name).mkdir(parents=True)
        for root in ((), ("--root", nothing)):
            run = support.Run("doctor", "--format", "json", *root)
            self.assertIn(run.code, (0, 1), str(run))
            self.validate(run.json())
        self.refuse('{"schema": "catmint.doctor/1", "findings": [{"finding": "a", "severity": "note", "text": "b", "advice": ""}]}', [
            lambda d: d.pop("findings"),
            lambda d: d["findings"][0].update(severity="grave"),
            lambda d: d["findings"][0].update(text=""),
        ])


class Faults(Schema):
    def setUp(self):
        super().setUp()
        self.load_schema("catmint.lint-1.schema.json")

    def test_faults_and_none(self):
        table = self.write("table.csv", "CPU,x\nPRESET,PAPI_A,DERIVED_ADD,E,\nPRESTE,x,y\nPRESET,PAPI_A,DERIVED_INFIX,N0+,E\n")
        document = self.expect(support.Run("lint", table, support.SOURCE / "data/formulas", "--format", "json"), 1).json()
        self.assertEqual([fault["kind"] for fault in document["files"][0]["faults"]],
                         ["unterminated", "unknown preset", "one term", "ignored", "duplicate", "syntax"])
        self.validate(document)
        self.refuse(json.dumps(document), [
            lambda d: d.update(schema="catmint.lint/2"),
            lambda d: d.pop("files"),
            lambda d: d["files"][0].update(format=""),
            lambda d: d["files"][0]["faults"][0].update(line=0),
            lambda d: d["files"][0]["faults"][0].update(kind="typo"),
            lambda d: d["files"][0]["faults"][0].pop("text"),
        ])


class Explanations(Schema):
    def test_events_and_metrics(self):
        self.load_schema("catmint.explain-1.schema.json")
        by_paper = support.Run("explain", "--method", "paper", "MADE_UP:SUM_SCALAR", "MADE_UP:CYCLES_1", "PAPI_DP_OPS", support.RECORDED["cpu-flops"],
                               "--benchmark", "cpu-flops", "--format", "json")
        folder = self.folder / "sweep"
        self.expect(support.Run("sweep", "--pmu", "software:tremont", "--facts", "kept", "--out", folder), 0, err=None)
        with_law = support.Run("explain", "MEM_UOPS_RETIRED:ALL_LOADS", "PAPI_BR_INS", "PAPI_LD_INS", folder, "--format", "json")
        for run in (by_paper, with_law):
            self.refuse(self.expect(run, 0, err="").out, [
                lambda d: d.update(schema="catmint.explain/2"),
                lambda d: d["events"][0].update(status="fine"),
                lambda d: d["events"][0].pop("refuted"),
                lambda d: d["metrics"][0].update(composable=None),
                lambda d: d["metrics"][0].pop("proof"),
                lambda d: (d.pop("events"), d.pop("metrics")),
            ])


class Audits(Schema):
    def test_all_processors(self):
        """The outer schema leaves each audit to that of one. A folder without formulas is passed over."""
        self.write("groups/SPR/README.txt", "None yet.\n")
        self.write("groups/goldmont/A.txt", "SHORT A\n\nEVENTSET\nPMC0 MEM_UOPS_RETIRED_ALL_STORES\nPMC1 CYCLES_DIV_BUSY_ALL\n\n"
                   "METRICS\nLoads PMC0\nStores PMC1\n\nLONG\nHere.\n")
        run = support.Run("audit", "--upstream", self.folder, "--format", "json")
        document = self.expect(run, 1, err="").json()
        self.load_schema("catmint.audit-1.schema.json")
        self.assertEqual([audit["upstream"]["cpu"] for audit in document["audits"]], ["glm"])
        self.assertEqual([formula["verdict"] for formula in document["audits"][0]["formulas"]], ["wrong", "not modelled"])
        for audit in document["audits"]:
            self.validate(audit)
        self.load_schema("catmint.audits-1.schema.json")
        items = self.schema["properties"]["audits"]["items"]["allOf"]
        self.assertEqual(items.pop(0), {"$ref": "catmint.audit-1.schema.json"})
        self.refuse(run.out, [
            lambda d: d.update(schema="catmint.audit/1"),
            lambda d: d.pop("audits"),
            lambda d: d["audits"][0].update(upstream=None),
        ])


if __name__ == "__main__":
    support.main()
