"""Rooflines of made-up machines, and one of this machine: shapes, formats and errors. How fast this machine is, is no test."""

import json
import math
import re
import shutil
import xml.etree.ElementTree

import report_page
import support

SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = "name,flops,l1_bytes,memory_bytes,seconds,cores\n"


def ceiling(kind, operation, vectors, rate, **changes):
    return {"kind": kind, "operation": operation, "vectors": vectors, "precision": "double", "level": "", "bytes": 0, "cores": 1,
            "undisturbed": 9, "rate": [0.99 * rate, rate, 1.01 * rate], "rounds": [0.97 * rate, 0.98 * rate, rate], "clock": [2e9, 2e9, 2e9], **changes}


def machine(**changes):
    """One core at 2 GHz: 64 Gflop/s, 128, 32 and 8 GB/s."""
    ceilings = [ceiling("flops", "fma", "AVX", 64e9), ceiling("flops", "fma", "scalar", 8e9), ceiling("flops", "add", "AVX", 32e9)]
    for level, rate in (("L1", 128e9), ("L2", 32e9), ("memory", 8e9)):
        ceilings += [ceiling("bandwidth", "load", "AVX", rate, level=level, bytes=1e4), ceiling("bandwidth", "store_nt", "AVX", 9e9, level=level, bytes=1e4)]
    ceilings += [ceiling("sweep", "triad", "AVX", 1e11 / size, level="L1", bytes=1e4 * size) for size in (1, 2, 4, 8)]
    return {"schema": "catmint.machine/1", "processor": "A <processor>", "caches": [32768, 1048576, 0], "rounds": 4, "repetitions": 9,
            "ceilings": ceilings, "points": [], **changes}


class Drawn(support.Case):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def draw(self, document, *options, code=0):
        file = self.write("given.json", json.dumps(document))
        return self.expect(support.Run("roofline", "--machine", file, "--out", self.out, *options), code)

    def points(self, text):
        return "--points", self.write("points.csv", COLUMNS + text)

    def svg(self, name):
        return xml.etree.ElementTree.parse(self.out / name).getroot()

    def words(self, root):
        return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


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
        self.assertIn("stream: 500 Mflop/s, 0.0833 flop/byte by what is loaded and stored", [mark[0].text for mark in marks])
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
                             "1: what catmint count writes as CSV has no seconds: count with --format json"), ("program,flops\n", "1: column 1 is 'program', expected 'name'")):
            found.write_text(text)
            self.refused(found, words)

    def test_disturbed(self):
        document = machine()
        document["ceilings"][0]["undisturbed"] = 0
        run = self.draw(document)
        self.assertIn("64*", run.out)
        self.assertIn("1 of 13 figures, marked *", run.out)

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
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = jsonschema.Draft202012Validator(json.loads((support.SOURCE / "docs/catmint.machine-1.schema.json").read_text()))
        self.draw(machine(), *self.points("stream,2e9,24e9,,4,1\n"))
        schema.validate(json.loads((self.out / "machine.json").read_text()))
        for breaker in (lambda d: d.update(schema="x"), lambda d: d["ceilings"][0].update(kind="wish"), lambda d: d["ceilings"][0].update(rate=[1]),
                        lambda d: d.pop("caches"), lambda d: d["ceilings"][0].pop("clock")):
            document = machine()
            breaker(document)
            self.assertFalse(schema.is_valid(document))


LETTERS = {"tick": 6.3, "limit-text": 6.3, "name": 6.62}  # widths of DejaVu Sans at 12 pixels on average, and of its letters of one width at 11


class Box:
    """A rectangle that rises by an angle: corners, and the directions of its sides."""

    def __init__(self, what, x, y, degrees, left, right, below, above):
        self.what = what
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self.sides = (cosine, -sine), (sine, cosine)
        self.corners = [(x + along * cosine - up * sine, y - along * sine - up * cosine) for along in (left, right) for up in (-below, above)]

    def meets(self, other):
        for x, y in self.sides + other.sides:
            mine, others = ([corner[0] * x + corner[1] * y for corner in one.corners] for one in (self, other))
            if max(mine) <= min(others) or max(others) <= min(mine):
                return False
        return True


