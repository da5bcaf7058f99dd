"""In-core figures of this machine: shapes, formats and errors. How fast it is, is no test; what a model's memory moves is."""

import json
import os
import re
import shutil

import documents
import support

KNOWN = "vendor,family,model,operation,vectors,latency,throughput,source\n"
BRIEFLY = ("--cores", "0", "--rounds", "1", "--repetitions", "1", "--load-seconds", "0.01")


def cpuinfo(name):
    found = re.search(rf"^{name}\t+: (.*)$", open("/proc/cpuinfo", encoding="utf-8").read(), re.M)
    return found[1] if found else ""


class Measuring(support.Case):
    def measure(self, *options):
        run = support.Run("incore", *BRIEFLY, *options)
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        return run


class Incore(Measuring):
    def test_document(self):
        output = self.folder / "incore.json"
        self.expect(self.measure("--format", "json", "--output", output), 0, out="")
        document = json.loads(output.read_text())
        self.assertEqual(document["schema"], "catmint.incore/1")
        rows = {(row["operation"], row["vectors"]): row for row in document["instructions"]}
        for operation in ("add", "mul", "div", "sqrt"):
            self.assertEqual(len(rows[operation, "SSE"]["latency"]), 3)
            self.assertGreater(rows[operation, "SSE"]["throughput"][1], 0)
        self.assertIsNone(rows["stores", "SSE"]["latency"])
        self.assertEqual({row["cores"] for row in document["clocks"] + document["stores"]}, {1})
        for row in document["stores"]:
            self.assertAlmostEqual(row["traffic"], row["load"][1] / row["store"][1])
        self.assertFalse({"counts", "uncounted"} & document.keys())
        documents.hold(self, document)

    def test_known(self):
        vendor, family, model = cpuinfo("vendor_id"), cpuinfo("cpu family"), cpuinfo("model")
        if not vendor:
            self.skipTest("this processor has no vendor_id")
        table = self.write("known.csv", KNOWN + f"{vendor},{family},{model},add,SSE,1000,,a wish\n{vendor},{family},,mul,SSE,,1000,a wish\n"
                           f"{vendor},{int(family) + 1},,div,SSE,1,1,another\nOther,{family},,div,SSE,1,1,another\n")
        run = self.expect(self.measure("--known", table), 0)
        self.assertRegex(run.out, r"Differs +latency of SSE add: .* here, 1e\+03 there")
        self.assertRegex(run.out, r"Differs +throughput of SSE multiply: .* here, 1e\+03 there")
        self.assertIn("2 figures; those that differ", run.out)
        self.assertNotIn("another", run.out)

    def test_nothing_known_and_nothing_to_predict(self):
        """No llvm-mca and no compiler is in an empty PATH."""
        run = support.Run("incore", *BRIEFLY, "--known", self.write("none.csv", KNOWN), "--kernels", PATH=str(self.folder))
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        self.assertIn("no figures of this processor are known", self.expect(run, 0).out)
        self.assertIn("llvm-mca is not installed", run.out)

    def test_a_processor_that_llvm_mca_does_not_know(self):
        """It takes the processor for another one: no prediction, and the reason."""
        fake = self.write("llvm-mca", "#!/bin/sh\necho '  Host CPU: i386'\n")
        fake.chmod(0o755)
        run = support.Run("incore", *BRIEFLY, "--kernels", "--format", "json", PATH=str(self.folder))
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        document = self.expect(run, 0).json()
        self.assertEqual(document["kernels"], [])
        if os.uname().machine == "x86_64":
            self.assertRegex(document["kernels_note"], r"^llvm-mca does not know this processor \(.*\), for which it takes 'i386'")

    def test_wrong_input(self):
        for text, words in (("x,1,2,wish,SSE,1,1,s\n", ":2: unknown operation 'wish'"), ("x,a,2,add,SSE,1,1,s\n", ":2:"), ("x,1,2,add,SSE,0,1,s\n", ":2: latency is 0"),
                            ("x,1,2,add,SSE,1,-1,s\n", ":2: throughput is -1"), ("x,1,2,add\n", ":2:")):
            run = support.Run("incore", *BRIEFLY, "--known", self.write("known.csv", KNOWN + text))
            self.assertIn(words, self.expect(run, 3).err)
        self.expect(support.Run("incore", "--known", self.folder / "missing.csv"), 3)

    def test_wrong_options(self):
        for options, words in ((("--load-seconds", "0"), "expected seconds"), (("--load-seconds", "nan"), "expected seconds"), (("--repetitions", "0"), "expected a number"),
                               (("--cores", ""), "expected processors"), (("x",), "unexpected argument")):
            self.assertIn(words, self.expect(support.Run("incore", *options), 2).err)


