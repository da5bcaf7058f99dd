"""Text from files is data: whatever escape sequences names and texts hold, none of them reaches a terminal."""

import json
import os

import support

SEQUENCE = "\x1b[31m\x07\x7f\u009b1m\u202e\u2066"  # colour, bell, delete, colour again, writing turned around twice
ALLOWED = "\u009b1m\u202e"  # what a table of CSV may hold
BYTES = os.fsdecode(b"\x1b[2J\x90\xff\n")  # in names of files and in arguments
TURNED = {0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}


def harmful(text):
    """What is not to be printed; U+FFFD stands for bytes that are not UTF-8."""
    return sorted({character for character in text if character != "\n" and
                   (ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 or ord(character) in TURNED or
                    character == "\ufffd")})


class Harmless(support.Case):
    def run_and_look(self, *arguments, codes=(0, 1), shown=(r"\u009b",), **changes):
        """What is `shown` shows that the text was there to be printed."""
        run = support.Run(*arguments, **changes)
        told = [ascii(str(argument)) for argument in arguments]
        with self.subTest(arguments=told):
            self.assertIn(run.code, codes, ascii(str(run)))
            for name, text in (("stdout", run.out), ("stderr", run.err)):
                self.assertEqual(harmful(text), [], f"{name} of {told}: {ascii(text)}")
            for text in shown:
                self.assertIn(text, run.out + run.err, ascii(str(run)))
        return run

    def tables(self):
        """A measurement table, its basis and its signatures, with sequences in every name."""
        basis = f"kernel,A{ALLOWED},B\na{ALLOWED}.1,1,0\na.2,2,0\nb.1,0,1\nb.2,0,2\n"
        signatures = (f'metric,preset,description,A{ALLOWED},B\nBoth{ALLOWED},PAPI_X{ALLOWED},"of\tboth\n{ALLOWED}",1,1\n'
                      f"Odd{ALLOWED},,,1,-3\n")
        counts = f"event,repetition,thread,a{ALLOWED}.1,a.2,b.1,b.2\n"
        for event, values in ((f"EV_A{ALLOWED}", "1,2,0,0"), (f"EV_B{ALLOWED}", "0,0,1,2"), (f"TWICE{ALLOWED}", "2,4,0,0"),
                              (f"STRANGE{ALLOWED}", "1,0,5,0")):
            counts += "".join(f"{event},{repetition},0,{values}\n" for repetition in range(2))
        return (self.write("counts.csv", counts), "--basis", self.write("basis.csv", basis), "--signatures",
                self.write("signatures.csv", signatures), "--tau", "1e-2", "--alpha", "5e-4", "--residual", "1e-2")

    def results(self):
        """Results as JSON, which can hold any character in names."""
        run = support.Run("analyze", *self.tables(), "--format", "json")
        self.assertEqual(run.code, 0, ascii(str(run)))
        text = json.dumps(run.json())  # escapes all of them
        self.assertIn(r"\u009b1m\u202e", text)
        document = json.loads(text.replace(r"\u009b1m\u202e", json.dumps(SEQUENCE)[1:-1]))
        document["pmu"] = "software:" + SEQUENCE
        document["machine"] = {"model_name": f"A{SEQUENCE}\nB"}
        document["benchmarks"][0]["benchmark"] = f"mine{SEQUENCE}"
        return self.write(f"results{BYTES}.json", json.dumps(document))

    def test_tables(self):
        tables = self.tables()
        self.run_and_look("analyze", *tables)
        self.run_and_look("analyze", *tables, "--max-events", "1")
        self.run_and_look("analyze", *tables, COLUMNS="60")
        for event in ("EV_A", "TWICE", "STRANGE"):
            self.run_and_look("explain", event + ALLOWED, *tables)
            self.run_and_look("explain", event + ALLOWED, *tables, "--format", "json", shown=(r"\u009B",))
        for metric in ("Both", "Odd"):
            self.run_and_look("explain", "--metric", metric + ALLOWED, *tables)
        self.run_and_look("analyze", *tables, "--format", "json", shown=(r"\u009B",))
        self.run_and_look("explain", "GONE" + SEQUENCE, *tables, codes=(3,), shown=(r"\x1b[31m\x07\x7f\u009b1m\u202e\u2066",))

    def test_bad_tables(self):
        counts, *rest = self.tables()
        content = counts.read_text()
        self.run_and_look("analyze", self.write("unknown.csv", content.replace("b.2", f"b.2{ALLOWED}")), *rest, codes=(0,))
        for bad in (content + f"EV_A{ALLOWED},0,0,1,2,0,0\n", content + f"EV_C,0,0,1,2,{ALLOWED},0\n", content + f"EV_C{ALLOWED},1,1,1,1,1,1\n"):
            self.run_and_look("analyze", self.write("bad.csv", bad), *rest, codes=(3,))
        for bad in (SEQUENCE, "\x7f", "\r.", BYTES):
            content_bytes = (content + f"EV_C{bad},1,1,1,1,1,1\n").encode(errors="surrogateescape")
            self.run_and_look("analyze", self.write(f"bad{BYTES}.csv", content_bytes), *rest, codes=(3,),
                              shown=(r"bad\x1b[2J\x90\xff\n.csv",))

    def test_arguments(self):
        rows = [(["analyze", f"gone{BYTES}"], 3), ([BYTES], 2), (["analyze", f"--gone{BYTES}"], 2),
                (["sweep", "--out", self.folder / "out", "--benchmark", BYTES], 2), (["analyze", ".", "--tau", BYTES], 2),
                (["events", "--pmu", BYTES], 2), (["events", "--pmu", f"software:{BYTES}"], 2),
                (["merge", f"gone{BYTES}", "--out", self.folder / "out"], 3),
                (["analyze", support.RECORDED["branch"], "--benchmark", BYTES], 2),
                (["analyze", support.RECORDED["branch"], "--benchmark", "branch", "--output", self.folder / BYTES / "x"], 4),
                (["lint", f"gone{BYTES}"], 3), (["export", f"gone{BYTES}", "--to", "csv"], 3),
                (["import-cat", f"gone{BYTES}", "--out", self.folder / "out"], 3)]
        for arguments, code in rows:
            self.run_and_look(*arguments, codes=(code,), shown=(r"\x1b[2J\x90\xff\n",))

    def test_formulas(self):
        results = self.results()
        counts = self.write("counts.csv", f"event,run{ALLOWED}\nEV_A{ALLOWED},1\nEV_B{ALLOWED},2\n")
        good = self.write("good.csv", f"metric,formula,unit,source\nBoth{ALLOWED},'EV_A{ALLOWED}' + 'GONE{ALLOWED}',,\n")
        self.run_and_look("evaluate", good, "--counts", counts)
        for text in (f"metric,formula,unit,source\nBoth{ALLOWED},'EV_A{ALLOWED}' + 'GONE{ALLOWED}',u{ALLOWED},s\n",
                     f"metric,formula,unit,source\nNone{ALLOWED},'EV_A{ALLOWED}' / 0,,\n",
                     f"metric,formula,unit,source\nOdd{ALLOWED},2 * 'EV_A{SEQUENCE[3:]}',,\n".replace("\x07\x7f", ""),
                     f"metric,formula,unit,source\nBoth{ALLOWED},'EV_A{ALLOWED}' + 'GONE{ALLOWED},,\n",
                     f"metric,formula,unit,source\nBoth{ALLOWED},nothing{ALLOWED}(1),,\n"):
            formulas = self.write(f"formulas{BYTES}.csv", text.encode(errors="surrogateescape"))
            self.run_and_look("evaluate", formulas, "--counts", counts, codes=(0, 1, 3), shown=())
            self.run_and_look("lint", formulas, codes=(0, 1, 3), shown=())
            self.run_and_look("audit", formulas, "--against", results, codes=(0, 1, 3), shown=())
        for name, text in (("perf.json", json.dumps([{"MetricName": f"m{SEQUENCE}", "MetricExpr": f"EV{SEQUENCE} + GONE",
                                                       "BriefDescription": SEQUENCE, "MetricGroup": SEQUENCE}])),
                           ("papi.csv", f"CPU,skx{ALLOWED}\nPRESET,PAPI_X{ALLOWED},DERIVED_POSTFIX,N0|N9{ALLOWED}|+|,EV_A{ALLOWED}\n"),
                           ("GROUP.txt", f"SHORT {ALLOWED}\n\nEVENTSET\nPMC0 EV_A{ALLOWED}\n\nMETRICS\nname{ALLOWED} PMC0+{ALLOWED}\n"),
                           ("broken.json", f"{{\"{SEQUENCE}\": [\"{SEQUENCE}\"")):
            formulas = self.write(name, text)
            for more in ((), ("--format", "json")):
                self.run_and_look("lint", formulas, *more, codes=(0, 1, 3), shown=())
                self.run_and_look("audit", formulas, "--against", results, *more, codes=(0, 1, 3), shown=())
                self.run_and_look("evaluate", formulas, "--counts", counts, *more, codes=(0, 1, 3), shown=())

    def test_exports(self):
        """A name may be refused or escaped; nothing of it becomes a line of its own."""
        results = self.results()
        document = json.loads(results.read_text())
        document["benchmarks"][0]["metrics"][0]["metric"] = "Both\nCPU,evil"
        document["benchmarks"][0]["metrics"][0]["description"] = "of\nEVENTSET\r\nPMC9 EVIL\x1b[31m\u009b"
        for term in document["benchmarks"][0]["metrics"][0]["definition"]:
            term["event"] = term["event"].replace(SEQUENCE, "\nPRESET,EVIL")
        other = self.write("other.json", json.dumps(document))
        for source in (results, other):
            for form in ("papi", "papi-user", "perf", "csv", "likwid"):
                output = self.folder / f"{form}.out"
                more = ["--cpu", "skx"] if form.startswith("papi") else []
                run = self.run_and_look("export", source, "--to", form, "--all", "--output", output, *more, codes=(1, 3), shown=())
                self.assertIn("refused", run.err)
                for path in [output] if output.is_file() else sorted(output.glob("*")):
                    text = path.read_text()
                    self.assertEqual([line for line in text.splitlines() if "evil" in line.lower()], [], text)
                    self.assertEqual(harmful(text), [], ascii(text))

    def test_results_read_back(self):
        results = self.results()
        document = json.loads(results.read_text())
        for key, value in (("benchmarks", SEQUENCE), ("pmu", [SEQUENCE])):
            broken = self.write(f"broken{BYTES}.json", json.dumps(document | {key: value}))
            self.run_and_look("export", broken, "--to", "csv", codes=(3,), shown=(r"broken\x1b[2J\x90\xff\n.json",))
        del document["benchmarks"][0]["metrics"][0]["signature"]
        self.run_and_look("export", self.write("broken.json", json.dumps(document)), "--to", "csv", codes=(3,), shown=())
        self.run_and_look("export", self.write("broken.json", f"{{\"a\": {SEQUENCE}"), "--to", "csv", codes=(3,), shown=())

    def test_outputs_of_cat_collect(self):
        source = self.folder / f"run{BYTES}"
        source.mkdir()
        for suffix in ("branch", "vec", "data.reads"):
            good = next((support.SOURCE / "tests/data/cat/run1").glob(f"perf::TASK-CLOCK.{suffix}")).read_bytes()
            (source / f"GOOD.{suffix}").write_bytes(good)
            (source / f"EV{BYTES}.{suffix}").write_bytes(good)
            (source / f"BAD.{suffix}").write_bytes(b"\x1b[31m\x9b\xff\n" + good)
        out = self.folder / "out"
        self.run_and_look("import-cat", source, "--out", out, codes=(1,), shown=(r"run\x1b[2J\x90\xff\n",))
        # What it wrote can be read.
        self.run_and_look("analyze", out / "branch.csv", "--benchmark", "branch", "--tau", "inf", codes=(0,), shown=())

    def test_model_of_a_pmu(self):
        self.write("model\u009b/events.csv", f'event,description,expression\nLOADS,"all\nloads{ALLOWED}",loads\n'
                                             f"STORES,{ALLOWED}{'long ' * 40},stores\n")
        machine = self.write("model\u009b/machine.csv", (support.SOURCE / "data/pmu/golden-cove/machine.csv").read_text())
        pmu = f"software:{machine.parent}"
        self.run_and_look("events", "--pmu", pmu)
        self.run_and_look("events", "--pmu", pmu, "--format", "json", shown=(r"\u009B",))
        self.run_and_look("sweep", "--dry-run", "--benchmark", "branch", "--pmu", pmu, shown=())
        out = self.folder / f"sweep{BYTES}"
        run = self.run_and_look("sweep", "--benchmark", "branch", "--repetitions", "2", "--pmu", pmu, "--out", out,
                                "--events", "LOADS", shown=(r"sweep\x1b[2J\x90\xff\n",))
        self.assertEqual(run.code, 0)
        self.run_and_look("sweep", "--benchmark", "branch", "--pmu", pmu, "--out", out, "--events", f"*{BYTES}", codes=(2,),
                          shown=(r"*\x1b[2J\x90\xff\n",))
        self.run_and_look("analyze", out)
        merged = self.folder / f"merged{BYTES}"
        self.run_and_look("merge", out, "--out", merged, shown=(r"merged\x1b[2J\x90\xff\n",))
        # A path that is not UTF-8 is told all the same.
        self.assertRegex(json.loads((merged / "manifest.json").read_text())["merged"][0], r"sweep\\x1b\[2J\\x90\\xff\\n$")
        for bad in (f"E,d,loads + gone{ALLOWED}\n", f"E{ALLOWED},d,loads\n"):
            self.write("model\u009b/events.csv", "event,description,expression\n" + bad)
            self.run_and_look("events", "--pmu", pmu, codes=(3,))


if __name__ == "__main__":
    support.main()
