"""audit --upstream: checkouts of the field's projects, with text of our own: the files of the results' processor, one report."""

import json
import re

import auditing
import support

RIGHT, WRONG = "BR_INST_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.COND"
PERF = [{"MetricName": "all_branches", "MetricExpr": WRONG}]
GROUP = "SHORT {0}\n\nEVENTSET\nPMC0 {0}\n\nMETRICS\nAll Branches PMC0\n\nLONG\nHere.\n"
ALIASED = {"Header": {}, "Metrics": [{"MetricName": "All Branches", "Events": [{"Name": RIGHT, "Alias": "a"}], "Constants": [], "Formula": "a"}]}
TELEMETRY = {  # Arm's metrics: formula, verdict by the model of the Neoverse V2, whose misses are those of wrong paths, too
    "branch_percentage": ("(BR_IMMED_SPEC + BR_INDIRECT_SPEC) / INST_SPEC * 100", "right"), "load_percentage": ("LD_SPEC / INST_SPEC * 100", "right"),
    "store_percentage": ("LD_SPEC / INST_SPEC * 100", "wrong"), "scalar_fp_percentage": ("VFP_SPEC / INST_SPEC * 100", "right"),
    "fp16_percentage": ("FP_HP_SPEC / INST_SPEC * 100", "right"), "fp32_percentage": ("FP_SP_SPEC / INST_SPEC * 100", "right"),
    "fp64_percentage": ("FP_SP_SPEC / INST_SPEC * 100", "wrong"), "l1d_cache_miss_ratio": ("L1D_CACHE_REFILL / L1D_CACHE", "not linear"),
    "l1i_cache_miss_ratio": ("L1I_CACHE_REFILL / L1I_CACHE", "right"), "l2_cache_miss_ratio": ("L2D_CACHE_REFILL / L2D_CACHE", "right"),
    "l2_cache_mpki": ("L2D_CACHE_REFILL / INST_RETIRED * 100", "wrong"), "ll_cache_read_miss_ratio": ("LL_CACHE_MISS_RD / LL_CACHE_RD", "right"),
    "ll_cache_read_hit_ratio": ("(LL_CACHE_RD - LL_CACHE_MISS_RD) / LL_CACHE_RD", "right"), "dtlb_mpki": ("DTLB_WALK / INST_RETIRED * 1000", "right"),
    "itlb_mpki": ("DTLB_WALK / INST_RETIRED * 1000", "wrong"), "itlb_walk_ratio": ("ITLB_WALK / L1I_TLB", "right"),
    "l2_tlb_miss_ratio": ("L2D_TLB_REFILL / L2D_TLB", "right"), "dtlb_walk_ratio": ("DTLB_WALK / L1D_TLB", "not modelled"),
    "simd_percentage": ("ASE_SPEC / INST_SPEC * 100", "no signature"), "ipc": ("INST_RETIRED / CPU_CYCLES", "no signature"),
}
TREES = {  # project: files, what is found: file, line, verdict
    "perf": ({"tools/perf/pmu-events/arch/x86/sapphirerapids/arch.json": json.dumps([{"ArchStdEvent": "all_branches", "MetricExpr": RIGHT}]),
              "tools/perf/pmu-events/arch/x86/sapphirerapids/spr-metrics.json": json.dumps(PERF),
              "tools/perf/pmu-events/arch/x86/sapphirerapids/counter.json": '[{"Unit": "core", "CountersNumFixed": "4", "CountersNumGeneric": "8"}]',
              "tools/perf/pmu-events/arch/x86/sapphirerapids/cache.json": '[{"ArchStdEvent": "A"}, {"EventName": "B", "EventCode": "0x1"}]',
              "tools/perf/pmu-events/arch/x86/skylakex/skx-metrics.json": json.dumps(PERF)},
             [("tools/perf/pmu-events/arch/x86/sapphirerapids/arch.json", 1, "right"),
              ("tools/perf/pmu-events/arch/x86/sapphirerapids/spr-metrics.json", 1, "wrong")]),
    "perfmon": ({"SPR/metrics/sapphirerapids_metrics.json": json.dumps(ALIASED), "SPR/events/sapphirerapids_core.json": '{"Header": {}, "Events": []}',
                 "ICX/metrics/icelakex_metrics.json": json.dumps(ALIASED)},
                [("SPR/metrics/sapphirerapids_metrics.json", 1, "right")]),
    "LIKWID": ({"groups/SPR/A.txt": GROUP.format("BR_INST_RETIRED_ALL_BRANCHES"), "groups/SPR/B.txt": GROUP.format("BR_INST_RETIRED_COND"),
                "groups/zen4/A.txt": GROUP.format("X")},
               [("groups/SPR/A.txt", 7, "right"), ("groups/SPR/B.txt", 7, "wrong")]),
    "PAPI": ({"src/papi_events.csv": "CPU,skx\nPRESET,PAPI_BR_INS,NOT_DERIVED,X\nCPU,spr\nCPU,emr\nPRESET,PAPI_BR_INS,NOT_DERIVED,BR_INST_RETIRED:COND\n"},
             [("src/papi_events.csv", 5, "wrong")]),
}


