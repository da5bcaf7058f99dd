"""Formulas on trial against what the models count: what is right is called right, and whatever is made wrong is found."""

import glob
import json
import pathlib
import re
import shutil
import unittest

import auditing
import support

MODELS = ("golden-cove", "skylake", "zen4")
PAPI_TABLE = next(iter(sorted(glob.glob("/usr/share/papi/*/papi_events.csv"))), None)
LIKWID_GROUPS = pathlib.Path("/usr/share/likwid/perfgroups")


def live():
    """The results of each model."""
    return {model: support.discovered(model) / "results.json" for model in MODELS}


def rounded(ranges):
    """Where a definition holds; sums of the same terms in another order differ in the last digit."""
    return [(one["fact"], one["per"], f'{one["share"]:.9g}') for one in ranges or []]


def symbols_here():
    """What the kernels that this machine can execute make countable."""
    document = json.loads(live()["golden-cove"].read_text())
    return support.benchmark(document, "cpu-flops")["symbols"]


def vector_widths():
    return [width for width in (128, 256, 512) if f"S_ADD_{width}" in symbols_here()]


def operations_of(widths):
    return [name for name in ("ADD", "SUB", "MUL", "FMA", "DIV", "SQRT") if f"S_{name}_{widths[0]}" in symbols_here()]


