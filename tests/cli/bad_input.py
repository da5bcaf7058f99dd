"""Bad input: a message that names file and line, exit 3, and no partial output."""

import json
import re

import rooflines
import support

BASIS = "kernel,A,B\na.1,1,0\na.2,2,0\nb.1,0,1\nb.2,0,2\n"
SIGNATURES = "metric,preset,description,A,B\nBoth,,both of them,1,1\nA alone,PAPI_A,only A,1,0\n"
HEADER = "event,repetition,thread,a.1,a.2,b.1,b.2\n"
DIVISOR = "iterations,0,0,10000,10000,10000,10000\n"
ONE = "EV_A,0,0,10000,20000,0,0\n"
TWO = "EV_A,1,0,10000,20000,0,0\n"
SOUND = HEADER + DIVISOR + ONE + TWO + "EV_B,0,0,0,0,10000,20000\nEV_B,1,0,0,0,10000,20000\n"


class BadInput(support.Case):
    def analyse(self, *options, **changes):
        """Writes the three tables and a result of earlier, analyses, and says whether that result was left alone."""
        files = {"counts.csv": SOUND, "basis.csv": BASIS, "signatures.csv": SIGNATURES}
        files.update(changes)
        paths = {name: self.write(name, content) for name, content in files.items()}
        output = self.write("results.json", "as before")
        arguments = ["analyze", paths["counts.csv"], "--basis", paths["basis.csv"], "--signatures",
                     paths["signatures.csv"], "--format", "json", "--tau", "1e-2", "--alpha", "5e-4", "--residual", "1e-2", *options]
        to_stdout = support.Run(*arguments)
        to_file = support.Run(*arguments, "--output", output)
        self.assertEqual(to_stdout.code, to_file.code, str(to_file))
        if to_file.code != 0:
            self.assertEqual(to_stdout.out, "", str(to_stdout))
            self.assertEqual(output.read_text(), "as before")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted([*files, "results.json"]))
        return to_stdout

    def refused(self, name, line, text, *options, **changes):
        """`line` 0: the fault has no line (a file that is empty or not there)."""
        with self.subTest(text=text, line=line, changes={key: value[:60] for key, value in changes.items()}):
            place = f"{name}:{line}:" if line else f"{name}:"
            self.expect(self.analyse(*options, **changes), 3, err=rf"^catmint: .*/{place}.*{text}", out="")

    def accepted(self, **changes):
        with self.subTest(changes={key: value[:60] for key, value in changes.items()}):
            run = self.expect(self.analyse(**changes), 0, err="")
            entry = support.metric(run.json(), "basis", "Both")
            self.assertTrue(support.usable(entry))
            self.assertEqual(support.definition(entry), {"EV_A": 1.0, "EV_B": 1.0})

    def test_sound_tables_in_every_dress(self):
        dos = SOUND.replace("\n", "\r\n")
        for content in (SOUND, dos, "\ufeff" + SOUND, "\ufeff" + dos, "# from a test\n# two lines\n" + SOUND,
                        SOUND[:-1], SOUND.replace("EV_A", '"EV_A"')):
            self.accepted(**{"counts.csv": content})
        self.accepted(**{"basis.csv": BASIS.replace("\n", "\r\n")})
        self.accepted(**{"signatures.csv": "\ufeff" + SIGNATURES})

    def test_measurements(self):
        start = HEADER + DIVISOR
        rows = [
            (1, "", ""),
            (1, "", HEADER),
            (1, "", SOUND.replace("event,", "name,")),
            (1, "repetition", SOUND.replace("event,repetition,thread", "event,thread")),
            (1, "c.1", SOUND.replace("a.1,a.2,b.1,b.2", "c.1,c.2,d.1,d.2")),
            (1, "b.1", SOUND.replace("b.2", "b.1")),
            (4, "", start + ONE + ONE),
            (3, "", start + "EV_A,0,0,10,20,0\n" + TWO),
            (3, "", start + "EV_A,0,0,10,20,0,0,0\n" + TWO),
            (3, "many", start + "EV_A,0,0,10,many,0,0\n" + TWO),
            (3, "", start + "EV_A,0,0,10,,0,0\n" + TWO),
            (3, "[nN]a[nN]", start + "EV_A,0,0,nan,20,0,0\n" + TWO),
            (3, "[iI]nf", start + "EV_A,0,0,inf,20,0,0\n" + TWO),
            (3, "1e999", start + "EV_A,0,0,1e999,20,0,0\n" + TWO),
            (3, "-10", start + "EV_A,0,0,-10,20,0,0\n" + TWO),
            (3, "first", start + "EV_A,first,0,10,20,0,0\n" + TWO),
            (2, "", HEADER + "iterations,0,0,10,0,10,10\n" + ONE + TWO),
            (3, "", HEADER + DIVISOR + DIVISOR + ONE + TWO),
            (3, "", start + '"EV_A,0,0,10,20,0,0\n' + TWO),
            (4, "NUL", start + ONE + "EV_A,1,0,1\0,20,0,0\n"),
            (3, "", start + "E" * 10_000_000 + ",0,0,10,20,0,0\n"),
            (3, "one repetition", start + ONE),
        ]
        for line, text, content in rows:
            self.refused("counts.csv", line, text, **{"counts.csv": content})

    def test_one_repetition_goes_on_with_tau_inf(self):
        table = HEADER + DIVISOR + ONE + "EV_B,0,0,0,0,10,20\n"
        run = self.expect(self.analyse("--tau", "inf", **{"counts.csv": table}), 0, err="")
        self.assertIsNone(run.json()["benchmarks"][0]["tau"])
        self.assertIsNone(run.json()["benchmarks"][0]["events"][0]["max_rnmse"])

    def test_basis_and_signatures(self):
        rows = [
            ("basis.csv", 1, "", ""),
            ("basis.csv", 1, "", "kernel,A,B\n"),
            ("basis.csv", 1, "", BASIS.replace("kernel", "row")),
            ("basis.csv", 1, "A", BASIS.replace("kernel,A,B", "kernel,A,A")),
            ("basis.csv", 3, "a.1", BASIS.replace("a.2", "a.1")),
            ("basis.csv", 4, "", BASIS.replace("b.1,0,1", "b.1,0")),
            ("basis.csv", 4, "x", BASIS.replace("b.1,0,1", "b.1,0,x")),
            ("basis.csv", 1, "dependent", "kernel,A,B\na.1,1,2\na.2,2,4\nb.1,3,6\nb.2,1,2\n"),
            ("signatures.csv", 1, "", ""),
            ("signatures.csv", 1, "", "metric,preset,description,A,B\n"),
            ("signatures.csv", 1, "", SIGNATURES.replace("preset,", "")),
            ("signatures.csv", 1, "B", SIGNATURES.replace("description,A,B", "description,A,C")),
            ("signatures.csv", 3, "Both", SIGNATURES.replace("A alone", "Both")),
            ("signatures.csv", 2, "one", SIGNATURES.replace("them,1,1", "them,one,1")),
        ]
        for name, line, text, content in rows:
            self.refused(name, line, text, **{name: content})

    def test_files_that_are_not_there(self):
        run = support.Run("analyze", self.folder / "no.csv", "--benchmark", "branch")
        self.expect(run, 3, err=r"^catmint: .*/no\.csv: ", out="")
        run = support.Run("analyze", self.folder)
        self.expect(run, 3, err=r"^catmint: .*: holds no measurements", out="")
        unfinished = self.write("unfinished/journal", "catmint.journal/1\t").parent
        self.expect(support.Run("analyze", unfinished), 3, err="holds an unfinished sweep: finish it with 'catmint sweep --resume'", out="")
        run = support.Run("analyze", self.folder, "--benchmark", "branch")
        self.expect(run, 3, err=r"^catmint: .*/branch\.csv: is missing", out="")

    def test_sweep_records(self):
        self.write("branch.csv", support.measurements("branch", {"TAKEN": {"T": 1}, "WRONG": {"M": 1}}))
        rows = [
            ("manifest.json", "{", r"manifest\.json:1"),
            ("manifest.json", "[]", r"manifest\.json:1: "),
            ("manifest.json", '{"machine": {}}', r"manifest\.json:1: \"pmu\" is missing"),
            ("manifest.json", '{"machine": {}, "pmu": "x", "pmu": "y"}', r"manifest\.json:1"),
            ("events.csv", "", r"events\.csv:1: "),
            ("events.csv", "name,reason\n", r"events\.csv:1: "),
        ]
        for name, content, message in rows:
            with self.subTest(name=name, content=content):
                path = self.write(name, content)
                self.expect(support.Run("analyze", self.folder), 3, err=rf"^catmint: .*/{message}", out="")
                path.unlink()
        self.expect(support.Run("analyze", self.folder), 0, err="")


