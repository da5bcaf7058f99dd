"""Plans of `count`: sets of events in runs of their own, by the kernel's own events in the place of hardware's, and those of a published table."""

import csv
import json
import os
import re

import support

FORMULAS = support.SOURCE / "data/formulas"
PAGES = "100"  # that the program touches in each of its threads

# Events of Table A1 that no formula of Table A2 has.
IN_NO_FORMULA = {"zen2": {"RETIRED_INSTRUCTIONS"}, "power9": {f"PM_CMPLU_STALL_{name}" for name in ("NTC_DISP_FIN", "NTC_FLUSH", "HWSYNC", "LWSYNC")}}


class Plans(support.Case):
    def test_sets_of_the_paper(self):
        """Each event of Table A1 is in one set, and in a formula of the same processor but for those that are named."""
        for path in sorted((support.SOURCE / "data/plans").glob("topdown-*.csv")):
            processor = path.stem.removeprefix("topdown-")
            rows = list(csv.DictReader(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")))
            events = [row["event"] for row in rows]
            text = (FORMULAS / ("paper-zen2.csv" if processor == "zen2" else path.name)).read_text(encoding="utf-8")
            formulas = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
            with self.subTest(processor):
                self.assertEqual(len(set(events)), len(events))
                self.assertEqual({event for event in events if event not in formulas}, IN_NO_FORMULA.get(processor, set()))

    def test_a_plan_is_counted(self):
        plan = self.write("plan.csv", "set,event\nA,instructions\nA,loads\nB,stores\n")
        run = support.Run("count", "--plan", plan, "--pmu", "software", "--format", "json", "--output", self.folder / "counts.json", "--", "true")
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 0)
        scope, = json.loads((self.folder / "counts.json").read_text())["scopes"]
        self.assertEqual([entry["event"] for entry in scope["events"]], ["instructions", "loads", "stores"])
        for text, line, said in (("A,loads\nB,loads\n", 3, "event 'loads' is there already"), ("A,\n", 2, ""), (",loads\n", 2, "")):
            plan = self.write("plan.csv", "set,event\n" + text)
            self.expect(support.Run("count", "--plan", plan, "--pmu", "software", "--", "true"), 125, err=f"plan.csv:{line}.*{said}")
        plan = self.write("plan.csv", "set,event\nA,instructions\nA,NO_SUCH_EVENT\n")
        self.expect(support.Run("count", "--plan", plan, "--pmu", "software", "--", "false"), 1, err=r"(?s)instructions +[0-9].*NO_SUCH_EVENT +- .*not modelled")
        self.expect(support.Run("count", "--plan", plan, "--pmu", "software", "-e", "NO_SUCH_EVENT", "--", "true"), 125, err="no event or fact 'NO_SUCH_EVENT'")
        plan = self.write("plan.csv", "set,event\nA,NO_SUCH_EVENT\n")
        self.expect(support.Run("count", "--plan", plan, "--pmu", "software", "--", "true"), 125, err="has none of the events that .*plan.csv needs, such as 'NO_SUCH_EVENT'")
        kernels = self.write("kernels.csv", "set,event\nA,page-faults\n")
        self.expect(support.Run("count", "--plan", kernels, "--pmu", "software", "--", "true"), 125, err="such as 'page-faults': the kernel counts them, not a PMU")
        self.expect(support.Run("count", "--plan", plan, "--multiplex", "--", "true"), 125, err="runs of their own")

    def test_plans_of_the_paper_are_counted(self):
        """As far as models of x86-64 know their events."""
        for model, lacking in (("skylake", 2), ("zen2", 0)):
            run = support.Run("count", "--plan", support.SOURCE / f"data/plans/topdown-{model}.csv", "--pmu", f"software:{model}", "--", "true")
            if "the emulated PMU needs" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 0, err=r"(?m)^[A-Z]\S+ +[0-9]+ ")
            self.assertEqual(len(re.findall(r"(?m)^[A-Z]\S+ +- .*not modelled", run.err)), lacking, run)

    def test_sets_are_counted_in_runs_of_their_own(self):
        """Two sets and an event beside them, also where a set takes more than one run."""
        kernel = {**support.preloading(os.environ["CATMINT_KERNEL_COUNTS"]), "LIBPFM_FORCE_PMU": "amd64_fam19h_zen4"}
        plan = self.write("plan.csv", "set,event\nA,CYCLES_NOT_IN_HALT\nB,RETIRED_INSTRUCTIONS\nB,RETIRED_BRANCH_INSTRUCTIONS\n")
        parted = self.write("parted.csv", "set,event\nB,RETIRED_INSTRUCTIONS\nA,CYCLES_NOT_IN_HALT\nB,RETIRED_BRANCH_INSTRUCTIONS\nA,NO_SUCH_EVENT\n")
        run = support.Run("count", "--pmu", "hardware", "--plan", parted, "--", os.environ["CATMINT_TOUCHING"], PAGES, **kernel)
        if run.code != 125:  # else the kernel's own events cannot be counted here
            self.expect(run, 5, err=r"(?s)as planned: each repetition is 2 runs.*NO_SUCH_EVENT +-")
        for more, counters, runs in (((), None, [1, 2, 2]), (("--events", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"), None, [2, 3, 3, 1]), ((), "1", [1, 2, 3])):
            out = self.folder / "counts.json"
            run = support.Run("count", "--pmu", "hardware", "--plan", plan, *more, "--format", "json", "--output", out, "--", os.environ["CATMINT_TOUCHING"], PAGES,
                              **kernel, **({"CATMINT_COUNTERS": counters} if counters else {}))
            if "knows no event" in run.err:
                self.skipTest(f"the kernel's own events cannot be counted here: {run.err.strip()}")
            self.expect(run, 5)  # the program's own
            document = json.loads(out.read_text())
            self.assertEqual(([entry["run"] for entry in document["events"]], len(document["seconds"])), (runs, max(runs)))
            faults = next(entry["value"] for entry in document["scopes"][0]["events"] if entry["event"] == "RETIRED_INSTRUCTIONS")
            self.assertGreaterEqual(faults, 6 * int(PAGES))


if __name__ == "__main__":
    support.main()
