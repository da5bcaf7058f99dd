"""Sweeps of codes: screened, counted, defined, proven and exported by code."""

import csv
import json
import math
import re
import signal
import subprocess
import time

import support

CODED = "software:golden-cove-coded"
FLOPS = "event=0xc7,umask=0x00-0xff"


class Raw(support.Case):
    def swept(self, pmu, codes, *options, command="sweep", code=0):
        return self.expect(support.Run(command, "--pmu", pmu, "--raw", codes, "--out", self.folder / "out", *options), code)

    def manifest(self):
        return json.loads((self.folder / "out/manifest.json").read_text())["raw"]

    def test_from_codes_to_definitions(self):
        """What the documented codes count is found without their names, and goes out by code."""
        run = self.swept(CODED, FLOPS, "--benchmark", "cpu-flops", "--programs", "4", "--format", "json", "--output",
                         self.folder / "results.json", command="discover")
        # Events of vectors that this processor lacks count nothing, and then others count the same.
        found = re.search("256 codes of cpu: 0 refused, 0 crashed or hung, 0 excluded as unsafe, ([0-9]+) count nothing, ([0-9]+) count; ([0-9]+) of these differ", run.err)
        self.assertTrue(found, run.err)
        nothing, count, differ = map(int, found.groups())
        self.assertEqual(nothing + count, 256)
        self.assertTrue(9 <= differ <= count <= 12, run.err)
        document = json.loads((self.folder / "results.json").read_text())
        found = support.metric(document, "cpu-flops", "DP Ops.")
        wanted = {"cpu:event=0xc7,umask=0x01": 1, "cpu:event=0xc7,umask=0x04": 2, "cpu:event=0xc7,umask=0x10": 4,
                  "cpu:event=0xc7,umask=0x40": 8}
        executed = {name: weight for name, weight in wanted.items() if name in support.definition(found)}
        self.assertTrue(support.usable(found))
        self.assertGreaterEqual(len(executed), 3)
        self.assertEqual(support.definition(found), executed)
        names = {entry["event"]: entry["names"] for entry in self.manifest()["classes"]}
        self.assertEqual(names["cpu:event=0xc7,umask=0x01"], "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE")
        self.names_of_definitions(document)
        with open(self.folder / "out/events.csv", newline="", encoding="utf-8") as stream:
            rows = {row["event"]: row for row in csv.DictReader(stream)}
        self.assertEqual(rows["cpu:event=0xc7,umask=0x01"]["component"], "raw")
        self.exports()

    def names_of_definitions(self, document):
        """Wherever a definition stands, the names of its codes stand beside it."""
        codes = next(entry for entry in document["benchmarks"] if entry["benchmark"] == "cpu-flops")["code_names"]
        self.assertEqual(codes["cpu:event=0xc7,umask=0x01"], ["FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"])
        self.expect(support.Run("analyze", self.folder / "out"), 0, 
                    out=r"(?s)\nCodes .*cpu:event=0xc7,umask=0x01 is\s+FP_ARITH_INST_RETIRED:SCALAR_DOUBLE\n")
        self.expect(support.Run("explain", self.folder / "out", "--metric", "DP Ops."), 0,
                    out=r"cpu:event=0xc7,umask=0x01: solved.*\n  named +FP_ARITH_INST_RETIRED:SCALAR_DOUBLE\n")
        self.expect(support.Run("explain", "cpu:event=0xc7,umask=0x04", self.folder / "out"), 0,
                    out=r"\nNamed +FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE\n")
        self.expect(support.Run("report", self.folder / "results.json", "--output", self.folder / "page.html"), 0)
        self.assertIn("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE</span>", (self.folder / "page.html").read_text())

    def exports(self):
        for options, pattern in (
                (("perf",), r"cpu@event\\\\=0xc7\\\\,umask\\\\=0x01@ \+ 2 \* cpu@event"),
                (("perf",), r"; cpu@event\\\\=0xc7\\\\;umask\\\\=0x01@ is FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"),
                (("papi", "--cpu", "spr"), r"PRESET,PAPI_DP_OPS,.*,perf_raw::r1c7,perf_raw::r4c7"),
                (("papi", "--cpu", "spr"), r"PRESET,PAPI_DP_OPS,.*NOTE,.*; perf_raw::r1c7 is FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"),
                (("csv",), r"'cpu:event=0xc7,umask=0x01'"),
                (("csv",), r"; 'cpu:event=0xc7;umask=0x01' is FP_ARITH_INST_RETIRED:SCALAR_DOUBLE")):
            with self.subTest(options):
                self.expect(support.Run("export", self.folder / "results.json", "--to", *options), 1, err="are not composable", out=pattern)
        groups = self.folder / "groups"
        self.expect(support.Run("export", self.folder / "results.json", "--to", "likwid", "--counters", "8", "--output", groups), 1)
        text = "".join(path.read_text() for path in groups.glob("*.txt"))
        self.assertIn(":CONFIG=0xC7:UMASK=0x01 GENERIC_EVENT\n", text)
        self.assertIn(" is FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", text)

    def test_codes_that_count_the_same_are_counted_once(self):
        """Of instructions retired there are two codes that libpfm4 knows; cycles count the same by several."""
        self.swept(CODED, "event=0x00|0x3c|0xc0,umask=0x00-0x03", "--benchmark", "branch", "--repetitions", "1")
        classes = {entry["event"]: entry["same"] for entry in self.manifest()["classes"]}
        self.assertEqual(classes["cpu:event=0x00,umask=0x01"], ["cpu:event=0xc0,umask=0x00"])

    def test_garbage_as_the_seed_says(self):
        rows = []
        for seed in (1, 1, 2):
            self.swept(f"{CODED}@{seed}", "event=0x10-0x17,umask=0x00-0xff", "--benchmark", "cpu-flops", "--repetitions", "1")
            rows.append({key: value for key, value in self.manifest().items() if key != "classes"})
            self.assertLess(len(self.manifest()["classes"]), rows[-1]["counting"])  # there are duplicates
        self.assertNotEqual(rows[0], rows[2])
        # Some codes count a miss or none, by where memory is.
        self.assertAlmostEqual(rows[0]["counting"], rows[1]["counting"], delta=3)
        for row in rows:
            row["silent"] += row.pop("counting")
        self.assertEqual(rows[0], rows[1])
        self.assertGreater(rows[0]["refused"], 0)

    def test_a_screening_goes_on_where_it_was_stopped(self):
        """What was screened is not screened again, what was torn off is."""
        options = ("sweep", "--pmu", f"{CODED}@3", "--raw", "event=0x00-0xbf,umask=0x00-0xff", "--benchmark", "cpu-flops", "--repetitions", "1",
                   "--out", self.folder / "out")
        kept = self.folder / "out/screening"
        with subprocess.Popen(["catmint", *map(str, options)], executable=support.PROGRAM, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not (kept.exists() and kept.stat().st_size > 30000):
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
        self.assertTrue(kept.exists(), "the sweep was over before it could be stopped")
        with open(kept, "r+b") as stream:
            stream.truncate(25000)
        self.expect(support.Run(*options, "--resume"), 0, err="catmint: (8192|16384|24576) of these codes were screened before")
        self.assertFalse(kept.exists())
        resumed = self.manifest()
        self.expect(support.Run(*options), 0)
        for key in ("codes", "screened", "refused", "crashed", "excluded"):
            self.assertEqual(self.manifest()[key], resumed[key])
        kept.write_text("mine\n")
        self.expect(support.Run(*options), 4, err="screening: it is in the way, and not catmint's")
        self.assertEqual(kept.read_text(), "mine\n")

    def test_models_named_by_code(self):
        """Counters are few, a code crashes, another one hangs: they cost themselves."""
        self.write("mine/events.csv", "event,description,expression\n0xc0:0x00,,instructions\n0xc1:0x01,,loads\n0xc1:0x02,,stores\n"
                   "0xc1:0x03,,loads + stores\n0xc2:0x00,,branches_cond\n")
        machine = (support.SOURCE / "tests/data/pmu/tiny/machine.csv").read_text().replace("counters,4", "counters,2")
        self.write("mine/machine.csv", machine.replace("key,value", "key,value,kind").replace("\n", ",\n").replace("kind,", "kind")
                   .replace("processor of paper.,", "processor of paper.") + "fault,0xc2:0x00,crash\n")
        self.swept(f"software:{self.folder / 'mine'}", "event=0xc0-0xc3,umask=0x00-0x03", "--benchmark", "branch", "--repetitions", "1")
        manifest = self.manifest()
        self.assertEqual((manifest["crashed"], manifest["counting"], manifest["silent"]), (1, 4, 11))

    def test_what_counts_page_walks_too_stands_in_for_nothing(self):
        """Chains of pages are served by the second cache or the third, as the machine will: they are as many loads either way."""
        self.write("mine/events.csv", "event,description,expression\n0xc1:0x01,,loads + stores\n0xc1:0x02,,2*loads + 2*stores\n"
                   "0xc1:0x03,,2*loads + 2*stores + load_walks + store_walks\n")
        self.write("mine/machine.csv", (support.SOURCE / "data/pmu/golden-cove/machine.csv").read_bytes())
        self.swept(f"software:{self.folder / 'mine'}", "event=0xc1,umask=0x00-0x03", "--benchmark", "mem-ops,tlb", "--programs", "0", "--format", "json",
                   "--output", self.folder / "results.json", command="discover")
        found = support.metric(json.loads((self.folder / "results.json").read_text()), "mem-ops", "Loads and Stores")
        self.assertEqual(support.definition(found), {"cpu:event=0xc1,umask=0x01": 1})
        others = [term["event"] for other in found["alternatives"] for term in other["definition"]]
        self.assertEqual(others, ["cpu:event=0xc1,umask=0x02"])
        self.assertEqual([entry["event"] for entry in found["definition"][0]["equivalents"]], others)

    def test_counter_masks(self):
        """Codes with cmask, inv and edge count what the model says, those without count something else; and go out so."""
        self.write("mine/events.csv", "event,description,expression\n0xc4:0x00,,instructions\n0xc4:0x01:cmask=1,,branches_cond\n"
                   "0xc4:0x01:cmask=1:inv=1,,branches_cond_taken\n0xc4:0x02:edge=1,,branches_uncond\n0xc5:0x00,,mispredicted_cond\n")
        self.write("mine/machine.csv", (support.SOURCE / "tests/data/pmu/tiny/machine.csv").read_bytes())
        run = self.swept(f"software:{self.folder / 'mine'}", "event=0xc4|0xc5,umask=0x00-0x02,cmask=0|1,inv=0|1,edge=0|1", "--benchmark", "branch",
                         "--programs", "0", "--format", "json", "--output", self.folder / "results.json", command="discover")
        self.assertIn("48 codes of cpu: 0 refused, 0 crashed or hung, 0 excluded as unsafe, 43 count nothing, 5 count; 5 of these differ", run.err)
        document = json.loads((self.folder / "results.json").read_text())
        cond, taken = "cpu:event=0xc4,umask=0x01,cmask=0x01", "cpu:event=0xc4,umask=0x01,cmask=0x01,inv=0x1"
        found = support.metric(document, "branch", "Conditional Branches Not Taken")
        self.assertTrue(support.usable(found))
        self.assertEqual(support.definition(found), {cond: 1, taken: -1})
        results = self.folder / "results.json"
        for options, pattern in ((("perf",), r"cpu@event\\\\=0xc4\\\\,umask\\\\=0x01\\\\,cmask\\\\=0x01\\\\,inv\\\\=0x1@"),
                                 (("papi", "--cpu", "spr"), r"PRESET,PAPI_BR_NTK,.*perf_raw::r10001c4,perf_raw::r18001c4"),
                                 (("csv",), rf"'{cond}'")):
            with self.subTest(options):
                self.expect(support.Run("export", results, "--to", *options), 1, err="are not composable", out=pattern)
        self.expect(support.Run("export", results, "--to", "likwid", "--output", self.folder / "groups"), 1, err=r"has no name in likwid: LIKWID.s generic event has an event and a unit mask")

    def test_chains_of_all_kinds_tell_codes_apart(self):
        """Reads of code that hit the second cache, those that miss it, and all of them."""
        run = support.Run("sweep", "--pmu", CODED, "--raw", "event=0x24,umask=0x24|0xc4|0xe4", "--benchmark", "icache", "--dry-run")
        self.expect(run, 0, err="0 count nothing, 3 count; 3 of these differ")

    def test_events_named_by_code(self):
        self.expect(support.Run("sweep", "--pmu", CODED, "--events", "cpu:event=0xc4,umask=0x11", "--benchmark", "branch", "--out",
                                self.folder / "out", "--repetitions", "2"), 0, err="1 event counted")
        self.expect(support.Run("analyze", self.folder / "out"), 0, out=r"1 x cpu:event=0xc4,umask=0x11")

    def test_what_is_wrong_is_said(self):
        for pmu, codes, code, said in (
                (CODED, "event", 2, "expected fields with values, as in 'event=0x00-0xff,umask=0x00-0xff'"),
                (CODED, "evnt=1", 2, "codes of cpu have no field 'evnt', expected one of event, umask, cmask, edge, inv"),
                (CODED, "event=0xf0-0xff,umask=0x00", 4, "none of 16 codes counts anything here"),
                ("software:golden-cove", "event=1", 4, "answers to names, not to codes: expected a model in coded form"),
                ("software:a64fx-coded", "event=1", 3, "the model's events have no codes"),
                (f"{CODED}@1x", "event=1", 2, "unknown software PMU model"),
                ("software:nobody-coded", "event=1", 2, 'unknown software PMU model "nobody')):
            with self.subTest((pmu, codes)):
                self.expect(support.Run("sweep", "--pmu", pmu, "--raw", codes, "--benchmark", "branch", "--out", self.folder / "no"),
                            code, err=said)

    def test_within_a_budget(self):
        """Codes that only benchmarks count which do not fit are not counted: the sweep could not be resumed."""
        options = CODED, "event=0x12|0x13|0xc7,umask=0x00-0xff", "--benchmark", "cpu-flops,tlb", "--repetitions", "60", "--budget"
        found = re.findall(r"(?:cpu-flops|tlb) \(([\d.]+) (s|minute)", self.swept(*options, "0.1s", code=4).err)  # here and now
        short, long = [float(number) * {"s": 1, "minute": 60}[unit] for number, unit in found]
        run = self.swept(*options, f"{math.ceil(math.sqrt(short * long))}s")
        self.assertRegex(run.err, r"left out, since they do not fit into a budget of [^:]*: tlb ")
        with open(self.folder / "out/events.csv", newline="", encoding="utf-8") as stream:
            counted = {row["event"] for row in csv.DictReader(stream)}
        self.assertEqual(counted, {entry["event"] for entry in self.manifest()["classes"]})

    def test_no_shards(self):
        self.expect(support.Run("sweep", "--pmu", CODED, "--raw", FLOPS, "--benchmark", "branch", "--out", self.folder / "no", "--shard", "1/2"), 2,
                    err="codes cannot be swept in shards")


if __name__ == "__main__":
    support.main()