class Nothing(support.Case):
    """A command that was given nothing to judge says what it looked for and where, and does not succeed."""

    # They ask the machine and catmint itself, not files. What sweep and discover do without an event is tested in cli.selecting, what validate does in
    # cli.validate_schema.
    OF_THE_MACHINE = {"completion", "discover", "doctor", "events", "kernels", "manual", "metrics", "models", "sweep", "topdown"}
    FORMULAS, RESULTS, COUNTS = "no formulas here", "no metric here", "holds no measurements"

    def setUp(self):
        super().setUp()
        self.write("some.csv", "metric,formula,unit,source\nTaken,T,,x\n")
        self.write("counts.csv", "event,run\nT,1\n")
        self.write("T/branch.csv", support.measurements("branch", {"T": {"T": 1}}))
        self.expect(support.Run("analyze", self.folder / "T", "--format", "json", "--output", self.folder / "good.json"), 0)
        document = json.loads((self.folder / "good.json").read_text())
        self.write("none.json", json.dumps(document | {"benchmarks": []}))
        self.write("empty.json", json.dumps(document | {"benchmarks": [benchmark | {"metrics": []} for benchmark in document["benchmarks"]]}))
        self.write("group/a.txt", "SHORT nothing\n\nEVENTSET\n\nMETRICS\n\nLONG\nnothing\n")
        self.write("presets.csv", "CPU,mine\n")
        self.write("broken.csv", "metric,formula,unit,source\nwhole,T + 0,,\nbroken,(T +,,\n")
        self.write("machine.json", json.dumps(rooflines.machine()))
        self.write("no-figures.json", json.dumps(rooflines.machine(ceilings=[])))
        self.write("points.csv", rooflines.COLUMNS)
        self.write("bad.s", "\tbogus\n")
        self.write("mix.csv", "quantity\n")
        self.write("plan.csv", "set,event\n")
        self.write("of-count.csv", "# by count\nscope,number\nprogram,0\n")
        self.write("machine.csv", "quantity,value,lowest,highest,unit,source\nperformance,1,,,GFLOP/s,x\nvector_bits,128,,,bits,x\nbandwidth:L1,1,,,GB/s,x\n")
        self.write("no-counts.csv", "event,b1\nT,none\n")
        self.write("no-events.csv", "event,b1\n,1\n")
        self.write("empty/readme", "")
        for name in ("swept", "sibling"):
            self.write(f"{name}/events.csv", f"event,component,status,reason,hint,description\n{name},sde,refused,,,\n")
            self.write(f"{name}/branch.csv", "event,repetition,thread,b1\n")
            self.write(f"{name}/manifest.json", json.dumps({"schema": "catmint.sweep/1", "pmu": "software:paper", "pmu_reason": "", "machine": {},
                                                            "benchmarks": [{"benchmark": "branch", "file": "branch.csv", "threads": 1, "kernels": []}]}))

    def test_every_command(self):
        rows = [
            ("analyze empty", 3, "empty", self.COUNTS),
            ("audit some.csv --against good.json --section nosuch", 3, "some.csv", "no formula here is in a section that matches 'nosuch'"),
            ("audit group presets.csv --against good.json", 3, "group and 1 more", self.FORMULAS),
            *(("audit some.csv --against " + name, 3, name, self.RESULTS) for name in ("none.json", "empty.json")),
            ("bundle empty --output bundle.tar", 3, "empty", self.COUNTS),
            ("count --formulas presets.csv -- true", 125, "presets.csv", self.FORMULAS),
            *((words, code, "broken.csv", "3:12: the expression ends here")
              for words, code in (("count --formulas broken.csv -- true", 125), ("evaluate broken.csv --counts counts.csv", 3))),
            ("count --plan plan.csv -- true", 125, "plan.csv", "no event follows the header"),
            ("count --results none.json -- true", 125, "none.json", self.RESULTS),
            ("diff none.json none.json", 2, "none.json", self.RESULTS), ("diff empty.json good.json", 2, "empty.json", self.RESULTS),
            ("diff good.json empty.json", 2, "empty.json", self.RESULTS),
            ("evaluate presets.csv --counts counts.csv", 3, "presets.csv", self.FORMULAS),
            ("evaluate some.csv --counts no-events.csv", 3, "no-events.csv", "field 1 is empty"),
            ("evaluate some.csv --counts of-count.csv", 3, "of-count.csv:2", "count writes this with --format csv"),
            ("explain T empty", 3, "empty", self.COUNTS),
            *((f"export {name} --to {to} --output written", 3, name, self.RESULTS) for name in ("none.json", "empty.json") for to in ("csv", "likwid")),
            ("import no-counts.csv --out written --benchmark branch", 3, "no-counts.csv", "no column holds counts"),
            ("import no-events.csv --out written --benchmark branch", 3, "no-events.csv", "no row names an event"),
            ("import-cat empty --out written", 3, "empty", "no usable files"),
            ("import-ncu no-counts.csv --out written", 3, "no-counts.csv", "expected the CSV of ncu"),
            ("incore --assembly some.csv --machine zen5", 3, "some.csv", "the table of zen5 knows no instruction, or fewer than one in 4, expected assembly of x86-64 in AT&T syntax"),
            ("incore --ports --machine ./some.csv", 3, "some.csv", "expected"),
            ("lint group", 3, "group", self.FORMULAS), ("lint presets.csv", 3, "presets.csv", self.FORMULAS), ("lint empty", 3, "empty", "no files of formulas here"),
            ("lint T", 3, "T", r"no files of formulas here: those that end in \.txt, \.csv, \.json or \.yaml hold none"), ("validate some.csv", 3, "some.csv", "it is not a directory, expected that of a sweep"),
            ("measure bad.s --pmu software:golden-cove", 3, "bad.s", "it cannot be assembled"),
            ("merge swept sibling --out written", 3, "swept", "no event was counted in these sweeps"),
            ("project --from machine.csv --to machine.csv --mix mix.csv", 3, "mix.csv", "no program follows"),
            ("report none.json --output written", 3, "none.json", self.RESULTS), ("report empty --output written", 3, "empty", self.COUNTS),
            ("roofline --machine no-figures.json --out written", 3, "no-figures.json", "holds no ceiling"),
            ("roofline --machine machine.json --points points.csv --out written", 3, "points.csv", "no program follows the header"),
            ("validate empty", 3, "empty", "holds no manifest"),
        ]
        commands = set(re.findall(r"(?m)^  ([a-z-]+)  ", support.Run("--help").out))
        self.assertEqual({words.split()[0] for words, *_ in rows} | self.OF_THE_MACHINE, commands)
        for words, code, where, what in rows:
            with self.subTest(words):
                run = self.expect(support.Run(*words.split(), cwd=self.folder), code, err=rf"^catmint: (\S+/)?{re.escape(where)}[:/]", out="")
                self.assertRegex(run.err, what)
                left = self.folder / "written"
                self.assertTrue(not left.exists() or not list(left.iterdir()), words)

    def test_a_folder_with_some(self):
        """What stands beside formulas may have none."""
        self.write("group/some.csv", (self.folder / "some.csv").read_text())
        self.expect(support.Run("lint", self.folder / "group"), 0, err="", out="")
        self.expect(support.Run("audit", self.folder / "group", "--against", self.folder / "good.json"), 0, out="1 formula:")


if __name__ == "__main__":
    support.main()
