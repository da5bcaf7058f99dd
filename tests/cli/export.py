"""Definitions as other programs load them: what is written reads back the same, what cannot be said is refused."""

import copy
import csv
import json
import os
import re
import subprocess

import support

READER = os.environ["CATMINT_READ_FORMULAS"]
CPUS = ("--cpu", "GA100", "--cpu", "GH100")  # of which libpfm4 knows nothing
ENOUGH = {"papi": CPUS, "papi-user": CPUS, "likwid": ("--counters", "8"), "perf": (), "csv": ()}


def word(name):
    return re.sub("[^A-Z0-9]+", "_", name.upper()).strip("_")


def metrics(document):
    return [entry for benchmark in document["benchmarks"] for entry in benchmark["metrics"]]


class Definitions(support.Case):
    def export(self, document, to, *more, output="exported", **changes):
        path = self.write("results.json", json.dumps(document))
        return support.Run("export", "--to", to, path, "--output", self.folder / output, *more, **changes)

    def files(self, output="exported"):
        path = self.folder / output
        # The record of the export is hidden: readers of groups take those that end in .txt.
        return sorted(file for file in path.iterdir() if file.name[0] != ".") if path.is_dir() else [path]

    def read(self, output="exported"):
        """Metric to event to coefficient, as catmint reads the files; events by the names of the results."""
        done = subprocess.run([READER, self.folder / "results.json", *self.files(output)], env=support.environment(),
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        found = {}
        for kind, *fields in (line.split("\t") for line in done.stdout.splitlines()):
            if kind == "formula":
                terms = found.setdefault(fields[0], {})
            elif kind == "term":
                terms[fields[0]] = float(fields[1])
            else:
                self.fail(done.stdout)
        return found

    def check_refusal(self, reason):
        """A program takes so many terms; how many a definition has depends on this processor's instructions."""
        if not reason.endswith("is not a fraction of integers that PAPI can read"):
            self.assertRegex(reason, r"^it has \d+ (terms, PAPI takes 8|events, a group has 8 counters)$")
            count, limit = map(int, re.findall(r"\d+", reason))
            self.assertGreater(count, limit)

    def check_all(self, document):
        """All definitions with terms, composable or not, come back from all formats."""
        wanted = {entry["metric"]: entry for entry in metrics(document)}
        for to, more in ENOUGH.items():
            with self.subTest(to=to):
                run = self.export(document, to, *more, "--all", output=to)
                refused = dict(re.findall("^catmint: (.*?): (.*)$", run.err, re.MULTILINE))
                self.assertEqual(run.code, 1 if refused else 0)
                names = {"papi": lambda entry: entry["preset"], "papi-user": lambda entry: word(entry["metric"]),
                         "perf": lambda entry: word(entry["metric"])}.get(to, lambda entry: entry["metric"])
                expected = {}
                for name, entry in wanted.items():
                    if not entry["definition"]:
                        self.assertEqual(refused.pop(name), "its definition has no events")
                    elif to == "papi" and not entry["preset"]:
                        self.assertRegex(refused.pop(name), "^it has no preset")
                    elif name in refused:
                        self.assertTrue(not support.usable(entry) or len(entry["definition"]) > 8, name)
                        self.check_refusal(refused.pop(name))
                    else:
                        expected[names(entry)] = support.definition(entry)
                self.assertEqual(refused, {})
                self.assertEqual(self.read(to), expected)
                self.assertGreater(len(expected), 8)


class Live(Definitions):
    """Of models whose kernels are run; of one where nothing else could be said of the others."""

    def test_models(self):
        everywhere = os.environ.get("CATMINT_SURROUNDING", "plain") in ("plain", "no-avx512")
        for model in ("golden-cove", "skylake", "zen4") if everywhere else ("golden-cove",):
            with self.subTest(model=model):
                document = json.loads((support.discovered(model) / "results.json").read_text())
                self.check_all(document | {"benchmarks": [support.benchmark(document, name) for name in ("cpu-flops", "branch", "dcache")]})


class Export(Definitions):
    @classmethod
    def setUpClass(cls):
        cls.document = support.sapphire_rapids()

    def small(self, *definitions, benchmark="branch", events=()):
        """A document of a few definitions: name, preset, event to coefficient."""
        document = copy.deepcopy(self.document)
        document["benchmarks"] = [support.benchmark(document, benchmark)]
        first = document["benchmarks"][0]
        model = support.metric(document, benchmark, "Conditional Branches Taken")
        example = copy.deepcopy(first["events"][0])
        first["events"] = [example | {"event": event} for event in events]
        first["metrics"] = [copy.deepcopy(model) | {
            "metric": name, "preset": preset,
            "definition": [{"event": event, "coefficient": value} for event, value in terms.items()]}
            for name, preset, terms in definitions]
        return document

    def test_sapphire_rapids(self):
        self.check_all(self.document)

    def test_events_of_two_components(self):
        """component:::NAME: where the program has a name for that event, and no other of the results is meant by it."""
        both = ("perf_event:::BR:COND", "sde:::BR:COND")
        several = r"^catmint: M: event '{}' has no name in {}: '{}' is the name of several events$"
        rows = (  # the definition's event, the others of the results, and for each format its name there or why not
            (both[0], both, {"papi": "BR:COND", "likwid": "BR_COND", "perf": "BR.COND", "csv": both[0]}),
            (both[1], both, {"papi": several.format(both[1], "papi", "BR:COND"), "likwid": several.format(both[1], "likwid", "BR_COND"),
                             "perf": several.format(both[1], "perf", "BR.COND"), "csv": both[1]}),
            (both[0], both[:1], {"papi": "BR:COND", "likwid": "BR_COND", "perf": "BR.COND", "csv": both[0]}),
            (both[1], both[1:], {"papi": "BR:COND", "likwid": "BR_COND", "perf": "BR.COND", "csv": both[1]}),
            ("BR:COND", ("BR:COND",), {"papi": "BR:COND", "likwid": "BR_COND", "perf": "BR.COND", "csv": "BR:COND"}),
            ("perf_event:::adl_glc::BR:COND", (), {"papi": "adl_glc::BR:COND", "likwid": "BR_COND", "perf": "BR.COND",
                                                  "csv": "perf_event:::adl_glc::BR:COND"}),
            ("sde:::other::COUNT", (), {"papi": "sde:::other::COUNT", "likwid": "COUNT", "perf": "COUNT", "csv": "sde:::other::COUNT"}),
            ("rocm:::ADD", ("ADD",), {"papi": "rocm:::ADD", "likwid": r"it is not a core event$", "perf": r"it is not a core event$",
                                      "csv": "rocm:::ADD"}),
            ("perf_event:::perf::PAGE-FAULTS", ("sde:::perf::PAGE-FAULTS",),
             {"papi": "perf::PAGE-FAULTS", "likwid": r"it is not a core event$", "perf": r"it is not a core event$",
              "csv": "'perf_event:::perf::PAGE-FAULTS'"}),
            ("perf_event:::A:B_C", ("A:B:C",), {to: "is the name of another event$" for to in ("papi", "likwid", "perf")}),
        )
        for event, others, names in rows:
            document = self.small(("M", "PAPI_M", {event: 2}), events=tuple(dict.fromkeys((event, *others))))
            for to, name in names.items():
                with self.subTest(event=event, others=others, to=to):
                    output = f"{to}-out"
                    more = CPUS if to == "papi" else ()
                    run = self.export(document, to, *more, output=output)
                    if name.endswith("$"):
                        self.expect(run, 3, err=name)
                        continue
                    self.expect(run, 0, err="")
                    text = "".join(path.read_text() for path in self.files(output))
                    self.assertIn({"papi": f",{name},NOTE,", "likwid": f"PMC0  {name}\n", "perf": f'"2 * {name}"',
                                   "csv": f",2 * {name},"}[to], text)
                    self.assertEqual(self.read(output), {"PAPI_M" if to == "papi" else "M": {event: 2}})

    def test_audit_and_lint_agree(self):
        """Exported presets are right against what they were exported from, and no format has anything to lint."""
        for to, more in ENOUGH.items():
            self.export(self.document, to, *more, output=to)
            for path in self.files(to):
                self.expect(support.Run("lint", path), 0, err="", out="")
        audit = support.Run("audit", self.folder / "papi", "--against", self.folder / "results.json", "--format", "json")
        verdicts = [entry["verdict"] for entry in self.expect(audit, 0).json()["formulas"]]
        self.assertEqual(verdicts, ["right"] * 17)

    def test_trust_goes_along(self):
        """Error, misfit and kernels, in every format's own place."""
        for to, more in ENOUGH.items():
            self.export(self.document, to, *more, output=to)
            text = "".join(path.read_text() for path in self.files(to))
            with self.subTest(to=to):
                self.assertRegex(text, r"backward error 0; misfit 0; checked on 11 kernels of branch\b(?!:)")
                self.assertRegex(text, r"backward error 3\.40e-3; misfit \S+; checked on \d+ kernels of dcache")
        for line in (self.folder / "papi").read_text().splitlines():
            self.assertLess(len(line), 2047)
            if line.startswith("PRESET"):
                self.assertLess(len(line.split(",NOTE,")[1]), 1024)

    def test_only_composable(self):
        for more, there in (((), False), (("--all",), True)):
            run = self.export(self.document, "csv", *more)
            self.expect(run, 1, err=r"refused$" if there else
                        r"\Acatmint: 6 definitions are not composable and were left out; --all exports them too\n\Z")
            self.assertEqual("DP FMA Instrs." in self.read(), there)
        source = next(row for row in csv.DictReader(line for line in self.files()[0].read_text().splitlines() if line[0] != "#")
                      if row["metric"] == "DP FMA Instrs.")["source"]
        self.assertRegex(source, "^catmint: NOT composable; backward error 2.36e-1; misfit 4.47e-1; checked on 48 kernels of cpu-flops")

    def test_papi_lines(self):
        """Fractions are one division at the end; no minus stands before a term."""
        rows = [({"A": 1}, "NOT_DERIVED,A"), ({"A": 1, "B": 1}, "DERIVED_ADD,A,B"), ({"A": -1, "B": 1, "C": -1}, "DERIVED_SUB,B,A,C"),
                ({"A": 1.5}, "DERIVED_POSTFIX,N0|3|*|2|/|,A"), ({"A": 0.5, "B": -2 / 3}, "DERIVED_POSTFIX,N0|3|*|N1|4|*|-|6|/|,A,B"),
                ({"A": -1}, "DERIVED_POSTFIX,0|N0|-|,A"), ({"A": -0.5, "B": -1}, "DERIVED_POSTFIX,0|N0|-|N1|2|*|-|2|/|,A,B"),
                ({"A": 2, "B": 1}, "DERIVED_POSTFIX,N0|2|*|N1|+|,A,B"), ({"A": 0.1}, "DERIVED_POSTFIX,N0|10|/|,A"),
                ({"A": 3.141592653589793}, "DERIVED_POSTFIX,N0|245850922|*|78256779|/|,A")]
        document = self.small(*((f"m{i}", f"PAPI_{i}", terms) for i, (terms, _) in enumerate(rows)))
        self.expect(self.export(document, "papi", *CPUS), 0, err="")
        lines = self.files()[0].read_text().splitlines()
        self.assertEqual(lines[2:4], ["CPU,GA100", "CPU,GH100"])
        self.assertEqual([line.split(",NOTE,")[0] for line in lines[4:]],
                         [f"PRESET,PAPI_{i},{expected}" for i, (_, expected) in enumerate(rows)])
        self.assertEqual(self.read(), {f"PAPI_{i}": terms for i, (terms, _) in enumerate(rows)})

    def test_coefficients_come_back(self):
        """As the same doubles, whatever they are."""
        terms = {"A": 1 / 3, "B": -2 / 3, "C": 0.1, "D": 1e-7, "E": 123456789012345680, "F": -2.5, "G": 0.49831273, "H": 1e22,
                 "I": 7.25e-12, "J": -1, "K": 16, "L": 1}
        more = {"minus": {"A": -2 / 3, "B": -7}, "third": {"A": 1 / 3}, "less": {"A": -1 / 3}, "sixth": {"A": 0.5, "B": -2 / 3},
                "tenth": {"A": 0.1, "B": 1 / 3, "C": 29 / 211}}
        document = self.small(("all", "", terms), *((name, "", value) for name, value in more.items()))
        for to, options in (("csv", ()), ("perf", ()), ("likwid", ("--counters", "12"))):
            with self.subTest(to=to):
                self.expect(self.export(document, to, *options, output=to), 0, err="")
                found = self.read(to)
                self.assertEqual({name.lower(): value for name, value in found.items()}, {"all": terms} | more)
                text = "".join(path.read_text() for path in self.files(to))
                self.assertNotRegex(text, r"\d[eE][-+]?\d+ ?\*")

    def test_refused(self):
        """One of two definitions is refused, by name and with the reason; the other one is there."""
        many = {f"E{i}": 1 for i in range(9)}
        rows = [
            ("papi", ("m", "PAPI_M", many), "it has 9 terms, PAPI takes 8"),
            ("papi", ("m", "", {"A": 1}), "it has no preset; --to papi-user exports it"),
            ("papi", ("m", "PAPI_OK", {"A": 1}), "'PAPI_OK', its name in papi, is already the name of 'good'"),
            ("papi", ("m", "PAPI M", {"A": 1}), "its preset has characters other than letters, digits and '_'"),
            ("papi", ("m", "PAPI_M", {"A": 1e-12}), "the coefficient of 'A' is not a fraction of integers that PAPI can read"),
            ("papi", ("m", "PAPI_M", {"A": 1, "B": 3e9}), "the coefficient of 'B' is not a fraction of integers that PAPI can read"),
            ("papi", ("m", "PAPI_M", {"A": 3.141592653589793, "B": 2.718281828459045}), "the coefficient of 'B' is not a fraction"),
            ("papi", ("m", "PAPI_M", {"A,B": 1}), "event 'A,B' has no name in papi: the table cannot quote its comma"),
            ("papi", ("m", "PAPI_M", {"Note": 1}), "event 'Note' has no name in papi: it is a keyword of the table"),
            ("papi", ("m", "PAPI_M", {"X" * 700: 1, "Y" * 700: 1, "Z" * 700: 1}), "its line would be longer than"),
            ("papi-user", ("Good.", "", {"A": 1}), "'GOOD', its name in papi-user, is already the name of 'good'"),
            ("papi-user", ("12", "", {"A": 1}), "its name does not begin with a letter from A to Z"),
            ("likwid", ("m", "", many), "it has 9 events, a group has 4 counters"),
            ("likwid", ("m  m", "", {"A": 1}), "its name has blanks that would be lost"),
            ("likwid", ("#m", "", {"A": 1}), "its name begins with '#'"),
            ("likwid", ("m", "", {"A:B_C": 1, "A_B:C": 1}), "event 'A:B_C' has no name in likwid: 'A_B_C' is the name of several events"),
            ("likwid", ("m", "", {"A:B:c=1": 1}), "event 'A:B:c=1' has no name in likwid: 'A_B' does not identify it"),
            ("likwid", ("m", "", {"A-B": 1}), "event 'A-B' has no name in likwid: it has characters other than"),
            ("perf", ("m", "", {"A:B:c=1": 1}), "event 'A:B:c=1' has no name in perf: 'A.B' does not identify it"),
            ("perf", ("m", "", {"perf::CYCLES": 1}), "event 'perf::CYCLES' has no name in perf: it is not a core event"),
            ("perf", ("m", "", {"rocm:::SQ_WAVES:device=0": 1}), "event 'rocm:::SQ_WAVES:device=0' has no name in perf: it is not a core event"),
            ("likwid", ("m", "", {"skx_unc_imc0::A:B": 1}), "event 'skx_unc_imc0::A:B' has no name in likwid: it counts for a whole socket"),
            ("perf", ("GOOD", "", {"A": 1}), "'GOOD', its name in perf, is already the name of 'good'"),
            ("csv", ("m", "", {"it's": 1}), "event 'it's' has no name in csv: it holds a single quote"),
            ("csv", ("m", "", {"good": 1}), "its event 'good' has the same name as a metric of the file"),
            *(("perf", ("m", "", {word: 1}), f"event '{word}' has no name in perf: it is a word of perf's formulas")
              for word in ("if", "else", "min", "max", "d_ratio", "source_count", "has_event", "strcmp_cpuid_str")),
            ("perf", ("m", "", {"good": 1}), "its event 'GOOD' has the same name as a metric of the file"),
            ("csv", ("m", "", {}), "its definition has no events"),
        ]
        for row, (to, definition, reason) in enumerate(rows):
            with self.subTest(to=to, reason=reason):
                output = f"{to}-{row}"
                document = self.small(("good", "PAPI_OK", {"GOOD:EVENT": 2}), definition)
                run = self.export(document, to, *(CPUS if to.startswith("papi") else ()), output=output)
                self.expect(run, 1, err=rf"\Acatmint: {re.escape(definition[0])}: {re.escape(reason)}[^\n]*\ncatmint: 1 definition is in "
                            r"\S+, 1 was refused\n\Z", out="")
                self.assertEqual(list(self.read(output).values()), [{"GOOD:EVENT": 2}])

    def test_events_that_were_only_measured_count_too(self):
        """A name that leads to another event of the results is no name."""
        document = self.small(("m", "", {"A:B_C": 1}), events=("A_B:C",))
        self.expect(self.export(document, "likwid"), 3, err="'A_B_C' is the name of several events")
        self.expect(self.export(document, "perf", output="perf"), 3, err="'A.B_C' is the name of several events")

    def test_a_name_that_a_spreadsheet_would_execute(self):
        document = self.small(("=cmd|A1", "", {"A:B": 1}))
        self.expect(self.export(document, "csv"), 0, err="")
        self.assertIn("\n\"'=cmd|A1\",", self.files()[0].read_text())
        self.assertEqual(list(self.read()), ["=cmd|A1"])

    def test_names_are_respelled(self):
        terms = {"skx::FP_ARITH:SCALAR_DOUBLE:e=0:i=0": 1, "BR_MISP_RETIRED": 2}
        document = self.small(("All Branches", "", terms))
        for to, names in (("likwid", ("FP_ARITH_SCALAR_DOUBLE", "BR_MISP_RETIRED")), ("perf", ("FP_ARITH.SCALAR_DOUBLE", "BR_MISP_RETIRED"))):
            self.expect(self.export(document, to, output=to), 0, err="")
            for name in names:
                self.assertRegex(self.files(to)[0].read_text(), rf"\b{re.escape(name)}\b")
            self.assertEqual(list(self.read(to).values()), [terms])

    def test_cpu_of_prefixed_events(self):
        one = self.small(("m", "PAPI_M", {"adl_glc::A:B": 1, "adl_glc::C": 1}))
        two = self.small(("m", "PAPI_M", {"adl_glc::A:B": 1, "adl_grt::C": 1}))
        self.expect(self.export(one, "papi"), 0, err="")
        self.assertIn("\nCPU,adl_glc\nPRESET,PAPI_M,DERIVED_ADD,adl_glc::A:B,adl_glc::C,NOTE,", self.files()[0].read_text())
        self.expect(self.export(two, "papi", output="none"), 2, err="the results do not say which PMU the table is for, expected its name in libpfm4")
        self.assertFalse((self.folder / "none").exists())

    def test_likwid_groups(self):
        """Definitions share groups as long as the counters last."""
        self.expect(self.export(self.document, "likwid", "--counters", "4"), 1,
                    err=r"^catmint: FP Ops\.: it has 8 events, a group has 4 counters$")
        names = [path.name for path in self.files()]
        self.assertEqual(names, ["BRANCH_CATMINT.txt", "DCACHE_CATMINT.txt", "FLOPS_DP_CATMINT.txt", "FLOPS_SP_CATMINT.txt"])
        for path in self.files():
            events = re.search(r"EVENTSET\n(.*?)\n\n", path.read_text(), re.DOTALL).group(1).splitlines()
            self.assertLessEqual(len(events), 4)
            self.assertEqual([line.split()[0] for line in events], [f"PMC{i}" for i in range(len(events))])

    def test_usage(self):
        path = self.write("results.json", json.dumps(self.document))
        rows = [((), "export needs --to FORMAT"), (("--to", "xml"), "--to: expected papi, papi-user, likwid, perf, rocprofv3, rocprof-compute, ncu-section or csv, found 'xml'"),
                (("--to", "likwid"), "export needs --output DIR"), (("--to", "csv", "--cpu", "skx"), "export needs --to papi, papi-user or rocprofv3 with --cpu"),
                (("--to", "csv", "--counters", "4"), "export needs --to likwid with --counters"),
                (("--to", "likwid", "--counters", "0"), "--counters: expected a number from 1 to 64, found '0'"),
                (("--to", "papi"), "the results do not say which PMU the table is for"),
                (("--to", "papi", "--cpu", "a,b"), "'a,b' is not a PMU of libpfm4, expected a name like 'skx'")]
        for arguments, message in rows:
            with self.subTest(message=message):
                self.expect(support.Run("export", path, *arguments), 2, err=rf"^catmint: {re.escape(message)}", out="")

    def test_files_are_whole_or_as_they_were(self):
        target = self.write("exported", "as it was")
        broken = self.write("broken.json", '{"schema": "catmint.metrics/1"')
        self.expect(support.Run("export", "--to", "csv", broken, "--output", target), 3, err=r"^catmint: .*broken\.json:1")
        self.assertEqual(target.read_text(), "as it was")
        self.expect(self.export(self.document, "csv", output="no/such"), 4, err="cannot be written")
        self.expect(self.export(self.document, "likwid", output="no/such"), 4, err="the directory cannot be made: No such file or directory")
        self.expect(self.export(self.document, "likwid", output="exported"), 4, err="it is a file, expected a directory")
        with open("/dev/full", "w") as full:
            self.expect(support.Run("export", "--to", "csv", self.folder / "results.json", stdout=full), 4, err="cannot be written")


if __name__ == "__main__":
    support.main()
