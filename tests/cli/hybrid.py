"""Hybrid processors: counted by type of cores, defined for each, shown side by side, exported by PMU."""

import json
import os
import shutil

import report_page
import support

HYBRID = f"software:{support.SOURCE / 'tests/data/pmu/hybrid'}"
BOTH = ("cpu_big", "cpu_little")
OTHER = "Conditional Branches Not Taken"


def fake_system(folder, cpus):
    """A root whose /sys lists a device for each type, with its processors."""
    for number, (core, listed) in enumerate(cpus.items()):
        device = folder / "sys/bus/event_source/devices" / core
        (device / "format").mkdir(parents=True)
        (device / "cpus").write_text(listed + "\n")
        (device / "type").write_text(f"{number + 4}\n")
        (device / "format/event").write_text("config:0-7\n")
        (device / "format/umask").write_text("config:8-15\n")
    return folder


class Hybrid(support.Case):
    def run_ok(self, *arguments, code=0, **patterns):
        return self.expect(support.Run(*arguments), code, **patterns)

    def swept(self, name="out", *options, benchmark="branch"):
        self.run_ok("sweep", "--pmu", HYBRID, "--component", "sde", "--benchmark", benchmark, "--repetitions", "2", "--out", self.folder / name, *options)
        return self.folder / name

    def results(self, folder):
        return support.Run("analyze", folder, "--format", "json").json()