class Labels(Drawn):
    """No text stands on another one, on a mark, or on a line, where there is room for all: by boxes of letters of usual widths."""

    def texts(self, root):
        for text in root.iter(SVG + "text"):
            kind = text.get("class")
            words = text.text or ""
            if kind not in LETTERS or "tspan" in "".join(child.tag for child in text) or re.fullmatch(r"[0-9.e+-]+|10", words):
                continue
            degrees = 0.0
            if text.get("transform") is not None:
                x, y, degrees = map(float, re.fullmatch(r"translate\((\S+) (\S+)\) rotate\((\S+)\)", text.get("transform")).groups())
            else:
                x, y = float(text.get("x")), float(text.get("y"))
            width = LETTERS[kind] * len(words)
            begin = -width if text.get("text-anchor") == "end" else 0
            yield kind, Box(words, x, y, -degrees, begin, begin + width, 2.5, 9)

    def lines(self, root):
        for line in root.iter(SVG + "line"):
            if line.get("class") not in ("grid",):
                x1, y1, x2, y2 = (float(line.get(name)) for name in ("x1", "y1", "x2", "y2"))
                yield Box("a line", x1, y1, math.degrees(math.atan2(y1 - y2, x2 - x1)), 0, math.hypot(x2 - x1, y2 - y1), 1, 1)

    def marks(self, root):
        for mark in root.iter(SVG + "path"):
            x, y = map(float, re.match(r"M(\S+) ([\d.]+)", mark.get("d")).groups())
            yield Box("a mark", x, y, 0, -3.5, 3.5, 3.5, 3.5)

    def check(self, name, names_cross=False):
        root = self.svg(name)
        texts, lines, marks = list(self.texts(root)), list(self.lines(root)), list(self.marks(root))
        self.assertTrue(texts and lines and marks)
        for i, (kind, text) in enumerate(texts):
            others = [*(other for _, other in texts[:i]), *marks, *(lines if kind != "name" or not names_cross else ())]
            for other in others:
                self.assertFalse(text.meets(other), f"{name}: '{text.what}' stands on {other.what}")

    def like_a_zen4(self, cores=(1, 2), apart=1.0):
        """Close peaks, and levels that are close to each other: as this project's machine has them."""
        ceilings = []
        for count in cores:
            for operation, vectors, rate in (("fma", "AVX-512", 58.5), ("fma", "AVX", 58.6), ("fma", "SSE", 29.3), ("fma", "scalar", 14.6),
                                             ("add_mul", "AVX", 55.7), ("product", "AVX-512", 57.9)):
                ceilings.append(ceiling("flops", operation, vectors, count * rate * 1e9, cores=count))
            for level, rate in (("L1", 324), ("L2", 116), ("L3", 86.6 * apart), ("memory", 44.3)):
                ceilings.append(ceiling("bandwidth", "schoenauer" if level in ("L2", "L3") else "triad_nt" if level == "memory" else "triad", "AVX",
                                        count * rate * 1e9, level=level, bytes=1e4, cores=count))
            ceilings += [ceiling("sweep", "triad", "AVX", 1e9 * rate, level="L1", bytes=16384 * 2 ** (i / 2), cores=count)
                         for i, rate in enumerate([300] * 3 + [110] * 9 + [80] * 8 + [40] * 5)]
        return machine(ceilings=ceilings, caches=[32768, 1048576, 33554432])

    def test_two_core_counts(self):
        """The triads that catmint measures itself among them: a name finds no room between L3 and memory."""
        points = "".join(f"\"triad, {level}\",{flops},{24 / 2 * flops},{moved},1,{cores}\n" for cores in (1, 2) for level, flops, moved in
                         (("L1", cores * 27e9, ""), ("L2", cores * 9.5e9, ""), ("L3", cores * 7.2e9, ""), ("memory", cores * 2.7e9, cores * 43e9)))
        for apart in (1.0, 0.9, 1.2, 0.7):
            self.draw(self.like_a_zen4(apart=apart), *self.points(points))
            for cores in (1, 2):
                self.check(f"roofline-{cores}-double.svg", names_cross=True)
                self.check(f"sizes-{cores}.svg")

    def test_points_beside_points(self):
        """Ten programs near one another, and one each at the edges."""
        points = "".join(f"program {i},{1e8 * (1 + 0.1 * (i % 5))},{(4 + i // 5) * 1e8},,1,1\n" for i in range(10))
        self.draw(machine(), *self.points(points + "at the roof,64e9,16e9,,1,1\nat the right,1e9,1e7,1e7,1,1\nat the bottom,1e7,1e7,1e9,1,1\n"))
        self.check("roofline-1-double.svg")
        self.assertEqual(len([word for word in self.words(self.svg("roofline-1-double.svg")) if word.startswith("program ")]), 10)

    def test_without_room_the_stream_is_left_out(self):
        """And stands in the title."""
        self.draw(self.like_a_zen4(), *self.points("\"triad, L2\",9.5e9,114e9,,1,1\n"))
        label = next(text for text in self.svg("roofline-1-double.svg").iter(SVG + "text") if (text.text or "").startswith("L2 "))
        self.assertEqual((label.text, label[0].text), ("L2 116 GB/s", "L2 116 GB/s, Schönauer triad"))


class Said(Drawn):
    def test_the_two_marks_of_a_program_are_joined(self):
        self.draw(machine(), *self.points("both,1e9,2e8,1e8,1,1\none,1e9,2e8,,1,1\n"))
        joints = [line for line in self.svg("roofline-1-double.svg").iter(SVG + "line") if line.get("class") == "joint"]
        self.assertEqual(len(joints), 1)
        self.assertEqual(joints[0].get("y1"), joints[0].get("y2"))

    def test_a_matrix_product_that_is_not_there(self):
        self.assertRegex(self.draw(machine()).out, r"Left out +the matrix product: libopenblas")
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
        """One repetition in one precision: every figure is there."""
        out = self.folder / "out"
        run = support.Run("roofline", "--out", out, "--rounds", "1", "--repetitions", "1", "--precision", "double", "--cores", "0", "--format", "json")
        if run.code == 4:
            self.assertRegex(run.err, "no timed kernels|processor")
            return
        document = self.expect(run, 0).json()
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
