"""Programs counted under emulation, where their facts are known: each value's error holds the truth, inside the range of its definition and outside."""

import csv
import io
import json
import os
import random
import shutil
import subprocess

import count
import support

# Five in a run of all tests, 200 with CATMINT_LONG.
PROGRAMS = 200 if os.environ.get("CATMINT_LONG") else 5
SEED = 34

# Turns, and of 1,000 turns: random loads from that many bytes, stores, random branches, additions in double, divisions, calls.
SOURCE = r"""
#include <stdlib.h>
static double data[1 << 19];
static volatile double sum = 1.0;
__attribute__((noinline)) static double twice(double x) { return x + x; }
int main(int count, char **words)
{
    unsigned number[8] = {0}, random = 1;
    for (int i = 1; i < count && i < 9; i++)
        number[i - 1] = (unsigned)atoi(words[i]);
    for (unsigned turn = 0; turn < number[0]; turn++) {
        unsigned place = turn % 1000;
        random = random * 1664525 + 1013904223;
        if (place < number[2])
            sum += data[(random >> 8) % (number[1] / 8)];
        if (place < number[3])
            data[turn % (number[1] / 8)] = sum;
        if (place < number[4] && random >> 31)
            sum = sum * 0.5;
        if (place < number[5])
            sum = sum + 1.0;
        if (place < number[6])
            sum = sum / 1.25;
        if (place < number[7])
            sum = twice(sum);
    }
    return 0;
}
"""


def drawn(generator):
    """Numbers for a program: of each kind none, few or many."""
    rate = [generator.choice((0, 10 ** generator.uniform(0, 3))) for _ in range(6)]
    return [generator.randint(20000, 60000), 2 ** generator.randint(9, 22), *rate]


# Events of a PMU that leaks, as real ones do: a part of what is frequent is in what is rare.
EVENTS = {
    "LOADS": "loads", "STORES": "stores", "BRANCHES": "branches_cond", "TAKEN": "branches_cond_taken", "CALLS": "calls",
    "MISSES": "l1d_load_miss + 0.02*l1d_load_hit", "HITS": "l1d_load_hit + 0.03*l1d_load_miss", "L2_MISSES": "l2_load_miss + 0.004*loads",
    "STORE_MISSES": "l1d_store_miss + 0.01*stores", "MISPREDICTED": "mispredicted_cond + 0.004*branches_cond", "STORED": "store_bytes",
}


FUNCTIONS = {"min": min}


class Programs(count.Counted):
    def test_errors_hold_the_truth(self):
        """Inside the range of its definition and outside; and whether it is inside is what the facts say, unless its error is larger than the range promises."""
        if shutil.which("cc") is None or os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        program = self.folder / "program"
        subprocess.run(["cc", "-O1", "-static", "-o", program, self.write("program.c", SOURCE)], check=True)
        model = support.make_model(self.folder / "leaks", EVENTS)
        results = self.folder / "results.json"
        run = support.Run("discover", "--pmu", f"software:{model}", *support.software_alone(), "--benchmark", "branch,dcache,mem-ops", "--format", "json",
                          *support.BRIEFLY, "--output", results)
        metrics = [metric for benchmark in json.loads(self.expect(run, 0) and results.read_text())["benchmarks"] for metric in benchmark["metrics"]
                   if metric["composable"] or metric["valid_above"]]
        meanings = {metric["metric"]: compile(metric["meaning"], metric["metric"], "eval") for metric in metrics}
        bounds = [bound for metric in metrics for bound in metric["valid_above"] or []]
        facts = sorted({fact for meaning in meanings.values() for fact in meaning.co_names} |
                       {fact for bound in bounds for fact in compile(bound["per"], "per", "eval").co_names} - set(FUNCTIONS))
        generator, known, off, missed, places = random.Random(SEED), 0, 0, [], []
        for _ in range(PROGRAMS):
            numbers = [str(int(number)) for number in drawn(generator)]
            scope = self.count("--pmu", f"software:{model}", "--results", results, "--events", ",".join(facts), "--", program, *numbers)["scopes"][0]
            truth = {event["event"]: event["value"] for event in scope["events"]}
            for metric in scope["metrics"]:
                bounds = [(eval(bound["fact"], FUNCTIONS, truth), eval(bound["per"], FUNCTIONS, truth), bound["share"]) for bound in metric["valid_above"] or []]
                inside = all(fact >= share * per for fact, per, share in bounds) if bounds else None
                if inside and metric["error"] is not None and metric["error"] > 0.1 * abs(metric["value"]):
                    inside = None  # the range promises less
                self.assertEqual(metric["in_range"], inside, (metric["metric"], bounds, *numbers))
                places.append(inside)
                if metric["error"] is None or metric["metric"] not in meanings:
                    continue
                difference = abs(metric["value"] - eval(meanings[metric["metric"]], {}, truth))  # a sum of facts
                known += 1
                off += difference > 0.5
                if difference > metric["error"] + 0.5:
                    missed.append((metric["metric"], metric["value"], difference, metric["error"], *numbers))
        self.assertGreater(known, 8 * PROGRAMS)
        self.assertLessEqual({True, False, None}, set(places))
        self.assertGreater(off, 0.1 * known)  # an error of nothing would not hold them
        self.assertLessEqual(len(missed), 0.05 * known, missed[:20])


