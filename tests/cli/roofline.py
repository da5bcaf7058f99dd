"""Rooflines of made-up machines, and one of this machine: shapes, formats and errors. How fast this machine is, is no test."""

import json
import math
import re
import shutil

import report_page
import documents
import support
from rooflines import COLUMNS, SVG, Drawn, ceiling, machine


class Roofline(Drawn):
    def test_files(self):
        run = self.draw(machine())
        self.assertEqual(sorted(path.name for path in self.out.iterdir() if not path.name.startswith(".")),
                         ["machine.json", "roofline-1-double.svg", "roofline.html", "sizes-1.svg"])
        self.assertEqual(json.loads((self.out / "machine.json").read_text()), machine())
        self.assertIn("A <processor>", run.out)
        self.draw(machine())  # over an earlier one

    def test_labels(self):
        self.draw(machine())
        words = self.words(self.svg("roofline-1-double.svg"))
        for label in ("AVX multiply-add 64 Gflop/s", "scalar multiply-add 8 Gflop/s", "AVX add 32 Gflop/s", "L1 128 GB/s, load",
                      "L2 32 GB/s, load", "memory 9 GB/s, non-temporal store"):
            self.assertIn(label, words)
        self.assertEqual(len([mark for mark in self.svg("sizes-1.svg").iter(SVG + "path") if mark.get("class") == "m value"]), 4)

    def test_in_a_report(self):
        """Rooflines and programs stand in the page of results, too, and nothing where they cannot be read."""
        table = support.SOURCE / "tests/data/truth-cases"
        results, page = self.folder / "results.json", self.folder / "page.html"
        self.expect(support.Run("analyze", sorted(table.glob("*.csv"))[0], "--benchmark", "branch", "--format", "json", "--output", results), 0)
        file = self.write("given.json", json.dumps(machine()))
        points = self.points("a <b>,2e9,24e9,32e9,4,1\n")
        self.expect(support.Run("report", results, "--output", page, "--machine", file, *points), 0, err="", out="")
        doubtful = "--points", self.write("doubtful.csv", COLUMNS + "x,1,1,1,1,7\n")
        run = self.expect(support.Run("report", results, "--output", page, "--machine", file, *points, *doubtful), 0)
        self.assertEqual(run.err, "catmint: x: 7 cores, on which no peak was measured: it is in no plot\n")
        text = page.read_text()
        for part in ('<a href="#roofline-1">Rooflines</a>', "<h2>Rooflines of 1 core</h2>", "AVX multiply-add 64 Gflop/s", "a &lt;b&gt;"):
            self.assertIn(part, text)
        self.expect(support.Run("report", results, "--output", page, "--machine", file, "--plots", self.folder / "plots"), 0, err="", out="")
        for name in ("roofline-1-double.svg", "sizes-1.svg"):
            self.assertTrue((self.folder / "plots" / name).is_file())
        page.unlink()
        self.expect(support.Run("report", results, "--output", page, *points), 2, err="report needs --machine FILE")
        self.expect(support.Run("report", results, "--output", page, "--machine", self.write("no.json", "{")), 3, err="no.json")
        self.assertFalse(page.exists())

    def test_lines_are_where_their_numbers_are(self):
        """The roof meets each bandwidth where both are the same: 64 Gflop/s at 0.5, 2 and 64/9 flop/byte."""
        self.draw(machine())
        lines = [line for line in self.svg("roofline-1-double.svg").iter(SVG + "line") if line.get("class") == "expected"]
        rising = [line for line in lines if line.get("y1") != line.get("y2")]
        left, width, low, high = 72.0, 720.0, -2, 2  # of 10^-2 to 10^2
        ends = sorted(float(line.get("x2")) for line in rising)
        for end, intensity in zip(ends, (0.5, 2.0, 64 / 9)):
            self.assertAlmostEqual(end, left + width * (math.log10(intensity) - low) / (high - low), delta=0.2)
        self.assertEqual(len(ends), 3)
        roof = next(line for line in lines if line.get("y1") == line.get("y2"))
        self.assertTrue(all(line.get("y2") == roof.get("y1") for line in rising))

    def test_points(self):
        run = self.draw(machine(), *self.points("stream,2e9,24e9,32e9,4,1\nproduct,1e9,1e9,,0.02,1\n\"a, <b>\",1e9,,1e10,1,1\nfour,1,1,1,1,4\n"))
        document = json.loads((self.out / "machine.json").read_text())
        self.assertEqual([point["name"] for point in document["points"]], ["stream", "product", "a, <b>", "four"])
        self.assertEqual(document["points"][1], {"name": "product", "flops": 1e9, "l1_bytes": 1e9, "memory_bytes": None, "seconds": 0.02, "cores": 1, "doubts": []})
        self.assertRegex(run.out, r"stream +1 +0\.5 +0\.0833 +0\.0625\n")
        self.assertRegex(run.out, r"product +1 +50 +1 +-\n")
        marks = [mark for mark in self.svg("roofline-1-double.svg").iter(SVG + "path") if mark.find(SVG + "title") is not None]
        self.assertEqual(len(marks), 4)  # two of the first, one of each that ran on one core
        self.assertIn("stream: 500 Mflop/s, 0.0833 flop/byte by loads and stores", [mark[0].text for mark in marks])
        self.assertIn("a, <b>", report_page.Page(self.out / "roofline.html").root.text)

    def test_doubts(self):
        """What no core can do is said everywhere and drawn all the same; so is what no plot has. Figures that are measured again may be 5 % higher, of memory 20 %."""
        for row, words in (("1e9,1e9,1e9,1,1", ()), ("67e9,1e9,,1,1", ()), ("68e9,1e9,,1,1", ("68 Gflop/s, more than any peak of 1 core can reach: 64.6 Gflop/s",)),
                           ("1e9,135e9,,1,1", ()), ("1e9,136e9,,1,1", ("136 GB/s loaded and stored, more than L1 on 1 core can reach: 129 GB/s",)),
                           ("1e9,,10.9e9,1,1", ()), ("1e9,,11e9,1,1", ("11 GB/s of memory, more than memory on 1 core can reach: 9.09 GB/s",)),
                           ("1e12,1e12,1e12,1,1", ("1 Tflop/s, more than", "1 TB/s loaded and stored, more than", "1 TB/s of memory, more than")),
                           ("1e12,1e12,1e12,1,4", ("4 cores, on which no peak was measured: it is in no plot",))):
            run = self.draw(machine(), *self.points(f"a <b>,{row}\n"))
            self.assertEqual(len(run.err.splitlines()), len(words), run.err)
            point, = json.loads((self.out / "machine.json").read_text())["points"]
            self.assertEqual(len(point["doubts"]), len(words), row)
            for word, line, doubt in zip(words, run.err.splitlines(), point["doubts"]):
                self.assertTrue(line.startswith(f"catmint: a <b>: {word}"), line)
                self.assertTrue(doubt.startswith(word), doubt)
                self.assertIn(f"a <b>: {word}", " ".join(run.out.split()))
                self.assertIn(word, report_page.Page(self.out / "roofline.html").root.text)
            self.assertEqual("Doubtful" in run.out, bool(words))
            drawn = "a <b>" in self.words(self.svg("roofline-1-double.svg"))
            self.assertEqual(drawn, row.endswith(",1"))

    def test_memory_moves_more_than_a_triad_loads_and_stores(self):
        """A line is read before it is written: 32 bytes of 24."""
        document = machine()
        document["ceilings"].append(ceiling("bandwidth", "triad", "AVX", 9e9, level="memory", bytes=1e4))
        self.assertEqual(self.draw(document, *self.points("a,1e9,,14.5e9,1,1\n")).err, "")
        self.assertIn("can reach: 12.1 GB/s", self.draw(document, *self.points("a,1e9,,14.6e9,1,1\n")).err)

    def counts(self, pmu="hardware", regions=(("inner", None, 1),), whole=True, **metrics):
        """What `catmint count` writes of a program, and of regions in it: their names, seconds and parts of its counts."""
        scopes = [{"scope": scope, "number": 0, "name": name, "calls": None, "seconds": seconds, "events": [],
                   "metrics": [{"metric": metric.replace("_", " "), "value": part * value} for metric, value in metrics.items()]}
                  for scope, name, seconds, part in [("program", "", None, 1)] * whole + [("thread", "a", None, 1)] * whole + [("region", *region) for region in regions]]
        return self.write("runs/n.body.json", json.dumps({"schema": "catmint.count/1", "pmu": pmu, "seconds": [4, 0.5, 2], "metrics": [], "scopes": scopes}))

    def test_counted_points(self):
        counted = {"SP_Ops.": 1e9, "DP_Ops.": 3e9, "Load_Bytes": 20e9, "Store_Bytes": 4e9, "Memory_Bytes": 0}
        self.draw(machine(), "--points", self.counts(**counted))
        document = json.loads((self.out / "machine.json").read_text())
        self.assertEqual(document["points"], [{"name": "n.body", "flops": 4e9, "l1_bytes": 24e9, "memory_bytes": None, "seconds": 2, "cores": 1, "doubts": []}])
        for pmu, without, words in (("emulated:golden-cove", (), "no time but the emulator's"), ("hardware", ("SP_Ops.",), "no floating-point operations"),
                                    ("hardware", ("Load_Bytes",), "no bytes: count Load Bytes and Store Bytes, or Memory Bytes")):
            found = self.counts(pmu, **{name: value for name, value in counted.items() if name not in without})
            run = support.Run("roofline", "--machine", self.folder / "given.json", "--out", self.folder / "other", "--points", found)
            self.expect(run, 3, err=re.escape(f"{found}: it has {words}"))
            self.assertFalse((self.folder / "other").exists())

    COUNTED = {"FP_Ops.": 4e9, "Load_Bytes": 20e9, "Store_Bytes": 4e9, "Memory_Bytes": 8e8}

    def drawn_points(self, found):
        """Names, figures and seconds of points; and what stderr says."""
        run = self.draw(machine(), "--points", found)
        points = json.loads((self.out / "machine.json").read_text())["points"]
        shutil.rmtree(self.out)
        return [(point["name"], point["flops"], point["l1_bytes"], point["memory_bytes"], point["seconds"]) for point in points], run

    def refused(self, found, words):
        run = self.draw(machine(), "--points", found, code=3)
        self.assertIn(f"{found}:{words}", run.err)
        self.assertFalse(self.out.exists())

    def test_counted_regions(self):
        solve, rest = ("solve", 0.5, 0.5), ("rest", 1.5, 0.25)
        points = [("solve", 2e9, 12e9, 4e8, 0.5), ("rest", 1e9, 6e9, 2e8, 1.5)]
        whole = ("n.body", 4e9, 24e9, 8e8, 2)
        for has_whole, expected in ((False, points), (True, [whole, *points])):
            drawn, run = self.drawn_points(self.counts(regions=(solve, rest), whole=has_whole, **self.COUNTED))
            self.assertEqual((drawn, run.err), (expected, ""))
        for region, words in ((("none", None, 1), "no seconds of its own: write a table of programs, with its time"), (("none", 0, 1), "no seconds of its own"),
                              (("none", 1, 0), "no floating-point operations: count FP Ops.")):
            words = f"region 'none' is no point, it has {words}"
            found = self.counts(regions=(region, solve), **self.COUNTED)
            drawn, run = self.drawn_points(found)
            self.assertEqual(drawn, [whole, points[0]])
            self.assertIn(f"{found}: {words}", run.err)
            self.assertIn("Left out", run.out)
            self.refused(self.counts(regions=(region,), whole=False, **self.COUNTED), f" {words}")
        without_bytes = {name: value for name, value in self.COUNTED.items() if "Bytes" not in name}
        self.refused(self.counts(regions=(solve,), whole=False, **without_bytes), " region 'solve' is no point, it has no bytes")
        self.refused(self.counts("emulated:zen4", regions=(solve,), whole=False, **self.COUNTED), " region 'solve' is no point, it has no time but the emulator's")

    def test_tables_of_counts(self):
        rows = ["FP Ops.,4e9,2e9", "Load Bytes,20e9,8e9", "Store Bytes,4e9,2e9", "seconds,2,1"]
        found = self.write("runs.csv", "\n".join(["# by hand", "event,first,second", *rows]) + "\n")
        self.assertEqual(self.drawn_points(found)[0], [("first", 4e9, 24e9, None, 2), ("second", 2e9, 10e9, None, 1)])
        found.write_text("\n".join(["event,first,second", *rows]).replace("2e9,", "0,").replace("4e9,2e9", "0,2e9", 1))
        drawn, run = self.drawn_points(found)
        self.assertEqual([point[0] for point in drawn], ["second"])
        self.assertIn(f"{found}: run 'first' is no point, it has no floating-point operations", run.err)
        for text, words in (("\n".join(["# by hand", "event,first,second", *rows[:3]]), "2: run 'first' is no point, it has no time: it wants a row seconds, above 0"),
                            ("\n".join(["event,first,second", *rows, "x,1,"]), "6: "), ("event,first\nFP Ops.,many\n", "2: "),
                            ("scope,number,scope_name,kind,name,value,lowest,highest,repetitions,definition_error,core\nprogram,0,,metric,FP Ops.,1,1,1,1,0,\n",
                             "1: counts that catmint count writes as CSV have no seconds: count with --format json"), ("program,flops\n", "1: column 1 is 'program', expected 'name'")):
            found.write_text(text)
            self.refused(found, words)

    def test_disturbed(self):
        document = machine()
        document["ceilings"][0]["undisturbed"] = 0
        run = self.draw(document)
        self.assertIn("64*", run.out)
        self.assertIn("1 of 13 figures, marked *", run.out)

    def test_contradictions(self):
        """A figure that is lower than one which it should reach is marked, with the other; `others` are those that stay as they are."""
        flops, stream = lambda *row, **changes: ceiling("flops", *row, **changes), lambda *row, **changes: ceiling("bandwidth", *row, **changes)
        rows = (  # higher figure, lower one, and how far lower it may be
            (flops("add", "AVX", 8.6e9), flops("add", "AVX", 1.2e9, cores=2), 1.2),
            (stream("load", "AVX", 8e9, level="memory"), stream("load", "AVX", 6e9, level="memory", cores=4), 1.2),
            (ceiling("sweep", "triad", "AVX", 8e9, level="L1", bytes=64), ceiling("sweep", "triad", "AVX", 2e9, level="L1", bytes=64, cores=2), 1.2),
            (flops("add", "SSE", 8.6e9), flops("fma", "AVX", 5e9), 1.2), (flops("mul", "NEON", 8.6e9), flops("fma", "NEON", 5e9), 1.2),
            (flops("fma", "AVX", 8.6e9), flops("fma", "AVX-512", 5e9), 1.5), (flops("add", "scalar", 8.6e9), flops("add", "SVE-256", 5e9), 1.5),
            (stream("load", "AVX", 32e9, level="L2"), stream("load", "AVX", 20e9, level="L1"), 1.2),
            (stream("copy", "SSE", 32e9, level="memory"), stream("copy", "SSE", 20e9, level="L3"), 1.2))
        for high, low, agrees in rows:
            for factor, found in ((None, True), (agrees * 1.01, True), (agrees / 1.01, False), (0.5, False)):
                rate = low["rate"][1] if factor is None else high["rate"][1] / factor
                with self.subTest(high=high, low=low, rate=rate):
                    document = machine(ceilings=[high, low | {"rate": [rate, rate, rate]}])
                    run = self.draw(document)
                    self.assertEqual(("Contradicted" in run.out, len(run.err.splitlines())), (found, int(found)), run.err)
                    first, second = json.loads((self.out / "machine.json").read_text())["ceilings"]
                    self.assertEqual(("contradiction" in first, "contradiction" in second), (False, found))
                    if found:
                        self.assertRegex(run.err, rf"^catmint: .*, {low['vectors']}.* on {low['cores']} cores?: .*/s, less than .*, {high['vectors']}.* on 1 core: ")
                        self.assertIn("32 GB/s" if high["rate"][1] == 32e9 else "8", second["contradiction"].split("less than")[1])
                        self.assertEqual(run.out.count("?"), 2 if low["kind"] != "sweep" else 1)
        unlike = [flops("add", "AVX", 9e9), flops("add", "AVX", 1e9, precision="single"), flops("div", "AVX", 1e9), flops("fma", "SSE", 9e9),
                  stream("store_nt", "AVX", 9e9, level="memory"), stream("store_nt", "AVX", 2e9, level="L1"), flops("add", "unknown", 1e9)]
        self.assertEqual(self.draw(machine(ceilings=unlike)).err, "")

    def test_json(self):
        run = self.draw(machine(), "--format", "json")
        self.assertEqual(run.json(), machine())

    def test_wrong_points(self):
        for text, words in (("x,1,1,1,1\n", ":2: "), ("x,0,1,1,1,1\n", ":2: flops is 0, expected more than 0"), ("x,1,-1,1,1,1\n", ":2: l1_bytes is -1"),
                            ("x,1,,,1,1\n", ":2: expected l1_bytes, memory_bytes or both"), ("x,1,1,1,1,0\n", ":2: expected 1 core or more"),
                            (",1,1,1,1,1\n", ":2:"), ("x,1,1,1,,1\n", ":2:")):
            run = self.draw(machine(), *self.points(text), code=3)
            self.assertIn(words, run.err)
            self.assertFalse(self.out.exists())

    def test_wrong_machines(self):
        for changes, words in (({"schema": "catmint.machine/2"}, "catmint.machine/1"), ({"ceilings": [{}]}, "ceilings"), ({"caches": [1]}, "caches"),
                               ({"ceilings": [ceiling("wish", "fma", "AVX", 1)]}, "unknown kind"),
                               ({"ceilings": [ceiling("flops", "fma", "AVX", 1, cores=0)]}, "cores"),
                               ({"ceilings": [dict(ceiling("flops", "fma", "AVX", 1), rate=[3, 2, 1])]}, "rate"),
                               ({"points": [{"name": "x"}]}, "points")):
            run = self.draw(machine(**changes), code=3)
            self.assertIn(words, run.err)
            self.assertIn("given.json", run.err)
            self.assertFalse(self.out.exists())

    def test_wrong_options(self):
        for options, words in (((), "roofline needs --out DIR"), (("--out", self.out, "--precision", "double,triple"), "expected some of double,single,half"),
                               (("--out", self.out, "--precision", ""), "expected some of"), (("--out", self.out, "--cores", ""), "expected processors"),
                               (("--out", self.out, "--machine", "x", "--cores", "0"), "--machine is given"), (("--out", self.out, "x"), "unexpected argument")):
            self.assertIn(words, self.expect(support.Run("roofline", *options), 2).err)

    def test_schema(self):
        if documents.jsonschema is None:
            self.skipTest("python3-jsonschema is not installed")
        self.draw(machine(), *self.points("stream,2e9,24e9,,4,1\n"))
        documents.hold(self, json.loads((self.out / "machine.json").read_text()))
        for breaker in (lambda d: d.update(schema="x"), lambda d: d["ceilings"][0].update(kind="wish"), lambda d: d["ceilings"][0].update(rate=[1]),
                        lambda d: d.pop("caches"), lambda d: d["ceilings"][0].pop("clock"), lambda d: d["ceilings"][0].update(unnamed=1)):
            document = machine()
            breaker(document)
            self.assertFalse(documents.validator_of("catmint.machine/1").is_valid(document))