class Definitions(Hybrid):
    def test_each_type_has_its_own(self):
        """The same name means two things: nothing is merged, and both definitions are right."""
        run = support.Run("discover", "--pmu", HYBRID, "--component", "sde", "--benchmark", "branch", "--repetitions", "3", "--programs", "4", "--verbose", "--out",
                          self.folder / "out")
        self.expect(run, 0, out=r"not the same on all cores")
        self.assertRegex(run.out, r"Not merged +events with the same name but different counts on each type of cores: BR_RETIRED:OTHER\n")
        self.assertRegex(run.out, rf"{OTHER} +cpu_big +1 x BR_RETIRED:OTHER\n +cpu_little +1 x BR_RETIRED:COND - 1 x BR_RETIRED:COND_TAKEN\n")
        document = self.results(self.folder / "out")
        self.assertEqual([core["core"] for core in document["cores"]], list(BOTH))
        self.assertEqual([benchmark["core"] for benchmark in document["benchmarks"]], list(BOTH))
        definitions = {core: {metric["metric"]: support.definition(metric) for metric in benchmark["metrics"] if support.usable(metric)}
                       for core, benchmark in zip(BOTH, document["benchmarks"])}
        self.assertEqual(definitions["cpu_big"][OTHER], {"paper_b::BR_RETIRED:OTHER": 1})
        self.assertEqual(definitions["cpu_little"][OTHER], {"paper_l::BR_RETIRED:COND": 1, "paper_l::BR_RETIRED:COND_TAKEN": -1})
        self.assertEqual(definitions["cpu_little"]["Unconditional Branches"], {"paper_l::BR_RETIRED:OTHER": 1})
        rows = {row["metric"]: row for row in document["by_core"]}
        self.assertFalse(rows[OTHER]["same"])
        self.assertTrue(rows["Conditional Branches Taken"]["same"])
        self.assertEqual([row["event"] for row in document["different_events"]], ["BR_RETIRED:OTHER"])
        self.assertEqual(document["benchmarks"][0]["metrics"][1]["validation"]["programs"], 4)
        self.shown(self.folder / "out")

    # What each type calls a miss, and an operation: WORK:MISS and WORK:DP are of one name and of two meanings.
    OPERATIONS = "fp_d_scalar + 2*fp_d_128 + 4*fp_d_256 + 8*fp_d_512 + 2*(fp_d_scalar_fma + 2*fp_d_128_fma + 4*fp_d_256_fma + 8*fp_d_512_fma)"
    ONCE = "fp_d_scalar + fp_d_128 + fp_d_256 + fp_d_512 + fp_d_scalar_fma + fp_d_128_fma + fp_d_256_fma + fp_d_512_fma"
    WORK = {"big": (("WORK:MISS", "l1d_load_miss"), ("WORK:MISS_FAR", "l2_load_miss"), ("WORK:DP", OPERATIONS), ("WORK:ONCE", ONCE)),
            "little": (("WORK:MISS", "l2_load_miss"), ("WORK:MISS_NEAR", "l1d_load_miss"), ("WORK:DP", ONCE), ("WORK:FLOPS", OPERATIONS))}
    MEANT = {"L1 Misses": ("WORK:MISS", "WORK:MISS_NEAR"), "L2 Misses": ("WORK:MISS_FAR", "WORK:MISS"), "DP Ops.": ("WORK:DP", "WORK:FLOPS"),
             "DP Instrs. with an FMA once": ("WORK:ONCE", "WORK:DP")}

    def test_caches_and_operations(self):
        """What one type's event counts, another type's event of the same name does not."""
        model = self.folder / "model"
        shutil.copytree(support.SOURCE / "tests/data/pmu/hybrid", model)
        for core, events in self.WORK.items():
            rows = [f'{name},,"{expression}"' for name, expression in events]
            (model / core / "events.csv").write_text("event,description,expression\n" + "\n".join(rows) + "\n")
        out = self.folder / "out"
        self.run_ok("sweep", "--pmu", f"software:{model}", "--component", "sde", "--benchmark", "cpu-flops,dcache", "--repetitions", "3", "--threads",
                    "1", "--out", out)
        document = self.results(out)
        self.assertEqual([(part["core"], part["benchmark"]) for part in document["benchmarks"]],
                         [(core, benchmark) for core in BOTH for benchmark in ("cpu-flops", "dcache")])
        found = {(part["core"], metric["metric"]): metric for part in document["benchmarks"] for metric in part["metrics"]}
        for metric, names in self.MEANT.items():
            for core, pmu, name in zip(BOTH, ("paper_b", "paper_l"), names):
                with self.subTest(metric=metric, core=core):
                    self.assertTrue(support.usable(found[core, metric]))
                    self.assertEqual(support.definition(found[core, metric]), {f"{pmu}::{name}": 1})
        self.assertEqual({row["event"] for row in document["different_events"]}, {"WORK:DP", "WORK:MISS"})
        for row in document["by_core"]:
            self.assertFalse(row["same"] and row["metric"] in self.MEANT, row)
        run = self.run_ok("analyze", out, out=r"(?s)Cores side by side.*dcache\nL1 Misses +cpu_big +1 x WORK:MISS\n +cpu_little +1 x WORK:MISS_NEAR\n")
        self.assertRegex(run.out, r"Not merged +events with the same name but different counts on each type of cores:\s+WORK:DP,\s+WORK:MISS\n")

    def test_processors_that_exist(self):
        """alder-lake: caches of both types by their own events; its E cores count no floating-point operations, and get no definition of them."""
        out = self.folder / "out"
        self.run_ok("sweep", "--pmu", "software:alder-lake", "--component", "sde", "--benchmark", "cpu-flops,dcache", "--repetitions", "3", "--threads",
                    "1", "--out", out)
        document = self.results(out)
        found = {(part["core"], metric["metric"]): metric for part in document["benchmarks"] for metric in part["metrics"]}
        big, small = "adl_glc::MEM_LOAD_RETIRED:", "adl_grt::MEM_LOAD_UOPS_RETIRED:"
        # Hits alone may have a range after three repetitions, where what misses one level and not the next has none.
        meant = {"cpu_core": {"L2 Hits": ({f"{big}L2_HIT": 1}, {f"{big}L1_MISS": 1, f"{big}L2_MISS": -1}), "L3 Hits": ({f"{big}L3_HIT": 1}, {f"{big}L2_MISS": 1, f"{big}L3_MISS": -1})},
                 "cpu_atom": {"L2 Hits": ({f"{small}L2_HIT": 1},), "L3 Hits": ({f"{small}L3_HIT": 1}, {"adl_grt::LONGEST_LAT_CACHE:REFERENCE": 1, "adl_grt::LONGEST_LAT_CACHE:MISS": -1})}}
        for core, metrics in meant.items():
            for metric, definitions in metrics.items():
                self.assertTrue(support.usable(found[core, metric]), (core, metric))
                self.assertIn(support.definition(found[core, metric]), definitions, (core, metric))
        self.assertTrue(support.usable(found["cpu_core", "DP Ops."]))
        floating = [metric for (core, metric), entry in found.items() if core == "cpu_atom" and support.usable(entry) and "P " in metric]
        self.assertEqual(floating, [])
        self.assertEqual(document["different_events"], [])

    def shown(self, folder):
        """Every command that reads a sweep reads this one."""
        self.run_ok("discover", "--pmu", HYBRID, "--component", "sde", "--benchmark", "branch", "--repetitions", "2", "--programs", "0",
                    out=r"(?s)On cores of the type cpu_big.*On cores of the type cpu_little.*are not the same on all.*cores.*Not merged")
        self.run_ok("explain", "--metric", OTHER, folder, out=r"(?s)branch on cpu_big.*branch on cpu_little")
        self.run_ok("validate", folder, "--pmu", HYBRID, "--programs", "4", "--resume", out=r"(?s)branch on cpu_big.*branch on cpu_little")
        self.run_ok("diff", folder, folder, out="")
        self.run_ok("report", folder, "--output", self.folder / "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("branch on cpu_big", page)
        self.assertIn("branch on cpu_little", page)
        self.side_by_side(report_page.Page(self.folder / "page.html"))
        bundle = self.folder / "bundle.tar.gz"
        if support.Run("bundle", folder, "--output", bundle).code != 4: # a build without archives
            self.run_ok("bundle", "--check", bundle)

    def side_by_side(self, page):
        """A table of the page has both types beside each other, as the table of `analyze` has them one after the other."""
        section = page.root.first("section", id="cores-0")
        rows = [[cell.text for cell in (*row.all("th"), *row.all("td"))] for row in section.first("table").all("tr")]
        self.assertEqual(rows[0], ["Metric", "Benchmark", *BOTH, "Cores"])
        self.assertIn([OTHER, "branch", "1 × BR_RETIRED:OTHER", "1 × BR_RETIRED:COND−1 × BR_RETIRED:COND_TAKEN", "not the same on all cores"], rows)
        self.assertIn(["Conditional Branches Taken", "branch", *["1 × BR_RETIRED:COND_TAKEN"] * 2, "the same on all cores"], rows)
        self.assertIn("Not merged: events with the same name but different counts on each type of cores: BR_RETIRED:OTHER.", section.text)

    def test_blind(self):
        """Codes say their device, and so their type of cores."""
        self.run_ok("sweep", "--pmu", HYBRID + "-coded", "--raw", "event=0x00-0x0f,umask=0x00-0x07", "--benchmark", "branch", "--repetitions",
                    "2", "--out", self.folder / "out")
        found = {benchmark["core"]: benchmark for benchmark in self.results(self.folder / "out")["benchmarks"]}
        for core in BOTH:
            events = [event["event"] for event in found[core]["events"]]
            self.assertTrue(events and all(event.startswith(core + ":event=") for event in events), events)


class Exports(Hybrid):
    def test_by_pmu(self):
        document = self.folder / "results.json"
        folder = self.swept()
        self.run_ok("analyze", folder, "--format", "json", "--output", document)
        for options, patterns in (
                (("perf",), (r'"MetricExpr": "cpu_big@BR_RETIRED.OTHER@"', r'"Unit": "cpu_big"', r'"Unit": "cpu_little"')),
                (("papi",), (r"CPU,paper_b\n(?s:.*)CPU,paper_l\n", r"PRESET,PAPI_BR_NTK,NOT_DERIVED,paper_b::BR_RETIRED:OTHER",
                             r"PRESET,PAPI_BR_NTK,DERIVED_SUB,paper_l::BR_RETIRED:COND,paper_l::BR_RETIRED:COND_TAKEN")),
                (("papi", "--core", "cpu_little"), (r"\ACPU,paper_l\n|\nCPU,paper_l\n",)),
                (("csv", "--core", "cpu_big"), (rf"{OTHER},paper_b::BR_RETIRED:OTHER,",))):
            with self.subTest(options):
                run = support.Run("export", document, "--to", *options)
                self.expect(run, 1, err="are not composable")
                for pattern in patterns:
                    self.assertRegex(run.out, pattern)
        self.assertNotIn("paper_b", support.Run("export", document, "--to", "papi", "--cpu", "paper_l").out)
        self.run_ok("export", document, "--to", "csv", code=2, err="csv cannot express the type of cores of a definition: choose one, as in --core cpu_big")
        self.run_ok("export", document, "--to", "perf", "--core", "cpu_odd", code=2, err="the definitions are of none of these cores")


class Sweeps(Hybrid):
    FAST = "instructions"  # where any benchmark does

    def test_shards_and_merges(self):
        """Each type's shards are joined by themselves; sweeps of other types are not."""
        for shard in ("1/2", "2/2"):
            self.swept("shards", "--shard", shard)
        whole = self.results(self.swept("whole"))
        self.run_ok("merge", self.folder / "shards", "--out", self.folder / "joined")
        for folder in ("shards", "joined"):
            found = self.results(self.folder / folder)
            for one, other in zip(found["benchmarks"], whole["benchmarks"]):
                self.assertEqual([metric["definition"] for metric in one["metrics"]], [metric["definition"] for metric in other["metrics"]])
        manifest = json.loads((self.folder / "whole/cpu_big/manifest.json").read_text())
        self.assertEqual(manifest["core"], "cpu_big")
        self.run_ok("merge", self.folder / "whole/cpu_big", self.folder / "whole/cpu_little", "--out", self.folder / "no", code=3,
                    err="the type of cores")

    def test_one_type(self):
        folder = self.swept("out", "--core", "cpu_little", benchmark=self.FAST)
        self.assertEqual([benchmark["core"] for benchmark in self.results(folder)["benchmarks"]], ["cpu_little"])
        self.swept("out", "--core", "cpu_big", benchmark=self.FAST)
        self.assertEqual(len(self.results(folder)["benchmarks"]), 2)
        self.run_ok("sweep", "--pmu", HYBRID, "--core", "cpu_odd", "--out", self.folder / "odd", code=2,
                    err="--core: expected a type of cores, such as cpu_big, found 'cpu_odd'")
        self.run_ok("sweep", "--pmu", "software:golden-cove", "--core", "cpu_big", "--out", self.folder / "odd", code=2,
                    err="--core: the cores are all alike here, found 'cpu_big'")
        self.run_ok("sweep", "--pmu", "software:golden-cove", "--out", folder, code=2, err="it holds a sweep of a hybrid processor")

    def test_resumed(self):
        """What one type's sweep had done stays; the rest is counted."""
        folder = self.swept(benchmark=self.FAST)
        before = (folder / f"cpu_big/{self.FAST}.csv").read_bytes()
        shutil.rmtree(folder / "cpu_little")
        self.swept("out", "--resume", benchmark=self.FAST)
        self.assertEqual((folder / f"cpu_big/{self.FAST}.csv").read_bytes(), before)
        self.assertEqual(len(self.results(folder)["benchmarks"]), 2)

    def test_dry_run_and_events(self):
        self.run_ok("sweep", "--pmu", HYBRID, "--dry-run", "--benchmark", "branch", out=r"(?s)On cores of the type cpu_big.*cpu_little")
        self.run_ok("sweep", "--pmu", HYBRID, "--dry-run", "--max-buffer", "1M", out=r"(?s)On cores of the type cpu_big.*\ncpu-flops .*cpu_little.*\ncpu-flops ")
        self.expect(support.Run("kernels", "--verify", "--pmu", HYBRID, "--benchmark", "branch"), 2, "verifies no kernel of these benchmarks, expected software:golden-cove")
        self.run_ok("events", "--pmu", HYBRID, out=r"(?s)Cores of the type cpu_big.*paper_b::BR.*cpu_little.*paper_l::BR")

    def test_pinned(self):
        """Kernels run on processors of their type, as a root's /sys lists them."""
        allowed = sorted(os.sched_getaffinity(0))
        cpus = {"cpu_big": str(allowed[0]), "cpu_little": str(allowed[-1])}
        root = fake_system(self.folder / "root", cpus)
        folder = self.swept("out", "--root", root, "--repetitions", "1", benchmark=self.FAST)
        for core in BOTH:
            self.assertEqual(json.loads((folder / core / "manifest.json").read_text())["core_cpus"], cpus[core])
        nowhere = fake_system(self.folder / "nowhere", {"cpu_big": "1000", "cpu_little": "1001"})
        self.run_ok("sweep", "--pmu", HYBRID, "--root", nowhere, "--out", self.folder / "no", code=4,
                    err="cpu_big counts on the processors 1000, none of which catmint may use here")


class BadModels(Hybrid):
    def test_cores(self):
        """What is wrong in cores.csv is said with its line."""
        for rows, message in (("cpu_big,big,paper_b\n", "expected two types of cores or more"),
                              ("cpu_big,big,a\ncpu_big,little,b\n", "cores.csv:3: repeats the core or the pmu of another row"),
                              ("cpu_big,big,a\ncpu/x,little,b\n", "cores.csv:3: 'cpu/x' is no name"),
                              ("cpu_big,big,a\ncpu_little,missing,b\n", "missing: not the directory of a PMU model")):
            with self.subTest(message):
                model = self.folder / "model"
                shutil.rmtree(model, ignore_errors=True)
                shutil.copytree(support.SOURCE / "tests/data/pmu/hybrid", model)
                (model / "cores.csv").write_text("core,model,pmu\n" + rows)
                run = support.Run("sweep", "--pmu", f"software:{model}", "--benchmark", "branch", "--out", self.folder / "out")
                self.assertIn(run.code, (2, 3, 4), str(run))
                self.assertIn(message, run.err)


if __name__ == "__main__":
    support.main()