class Places(count.Counted):
    build = count.Emulated.build

    def test_a_value_lies_inside_the_range_of_its_definition_or_outside(self):
        """In a program whose branches are one of two instructions; without time, a model knows no cycles."""
        results = json.loads(self.results({"BR_INST_RETIRED:COND": "CR"}, "Conditional", "software:golden-cove").read_text())
        metric, = results["benchmarks"][0]["metrics"]
        bounds = {"Inside": [("instructions", 0.4), ("min(loads, branches_cond)", 3)], "Outside": [("branches_cond", 0.5), ("instructions", 0.6)],
                  "Above": [("branches_cond", 2.5)], "Unknown": [("instructions", 0.4), ("cycles", 0.1)], "Unread": [("nosuchfact", 0.1)], "Empty": [("", 0.1)],
                  "Off": [("instructions", 0.4)], "Everywhere": None}
        expected = {"Inside": (True, "its definition holds only where the metric is frequent, as here"),
                    "Outside": (False, "outside its range: Outside are 500 of 1000 instructions here; the definition holds above 600"),
                    "Above": (False, "outside its range: Above are 1 x conditional branches here; the definition holds above 2.5 x"),
                    "Unknown": (None, "range not known: cycles were not counted"), "Off": (None, "range not known: its error is 17 % here"), "Everywhere": (None, None),
                    "Unread": (None, "range not known: 'nosuchfact' is no fact"), "Empty": (None, "range not known: '' is no fact")}
        ranges = {name: each and [{"fact": "branches_cond", "per": per, "share": share} for per, share in each] for name, each in bounds.items()}
        results["benchmarks"][0]["metrics"] = [metric | {"metric": name, "meaning": "branches_cond", "own": 0, "rest": 0, "leaks": [], "valid_above": each,
                                                         "valid_share": each and 0.5, "composable": each is None,
                                                         "open": [{"fact": "instructions", "at_most": 0.085}] if name == "Off" else []} for name, each in ranges.items()]
        model = support.make_model(self.folder / "untimed", {"BR_INST_RETIRED:COND": "branches_cond"})
        path = self.write("ranges.json", json.dumps(results))
        wanted = ("--results", path, "--pmu", f"software:{model}", "--", self.build("loop", count.KNOWN["loop"][0]))
        values = {value["metric"]: value for value in self.count(*wanted, code=7)["scopes"][0]["metrics"]}
        self.assertEqual({name: (value["in_range"], value["reason"]) for name, value in values.items()}, expected)
        self.assertEqual({name for name, value in values.items() if value["error"] != 0}, {"Off"})
        self.assertEqual({name: value["valid_above"] for name, value in values.items()}, ranges)
        table = support.Run("count", *wanted).err
        self.assertRegex(table, r"(?m)^Inside .*  inside its range$")
        for name in ("Outside", "Above", "Unknown"):
            self.assertRegex(table, rf"(?m)^{name} .*%\s+-\n  {expected[name][1]}$")
        rows = {row["name"]: row for row in csv.DictReader(io.StringIO(support.Run("count", "--format", "csv", *wanted).err))}
        self.assertEqual([rows[name]["in_range"] for name in bounds], ["true", "false", "false"] + [""] * (len(bounds) - 3))
        self.assertEqual(rows["Outside"]["reason"], expected["Outside"][1])

    def test_names_that_are_no_utf_8_are_shown(self):
        """The byte of a model's folder, in JSON; and a reason that a long name of a metric does not fit into is cut at a character."""
        model = support.make_model(self.folder / os.fsdecode(b"mod\xff"), {"BR_INST_RETIRED:COND": "branches_cond"})
        program, name = self.build("loop", count.KNOWN["loop"][0]), "x" + 60 * "\u00e9"
        self.assertEqual(self.count("--pmu", f"software:{model}", "-e", "instructions", "--", program, code=7)["pmu"], r"emulated:mod\xff")
        results = json.loads(self.results({"BR_INST_RETIRED:COND": "CR"}, name, "software:golden-cove").read_text())
        results["benchmarks"][0]["metrics"][0] |= {"meaning": "branches_cond", "own": 0, "rest": 0, "leaks": [], "open": [], "valid_share": 0.5, "composable": False,
                                                   "valid_above": [{"fact": "branches_cond", "per": "instructions", "share": 0.6}]}
        path = self.write("long.json", json.dumps(results))
        metric, = self.count("--results", path, "--pmu", f"software:{model}", "--metrics", name, "--", program, code=7)["scopes"][0]["metrics"]
        self.assertEqual(metric["reason"], f"outside its range: {name[:50]} are 500 of 1000 instructions here; the definition holds above 600")


if __name__ == "__main__":
    support.main()