class Said(Drawn):
    def test_the_two_marks_of_a_program_are_joined(self):
        self.draw(machine(), *self.points("both,1e9,2e8,1e8,1,1\none,1e9,2e8,,1,1\n"))
        joints = [line for line in self.svg("roofline-1-double.svg").iter(SVG + "line") if line.get("class") == "joint"]
        self.assertEqual(len(joints), 1)
        self.assertEqual(joints[0].get("y1"), joints[0].get("y2"))

    def test_a_matrix_product_that_is_not_there(self):
        self.assertRegex(self.draw(machine()).out, r"Left out +the matrix product: it was measured without OpenBLAS")
        product = ceiling("flops", "product", "OpenBLAS", 5e10)
        self.assertNotIn("Left out", self.draw(machine(ceilings=[*machine()["ceilings"], product])).out)
        single = [{**one, "precision": "single"} for one in machine()["ceilings"]]
        self.assertNotIn("Left out", self.draw(machine(ceilings=single)).out)

    def test_one_repetition(self):
        self.assertIn("medians of 1 repetition in the fastest of 1 round;", " ".join(self.draw(machine(rounds=1, repetitions=1)).out.split()))

    def test_what_cannot_be_written_is_said_before_anything_is_measured(self):
        file = self.write("file", "")
        self.expect(support.Run("roofline", "--out", file, "--rounds", "1000"), 4, err="file")
        self.expect(support.Run("roofline", "--out", self.folder / "none/here", "--rounds", "1000"), 4, err="none")