class Checkout(auditing.Audit):
    def results(self, **changes):
        document = support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json").json()
        return self.write("results.json", json.dumps(document | changes))

    def checkout(self, project):
        for name, content in TREES[project][0].items():
            self.write(f"{project}/{name}", content)
        return self.folder / project

    def run_upstream(self, project, against, *options):
        return support.Run("audit", "--upstream", self.checkout(project), "--against", against, *options)

    def test_python_and_tables_whose_columns_are_told(self):
        against = self.results()
        python = self.write("x_metrics.py", f'from metric import Metric\nMetric("PAPI_BR_INS", "", Event("{WRONG}"), "")\n')
        table = self.write("t.csv", f"Expr,Name\n{RIGHT},All Branches\n{WRONG},PAPI_BR_INS\n")
        for path, options, expected in ((python, (), ["wrong"]), (table, ("--metric-column", "Name", "--formula-column", "1"), ["right", "wrong"])):
            run = self.expect(support.Run("audit", path, *options, "--against", against, "--format", "json"), 1, err="")
            self.assertEqual([entry["verdict"] for entry in run.json()["formulas"]], expected)
        self.expect(support.Run("audit", table, "--metric-column", "Name", "--against", against), 2, err="--metric-column needs --formula-column", out="")

    def test_each_project(self):
        against = self.results(pmu="software:golden-cove")
        for project, (_, expected) in TREES.items():
            with self.subTest(project=project):
                run = self.run_upstream(project, against, "--format", "json")
                self.expect(run, int(any(verdict == "wrong" for _, _, verdict in expected)), err="")
                found = [(entry["file"][len(str(self.folder / project)) + 1:], entry["line"], entry["verdict"]) for entry in run.json()["formulas"]]
                self.assertEqual(found, expected)
                self.assertEqual(run.json()["upstream"], {"project": project, "directory": str(self.folder / project), "cpu": "spr"})

    def test_report(self):
        """It says file, line, formula, verdict, what it counts and what is right."""
        run = self.expect(self.run_upstream("perf", self.results(pmu="software:golden-cove")), 1, err="")
        for pattern in (r"^Upstream +perf$", r"^CPU +spr$", r"^wrong +all_branches +All Branches", r"tools/perf/pmu-events/arch/x86/sapphirerapids/spr-metrics\.json:1$",
                        rf"^ +formula +{WRONG}$", r"^ +it +\S", r"^ +right is +1 x BR_INST_RETIRED:ALL_BRANCHES$"):
            self.assertRegex(run.out, f"(?m){pattern}")

    def test_processors(self):
        for changes, cpu in (({"machine": {"vendor": "GenuineIntel", "family": 6, "model": 143, "stepping": 8}}, "spr"),
                             ({"machine": {"vendor": "GenuineIntel", "family": 6, "model": 85, "stepping": 4}}, "skx"),
                             ({"machine": {"vendor": "GenuineIntel", "family": 6, "model": 85, "stepping": 7}}, "clx"),
                             ({"machine": {"vendor": "AuthenticAMD", "family": 25, "model": 17, "stepping": 1}}, "amd64_fam19h_zen4"),
                             ({"machine": {"vendor": "AuthenticAMD", "family": 25, "model": 33, "stepping": 0}}, "amd64_fam19h_zen3"),
                             ({"pmu": "software:skylake"}, "skx"), ({"pmu": "software:zen4"}, "amd64_fam19h_zen4")):
            with self.subTest(cpu=cpu, **changes):
                run = support.Run("audit", "--upstream", self.folder, "--against", self.results(**({"pmu": "hardware"} | changes)))
                self.expect(run, 3, err=rf"nothing for '{cpu}' here, expected a checkout of perf's pmu-events, perfmon, LIKWID or PAPI", out="")

    def test_another_processor(self):
        run = self.run_upstream("PAPI", self.results(pmu="software:golden-cove"), "--cpu", "skx", "--format", "json")
        self.assertEqual([(entry["line"], entry["verdict"]) for entry in self.expect(run, 0, err="").json()["formulas"]], [(2, "event missing")])

    def test_a_section_is_judged_for_the_processors_that_it_names(self):
        """Of a section with several CPU lines, too; a processor that is asked for has its own section, or that of another name."""
        tree = self.checkout("PAPI")
        for options, cpus in ((("--section", "[es]m[rx]"), ["emr"]), (("--section", "s[kp][rx]"), ["skx", "spr"])):
            with self.subTest(options=options):
                run = support.Run("audit", "--upstream", tree, *options, "--benchmark", "branch", "--format", "json")
                audits = self.expect(run, int("skx" not in cpus or "spr" in cpus), err="").json()["audits"]
                self.assertEqual([audit["upstream"]["cpu"] for audit in audits], cpus)
                for audit in audits:
                    self.assertEqual({entry["line"] for entry in audit["formulas"]}, {2} if audit["upstream"]["cpu"] == "skx" else {5})
        against = self.results(pmu="software:golden-cove")
        for section, line in (("s[kp][rx]", 5), ("skx", 2)):
            run = support.Run("audit", "--upstream", tree, "--cpu", "spr", "--section", section, "--against", against, "--format", "json")
            self.assertEqual([entry["line"] for entry in run.json()["formulas"]], [line])
        self.expect(support.Run("audit", "--upstream", tree, "--section", "none"), 3, err="no formula here is in a section that matches 'none'", out="")

    def test_sections_without_a_model_are_named(self):
        preset = "PRESET,PAPI_BR_INS,NOT_DERIVED,X\n"
        self.write("src/papi_events.csv", f"CPU,Old (K7)\nCPU,amd64_k7\n{preset}{preset.replace('INS', 'MSP')}CPU,skx\nCPU,kbl\n{preset}CPU,Cell\n{preset}")
        run = self.expect(support.Run("audit", "--upstream", self.folder), 0, err="")
        self.assertEqual(len(re.findall(r"(?m)^Facts +of the machine skylake, which catmint \S+ counted on 20\d\d-\d\d-\d\d$", run.out)), 2)  # the summary's, and the audit's
        self.assertRegex(run.out, r"(?m)^No model +2 sections, 3 formulas: amd64_k7 \(2\), Cell \(1\)$")
        document = support.Run("audit", "--upstream", self.folder, "--format", "json").json()
        self.assertRegex(document["audits"][0]["pmu_reason"], r"^from facts of the machine skylake, which catmint \S+ counted on 20")
        self.assertEqual(document["without_model"], [{"section": "Old (K7),amd64_k7", "formulas": 2}, {"section": "Cell", "formulas": 1}])
        run = support.Run("audit", "--upstream", self.folder, "--section", "[ks][bk][lx]")
        self.assertNotIn("No model", self.expect(run, 0, err="").out)

    def test_likwids_events_of_skylake(self):
        """The model has what LIKWID's groups count, as that of Cascade Lake has."""
        group = "SHORT L\n\nEVENTSET\nPMC0 L1D_REPLACEMENT\nPMC1 L1D_M_EVICT\n\nMETRICS\nL2D evict data volume [GBytes] 1.0E-09*PMC1*64.0\n" \
                "L2 data volume [GBytes] 1.0E-09*(PMC0+PMC1)*64.0\n\nLONG\nHere.\n"
        for model in ("skylake", "cascade-lake"):
            run = support.Run("audit", self.write("L2.txt", group), "--pmu", f"software:{model}", "--benchmark", "dcache,dcache-write", "--format", "json")
            self.assertEqual([entry["verdict"] for entry in self.expect(run, 0, err=None).json()["formulas"]], ["right", "right"], model)

    def test_models_know_what_lint_knows(self):
        """What a processor has is not missing, and what counts wrong paths, too, is not right: lint says the same of these presets."""
        presets = "".join(f"PRESET,{preset},NOT_DERIVED,{event}\n" for preset, event in
                          (("PAPI_BR_MSP", "BR_MIS_PRED"), ("PAPI_BR_INS", "BR_PRED"), ("PAPI_L2_DCW", "L2D_CACHE_WR"), ("PAPI_INT_INS", "DP_SPEC")))
        for model, lines in (("neoverse-n1", ("not modelled", "wrong", "right", "not modelled")), ("neoverse-v2", ("not modelled", "wrong", "right", "not modelled")),
                             ("monaka", ("not modelled", "wrong"))):
            with self.subTest(model=model):
                run = support.Run("audit", self.write("papi_events.csv", "CPU,any\n" + presets), "--pmu", f"software:{model}", "--benchmark", "branch,dcache-write,instructions", "--facts", "kept", "--format", "json")
                self.assertEqual(tuple(entry["verdict"] for entry in run.json()["formulas"])[:len(lines)], lines)
        papi = "CPU,any\nPRESET,PAPI_L2_ICA,NOT_DERIVED,REQUESTS_TO_L2_GROUP1:CACHEABLE_IC_READ:L2_HW_PF\n"
        for model in ("zen4", "zen5"):
            run = support.Run("audit", self.write("papi_events.csv", papi), "--pmu", f"software:{model}", "--benchmark", "icache", "--facts", "kept", "--format", "json")
            self.assertEqual([entry["verdict"] for entry in run.json()["formulas"]], ["not modelled"])

    def test_arms_telemetry(self):
        metrics = {name: {"title": name, "formula": formula, "description": "", "units": "", "events": []} for name, (formula, _) in TELEMETRY.items()}
        path = self.write("neoverse.json", json.dumps({"product_configuration": {"product_name": "Mine"}, "events": {}, "metrics": metrics}))
        run = support.Run("audit", path, "--pmu", "software:neoverse-v2", "--facts", "kept", "--format", "json")
        found = {entry["metric"]: entry["verdict"] for entry in self.expect(run, 1, err="").json()["formulas"]}
        self.assertEqual(found, {name: verdict for name, (_, verdict) in TELEMETRY.items()})
        remarks = {entry["metric"]: entry["numerator"]["remark"] for entry in run.json()["formulas"] if entry["verdict"] == "no signature"}
        self.assertEqual(remarks["ipc"], "known in advance for no kernel: cycles")

    def test_lines_are_the_machines(self):
        """Bandwidths are lines of 128 bytes on POWER, of 64 elsewhere."""
        for model, events, right in (("power9", ("PM_LD_MISS_L1", "PM_ST_MISS_L1"), 128), ("neoverse-n1", ("L1D_CACHE_REFILL_RD", "L1D_CACHE_REFILL_WR"), 64)):
            group = "SHORT L\n\nEVENTSET\nPMC0 {}\nPMC1 {}\n\nMETRICS\n".format(*events)
            group += "".join(f"L2D load bandwidth {line} [MBytes/s] 1.0E-06*(PMC0+PMC1)*{line}.0/time\n" for line in (64, 128)) + "\nLONG\nHere.\n"
            run = support.Run("audit", self.write("L.txt", group), "--pmu", f"software:{model}", "--benchmark", "dcache,dcache-write", "--facts", "kept", "--format", "json")
            verdicts = {line: entry["verdict"] for line, entry in zip((64, 128), self.expect(run, 1, err=None).json()["formulas"])}
            self.assertEqual(verdicts, {line: "right" if line == right else "wrong" for line in (64, 128)}, model)

    def test_one_file_that_cannot_be_read_does_not_end_it(self):
        tree = self.checkout("LIKWID")
        self.write("LIKWID/groups/SPR/C.txt", "SHORT C\n\nEVENTSET\nPMC0 A\n\nMETRICS\nHalf PMC0*(\nAll Branches PMC7\n\nLONG\nHere.\n")
        run = support.Run("audit", "--upstream", tree, "--against", self.results(pmu="software:golden-cove"), "--format", "json")
        self.expect(run, 3, err=r"C\.txt:7:\d+: [^\n]+\n[^\n]*C\.txt:8:\d+: ")
        self.assertEqual([entry["verdict"] for entry in run.json()["formulas"]], ["right", "wrong"])

    def test_usage(self):
        against, tree = self.results(pmu=None), self.checkout("PAPI")
        for arguments, code, message in (
                (("--upstream", tree), 3, r"which files are of the processor of these results is not known \(unknown PMU \): say it with --cpu"),
                (("--upstream", tree, "--cpu", "i8086"), 3, r"'i8086' is no processor of data/upstream\.csv, expected libpfm4's name, one of snb, snb_ep, .*, power10$"),
                (("--upstream", tree, "--cpu", "skx", "--cpu", "spr"), 2, r"--cpu is given twice"),
                (("--upstream", tree, "more.csv"), 2, r"--upstream is given, unexpected argument 'more\.csv'"),
                (("more.csv", "--cpu", "skx"), 2, r"--cpu is for --upstream")):
            with self.subTest(message=message):
                self.expect(support.Run("audit", *arguments, "--against", against), code, err=message, out="")


if __name__ == "__main__":
    support.main()
