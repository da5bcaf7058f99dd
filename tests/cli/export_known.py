"""Exports to programs that know only some events: others are refused by name, or one that counts the same takes their place."""

import json
import re

import support

LISTS = {  # to: file, content
    "perf": ("core/pipeline.json", '[{"EventName": "A.ONE"}, {"EventName": "ex_ret_brn"}, {"ArchStdEvent": "B"}, {"BriefDescription": "no event"}]'),
    "likwid": ("perfmon_mine_events.txt", "# own text\nEVENT_A 0x1 PMC\nUMASK_A_ONE 0x1\nEVENT_B 0x2 PMC\nUMASK_B 0x0\n"
                                          "OPTIONS_A THRESHOLD\nEVENT_RETIRED_BRANCH_INSTR 0xC2 PMC\nUMASK_RETIRED_BRANCH_INSTR 0x0\n"),
    "papi": ("list.txt", "A:ONE\nB\nRETIRED_BRANCH_INSTRUCTIONS, of Zen\n"),
    "csv": ("perfmon.json", '{"Header": {}, "Events": [{"EventName": "A.ONE"}, {"EventName": "B"}, {"EventName": "ex_ret_brn"}]}'),
}
NAMES = {"perf": ("A.ONE", "B", "ex_ret_brn"), "likwid": ("A_ONE", "B", "RETIRED_BRANCH_INSTR"), "papi": ("A:ONE", "B", "RETIRED_BRANCH_INSTRUCTIONS"),
         "csv": ("A.ONE", "B", "ex_ret_brn")}


class Known(support.Case):
    def document(self, **definitions):
        """Name to terms: event, coefficient, equivalents with their factors."""
        document = support.sapphire_rapids()
        first = document["benchmarks"] = [support.benchmark(document, "branch")]
        model = support.metric(document, "branch", "Conditional Branches Taken")
        first[0]["metrics"] = [model | {"metric": name, "preset": f"PAPI_{name}", "definition": [
            {"event": event, "coefficient": weight, "equivalents": [{"event": other, "factor": factor, "max_rnmse": 0} for other, factor in others.items()]}
            for event, weight, others in terms]} for name, terms in definitions.items()]
        first[0]["events"] = []
        return self.write("results.json", json.dumps(document))

    def export(self, to, known, path, *more):
        cpus = ("--cpu", "GA100") if to == "papi" else ()
        return support.Run("export", "--to", to, path, *cpus, *(("--known-events", known) if known else ()), "--output", self.folder / to, *more)

    def text(self, to):
        path = self.folder / to
        return path.read_text() if path.is_file() else "".join(file.read_text() for file in path.glob("*.txt"))

    def test_lists(self):
        document = self.document(GOOD=[("A:ONE", 1, {}), ("B", 2, {})], BRANCHES=[("RETIRED_BRANCH_INSTRUCTIONS", 1, {})],
                                 OTHER=[("A:TWO", 6, {"A:THREE": 1, "B": 2})], BAD=[("B", 1, {}), ("A:TWO", 1, {"A:THREE": 2})])
        for to, (name, content) in LISTS.items():
            known = self.write(f"lists/{to}/{name}", content)
            for given in (known, known.parent):
                with self.subTest(to=to, given=given.name):
                    run = self.export(to, given, document)
                    self.expect(run, 1, err=rf"\Acatmint: BAD: event 'A:TWO' is not in {re.escape(str(given))}, nor is one that counts the same\n"
                                r"catmint: 3 definitions are in \S+, 1 was refused\n\Z", out="")
                    for name in NAMES[to]:
                        self.assertIn(name, self.text(to))
                    self.assertNotIn("TWO", self.text(to))
                    if to == "csv":
                        self.assertRegex(self.text(to), r"(?m)^OTHER,3 \* B,")

    def test_libpfm4_is_asked_for_papi(self):
        document = self.document(GOOD=[("BR_INST_RETIRED:COND", 1, {})], SUM=[("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:SCALAR_SINGLE:c=1", 1, {})],
                                 KERNEL=[("perf::PAGE-FAULTS", 1, {})], BAD=[("NO_SUCH_EVENT:AT_ALL", 1, {})])
        run = support.Run("export", "--to", "papi", document, "--cpu", "skx")
        if "NO_SUCH" in run.out:
            self.skipTest("libpfm4 is not installed")
        self.expect(run, 1, err=r"\Acatmint: BAD: event 'NO_SUCH_EVENT:AT_ALL' is not in libpfm4's list for skx, nor is one that counts the same\n")
        self.assertEqual(re.findall(r"(?m)^PRESET,PAPI_(\w+)", run.out), ["GOOD", "SUM", "KERNEL"])
        self.expect(support.Run("export", "--to", "papi", document, "--cpu", "of_nobody"), 2, err="is not a PMU of libpfm4, expected a name like 'skx'$", out="")
        known = self.write("new.txt", "NO_SUCH_EVENT:AT_ALL\n")
        self.expect(support.Run("export", "--to", "papi", document, "--cpu", "of_nobody", "--known-events", known), 1, out="NO_SUCH_EVENT")

    def test_most_events(self):
        document = self.document(ONE=[("A", 1, {})], TWO=[("A", 1, {}), ("B", 1, {})])
        self.expect(self.export("csv", None, document, "--max-events", "1"), 1, err=r"\Acatmint: TWO: its definition has 2 events, --max-events allows 1\n")
        self.expect(self.export("csv", None, document, "--max-events", "2"), 0, err="")

    def test_bad_lists(self):
        document = self.document(ONE=[("A", 1, {})])
        (self.folder / "empty").mkdir()
        for known, message in ((self.folder / "gone.txt", r"gone\.txt: cannot be opened"), (self.folder / "empty", "empty: no names of events here"),
                               (self.write("bad.json", '[{"EventName": 1'), r"bad\.json:1"), (self.write("none.json", "[]"), r"none\.json: no names of events here"),
                               (self.write("none.txt", "# nothing\n\n"), r"none\.txt: no names of events here")):
            self.expect(self.export("csv", known, document), 3, err=message, out="")
        self.expect(self.export("csv", None, document, "--max-events", "0"), 2, err="--max-events: expected a number from 1 on, found '0'")


if __name__ == "__main__":
    support.main()
