"""Lint of folders: files that hold no formulas, and earlier states in which files had other names and sections fewer processors."""

import support
from lint import LIKWID, perf
from lint_trees import PFM_PMUS, PFM_TABLE

CMAKE = "# metric\nset(GROUPS\n  METRICS\n  SHORT)\n[[metric,formula]]\n"
SCHEMA = '{"title": "x", "properties": {"Metrics": {"properties": {"Formula": {}, "product_configuration": {}}}}}'
TEST = "import metric\nfrom metric import Metric\nprint(Metric)\n"


class LintBases(support.Case):
    def lines(self, *arguments, code=1, err=None):
        """What lint prints, from the kind on."""
        run = self.expect(support.Run("lint", *arguments), code, err=err)
        return [line[line.index("["):] for line in run.out.splitlines()]

    def test_files_that_hold_no_formulas_are_left_out(self):
        self.write("groups/A.txt", LIKWID)
        for name, text in (("CMakeLists.txt", CMAKE), ("schema.json", SCHEMA), ("metric_test.py", TEST), ("list.txt", "a list\n[1]\nmetric,formula of it\n")):
            self.write(f"groups/{name}", text)
        folder = self.folder / "groups"
        self.expect(support.Run("lint", folder), 0, out="", err="^catmint: 4 other files hold no formulas$")
        run = self.expect(support.Run("lint", folder, "--verbose"), 0, out="", err=None)
        self.assertEqual(run.err.splitlines(), [f"catmint: {folder}/{name}: no formulas" for name in ("CMakeLists.txt", "list.txt", "metric_test.py", "schema.json")])
        self.expect(support.Run("lint", folder / "schema.json"), 3, err="no metrics here", out="")
        self.write("groups/broken.json", '[{"MetricName": "a" "MetricExpr": "E"}]')
        self.expect(support.Run("lint", folder), 3, out="", err="broken.json:1:")

    def test_files_of_another_name(self):
        for state, name in (("old", "x/A.txt"), ("new", "y/B.txt")):
            self.write(f"{state}/{name}", LIKWID + "Third PMC9\n")
            self.write(f"{state}/same.txt", LIKWID)
        self.assertEqual(self.lines(self.folder / "new", "--base", self.folder / "old", code=0), [])
        self.write("new/y/B.txt", LIKWID + "Third PMC9\nFourth PMC9\n")
        self.assertEqual(self.lines(self.folder / "new", "--base", self.folder / "old"), ["[unknown counter] Fourth: unknown counter 'PMC9'"])
        self.write("old/y/B.txt", LIKWID)  # which has a fault of its own now
        self.assertEqual(len(self.lines(self.folder / "new", "--base", self.folder / "old")), 2)

    def test_a_fault_that_is_copied_while_its_file_gets_another_name(self):
        self.write("old/A.txt", LIKWID + "Third PMC9\n")
        for name in ("B", "C"):
            self.write(f"new/{name}.txt", LIKWID + "Third PMC9\n")
        self.assertEqual(self.lines(self.folder / "new", "--base", self.folder / "old"), ["[unknown counter] Third: unknown counter 'PMC9'"])

    def test_a_base_that_holds_none(self):
        self.write("new/A.txt", LIKWID + "Third PMC9\n")
        (self.folder / "old").mkdir()
        self.assertEqual(len(self.lines(self.folder / "new", "--base", self.folder / "old")), 1)

    def test_processors_that_a_section_gets(self):
        for state, cpus in (("old", ("one",)), ("new", ("family_a", "one", "family_b"))):
            self.write(f"{state}/src/libpfm4/lib/events/one_events.h", PFM_TABLE)
            self.write(f"{state}/src/libpfm4/lib/pfmlib_one.c", PFM_PMUS)
            self.write(f"{state}/src/papi_events.csv", "".join(f"CPU,{cpu}\n" for cpu in cpus) + "PRESET,PAPI_L1_DCM,NOT_DERIVED,GONE\nPRESET,PAPI_BR_MSP,NOT_DERIVED,BR_MIS_PRED\n")
        new, old = (self.folder / state / "src/papi_events.csv" for state in ("new", "old"))
        self.assertEqual(len(self.lines(old)), 2)
        self.assertEqual(self.lines(new), ["[unknown event] PAPI_L1_DCM: no event 'GONE' on family_a, one, family_b (the tree's libpfm4)",
                                           "[unknown event] PAPI_BR_MSP: no event 'BR_MIS_PRED' on family_a, family_b (the tree's libpfm4)",
                                           "[quantity] PAPI_BR_MSP: BR_MIS_PRED counts branches of wrong paths, too; one has BR_MIS_PRED_RETIRED"])
        self.assertEqual(self.lines(new, "--base", old), ["[unknown event] PAPI_BR_MSP: no event 'BR_MIS_PRED' on family_a, family_b (the tree's libpfm4)"])

    def test_names_of_processors(self):
        self.write("x/events.json", '[{"EventName": "E"}]')
        path = self.write("x/metrics.json", perf("E / F"))
        for cpu in ("arm_n1", "amd64_fam19h_zen4"):  # known, whether or not the libpfm4 that is installed has them
            self.assertEqual(len(self.lines(path, "--cpu", cpu)), 1 + (cpu != "arm_n1"))
        self.expect(support.Run("lint", path, "--cpu", "arm_nn1"), 2, out="", err="'arm_nn1' is not a PMU of libpfm4, .*; did you mean 'arm_n1'")


if __name__ == "__main__":
    support.main()
