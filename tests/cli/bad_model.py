"""A PMU model that is wrong: file and line, exit 3, nothing begun."""

import csv
import json
import shutil

import support


class BadModel(support.Case):
    def setUp(self):
        super().setUp()
        self.machine = (support.SOURCE / "data/pmu/golden-cove/machine.csv").read_text()

    def test_models(self):
        header = "event,description,expression\n"
        good = header + "LOADS,all loads,loads\n"
        rows = [
            ("events.csv", 1, "", ""),
            ("events.csv", 1, "", header),
            ("events.csv", 2, "no_such_fact", header + "E,d,no_such_fact\n"),
            ("events.csv", 2, "zero", header + "E,d,loads/0\n"),
            ("events.csv", 2, "", header + "E,d,loads+\n"),
            ("events.csv", 3, "LOADS", good + "LOADS,again,stores\n"),
            ("machine.csv", 0, "", "key,value\n"),
        ]
        for name, line, text, content in rows:
            with self.subTest(name=name, content=content):
                self.write("model/events.csv", good)
                self.write("model/machine.csv", self.machine)
                self.write(f"model/{name}", content)
                place = rf"{name}:{line}:" if line else rf"{name}:"
                for command in (["events"], ["discover"], ["sweep", "--out", self.folder / "sweep"]):
                    run = support.Run(*command, "--pmu", f"software:{self.folder}/model")
                    self.expect(run, 3, err=rf"^catmint: .*/{place}.*{text}", out="")
                self.assertFalse((self.folder / "sweep").exists())

    def test_a_folder_that_is_no_model(self):
        self.expect(support.Run("events", "--pmu", f"software:{self.folder}"), 3, err=r"^catmint: .*events\.csv")


class Foreign(support.Case):
    """A model of another architecture's processor: this one's kernels say nothing of it."""

    def test_refused_or_marked(self):
        pmu = support.make_model(self.folder / "model", {"ALL": "branches_cond", "TAKEN": "branches_cond_taken"}, architecture="riscv64")
        options = ("--pmu", f"software:{pmu}", "--benchmark", "branch", "--repetitions", "2", "--out", self.folder / "out", *support.software_alone())
        said = r"models a processor of riscv64, and the kernels here are of \w+, expected a machine of riscv64, or in catmint's sources 'scripts/foreign riscv64 catmint \.\.\.'; --anyway counts"
        for command in ("sweep", "discover"):
            self.expect(support.Run(command, *options), 4, err=said)
        self.assertFalse((self.folder / "out/manifest.json").exists())
        run = self.expect(support.Run("discover", *options, "--anyway", "--programs", "2"), 0, err=None, out=r"Experiment    not comparable: software:model models")
        self.assertIn("Presets       none: these results are not comparable", run.out)
        self.assertFalse((self.folder / "out/presets.csv").exists())
        self.assertRegex((self.folder / "out/branch.csv").read_text(), r"^#.*\n# Not comparable: software:model models a processor of riscv64")
        self.expect(support.Run("kernels", "--verify", "--benchmark", "branch", "--pmu", f"software:{pmu}"), 4, out="",
                    err=r"models a processor of riscv64, and the kernels here are of \w+, expected a machine of riscv64, or in catmint's sources 'scripts/foreign riscv64 catmint \.\.\.'$")
        self.assertRegex(support.Run("bundle", self.folder / "out", "--output", self.folder / "b").err, rf"{self.folder / 'out'}: results of an experiment|built without libarchive")
        results = self.folder / "out/results.json"
        why = json.loads(results.read_text())["not_comparable"]
        self.assertEqual(json.loads((self.folder / "out/manifest.json").read_text())["not_comparable"], why)
        self.assertIn("of riscv64", why)
        self.assertIn(why, (self.folder / "out/report.html").read_text())
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nbranches,ALL,,\n")
        for code, command in ((3, ("audit", formulas, "--against", self.folder / "out")), (3, ("audit", formulas, "--against", results)),
                              (3, ("export", "--to", "csv", results)), (125, ("count", "--results", results, "--metric", "All Branches", "--", "true"))):
            self.expect(support.Run(*command), code, err="results of an experiment, which are not comparable: " + why, out="")
        self.expect(support.Run("diff", results, results), 0, err="these results are not comparable: " + why)
        self.expect(support.Run("explain", "--metric", "All Branches", self.folder / "out"), 0, err="these results are not comparable: " + why)
        run = self.expect(support.Run("audit", formulas, "--against", self.folder / "out"), 3, out="")
        self.assertTrue(run.err.startswith(f"catmint: {self.folder / 'out'}: "), run.err)
        self.check_alone(self.folder / "out/branch.csv", formulas, why)

    def check_alone(self, table, formulas, why):
        """A table says so itself, moved out of its directory or imported."""
        bare = self.folder / "bare"
        bare.mkdir()
        shutil.copy(table, bare)
        imported = self.folder / "imported"
        self.expect(support.Run("import", table, "--benchmark", "branch", "--out", imported), 0, err=None)
        for against in ((table, "--benchmark", "branch"), (bare,), (imported,)):
            self.expect(support.Run("audit", formulas, "--against", *against), 3, err="results of an experiment, which are not comparable: " + why, out="")
        found = self.folder / "bare.json"
        self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json", "--output", found), 0, err=None)
        self.expect(support.Run("export", "--to", "csv", found), 3, err="results of an experiment, which are not comparable: " + why, out="")

    def test_neutral_models_and_those_of_catmint(self):
        pmu = support.make_model(self.folder / "model", {"ALL": "branches_cond"})
        self.expect(support.Run("sweep", "--pmu", f"software:{pmu}", "--benchmark", "branch", "--repetitions", "1", "--out", self.folder / "out"), 0, err=None)
        self.assertNotIn("not_comparable", (self.folder / "out/manifest.json").read_text())
        for path in sorted(support.SOURCE.glob("data/pmu/*/machine.csv")):
            with self.subTest(path.parent.name), open(path, newline="") as stream:
                keys = {row["key"] for row in csv.DictReader(line for line in stream if line[0] != "#")}
                inherits = (path.parent / "inherits").exists()
                self.assertIn(len(keys & {"architecture", "gpu"}), (0, 1) if inherits else (1,), "a processor's model says which architecture, unless it inherits that")
        pmu = support.make_model(self.folder / "odd", {"ALL": "branches_cond"}, architecture="pdp11")
        self.expect(support.Run("events", "--pmu", f"software:{pmu}"), 3, err="unknown architecture 'pdp11', expected x86_64, aarch64, ppc64le or riscv64")


if __name__ == "__main__":
    support.main()
