"""PAPI loads the tables that catmint exports, and counts by them where it has something to count."""

import copy
import json
import os
import subprocess

import support

CLIENT = os.environ["CATMINT_CLIENT_PAPI"]
# PMU of libpfm4 whose events the results are about; libpfm4 is told to take the processor for that one.
PMUS = {"golden-cove": "spr", "skylake": "skx", "zen4": "amd64_fam19h_zen4"}
# Events that libpfm4 has not got there, as data/pmu/*/events.csv say. PAPI leaves out the first definition that needs
# one, and takes later ones without being able to count them; so no definition of theirs is asked for.
ABSENT = {"spr": "BR_MISP_RETIRED", "skx": "BR_INST_EXEC:ALL_CONDITIONAL"}
PAGES = 101


class Papi(support.Case):
    def export(self, document, to, cpu):
        path = self.write("results.json", json.dumps(document))
        run = support.Run("export", "--to", to, path, "--cpu", cpu, "--output", self.folder / to)
        self.assertIn(run.code, (0, 1), str(run))
        return self.folder / to

    def load(self, *arguments, **variables):
        """What the client prints, a list of fields a line."""
        kept = {name: value for name, value in support.environment().items() if not name.startswith(("PAPI_", "LIBPFM_"))}
        kept.update({name: str(value) for name, value in variables.items()})
        done = subprocess.run([CLIENT, *map(str, arguments)], env=kept, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        if lines and lines[0][0] == "refused":
            self.skipTest(f"PAPI refuses: {lines[0][1]}")
        return lines

    def check_loaded(self, table, absent, **variables):
        """Every definition of a table is what PAPI has, term by term; how many there are."""
        expected = []
        for line in table.read_text().splitlines():
            keyword, *fields = line.split(",")
            if keyword not in ("PRESET", "EVENT"):
                continue
            name, derived, *rest = fields
            postfix = rest.pop(0) if derived == "DERIVED_POSTFIX" else ""
            end = next(i for i, field in enumerate(rest) if field in ("SDESC", "LDESC", "NOTE"))
            if absent in rest:
                continue
            expected += [["event", name, derived, postfix], *(["term", term] for term in rest[:end]),
                         ["note", rest[rest.index("NOTE") + 1]]]
        names = [line[1] for line in expected if line[0] == "event"]
        self.assertEqual(self.load(*names, **variables), expected)
        return len(names)

    def names(self, table):
        return [line.split(",")[1] for line in table.read_text().splitlines() if line.startswith(("PRESET,", "EVENT,"))]

    def check_model(self, document, pmu):
        for to, variable, least in (("papi", "PAPI_CSV_EVENT_FILE", 13), ("papi-user", "PAPI_USER_EVENTS_FILE", 13)):
            with self.subTest(to=to, pmu=pmu):
                table = self.export(document, to, pmu)
                loaded = self.check_loaded(table, ABSENT.get(pmu), LIBPFM_FORCE_PMU=pmu, **{variable: table})
                self.assertGreaterEqual(loaded, least)

    def test_tables_of_models_load(self):
        for model, pmu in PMUS.items():
            run = support.Run("discover", "--pmu", f"software:{model}", "--repetitions", "2", "--programs", "0",
                              "--benchmark", "cpu-flops,branch,dcache", "--format", "json",
                              *support.software_alone())
            if run.code == 4:
                self.skipTest(run.err)
            self.check_model(self.expect(run, 0).json(), pmu)

    def test_paper_tables_load(self):
        self.check_model(support.sapphire_rapids(), "spr")

    def document(self, *definitions):
        """Made by hand: name, preset, event to coefficient."""
        document = support.Run("analyze", "--method", "paper", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json").json()
        benchmark = document["benchmarks"][0]
        model = next(entry for entry in benchmark["metrics"] if entry["metric"] == "All Branches")
        benchmark["metrics"] = [copy.deepcopy(model) | {"metric": name, "preset": preset, "definition": [
            {"event": event, "coefficient": value} for event, value in terms.items()]} for name, preset, terms in definitions]
        return document

    def test_tables_of_other_processors_are_passed_over(self):
        table = self.export(self.document(("m", "PAPI_BR_INS", {"BR_INST_RETIRED:ALL_BRANCHES": 1})), "papi", "skl")
        lines = self.load("PAPI_BR_INS", LIBPFM_FORCE_PMU="skx", PAPI_CSV_EVENT_FILE=table)
        self.assertEqual(lines, [["unknown", "PAPI_BR_INS", "it has no terms"]])

    def test_real_counts(self):
        """Derived events of page faults, which the kernel counts everywhere: PAPI's arithmetic gives what is expected."""
        faults, minor = "perf::PAGE-FAULTS", "perf::MINOR-FAULTS"
        rows = [("one", {faults: 1}, PAGES), ("sum", {faults: 1, minor: 1}, 2 * PAGES), ("difference", {faults: 1, minor: -1}, 0),
                ("half", {faults: 1.5}, 3 * PAGES // 2), ("minus", {faults: -1}, -PAGES), ("third", {faults: 1 / 3, minor: 2 / 3}, PAGES),
                ("mixed", {faults: -2, minor: 2.75}, int(0.75 * PAGES)), ("tenth", {faults: 0.1}, PAGES // 10)]
        table = self.export(self.document(*((name, "", terms) for name, terms, _ in rows)), "papi-user", "perf")
        presets = self.export(self.document(("m", "PAPI_TOT_INS", {faults: 7, minor: 0.5})), "papi", "perf")
        lines = self.load("--kernel-events", "--touch", PAGES, *self.names(table), "PAPI_TOT_INS",
                          PAPI_USER_EVENTS_FILE=table, PAPI_CSV_EVENT_FILE=presets)
        if any(line[0] == "uncounted" for line in lines):
            self.skipTest(f"the kernel's own events cannot be counted here: {lines}")
        events = [line[1] for line in lines if line[0] == "event"]
        counts = [int(line[1]) for line in lines if line[0] == "count"]
        self.assertEqual(dict(zip(events, counts)), {name.upper(): expected for name, _, expected in rows} |
                         {"PAPI_TOT_INS": int(7.5 * PAGES)})

    def test_software_defined_events_stay_outside(self):
        """PAPI takes terms of its first component only: it knows the software-defined event, but no event derived from it."""
        event = "sde:::client::EVENT"
        table = self.export(self.document(("derived", "", {event: 1}), ("faults", "", {"perf::PAGE-FAULTS": 1})), "papi-user", "perf")
        lines = self.load("--kernel-events", "--software-defined", event, "FAULTS", "DERIVED", PAPI_USER_EVENTS_FILE=table)
        self.assertEqual([line[:2] for line in lines if line[0] in ("native", "event", "unknown")],
                         [["native", event], ["event", "FAULTS"], ["unknown", "DERIVED"]])


if __name__ == "__main__":
    support.main()
