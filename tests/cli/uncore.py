"""Events of a whole socket: one busy core, the quiet socket taken off, and what becomes of them where they cannot be counted."""

import collections
import csv
import functools
import json
import shutil

import support

MODELS = {"golden-cove": ("uncore_imc::UNC_M_CAS_COUNT:{}", "RD", "WR", "ALL"), "skylake": ("uncore_imc::UNC_M_CAS_COUNT:{}", "RD", "WR", "ALL"),
          "zen4": ("amd_umc::UMC_CAS_CMD:{}", "RD", "WR", "ALL")}

FEW = ("--repetitions", "5")  # where 15, as by default for chains, show the same


class Uncore(support.Case):
    @staticmethod
    @functools.cache
    def discovered(model):
        """What stores are found to move, for tests that do not change it."""
        return support.Run("discover", "--pmu", f"software:{model}", "--uncore", "--format", "json", "--benchmark", "dcache-write", *FEW)

    def discover(self, pmu, *options, code=0):
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--uncore", "--format", "json", *options)
        return self.expect(run, code)

    def found(self, run):
        return support.composable(support.benchmark(run.json(), "dcache-write"))

    def model(self, name, uncore=None, **keys):
        """golden-cove without habits, with other lines in machine.csv, and another uncore.csv."""
        folder = self.folder / name
        shutil.copytree(support.SOURCE / "data/pmu/golden-cove", folder)
        lines = [f"{line.split(',')[0]},{keys.get(line.split(',')[0], line.split(',')[-1])}" if line[0] != "#" else line
                 for line in support.plain_machine().splitlines()]
        (folder / "machine.csv").write_text("\n".join(lines) + "\n")
        if uncore is not None:
            (folder / "uncore.csv").write_text("event,description,expression,background\n" + uncore)
        return folder

    def test_what_judges_them_is_said(self):
        """Programs do not: in messages, in the summary, in results."""
        out = self.folder / "out"
        run = support.Run("discover", "--pmu", "software:zen4", "--uncore", "--benchmark", "dcache-write", *FEW, "--out", out)
        self.expect(run, 0, out=r"^Socket +these events count for all cores; programs move too little of memory to judge",
                    err="^catmint: the definitions are not held against programs, which move too little of memory$")
        document = json.loads((out / "results.json").read_text())
        self.assertTrue(document["uncore"])
        self.assertEqual([metric["validation"] for metric in support.benchmark(document, "dcache-write")["metrics"] if support.usable(metric)], [None] * 5)
        self.expect(support.Run("validate", out, "--pmu", "software:zen4"), 4, err="programs move too little of memory to judge their definitions")

    def test_bytes_of_memory(self):
        for model, (name, *parts) in MODELS.items():
            with self.subTest(model):
                read, write, both = (name.format(part) for part in parts)
                # Of the one both benchmarks are swept, which are those without --benchmark.
                found = self.found(self.discover(model) if model == "zen4" else self.expect(self.discovered(model), 0))
                self.assertIn(found.pop("Memory Bytes"), ({both: 64.0}, {read: 64.0, write: 64.0}))  # the same numbers
                self.assertEqual(found, {"Memory Read Lines": {read: 1.0}, "Memory Write Lines": {write: 1.0}, "Memory Read Bytes": {read: 64.0},
                                         "Memory Write Bytes": {write: 64.0}})

    def test_the_judge_of_random_tables_agrees(self):
        """Definitions against meanings that are written down apart from the program, on facts that no kernel has."""
        with open(support.SOURCE / "tests/bench/truth/data/meanings.csv", newline="", encoding="utf-8") as stream:
            rows = csv.DictReader(line for line in stream if not line.startswith("#"))
            meanings = {row["metric"]: row["meaning"] for row in rows if row["benchmark"] == "socket/dcache-write"}
        with open(support.SOURCE / "data/pmu/skylake/uncore.csv", newline="", encoding="utf-8") as stream:
            events = {row["event"]: row["expression"] for row in csv.DictReader(line for line in stream if not line.startswith("#"))}
        found = self.found(self.expect(self.discovered("skylake"), 0))
        self.assertEqual(set(found), set(meanings))
        for facts in ((1000, 0, 0, 0), (300, 700, 0, 80), (500, 100, 550, 0), (10, 900, 905, 7)):
            known = dict(zip(("l3_load_miss", "l3_store_miss", "l3_written_back", "l3_fetch_miss"), facts), instructions=9000)
            for metric, definition in found.items():
                value = sum(coefficient * eval(events[event], {"__builtins__": {}}, known) for event, coefficient in definition.items())
                self.assertAlmostEqual(value, eval(meanings[metric], {"__builtins__": {}}, known), msg=metric, delta=1e-6)

    def test_what_is_in_a_table(self):
        """Raw counts stay raw: what the quiet socket counts has columns of its own, and the table alone is enough to analyse."""
        out = self.folder / "out"
        run = support.Run("sweep", "--pmu", "software:golden-cove", "--uncore", "--benchmark", "dcache-write", *FEW, "--out", out)
        self.expect(run, 0, err="4 events counted")
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertTrue(manifest["options"]["uncore"])
        self.assertEqual(manifest["line_size"], 64)
        self.assertEqual(manifest["benchmarks"][0]["threads"], 1)
        with open(out / "dcache-write.csv", newline="", encoding="utf-8") as stream:
            table = list(csv.DictReader(line for line in stream if not line.startswith("#")))
        for row in table:
            if row["event"].endswith(":RD"):
                self.assertGreater(int(row["quiet:MEM.2+0"]), 0.05 * int(row["MEM.2+0"]))
                self.assertGreater(int(row["MEM.2+0"]), 1.05 * float(table[0]["MEM.2+0"]))
        with open(out / "events.csv", newline="", encoding="utf-8") as stream:
            self.assertEqual({row["component"] for row in csv.DictReader(stream)}, {"uncore"})
        alone = self.folder / "dcache-write.csv"
        shutil.copy(out / "dcache-write.csv", alone)
        run = self.expect(support.Run("analyze", alone, "--benchmark", "dcache-write", "--format", "json"), 0)
        self.assertEqual(self.found(run)["Memory Read Bytes"], {"uncore_imc::UNC_M_CAS_COUNT:RD": 64.0})

    def test_no_background_makes_a_definition_wrong(self):
        """Heavier, drifting and noisier ones cost definitions, and bend none."""
        events = "".join(f"uncore_imc::{name},lines,{expression},{{}}\n" for name, expression in
                         (("RD", "l3_load_miss + l3_store_miss + l3_fetch_miss"), ("WR", "l3_written_back"), ("HALF", "0.5*l3_written_back")))
        for seed, background, drift, noise in ((1, 0, 0, 0), (2, 150, 1, 0.02), (3, 600, 1, 0.2), (4, 3000, 0.5, 1)):
            with self.subTest(seed=seed):
                model = self.model(f"m{seed}", events.format(*[background] * 3), background_seed=seed, background_drift=drift, background_noise=noise)
                found = self.found(self.discover(model, "--benchmark", "dcache-write"))
                for metric, definition in found.items():
                    # Where noise hides that either alone would do, twice HALF is as right as WR, and so is a part of each.
                    weight = 64 if "Bytes" in metric else 1
                    right = {part: weight for part, word in (("RD", "Read"), ("WR", "Write")) if word in metric or metric == "Memory Bytes"}
                    got = collections.Counter()
                    for event, coefficient in definition.items():
                        half = event.endswith("HALF")
                        got["WR" if half else event.split("::")[1]] += coefficient / (2 if half else 1)
                    self.assertEqual(set(got), set(right), metric)
                    for part, coefficient in got.items():
                        self.assertAlmostEqual(coefficient / right[part], 1, delta=0.1, msg=metric)
                self.assertGreaterEqual(len(found), {1: 5, 2: 4}.get(seed, 0))  # the sum of both is near what noise may be

    def test_lines_of_other_sizes(self):
        """Bytes are those of the machine's own lines."""
        model = self.model("wide", "memory::READ,lines,l3_load_miss + l3_store_miss + l3_fetch_miss,10\n", line_size=128, l3_size=1966080)
        found = self.found(self.discover(model, "--benchmark", "dcache-write", *FEW))
        self.assertEqual(found, {"Memory Read Lines": {"memory::READ": 1.0}, "Memory Read Bytes": {"memory::READ": 128.0}})

    def test_shards_and_other_sweeps_keep_apart(self):
        for shard in ("1/2", "2/2"):
            run = support.Run("sweep", "--pmu", "software:zen4", "--uncore", "--benchmark", "dcache-write", *FEW, "--shard", shard, "--out", self.folder / "s")
            self.expect(run, 0)
        run = self.expect(support.Run("analyze", self.folder / "s", "--format", "json"), 0)
        self.assertEqual(len(self.found(run)), 5)
        run = support.Run("sweep", "--pmu", "software:zen4", "--benchmark", "dcache-write", "--events", "amd_umc*", "--out", self.folder / "core")
        self.expect(run, 2, err="no event matches \"amd_umc\\*\"")

    def test_exports_name_them_for_each_program(self):
        results = self.folder / "results.json"
        for model, perf, likwid in (("golden-cove", "64 * UNC_M_CAS_COUNT.RD", "MBOX{}C{} CAS_COUNT_{}"), ("zen4", "64 * UMC_CAS_CMD.RD", "UMC{}C{} CAS_CMD_{}")):
            with self.subTest(model):
                results.write_text(self.expect(self.discovered(model), 0).out)
                self.expect(support.Run("export", results, "--to", "perf"), 0, out=f'"MetricExpr": "{perf}"'.replace("*", "\\*"))
                for to in ("papi", "papi-user"):
                    run = support.Run("export", results, "--to", to, *(("--cpu", "spr") if to == "papi" else ()))
                    self.expect(run, 3, err="Memory Read Bytes: .*it counts for a whole socket, which a table of PAPI cannot ask for")
                run = self.expect(support.Run("export", results, "--to", "likwid", "--output", self.folder / model), 0)
                text = "".join(path.read_text() for path in (self.folder / model).glob("*.txt"))
                for box in range(12):
                    for counter, part in enumerate(("RD", "WR")):
                        self.assertIn(likwid.format(box, counter, part) + "\n", text)
                self.assertRegex(text, r"Memory Read Bytes 64\*\((MBOX|UMC)0C0(\+(MBOX|UMC)\d+C0){11}\)\n")

    def test_programs_do_not_judge_them(self):
        out = self.folder / "out"
        self.discover("skylake", "--benchmark", "dcache-write", "--repetitions", "2", "--out", out)
        self.expect(support.Run("validate", out), 4, err="these events count for a whole socket")
        results = self.folder / "results.json"
        self.expect(support.Run("analyze", out, "--format", "json", "--output", results), 0)
        self.expect(support.Run("count", "--results", results, "--metric", "Memory Read Bytes", "--", "true"), 125,
                    err="'Memory Read Bytes' counts for a whole socket, not for a program")

    def test_refusals(self):
        none = self.model("none")
        (none / "uncore.csv").unlink()
        for options, code, err in (
                (("--pmu", "software:neoverse-v2"), 4, "neoverse-v2 has no events that count for a socket: the model has no file uncore.csv"),
                (("--pmu", f"software:{none}"), 4, "has no events that count for a socket"),
                (("--pmu", "software", "--benchmark", "branch"), 2, "--uncore counts while dcache, dcache-write run, found 'branch'"),
                (("--pmu", "software", "--threads", "2"), 2, "2 threads are asked for, but one core alone may be busy"),
                (("--pmu", "software:golden-cove-coded", "--raw", "event=0xc7,umask=0x01"), 2, "cannot be swept together")):
            with self.subTest(options):
                self.expect(support.Run("discover", "--uncore", *options), code, err=err)


if __name__ == "__main__":
    support.main()