class Live(auditing.Audit):
    def test_analyze_and_audit_say_the_same(self):
        """Every definition and alternative: right, right in the same range, or refused; results without their sweep tell audit nothing of programs."""
        for model, path in live().items():
            rows = [(metric["metric"], one) for entry in json.loads(path.read_text())["benchmarks"] for metric in entry["metrics"]
                    for one in (metric, *metric["alternatives"]) if one["definition"]]
            self.assertGreater(sum(support.usable(one) for _, one in rows), 50)
            entries = self.judge(path, [(metric, support.definition(one)) for metric, one in rows], code=1)
            for (metric, one), entry in zip(rows, entries):
                with self.subTest(model=model, metric=metric, definition=support.definition(one)):
                    by_programs = (one.get("refused") or "").startswith("refuted by ")
                    self.assertEqual(entry["verdict"], "right" if support.usable(one) or by_programs else "wrong")
                    if not by_programs:  # what is refuted has no range
                        self.assertEqual(rounded(entry["numerator"]["valid_above"]), rounded(one["valid_above"]))
                    self.assertTrue(entry["numerator"]["by_law"])

    def test_events_that_leak_hold_in_a_range_or_are_refused(self):
        """An event of misses that counts a part of all hits as well: analyze and audit see the same."""
        miss, metric = "MEM_LOAD_RETIRED:L1_MISS", "L1 Misses"
        own = self.write("own.csv", auditing.formulas([(metric, {miss: 1})]))
        for part, words in ((0.03, None), (0.46, r"counts 0\.4\d+ an occurrence of l1d_load_hit, which is ")):
            sweep = self.folder / f"leaks-{part}"
            shutil.copytree(live()["golden-cove"].parent / "sweep", sweep,
                            ignore=shutil.ignore_patterns("validation", "*.json", "*.html", "presets.csv", ".catmint*"))
            for table in (path for path in sweep.glob("*.csv") if path.name != "events.csv"):
                lines = [line.split(",") for line in table.read_text().splitlines()]
                hit, filling = ({tuple(line[1:3]): line[3:] for line in lines if line[0] == f"MEM_LOAD_RETIRED:{name}_HIT"} for name in ("L1", "FB"))
                for line in lines:
                    if line[0] == miss:
                        line[3:] = [count and str(int(count) + round(part * (int(more) + int(other))))
                                    for count, more, other in zip(line[3:], hit[tuple(line[1:3])], filling[tuple(line[1:3])])]
                table.write_text("\n".join(",".join(line) for line in lines) + "\n")
            alone = self.folder / f"alone-{part}.json"
            self.expect(support.Run("analyze", sweep, "--benchmark", "dcache", "--only", miss, "--format", "json", "--output", alone), 0)
            entry, = self.audit(alone, own, code=int(words is not None))["formulas"]
            self.assertEqual((entry["verdict"], entry["in_range"]), ("wrong", False) if words else ("right", True))
            self.assertRegex(entry["numerator"]["measures"], words or "^$")
            if not words:
                defined, = [one for one in support.benchmark(json.loads(alone.read_text()), "dcache")["metrics"] if one["metric"] == metric]
                self.assertEqual(support.definition(defined), {miss: 1})
                self.assertEqual(rounded(entry["numerator"]["valid_above"]), rounded(defined["valid_above"]))
                self.assertEqual([one["per"] for one in defined["valid_above"]], ["l1d_load_hit"])
                self.assertEqual(entry["numerator"]["valid_share"], defined["valid_share"])
                self.assertTrue(0.05 < defined["valid_share"] < 0.9, defined["valid_share"])
                page = self.folder / "page.html"
                self.expect(support.Run("report", alone, "--output", page), 0)
                for words in (r"within 10 % where it is above \S+ of 1000 loads that hit L1 \(\d+ % of natural programs\)", "of the hits in caches"):
                    self.assertRegex(page.read_text(), words)

    def test_a_stray_count_changes_no_definition(self):
        """In one repetition a neighbour takes one line from a kernel that loads, and loads of it count as much."""
        sweep, chosen = self.folder / "strays", ("MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_RETIRED:L2_HIT")
        shutil.copytree(live()["golden-cove"].parent / "sweep", sweep,
                        ignore=shutil.ignore_patterns("validation", "*.json", "*.html", "presets.csv", ".catmint*"))
        table = sweep / "instructions.csv"
        lines = [line.split(",") for line in table.read_text().splitlines()]
        header, = [line for line in lines if line[0] == "event"]
        found = []
        for strays in (0, 1):
            for line in lines:
                if line[0] in chosen and line[1] == "2":
                    line[header.index("lock_add.24")] = str(strays)
            table.write_text("\n".join(",".join(line) for line in lines) + "\n")
            run = self.expect(support.Run("analyze", sweep, "--benchmark", "dcache,dcache-write,icache", "--format", "json"), 0)
            metrics = [one for entry in run.json()["benchmarks"] for one in entry["metrics"] if one["metric"].startswith("L2")]
            found.append([(one["metric"], support.definition(one), [limit["per"] for limit in one["valid_above"] or []]) for one in metrics if support.usable(one)])
        self.assertGreater(len(found[0]), 5)
        self.assertEqual(*found)

    def test_events_that_are_quiet_only_together(self):
        """Which way the mispredicted ones go differs from run to run; their number does not."""
        document = support.discovered_document("golden-cove")
        parts = ("BR_MISP_RETIRED:COND_TAKEN", "BR_MISP_RETIRED:COND_NTAKEN")
        events = {event["event"]: event for event in support.benchmark(document, "branch")["events"] if event["event"] in parts}
        self.assertEqual([event["status"] for event in events.values()], ["noisy", "noisy"])
        own = self.write("own.csv", auditing.formulas([("Mispredicted Branches", dict.fromkeys(parts, 1))]))
        entry, = self.audit(live()["golden-cove"], own, code=0)["formulas"]
        self.assertEqual(entry["verdict"], "right")
        runs = events[parts[0]]["law"]["runs"]
        del runs[len(runs) // 2:]
        halved = self.write("halved.json", json.dumps(document))
        run = support.Run("audit", own, "--against", halved)
        self.expect(run, 3, out="", err=f"the results have 2 runs a kernel of event {parts[0]}, and 4 of others")

    def test_a_directory_is_as_good_as_its_results(self):
        path = live()["skylake"]
        own = self.write("own.csv", auditing.formulas([("DP Ops.", {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE": 1})]))
        documents = [self.audit(against, own, code=1) for against in (path, path.parent / "sweep")]
        for document in documents:
            document.pop("against")
        self.assertEqual(*documents)

    def test_broken_ones_are_found(self):
        for path in live().values():
            self.assertGreater(self.check_broken(path), 100)

    def test_unit_masks_that_never_count_the_same(self):
        """Of those that AMD documents so, an event with several is a sum, and a note says so; of others it is not."""
        types = [f"RETIRED_SSE_AVX_FLOPS:{kind}_FLOPS" for kind in ("ADD_SUB", "MULT", "DIV", "MAC")]
        together = "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:MULT_FLOPS:DIV_FLOPS:MAC_FLOPS"
        entry = self.one(live()["zen4"], together, "FP Ops.")
        self.assertEqual(entry["verdict"], "right")
        self.assertIn(f"{together} is read as the sum of {', '.join(types)}", entry["numerator"]["remark"])
        wrong = self.one(live()["zen4"], "RETIRED_SSE_AVX_FLOPS:MULT_FLOPS:DIV_FLOPS", "FP Ops.", code=1)
        self.assertEqual(wrong["verdict"], "wrong")
        self.assertIn("is read as the sum of", wrong["numerator"]["remark"])
        for formula in ("RETIRED_FP_OPS_BY_TYPE:SCALAR_ADD:SCALAR_MUL", f"{together}:NONE_FLOPS"):
            self.assertEqual(self.one(live()["zen4"], formula, "FP Ops.")["verdict"], "event missing")

    def test_senses_that_are_meant_where_no_event_makes_the_usual_ones(self):
        path = self.write("m.csv", "metric,formula,unit,source\nm,BR_INST_RETIRED:ALL_BRANCHES,,\n")
        for senses, verdict, note in (("Conditional Branches Executed || Calls | All Branches", "right", "its name may also mean Conditional Branches Executed, and then it is wrong"),
                                      ("Conditional Branches Taken || All Branches", "wrong", ""), ("Conditional Branches Executed || Calls", "wrong", "")):
            names = self.write("map.csv", f"metric,signature\nm,{senses}\n")
            entry, = self.audit(live()["golden-cove"], path, options=["--map", names], code=int(verdict == "wrong"))["formulas"]
            self.assertEqual((senses, entry["verdict"]), (senses, verdict))
            self.assertIn(note, entry["numerator"]["remark"])

    def test_events_by_their_numbers(self):
        """Event code and unit mask, and names that libpfm4 has for the same ones; what a mask or another PMU changes is another event."""
        rows = (("golden-cove", "cpu@event\\=0xc7\\,umask\\=0x1@ + 2 * cpu@event\\=0xc7\\,umask\\=0x4@ + 4 * cpu@event\\=0xc7\\,umask\\=0x10@ + "
                 "8 * cpu@event\\=0xc7\\,umask\\=0x40\\,name\\=X@", "DP Ops.", "right"),
                ("golden-cove", "cpu@event\\=0xc4@", "All Branches", "right"), ("golden-cove", "INSTRUCTION_RETIRED", "Instructions", "right"),
                ("golden-cove", "cpu@event\\=0xc7\\,umask\\=0x2@", "DP Ops.", "wrong"), ("skylake", "MEM_UOPS_RETIRED.ALL_LOADS", "Loads", "right"),
                ("zen4", "cpu@event\\=0xc2@", "All Branches", "right"), ("zen4", "cpu@event\\=0x3\\,umask\\=0x1f@", "FP Ops.", "right"),
                ("golden-cove", "cpu@event\\=0xc4\\,cmask\\=0x1@", "All Branches", "event missing"),
                ("golden-cove", "cpu_atom@event\\=0xc4@", "All Branches", "event missing"), ("golden-cove", "uncore_imc@event\\=0xc4@", "All Branches", "event missing"))
        for model in {row[0] for row in rows}:
            own = [row[1:] for row in rows if row[0] == model]
            path = self.write("numbers.json", json.dumps([{"MetricName": f"m{number}", "MetricExpr": formula} for number, (formula, _, _) in enumerate(own)]))
            names = self.write("map.csv", "metric,signature\n" + "".join(f"m{number},{metric}\n" for number, (_, metric, _) in enumerate(own)))
            entries = self.audit(live()[model], path, options=["--map", names], code=int("wrong" in [verdict for *_, verdict in own]))["formulas"]
            self.assertEqual([(formula, entry["verdict"]) for (formula, *_), entry in zip(own, entries)], [(formula, verdict) for formula, _, verdict in own])

        # perfmon's modifier replaces the unit mask that the name has, or adds the one that it lacks.
        events = (("BR_INST_RETIRED.ALL_BRANCHES:u0x0", "All Branches", "right"), ("BR_INST_RETIRED:u0x11", "Conditional Branches Retired", "right"),
                  ("BR_INST_RETIRED.COND:u0x01", "Conditional Branches Taken", "right"), ("BR_INST_RETIRED.COND:u0x10", "Conditional Branches Taken", "wrong"),
                  ("FP_ARITH_INST_RETIRED.SCALAR_SINGLE:u0xff", "FP Instrs.", "right"), ("FP_ARITH_INST_RETIRED.SCALAR_SINGLE:u0x03", "FP Instrs.", "wrong"),
                  ("BR_INST_RETIRED.COND:u0x11:c1", "Conditional Branches Retired", "event missing"), ("BR_INST_RETIRED.COND:u0x7", "Conditional Branches Retired", "event missing"),
                  ("UNC_NOTHING.HERE:u0x11", "Conditional Branches Retired", "event missing"))
        perfmon = [{"MetricName": metric, "Formula": "a", "Events": [{"Name": name, "Alias": "a"}], "Constants": []} for name, metric, _ in events]
        entries = self.audit(live()["golden-cove"], self.write("perfmon.json", json.dumps({"Header": {}, "Metrics": perfmon})), code=1)["formulas"]
        self.assertEqual([entry["verdict"] for entry in entries], [verdict for *_, verdict in events])

        formulas = ("cpu/event=0xc4/", "'cpu/event=0xc4,umask=0x0/' + 0", "2 * cpu/event=0xc4,umask=0x0//2")
        path = self.write("paths.csv", "metric,formula,unit,source\n" + "".join(f'm{number},"{formula}",,\n' for number, formula in enumerate(formulas)))
        names = self.write("map.csv", "metric,signature\n" + "".join(f"m{number},All Branches\n" for number in range(len(formulas))))
        self.assertEqual([verdict for _, verdict in self.verdicts(live()["golden-cove"], path, options=["--map", names])], ["right"] * len(formulas))

    def test_missing_events_are_named(self):
        for model, path in live().items():
            rows = [(metric, terms, next(iter(terms))) for _, metric, terms in auditing.composable(json.loads(path.read_text()))]
            gone = [(metric, {f"{name}_OF_OLD" if name == event else name: weight for name, weight in terms.items()})
                    for metric, terms, event in rows]
            for (metric, terms, event), entry in zip(rows, self.judge(path, gone)):
                with self.subTest(model=model, metric=metric):
                    self.assertEqual((entry["verdict"], entry["numerator"]["events"]), ("event missing", [f"{event}_OF_OLD"]))
                    self.assertEqual({term["event"]: term["coefficient"] for term in entry["numerator"]["definition"]}, terms)

    @unittest.skipIf(PAPI_TABLE is None, "Debian's papi-tools, which has papi_events.csv, is not installed")
    def test_papi_presets(self):
        right = ["BR_UCN", "BR_CN", "BR_TKN", "BR_NTK", "BR_MSP", "BR_PRC", "BR_INS", "DP_OPS", "SP_OPS"]
        expected = {
            ("golden-cove", "icx"): {"right": right + ["LD_INS", "LST_INS", "SR_INS", "TOT_INS"], "wrong": ["VEC_DP", "VEC_SP"]},
            ("skylake", "skx"): {"right": right + ["LD_INS", "LST_INS", "SR_INS", "TLB_DM", "TLB_IM", "TOT_INS"], "wrong": ["VEC_DP", "VEC_SP"]},
            ("zen4", "amd64_fam19h_zen3"): {"right": ["BR_INS", "BR_MSP", "FP_OPS", "TLB_DM", "TLB_IM", "TOT_INS"], "wrong": ["BR_TKN", "FAD_INS", "FDV_INS", "FML_INS", "FP_INS", "FSQ_INS", "VEC_INS"]},
        }
        for (model, section), verdicts in expected.items():
            run = support.Run("audit", PAPI_TABLE, "--section", section, "--against", live()[model], "--format", "json")
            self.assertEqual(run.code, 1 if "wrong" in verdicts else 0, str(run))
            for verdict in ("right", "wrong"):
                found = [entry["metric"].removeprefix("PAPI_") for entry in run.json()["formulas"]
                         if entry["verdict"] == verdict and not re.search("_L[123]_", entry["metric"])]
                self.assertEqual(sorted(found), sorted(verdicts.get(verdict, [])), (model, verdict))

    @unittest.skipIf(PAPI_TABLE is None, "Debian's papi-tools, which has papi_events.csv, is not installed")
    def test_papi_presets_that_are_wrong_are_explained(self):
        run = support.Run("audit", PAPI_TABLE, "--section", "amd64_fam19h_zen3", "--against", live()["zen4"], "--format", "json")
        entries = {entry["metric"]: entry["numerator"] for entry in run.json()["formulas"]}
        self.assertEqual(entries["PAPI_BR_TKN"]["measures"], "counts unconditional branches, calls, returns and indirect jumps too")
        self.assertEqual({term["event"]: term["coefficient"] for term in entries["PAPI_BR_TKN"]["definition"]},
                         {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS": 1, "RETIRED_UNCONDITIONAL_BRANCH_INSTRUCTIONS": -1})
        self.assertEqual(entries["PAPI_FP_INS"]["measures"], "measures FP Ops.")
        # Without AVX-512 its two widths make up the vectors.
        either = [{f"{width}_{kind}": 2 if kind == "MAC" else 1 for width in widths for kind in ("ADD", "SUB", "MUL", "MAC", "DIV", "SQRT")}
                  for widths in (("SCALAR", "VECTOR"), ("SCALAR", "FP128", "FP256"))]
        self.assertIn({term["event"].split(":")[1]: term["coefficient"] for term in entries["PAPI_FP_INS"]["definition"]}, either)

    @unittest.skipUnless((LIKWID_GROUPS / "ICX").is_dir(), "Debian's likwid is not installed")
    def test_likwid_groups(self):
        for model, groups in (("golden-cove", "ICX"), ("skylake", "skylakeX")):
            files = [LIKWID_GROUPS / groups / f"{name}.txt" for name in ("FLOPS_DP", "FLOPS_SP")]
            entries = [entry for entry in self.audit(live()[model], *files)["formulas"] if entry["verdict"] != "no signature"]
            found = {entry["metric"]: (entry["verdict"], entry["rate"], entry["numerator"]["metric"]) for entry in entries}
            for name in ("DP", "SP"):
                self.assertEqual(found[f"{name} [MFLOP/s]"], ("right", "time", f"{name} Ops."))
                self.assertEqual(found[f"AVX {name} [MFLOP/s]"][0], "right" if vector_widths() != [128] else "not tried")
            self.assertEqual(set(verdict for verdict, _, _ in found.values()) - {"right", "not tried"}, set())
        entries = self.audit(live()["golden-cove"], *(LIKWID_GROUPS / "ICX").glob("*.txt"), options=["--section", "FLOPS_?P"])["formulas"]
        self.assertEqual({entry["section"] for entry in entries}, {"FLOPS_DP", "FLOPS_SP"})
        entries = {entry["metric"]: entry for entry in self.audit(live()["golden-cove"], LIKWID_GROUPS / "ICX/BRANCH.txt")["formulas"]}
        ratio = entries["Branch misprediction ratio"]
        self.assertEqual([ratio["verdict"], ratio["numerator"]["verdict"], ratio["denominator"]["metric"]], ["right", "right", "All Branches"])
        rate = entries["Branch rate"]
        self.assertEqual([rate["verdict"], rate["numerator"]["metric"], rate["denominator"]["metric"]],
                         ["right", "All Branches", "Instructions"])

    # The fault of LIKWID 5.3.0's MEM_SP for Sapphire Rapids: weights of double precision for single-precision events.
    MEM_SP = """SHORT Memory bandwidth and single precision

EVENTSET
PMC0 FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE
PMC1 FP_ARITH_INST_RETIRED_SCALAR_SINGLE
PMC2 FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE
PMC3 FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE

METRICS
SP [MFLOP/s] 1.0E-06*(PMC0*{}+PMC1+PMC2*{}+PMC3*{})/time

LONG
Written for this test.
"""

    def test_swapped_weights(self):
        wrong = self.write("MEM_SP.txt", self.MEM_SP.format("2.0", "4.0", "8.0"))
        entry, = self.audit(live()["golden-cove"], wrong, code=1)["formulas"]
        self.assertEqual((entry["verdict"], entry["line"], entry["numerator"]["measures"], entry["rate"]),
                         ("wrong", 10, "has the weights of DP Ops.", "time"))
        widths = vector_widths()
        self.assertEqual(set(entry["numerator"]["off"]), {f"S_{operation}_{width}" for operation in operations_of(widths) for width in widths})
        self.assertEqual({term["event"].removeprefix("FP_ARITH_INST_RETIRED_"): term["coefficient"] for term in entry["numerator"]["definition"]},
                         {"SCALAR_SINGLE": 1, **{f"{width}B_PACKED_SINGLE": width // 32 for width in widths}})
        self.assertEqual(entry["numerator"]["definition_from"], "formula")
        right = self.write("MEM_SP.txt", self.MEM_SP.format("4.0", "8.0", "16.0"))
        self.assertEqual(self.verdicts(live()["golden-cove"], right), [("SP [MFLOP/s]", "right")])

    def test_table(self):
        wrong = self.write("MEM_SP.txt", self.MEM_SP.format("2.0", "4.0", "8.0"))
        run = support.Run("audit", wrong, "--against", live()["golden-cove"])
        self.expect(run, 1, err="", out=r"^wrong +SP \[MFLOP/s\] +SP Ops\. over time +MEM_SP\.txt:10$")
        self.expect(run, 1, out=r"^    it +has the weights of DP Ops\. \(off by 50 % of the metric\)$")
        self.expect(run, 1, out=r"^    counts +S_ADD_128 2 for 4, S_SUB_128 2 for 4,")
        self.expect(run, 1, out=r"^1 formula: 1 wrong$")
        self.assertNotIn("\033", run.out)
        narrow = support.Run("audit", wrong, "--against", live()["golden-cove"], COLUMNS="60").out
        self.assertLessEqual(max(map(len, narrow.splitlines())), 60 + len("FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE"))


if __name__ == "__main__":
    support.main()