class Counted(Measuring):
    """Bytes that memory moves, counted on models; what each metric, file and PMU lacks is said, and the times stay."""

    FOUND = {}

    def results(self, model="golden-cove"):
        if model not in self.FOUND:
            run = support.Run("discover", "--pmu", f"software:{model}", "--uncore", "--benchmark", "dcache-write", "--repetitions", "3", "--programs", "0", "--format", "json")
            self.FOUND[model] = self.expect(run, 0).out
        return json.loads(self.FOUND[model])

    def put(self, document, *without):
        """Results without the definitions of these metrics."""
        for benchmark in document["benchmarks"]:
            for metric in benchmark["metrics"]:
                if metric["metric"] in without:
                    metric["composable"], metric["valid_above"] = False, None
        return self.write("results.json", json.dumps(document))

    def check(self, document, read, written, past=(0, 0)):
        """For a byte loaded, stored, and stored past the caches; None: not counted. Background and interference leave a little."""
        self.assertTrue(document["stores"])
        for row in document["stores"]:
            for stream, expected in (("load", (1, 0)), ("store", (read, written)), ("store_nt", past)):
                for name, figure in zip(("read", "written", "both"), (*expected, None if None in (read, written) else sum(expected))):
                    found = row["counted"][stream][name]
                    if figure is None or (name == "read" and read is None) or (name == "written" and written is None):
                        self.assertIsNone(found, (stream, name))
                    else:
                        self.assertAlmostEqual(found[1], figure, delta=0.12, msg=(row["vectors"], stream, name))

    def measure_json(self, results, *options):
        return self.expect(self.measure("--format", "json", "--results", results, *options), 0).json()

    def test_a_line_is_read_before_it_is_written(self):
        for model in ("golden-cove", "zen4"):
            with self.subTest(model):
                document = self.measure_json(self.put(self.results(model)), "--repetitions", "3")
                self.check(document, 1, 1)
                self.assertEqual(document["counts"], {"pmu": f"software:{model}", "repetitions": 3})
                self.assertNotIn("uncounted", document)
        documents.hold(self, document)

    def test_a_model_that_does_not_read_them_and_one_that_sees_all_stores(self):
        """On the model that is named, not on that of the results."""
        folder = self.folder / "evading"
        shutil.copytree(support.SOURCE / "data/pmu/golden-cove", folder)
        (folder / "machine.csv").write_text(support.plain_machine() + "write_allocate_evasion,1\n")  # prefetchers read what stores will write
        results = self.put(self.results())
        self.check(self.measure_json(results, "--pmu", f"software:{folder}"), 0, 1)
        lines = (folder / "uncore.csv").read_text().replace(",l3_written_back,", ",l3_written_back + nt_stores,")
        (folder / "uncore.csv").write_text(lines)
        widest = self.measure_json(results, "--pmu", f"software:{folder}")["stores"][-1]
        width = {"SSE": 16, "AVX": 32, "AVX-512": 64}[widest["vectors"]]
        self.assertAlmostEqual(widest["counted"]["store_nt"]["written"][1], 64 / width, delta=0.12)

    def test_some_are_defined(self):
        document = self.results()
        table = self.expect(self.measure("--results", self.put(document, "Memory Bytes")), 0, out="^Memory, bytes for a byte .*read +written +both +by times$").out
        self.assertRegex(table, r"(?m)^store +\S+ +1 +(0\.9|1\.[01])\d \+- 0\.\d+ +(0\.9|1\.[01])\d \+- 0\.\d+ +(1\.9|2\.[01])\d \+- ")
        self.assertRegex(table, r"(?s)\nCounted +by software:golden-cove: .*\nNot seen +stores past the caches: these events count none of them")
        self.check(self.measure_json(self.put(document, "Memory Write Bytes", "Memory Bytes")), 1, None)
        only = self.measure_json(self.put(document, "Memory Read Bytes", "Memory Write Bytes"))
        self.assertNotIn("counted", only["stores"][0])

    def test_none_is_defined(self):
        lacking = self.put(self.results(), "Memory Read Bytes", "Memory Write Bytes", "Memory Bytes")
        other = self.folder / "other.json"
        self.expect(support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", other), 0)
        why = "the results define none of Memory Read Bytes, Memory Write Bytes and Memory Bytes; those of 'catmint discover --uncore' do"
        for results in (lacking, other):
            document = self.measure_json(results, "--pmu", "software:none")  # which is not needed then
            self.assertEqual(document["uncounted"], why)
            self.assertNotIn("counts", document)
            self.assertNotIn("counted", document["stores"][0])
            self.assertGreater(document["stores"][0]["traffic"], 0)
        documents.hold(self, document)
        table = self.expect(self.measure("--results", lacking), 0, out="^Not counted +the results define none of Memory Read Bytes").out
        self.assertNotIn("with --results", table)

    def test_it_cannot_be_counted(self):
        results = self.put(self.results())
        for pmu, why in (("software:neoverse-v2", "software:neoverse-v2 has no events that count for a socket: the model has no file uncore.csv"),
                         ("software:zen4", "software:zen4: there is no event 'uncore_imc::UNC_M_CAS_COUNT:RD'"), ("hardware", "")):
            with self.subTest(pmu):
                document = self.measure_json(results, "--pmu", pmu)
                self.assertTrue(document["uncounted"].startswith(why) and document["uncounted"], document["uncounted"])
                self.assertNotIn("counts", document)

    def test_several_cores(self):
        run = support.Run("incore", *BRIEFLY[2:], "--format", "json", "--results", self.put(self.results()))
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        document = self.expect(run, 0).json()
        for row in document["stores"]:
            self.assertEqual(row["counted"]["store"]["read"] is None, row["cores"] > 1)
        if document["stores"][-1]["cores"] > 1:
            self.assertEqual(document["uncounted"], "the software PMU models one core: nothing was counted on several")

    def test_wrong_input(self):
        self.expect(support.Run("incore", *BRIEFLY, "--results", self.folder / "missing.json"), 3, err="missing.json: cannot be opened")
        self.expect(support.Run("incore", *BRIEFLY, "--results", self.write("bad.json", "{\n")), 3, err=r"bad\.json:2: ")
        self.expect(support.Run("incore", *BRIEFLY, "--pmu", "software"), 2, err="--pmu needs --results FILE, whose definitions it counts")
        self.expect(support.Run("incore", *BRIEFLY, "--pmu", "soft", "--results", "x"), 2, err="--pmu: ")
        self.expect(support.Run("incore", *BRIEFLY, "--results", self.put(self.results()), "--pmu", "software:none"), 2, err='unknown software PMU model "none"')


if __name__ == "__main__":
    support.main()
