"""What projections say of what they are made of: speeds that no machine has, models that counted a mix, the machine that catmint measured itself."""

import csv
import json

import support
from projecting import LEVELS, MIX, MOVED, SOURCE, TARGET, Projected, machine, mix

MACHINES = support.SOURCE / "data/machines"


class Doubts(Projected):
    """Speeds that no machine has are said everywhere, and projected all the same."""

    def doubts(self, source, target, mixes, *options):
        found = []
        for form in ("json", "table", "csv"):
            run = self.project(source, target, mixes, options=("--format", form, *options))
            if form == "json":
                found = run.json()["doubts"]
            elif form == "table":
                self.assertEqual(" ".join(run.out.split()).count("Doubtful: "), len(found))
                self.assertTrue(all(f"Doubtful: {doubt}" in " ".join(run.out.split()) for doubt in found), run.out)
            self.assertEqual(run.err, "".join(f"catmint: {doubt}\n" for doubt in found))
        return found

    def test_measured_speed(self):
        """4 bytes an operation in L1, of 100 GB/s; 0.2 in memory, of 10 GB/s; 16 GFLOP/s at most, 5 % or in memory 20 % and a third above that may be."""
        few = {**MIX, "bytes:L1": (40, 30), "bytes:L2": (8, 8), "bytes:MEM": (2, 2)}
        for values, speed, words in ((few, 16.8, ()), (few, 16.9, ("here: 16.9 GFLOP/s on source, which reaches 16 GFLOP/s at most",)),
                                     (MIX, 16, ()), (dict(MIX, **{"bytes:MEM": (1000, 200)}), 15, ()),
                                     (dict(MIX, **{"bytes:MEM": (1100, 200)}), 15,
                                      ("here: at 15 GFLOP/s it moves 16.5 GB/s of MEM on source, which moves 13.3 GB/s",)),
                                     (dict(MIX, **{"bytes:L1": (7000, 200)}), 15,
                                      ("here: at 15 GFLOP/s it moves 120 GB/s of L1 on source, which moves 100 GB/s",)),
                                     (MOVED, 16, ()), (dict(MOVED, **{"moved:L2": (3000, 1600)}), 16,
                                                       ("here: at 16 GFLOP/s it moves 48 GB/s of L2 on source, which moves 40 GB/s",))):
            found = self.doubts(machine(SOURCE), machine({**TARGET, "performance": 600}), mix({**values, "performance": (speed, None)}, "here", "there"))
            self.assertEqual(tuple(found), words, (values, speed))

    def test_shorter_numbers(self):
        """4 operations an instruction are the most in double precision; 8 are of shorter numbers, twice as many."""
        short = {**MIX, "fp_instructions": (125, 125), "bytes:L1": (40, 30), "bytes:L2": (8, 8), "bytes:MEM": (2, 2)}
        for speed, count in ((33, 0), (34, 1)):
            found = self.doubts(machine(SOURCE), machine({**TARGET, "performance": 600}), mix({**short, "performance": (speed, None)}, "here", "there"))
            self.assertEqual(len(found), count, found)

    def test_projected_speed(self):
        found = self.doubts(machine(SOURCE), machine({**TARGET, "bandwidth:MEM": 900}), mix({**MIX, "performance": (15, None)}, "here", "there"),
                            "--memory-bandwidth", "fast=900,30")
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"^there with fast: projected to as much as [0-9.]+ GFLOP/s on target, which reaches 60 GFLOP/s at most$")


    def test_wide_intervals(self):
        """At 1.5 of 8 GFLOP/s the interval is 2.55 times as wide as its lower end, at 1 of 8 it is 3.12 times."""
        for speed, count in ((1.5, 0), (1, 1)):
            found = self.doubts(machine(SOURCE), machine(TARGET), mix({**MOVED, "performance": (speed, None)}, "here", "there"))
            self.assertEqual(len(found), count, found)
        self.assertEqual(found[0], "there: from 2.23 to 6.96 GFLOP/s on target by the tightest roofline, which is too wide to decide by: "
                                   "on source the program waits for something that rooflines do not show")