class Here(support.Case):
    def test_measured(self):
        """No time and one repetition in one precision: every figure is there, from the first of many rounds."""
        out = self.folder / "out"
        run = support.Run("roofline", "--out", out, "--rounds", "50", "--budget", "0.001", "--repetitions", "1", "--precision", "double", "--cores", "0", "--format", "json")
        if run.code == 4:
            self.assertRegex(run.err, "no timed kernels|processor")
            return
        document = self.expect(run, 0, err=r"^catmint: measuring takes about .* at most, or as long as each figure takes once$").json()
        self.assertTrue(all(ceiling["rounds"][0] == ceiling["rounds"][2] for ceiling in document["ceilings"]))
        kinds = {ceiling["kind"] for ceiling in document["ceilings"]}
        self.assertEqual(kinds, {"flops", "bandwidth", "sweep"})
        self.assertEqual({ceiling["cores"] for ceiling in document["ceilings"]}, {1})
        self.assertEqual({ceiling["precision"] for ceiling in document["ceilings"]}, {"double"})
        self.assertTrue(all(0 < ceiling["rate"][0] <= ceiling["rate"][1] <= ceiling["rate"][2] for ceiling in document["ceilings"]))
        self.assertTrue((out / "roofline.html").stat().st_size > 0)

    def test_a_precision_that_the_processor_lacks(self):
        run = support.Run("roofline", "--out", self.folder / "half", "--rounds", "1", "--repetitions", "1", "--precision", "half", "--cores", "0", "--format", "json")
        if run.code == 4:
            self.assertRegex(run.err, "no timed kernels|this processor has no arithmetic in half precision")
        else:
            self.assertIn("half", {ceiling["precision"] for ceiling in self.expect(run, 0).json()["ceilings"]})

    def test_no_such_processor(self):
        for command in (("roofline", "--out", self.folder / "out"), ("incore",)):
            for cores, named in (("99999", "processor 99999"), ("0,99999", "processor 99999")):
                self.expect(support.Run(*command, "--cores", cores), 2, err=f"{named}: not there, or not for this program to use, expected some of [0-9,-]+$")
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    support.main()