class Models(Projected):
    """Which model counted a mix is said where it is not the machine's."""

    def counted(self, name, pmu):
        """All facts are 100, as the failing-memory test has them."""
        listed = support.Run("count", "--mix", "--format", "json", "--output", self.folder / "facts.json", "--", "true")
        if listed.code == 125:
            self.skipTest(listed.err.strip())
        document = json.loads((self.folder / "facts.json").read_text())
        document["pmu"] = pmu
        for scope in document["scopes"]:
            for event in scope["events"]:
                event["value"] = 100
        return str(self.write(name, json.dumps(document)))

    def test_notes(self):
        here, other = self.counted("here.json", "emulated:neoverse-n1"), self.counted("other.json", "emulated:zen4")
        n1, a64fx = (str(self.write(f"{name}.csv", machine(SOURCE))) for name in ("neoverse-n1", "a64fx"))
        words = "{}: counted by the model of {}, and taken for one of {}: bytes of levels are those of {}'s caches, cycles of its core."
        for source, target, mixes, notes in ((n1, n1, (here,), ()), (n1, a64fx, (here,), (("here", "neoverse-n1", "a64fx", "neoverse-n1"),)),
                                             (a64fx, n1, (here,), (("here", "neoverse-n1", "a64fx", "neoverse-n1"),)),
                                             (n1, a64fx, (here, other), (("other", "zen4", "a64fx", "zen4"),)), (n1, n1, (here, here), ())):
            run = self.project(source, target, *mixes, options=("--performance", "0.1", "--format", "json"), code=1)
            document = run.json()
            found = [note for note in document["notes"].splitlines() if "counted by" in note]
            self.assertEqual(found, [words.format(*note) for note in notes])
            self.assertEqual([entry["model"] for entry in document["mixes"]][0], "neoverse-n1")
        self.assertIsNone(self.project(n1, n1, mix(MIX, "a", "b"), options=("--format", "json")).json()["mixes"][0]["model"])


class Here(Projected):
    """The machine that catmint is developed on, in data/machines: every level is there, unlike those of the paper."""

    ALL = {"performance", "vector_bits", "clock", *(f"bandwidth:{level}" for level in LEVELS)}
    FILE = str(MACHINES / "zen4.csv")
    LINES = {**MOVED, "bytes:L3": (100, 100)}

    def test_says_all_with_spread(self):
        lines = [line for line in (MACHINES / "zen4.csv").read_text().splitlines() if not line.startswith("#")]
        rows = {row["quantity"]: row for row in csv.DictReader(lines)}
        self.assertEqual(set(rows), self.ALL)
        for name in self.ALL - {"vector_bits"}:
            lowest, value, highest = (float(rows[name][key]) for key in ("lowest", "value", "highest"))
            self.assertTrue(0 < lowest < value < highest < 2 * lowest, name)
        levels = [float(rows[f"bandwidth:{level}"]["value"]) for level in LEVELS]
        self.assertEqual(levels, sorted(levels, reverse=True))

    def test_is_taken(self):
        document = self.project(self.FILE, machine({**TARGET, "bandwidth:L3": 50, "clock": 2}), mix(self.LINES, "here", "there"), options=("--format", "json"), err="too wide to decide by").json()
        self.assertEqual((document["from"]["name"], document["from"]["vector_bits"], document["partial"], document["notes"]), ("zen4", 256, False, ""))
        self.assertEqual({(entry["intensity_of"], entry["roofline_of"]) for entry in document["intervals"][0]["projections"]},
                         {(one, other) for one in LEVELS for other in LEVELS})
        same = {name: (cells[0], cells[0]) for name, cells in self.LINES.items()}
        interval, = self.project(self.FILE, self.FILE, mix(same, "here", "there"), options=("--format", "json"), err="too wide to decide by").json()["intervals"]
        for value in interval["interval"]:
            self.assertAlmostEqual(value, 1.5, places=12)
        self.assertEqual(interval["bound"]["source"], interval["bound"]["target"])
        self.project(self.FILE, str(MACHINES / "a64fx.csv"), mix(self.LINES, "here", "there"), code=1, err="intervals lack levels")


if __name__ == "__main__":
    support.main()
