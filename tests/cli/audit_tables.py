"""Formulas on trial against tables of counts: verdicts, messages, folders of formulas, output."""

import json
import os
import re
import unittest

import auditing
import documents
import support

FLOPS = {"D1": {"D_SCAL": 1, "D_FMA_SCAL": 2}, "D128": {"D_128": 1, "D_FMA_128": 2}, "D256": {"D_256": 1, "D_FMA_256": 2},
         "D512": {"D_512": 1, "D_FMA_512": 2}, "S1": {"S_SCAL": 1, "S_FMA_SCAL": 2}, "NOTHING": {},
         "ONCE": {"D_SCAL": 1, "D_128": 2, "D_256": 4, "D_512": 8, "D_FMA_SCAL": 1, "D_FMA_128": 2, "D_FMA_256": 4, "D_FMA_512": 8}}


def noted(entry):
    """Its note, but for what every formula that is right by a table of ours has: no control kernel was run."""
    return re.sub(r"(; )?not tried: anything else that the kernels of [\w-]+ do alike, since there are no control kernels", "", entry["numerator"]["remark"]).removeprefix("; ")


class Judged(auditing.Audit):
    """On tables made here."""

    RIGHT = "D1 + 2 * D128 + 4 * D256 + 8 * D512"

    def flops(self):
        return self.table("cpu-flops", FLOPS)

    def test_verdicts(self):
        noisy = support.measurements("cpu-flops", FLOPS | {"NOISY": {"D_SCAL": 1}, "LOOPS": {"D_SCAL": 1}, "SHAKY": {"D_SCAL": 1}}).splitlines()
        values = {"NOISY": lambda old, repetition: str(float(old) + int(repetition)), "LOOPS": lambda old, _: str(float(old) + 7),
                  "SHAKY": lambda old, repetition: str(float(old) + 7 + 1e-12 * int(repetition))}
        rows = [line.split(",") for line in noisy]
        self.write("t/cpu-flops.csv", "".join(",".join(row[:3] + [values[row[0]](old, row[1]) if row[0] in values else old for old in row[3:]]) + "\n"
                                             for row in rows))
        cases = [  # formula, verdict, what it measures or the events that are named, exit code
            (self.RIGHT, "right", "", 0), (f"({self.RIGHT}) * 2", "wrong", "2x", 1), ("ONCE", "wrong", "counts FMA once", 1),
            ("D1 + 2 * D128 + 4 * D256", "wrong", "misses 512-bit", 1), (f"{self.RIGHT} + S1", "wrong", "counts scalar single precision too", 1),
            ("NOTHING", "wrong", "counts nothing on these kernels", 1), (f"{self.RIGHT} + 1", "wrong", "adds a constant 1", 1),
            (f"{self.RIGHT} + 5 * NOTHING", "right", "", 0), (f"{self.RIGHT} + NOISY", "event noisy", ["NOISY"], 0),
            (f"{self.RIGHT} - 2 * LOOPS", "wrong", None, 1),
            (f"{self.RIGHT} - 2 * SHAKY", "unrepresentable event", ["SHAKY"], 0), (f"{self.RIGHT} + GONE + AWAY", "event missing", ["GONE", "AWAY"], 0),
            (f"max({self.RIGHT}, 0)", "right", "", 0), (f"({self.RIGHT}) / max(GONE, 1)", "event missing", ["GONE"], 0),
            (f"{self.RIGHT} if 1 < 2 else NOTHING", "right", "", 0), (f"max({self.RIGHT}, 0) + LOOPS - LOOPS", "right", "", 0),
            (f"max(D1, {self.RIGHT} - D1)", "wrong", None, 1), (f"max({self.RIGHT}, LOOPS)", "wrong", None, 1),
            (f"D1 * ({self.RIGHT})", "wrong", None, 1), (f"({self.RIGHT}) / max(NOISY, 1)", "event noisy", ["NOISY"], 0),
        ]
        for formula, verdict, told, code in cases:
            with self.subTest(formula=formula):
                entry = self.one(self.folder / "t", formula, code=code)
                self.assertEqual(entry["verdict"], verdict)
                if told is None:
                    self.assertRegex(entry["numerator"]["measures"], "^yields .* on .*, expected ")
                else:
                    self.assertEqual(entry["numerator"]["measures" if isinstance(told, str) else "events"], told)

    def test_what_is_not_judged_is_said(self):
        self.assertEqual(noted(self.one(self.flops(), f"{self.RIGHT} + 5 * NOTHING")),
                         "not tried: NOTHING, which counts nothing on the kernels that ran, so its weight is not judged")
        self.write("cpu-flops-only/branch.csv", support.measurements("branch", {"NOTHING": {"CR": 1}}))
        self.assertRegex(noted(self.one(self.folder / "cpu-flops-only", f"{self.RIGHT} + 5 * NOTHING")),
                         r"\(it does on those of branch\)$")
        lines = support.measurements("cpu-flops", {"D1": FLOPS["D1"]}).splitlines()
        kept = [i for i, name in enumerate(lines[0].split(",")) if i < 3 or "SCAL" in name]
        self.write("scalar/cpu-flops.csv", "".join(",".join(line.split(",")[i] for i in kept) + "\n" for line in lines))
        entry = self.one(self.folder / "scalar", "D1")
        self.assertEqual((entry["verdict"], noted(entry)),
                         ("right", "not tried: all but scalar, of which no kernel was run"))

    def test_what_disturbs_every_repetition(self):
        """Hits that something evicts are too few each time, which no spread shows; what is left of the loads is no fault of the formula."""
        rows = [line.split(",") for line in support.measurements("dcache", {"LOADS": {"L1_DM": 1, "L1_DH": 1}, "HITS": {"L1_DH": 1}}).splitlines()]
        fewer = {"0": 0.993, "1": 0.9925}
        self.write("t/dcache.csv", "".join(",".join(row[:3] + [str(float(old) * fewer[row[1]]) if row[0] == "HITS" else old for old in row[3:]]) + "\n"
                                           for row in rows))
        for formula, verdict in (("max(LOADS - HITS, 0)", "right"), ("max(LOADS - 0.95 * HITS, 0)", "wrong"), ("max(LOADS, 0)", "wrong")):
            with self.subTest(formula=formula):
                self.assertEqual(self.one(self.folder / "t", formula, metric="L1 Misses", code=int(verdict == "wrong"))["verdict"], verdict)

    def test_what_nobody_knows_is_said(self):
        papi = self.write("papi_events.csv", "CPU,mine\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,D1\nPRESET,PAPI_RES_STL,NOT_DERIVED,D1\nPRESET,PAPI_DP_OPS,NOT_DERIVED,D1\n")
        own = self.write("own.csv", "metric,signature\nPAPI_DP_OPS,none: the weather\n")
        said = [("no signature", "known in advance for no kernel: cycles"), ("no signature", "known in advance for no kernel: stalls")]
        for options, third, code in (((), "", 1), (("--map", own), "known in advance for no kernel: the weather", 0)):
            found = [(entry["verdict"], entry["numerator"]["remark"]) for entry in self.audit(self.flops(), papi, options=options, code=code)["formulas"]]
            self.assertEqual((found[:2], found[2][1]), (said, third))

    def test_senses_of_a_name(self):
        """Right as the second of two, and wrong as the first: a note says so."""
        for senses, verdict, note in (("DP Ops. | SP Ops.", "right", ""), ("SP Ops. | DP Ops.", "right", "its name may also mean SP Ops., and then it is wrong"),
                                      ("SP Ops. | DP Instrs.", "wrong", "")):
            mapped = self.write("map.csv", f"metric,signature\nmine,{senses}\n")
            entry = self.one(self.flops(), self.RIGHT, metric="mine", options=["--map", mapped], code=int(verdict == "wrong"))
            self.assertEqual((entry["verdict"], note if verdict == "wrong" else noted(entry)), (verdict, note))

    def test_a_pattern_of_names_is_none_of_groups(self):
        """LIKWID's group ENERGY has a temperature, too. Bandwidths are lines of 64 bytes."""
        group = "SHORT x\n\nEVENTSET\nPMC0 D1\n\nMETRICS\nEnergy [J] PMC0\nTemperature [C] PMC0\nL2 load bandwidth [MBytes/s] 1.0E-06*PMC0*64.0/time\n"
        path, misses = self.write("ENERGY.txt", group + "L2 load data volume [GBytes] 1.0E-09*PMC0*64.0\n\nLONG\nHere.\n"), {"D1": {"L1_DM": 1}}
        entries = self.audit(self.table("dcache", misses), path)["formulas"]
        self.assertEqual([entry["numerator"]["remark"] for entry in entries[:2]], [f"known in advance for no kernel: {name}" for name in ("energy", "temperature")])
        self.assertEqual([entry["numerator"]["metric"] for entry in entries[2:]], ["L1 Data Misses"] * 2)
        for pattern, verdict in (("EN*L2*", "no signature"), ("*: L2 load b*", "right"), ("energy: L2 load b*", "right")):
            mapped = self.write("map.csv", f"metric,signature\n{pattern},6.4e-05 L1 Misses\n*,none: this\n")
            self.assertEqual(self.audit(self.folder / "dcache-only", path, options=["--map", mapped])["formulas"][2]["verdict"], verdict)

    def test_rates_and_ratios(self):
        against = self.flops()
        cases = [  # formula, unit, verdict, what it measures, denominator's verdict
            (f"1e-6 * ({self.RIGHT}) / seconds", "MFLOP/s", "right", "", None),
            (f"1e-9 * ({self.RIGHT}) / seconds", "GFLOP/s", "right", "", None),
            (f"1e-6 * ({self.RIGHT}) / seconds", "GFLOP/s", "wrong", "1000x", None),
            (f"2e-6 * ({self.RIGHT}) / seconds", "MFLOP/s", "wrong", "2x", None),
        ]
        for formula, unit, verdict, measures, _ in cases:
            with self.subTest(formula=formula, unit=unit):
                group = self.write("G.txt", "SHORT G\n\nEVENTSET\n" + "".join(f"PMC{i} {event}\n" for i, event in enumerate(FLOPS)) +
                                   f"\nMETRICS\nDP [{unit}] {self.counters(formula)}\n\nLONG\nHere.\n")
                mapped = self.write("map.csv", "metric,signature\nDP *,DP Ops.\n")
                entry, = self.audit(against, group, options=["--map", mapped], code=1 if verdict == "wrong" else 0)["formulas"]
                self.assertEqual((entry["verdict"], entry["numerator"]["measures"], entry["rate"]), (verdict, measures, "time"))
        mapped = ["--map", self.write("map.csv", "metric,signature\nfraction,DP Ops. / DP Instrs.\nper,DP Ops.\n")]
        instructions = "(D1 + D128 + D256 + D512)"
        for metric, formula, verdict, sides in (
                ("fraction", f"({self.RIGHT}) / {instructions}", "right", ("right", "right")),
                ("fraction", f"3 * ({self.RIGHT}) / (3 * {instructions})", "right", ("right", "right")),
                ("fraction", f"3 * ({self.RIGHT}) / {instructions}", "wrong", ("wrong", "right")),
                ("fraction", f"(0 - 2 * ({self.RIGHT})) / (0 - 2 * {instructions})", "right", ("right", "right")),
                ("fraction", f"({self.RIGHT}) / (0 - {instructions})", "wrong", ("wrong", "right")),
                ("fraction", f"({self.RIGHT}) / (D1 - 3 * D512)", "wrong", ("right", "wrong")),
                ("fraction", f"({self.RIGHT}) / (D1 + D128)", "wrong", ("right", "wrong")),
                ("fraction", f"({self.RIGHT}) / (2 * D1 + 2 * D128 + 2 * D256 + 3 * D512)", "wrong", ("right", "wrong")),
                ("fraction", f"2 * ({self.RIGHT}) / (2 * D1 + 2 * D128 + 2 * D256 + 3 * D512)", "wrong", ("wrong", "wrong")),
                ("fraction", self.RIGHT, "not linear", ("not linear", None)),
                ("per", f"({self.RIGHT}) / {instructions}", "not linear", ("right", "no signature")),
                ("per", f"({self.RIGHT}) / GONE", "not linear", ("right", "event missing")),
                ("per", f"D1 / {instructions}", "not linear", ("wrong", "no signature"))):
            with self.subTest(metric=metric, formula=formula):
                entry = self.one(against, formula, metric=metric, options=mapped, code=1 if verdict == "wrong" else 0)
                below = entry["denominator"]
                self.assertEqual((entry["verdict"], entry["numerator"]["verdict"], below and below["verdict"]), (verdict, *sides))
                if below and below["verdict"] == "no signature":
                    self.assertEqual(below["measures"], "measures DP Instrs.")

    @staticmethod
    def counters(formula):
        for i, event in enumerate(FLOPS):
            formula = re.sub(rf"\b{event}\b", f"PMC{i}", formula)
        return formula.replace(" ", "").replace("seconds", "time")

    def test_right_is_a_whole_formula(self):
        """With the claim's factor, whatever decided, and with both sides of a ratio that values decided."""
        instructions = "(D1 + D128 + D256 + D512)"
        mapped = ["--map", self.write("map.csv", "metric,signature\nper,1000 DP Ops. / DP Instrs.\nshare,100 DP Instrs. / DP Ops.\n")]
        operations, each = {"D1": 1, "D128": 2, "D256": 4, "D512": 8}, dict.fromkeys(("D1", "D128", "D256", "D512"), 1)
        cases = [  # metric, formula, factor and definition above, definition below, what the table says
            ("per", f"1000 * (D1 + 2 * D128) / {instructions}", 1000, operations, None, r"right is +1000 x \(1 x D1 \+ 2 x D128 \+ 4 x D256 \+\s+8 x D512\)"),
            ("per", f"1000 * ({self.RIGHT}) / (D1 + D128)", None, None, each, r"right is +1 x D1 \+ 1 x D128"),
            ("per", f"1000 * (D1 + 2 * D128) / max({instructions}, 1)", 1000, operations, each, r"right is +1000 x \(1 x D1[^)]*\)\s+over +1 x D1 \+ 1 x D128"),
            ("share", f"100 * {instructions} / (3 * ({self.RIGHT}))", 300, each, None, r"right is +300 x \(1 x D1"),
        ]
        for metric, formula, factor, above, below, words in cases:
            with self.subTest(formula=formula):
                entry = self.one(self.flops(), formula, metric=metric, options=mapped, code=1)
                self.assertEqual(entry["verdict"], "wrong")
                for side, definition in ((entry["numerator"], above), (entry["denominator"], below)):
                    self.assertEqual({term["event"]: term["coefficient"] for term in side["definition"]}, definition or {})
                if factor is not None:
                    self.assertEqual(entry["numerator"]["definition_factor"], factor)
                self.assertEqual(entry["denominator"]["definition_factor"], 3 if factor == 300 else 1)
                run = support.Run("audit", self.folder / "one.csv", "--against", self.folder / "cpu-flops-only", *mapped)
                self.assertRegex(self.expect(run, 1).out, words)

    def test_nothing_known_that_would_be_right(self):
        against = self.table("cpu-flops", {"S1": FLOPS["S1"], "D1": FLOPS["D1"]})
        path = self.write("one.csv", 'metric,formula,unit,source\nDP Ops.,S1 + D1 * 3,,\nSP Ops.,"max(D1, S1)",,\n')
        out = self.expect(support.Run("audit", path, "--against", against), 1).out
        self.assertRegex(out, r"right is +not found: neither a sum of events with these names nor any single\s+event\s+is\s+SP\s+Ops\.")
        self.assertNotRegex(out, r"itself,\s+is\s+DP\s+Ops")  # a note says what the best misses

    def test_an_event_that_cannot_be_counted(self):
        """What perf takes where has_event is 0 stands for no value, unless it is made of counts."""
        against, mapped = self.flops(), ["--map", self.write("map.csv", "metric,signature\nper,1 DP Ops. / DP Instrs.\n")]
        right, wrong = f"({self.RIGHT}) / (D1 + D128 + D256 + D512)", f"(2 * D1 + {self.RIGHT}) / (D1 + D128 + D256 + D512)"
        cases = [(f"{right} if has_event(D1) else 0", "right"), (f"{wrong} if has_event(D1) else 0", "wrong"), (f"{right} if #smt_on else 0", "wrong"),
                 (f"{right} if has_event(D1) else {wrong}", "wrong"), (f"{wrong} if has_event(D1) else {right}", "wrong"),
                 (f"{right} if has_event(D1) else 1", "wrong"), (f"({right} if has_event(D1) else 0) if has_event(D512) else 0", "right")]
        for formula, verdict in cases:
            with self.subTest(formula=formula):
                path = self.write("perf.json", json.dumps([{"MetricName": "per", "MetricExpr": formula}]))
                self.assertEqual(self.verdicts(against, path, options=mapped, code=int(verdict == "wrong")), [("per", verdict)])

    def test_what_was_not_tried(self):
        """An event that counts nothing, and a part of the metric that no kernel does, are named, and the formula is not plainly right."""
        without = support.measurements("cpu-flops", FLOPS).splitlines()
        kept = [i for i, name in enumerate(without[0].split(",")) if i < 3 or "512" not in name]
        self.write("narrow/cpu-flops.csv", "".join(",".join(line.split(",")[i] for i in kept) + "\n" for line in without))
        cases = [(self.flops(), self.RIGHT, False, ""), (self.flops(), f"{self.RIGHT} + 5 * NOTHING", True, "not tried: NOTHING, which"),
                 (self.flops(), f"max({self.RIGHT} + 5 * NOTHING, 0)", True, "not tried: NOTHING, which"),
                 (self.folder / "narrow", "D1 + 2 * D128 + 4 * D256", True, "not tried: 512-bit, of which"),
                 (self.folder / "narrow", "max(D1 + 2 * D128 + 4 * D256, 0)", True, "not tried: ")]
        for against, formula, partial, words in cases:
            with self.subTest(formula=formula):
                entry = self.one(against, formula)
                self.assertEqual((entry["verdict"], entry["partial"]), ("right", True))
                self.assertIn(words, noted(entry))
                self.assertEqual("not tried" in noted(entry), partial)
                out = self.expect(support.Run("audit", self.folder / "one.csv", "--against", against), 0).out
                self.assertRegex(out, r"right where tried (.*\n)*.*1 right \(1 of them where tried\)")

    def test_metrics_are_found(self):
        against = self.flops()
        table = self.write("t.csv", "CPU,mine\nPRESET,PAPI_DP_OPS,DERIVED_POSTFIX,N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|,D1,D128,D256,D512\n"
                           "PRESET,PAPI_RES_STL,NOT_DERIVED,D1\nCPU,other\nCPU,third\nPRESET,PAPI_DP_OPS,NOT_DERIVED,D1\n")
        self.assertEqual(self.verdicts(against, table, code=1), [("PAPI_DP_OPS", "right"), ("PAPI_RES_STL", "no signature"), ("PAPI_DP_OPS", "wrong")])
        self.assertEqual(self.verdicts(against, table, options=["--section", "m*"])[0], ("PAPI_DP_OPS", "right"))
        self.assertEqual(self.verdicts(against, table, options=["--section", "third"], code=1), [("PAPI_DP_OPS", "wrong")])
        self.expect(support.Run("audit", table, "--against", against, "--section", "none"), 3, err="no formula here is in a section that matches 'none'", out="")
        mapped = self.write("map.csv", "metric,signature\nPAPI_RES_*,DP Instrs.\nPAPI_DP_OPS,Something\n")
        document = self.audit(against, table, options=["--map", mapped], code=1)
        self.assertEqual([entry["verdict"] for entry in document["formulas"]], ["no signature", "wrong", "no signature"])
        self.assertEqual(document["formulas"][0]["numerator"]["remark"], "the results have no metric Something")
        self.assertEqual(self.one(against, "D1", metric="HP Ops.", code=1)["verdict"], "wrong")

    def test_perf_and_perfmon(self):
        against = self.flops()
        mapped = ["--map", self.write("map.csv", "metric,signature\nflops,DP Ops.\nwidth,DP Ops. / DP Instrs.\n")]
        for formula, scale, verdict in (("D1 + 2 * D128 + 4 * D256 + 8 * D512", "", "right"),
                                        ("D1 + 2 * D128 + 4 * D256 + 8 * D512", "1e-6MFLOP", "right"),
                                        ("D1 + 2 * D128 + 4 * D256 + 8 * D512", "1MFLOP", "wrong"),
                                        ("(D1 + 2 * D128 + 4 * D256 + 8 * D512) / 1e6", "1MFLOP", "right"),
                                        ("D1 + 2 * D128 + 4 * D256", "", "wrong")):
            with self.subTest(formula=formula, scale=scale):
                metric = {"MetricName": "flops", "MetricExpr": formula} | ({"ScaleUnit": scale} if scale else {})
                path = self.write("perf.json", json.dumps([metric]))
                self.assertEqual(self.verdicts(against, path, options=mapped, code=1 if verdict == "wrong" else 0), [("flops", verdict)])
        aliases = dict(zip("abcd", ("D1", "D128", "D256", "D512")))
        perfmon = {"Header": {"Info": "made for this test"}, "Metrics": [{
            "MetricName": "width", "BriefDescription": "", "UnitOfMeasure": "", "Constants": [], "Category": "", "MetricGroup": "",
            "Events": [{"Name": event, "Alias": alias} for alias, event in aliases.items()],
            "Formula": "(a + 2 * b + 4 * c + 8 * d) / (a + b + c + d)"}]}
        self.assertEqual(self.verdicts(against, self.write("perfmon.json", json.dumps(perfmon)), options=mapped), [("width", "right")])

    def test_powers_that_nothing_tells(self):
        """Of what is divided by a name that is no event, whatever its shape; neither of sums, nor where the unit tells."""
        for formula, scale, verdict, power in (("({}) / 1e9 / (duration_time * #num_cpus)", "", "right", -9), ("max({}, 0) / 1e6 / duration_time", "", "right", -6),
                                               ("({}) / max(duration_time, 1e-9) / 1e3", "", "right", -3), ("min({}, 1e30) / 1e9", "", "wrong", 0),
                                               ("max({}, 0) / 1e8 / duration_time", "", "wrong", 0), ("max({}, 0) / 1e6 / duration_time", "1GFLOP/s", "wrong", 0),
                                               ("max({}, 0) / 1e9 / duration_time", "1GFLOP/s", "right", 0)):
            with self.subTest(formula=formula, scale=scale):
                metric = {"MetricName": "DP_OPS", "MetricExpr": formula.format(self.RIGHT)} | ({"ScaleUnit": scale} if scale else {})
                entry, = self.audit(self.flops(), self.write("perf.json", json.dumps([metric])), code=int(verdict == "wrong"))["formulas"]
                self.assertEqual((entry["verdict"], entry["power"] if verdict == "right" else 0), (verdict, power))

    def test_spellings(self):
        against = self.table("cpu-flops", {"X:Y_Z": {"S_SCAL": 1}, "X_Y:Z": {"D_SCAL": 1}, "FP_ARITH_INST_RETIRED:D": FLOPS["D1"]})
        ambiguous = self.one(against, "X_Y_Z")
        self.assertEqual((ambiguous["verdict"], ambiguous["numerator"]["remark"].split(";")[0]),
                         ("event missing", "X_Y_Z is ambiguous: it may be X:Y_Z or X_Y:Z"))
        for spelling in ("FP_ARITH_INST_RETIRED.D", "fp_arith_inst_retired_d", "spr::FP_ARITH_INST_RETIRED:D"):
            entry = self.one(against, spelling, code=1)
            self.assertEqual((entry["numerator"]["measures"], entry["numerator"]["remark"].count("another name")), ("misses all but scalar", 0))
        self.assertRegex(self.one(against, "FP_ARITH:D", code=1)["numerator"]["remark"], "^FP_ARITH is another name of FP_ARITH_INST_RETIRED")
        self.assertEqual(self.one(against, "FP_ARITHMETIC:D")["verdict"], "event missing")

    def test_names_of_metrics(self):
        against = self.flops()
        for name, verdict in (("DP_OPS", "right"), ("dp ops", "right"), ("Dp-Ops.", "right"), ("PAPI_DP_OPS", "right"), ("papi_dp_ops", "right"),
                              ("DPOPS", "no signature"), ("DP_OPS_2", "no signature"), ("SP_OPS", "wrong"), ("OPS", "no signature")):
            with self.subTest(name=name):
                self.assertEqual(self.one(against, self.RIGHT, metric=name, code=int(verdict == "wrong"))["verdict"], verdict)
        document = support.Run("analyze", against, "--format", "json").json()
        double, single = (next(metric for metric in document["benchmarks"][0]["metrics"] if metric["preset"] == preset)
                          for preset in ("PAPI_DP_OPS", "PAPI_SP_OPS"))
        single["metric"] = "DP OPS"
        entry = self.one(self.write("two.json", json.dumps(document)), self.RIGHT, metric="dp_ops")
        self.assertEqual((entry["verdict"], entry["numerator"]["remark"]), (
            "no signature", "metric 'dp_ops' is ambiguous: it may be DP OPS of cpu-flops or DP Ops. of cpu-flops"))

    def test_folders_of_groups(self):
        group = "SHORT {0}\n\nEVENTSET\nPMC0 {0}\n\nMETRICS\nDP [MFLOP/s] 1E-06*PMC0/time\n\nLONG\nHere.\n"
        for name, event in (("one/G", "D1"), ("two/G", "GONE")):
            self.write(f"groups/{name}.txt", group.format(event))
        run = self.expect(support.Run("audit", self.folder / "groups", "--against", self.flops()), 1, err="")
        self.assertRegex(run.out, r"(?m)^wrong .* one/G\.txt:7$")
        self.assertRegex(run.out, r"(?m)^event missing .* two/G\.txt:7$")
        (self.folder / "empty").mkdir()
        self.write("groups/one/events.json", '[{"EventName": "A", "EventCode": "0x1"}]')
        run = self.expect(support.Run("audit", self.folder / "groups", "--against", self.flops()), 1, err=r"\Acatmint: 1 other file holds no formulas\n\Z")
        self.assertRegex(run.out, r"(?m)^wrong .* one/G\.txt:7$")
        self.expect(support.Run("audit", self.folder / "empty", "--against", self.flops()), 3, err="empty: no files of formulas here", out="")

    def test_results_that_do_not_tell_all_events(self):
        against = self.table("cpu-flops", FLOPS | {"TWICE": {symbol: 2 * count for symbol, count in FLOPS["D1"].items()}})
        for detail, formula, verdict in (("all", "TWICE", "wrong"), ("all", "GONE", "event missing"), ("kept", "TWICE", "wrong"),
                                         ("selected", self.RIGHT, "right"), ("selected", "TWICE", "event not told"),
                                         ("selected", "GONE", "event not told")):
            with self.subTest(detail=detail, formula=formula):
                results = self.write("results.json", support.Run("analyze", against, "--format", "json", "--events-detail", detail).out)
                entry = self.one(results, formula, code=int(verdict == "wrong"))
                self.assertEqual(entry["verdict"], verdict)
                self.assertEqual("--events-detail all" in entry["numerator"]["remark"], verdict == "event not told")

    def test_small_multiples(self):
        for formula, measures in ((f"({self.RIGHT}) / 1e6", "1e-06x"), ("D1 / 1e9", "counts almost nothing on these kernels"),
                                  (f"0 * ({self.RIGHT})", "counts nothing on these kernels")):
            self.assertEqual(self.one(self.flops(), formula, code=1)["numerator"]["measures"], measures)
        path = self.write("constant.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT} + 7,,\n")
        run = self.expect(support.Run("audit", path, "--against", self.flops()), 1, err="")
        self.assertRegex(run.out, r"(?m)^ +it +adds a constant 7$")

    def test_bad_input(self):
        against, good = self.flops(), self.write("good.csv", "metric,formula,unit,source\nDP Ops.,D1,,\n")
        rows = [
            ("formulas.csv", "metric,formula,unit,source\nDP Ops.,D1 +,,\nSP Ops.,S1,,\n", r"formulas\.csv:2:\d+: "),
            ("G.txt", "SHORT G\n\nEVENTSET\nPMC0 D1\n\nMETRICS\nDP [MFLOP/s] PMC0*(\n\nLONG\nHere.\n", r"G\.txt:7:\d+: "),
            ("t.csv", "CPU,mine\nPRESET,PAPI_DP_OPS,DERIVED_POSTFIX,N0|N1|+|,D1\n", r"t\.csv:2:\d+: "),
            ("nothing.txt", "nothing\n", r"nothing\.txt"),
        ]
        for name, content, message in rows:
            with self.subTest(name=name):
                self.expect(support.Run("audit", self.write(name, content), "--against", against), 3, err=message)
        self.expect(support.Run("audit", self.folder / "absent.csv", "--against", against), 3, err=r"absent\.csv", out="")
        self.expect(support.Run("audit", good, "--against", self.folder / "absent"), 3, err=r"absent: .*expected a sweep directory or results", out="")
        self.expect(support.Run("audit", good, "--against", self.write("bad.json", "{}\n")), 3, err=r"bad\.json:", out="")
        for content, message in (("metric,signature\nx,\n", r"map\.csv:2"), ("name,signature\n", r"map\.csv:1")):
            self.expect(support.Run("audit", good, "--against", against, "--map", self.write("map.csv", content)), 3, err=message, out="")
        self.expect(support.Run("audit", good), 2, err=r"^catmint: audit needs --against", out="")
        self.expect(support.Run("audit", "--against", against), 2, out="")
        self.expect(support.Run("audit", good, "--against", against, "--format", "xml"), 2, out="")

    def test_folders(self):
        against = self.folder / "results.json"
        self.expect(support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", against), 0)
        for name in ("formulas/b.csv", "formulas/deeper/a.csv"):
            self.write(name, "metric,formula,unit,source\nAll Branches,BR_INST_RETIRED:ALL_BRANCHES,,\n")
        self.write("formulas/notes", "no formulas")
        run = support.Run("audit", self.folder / "formulas", "--against", against, "--format", "json")
        self.assertEqual(len(self.expect(run, 0, err="").json()["formulas"]), 2, str(run))

    def test_what_can_be_read_is_judged_all_the_same(self):
        path = self.write("formulas.csv", f'metric,formula,unit,source\nSP Ops.,D1 +,,\nDP Ops.,{self.RIGHT},,\n')
        document = self.audit(self.flops(), path, code=3, err=r"formulas\.csv:2")
        self.assertEqual([(entry["metric"], entry["verdict"]) for entry in document["formulas"]], [("DP Ops.", "right")])
        self.assertEqual([(fault["line"], fault["file"]) for fault in document["faults"]], [(2, str(path))])

    def test_output(self):
        good, target = self.write("good.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT},,\n"), self.folder / "audit.json"
        run = support.Run("audit", good, "--against", self.flops(), "--format", "json", "--output", target)
        self.expect(run, 0, err="", out="")
        self.assertEqual(json.loads(target.read_text())["verdicts"]["right"], 1)
        for changes, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            master, terminal = os.openpty()
            self.expect(support.Run("audit", good, "--against", self.flops(), stdout=terminal, **changes), 0)
            os.close(terminal)
            text = support.read_terminal(master)
            self.assertEqual("\033[32mright" in text, coloured)

    @unittest.skipIf(documents.jsonschema is None, "python3-jsonschema is not installed")
    def test_schema(self):
        path = self.write("many.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT},,\nSP Ops.,S1,,\nFP Ops.,GONE,,\nHP Ops.,D1/S1,,\nother,D1,,\nFP Instrs.,D1 *,,\n")
        document = self.audit(self.flops(), path, code=3, err=None)
        documents.hold(self, document)
        for breaker in (lambda d: d.update(schema="catmint.audit/2"), lambda d: d["formulas"][0].update(verdict="fine"),
                        lambda d: d["formulas"][0].pop("numerator"), lambda d: d["verdicts"].pop("wrong"),
                        lambda d: d["formulas"][1]["numerator"].update(misfit=-1), lambda d: d["formulas"][0].update(unnamed=1)):
            broken = json.loads(json.dumps(document))
            breaker(broken)
            with self.assertRaises(documents.jsonschema.ValidationError):
                documents.validator_of("catmint.audit/1").validate(broken)


class Recorded(auditing.Audit):
    def test_own_definitions_are_right_and_broken_ones_are_not(self):
        for benchmark, table in support.RECORDED.items():
            results = self.folder / f"{benchmark}.json"
            self.expect(support.Run("analyze", table, "--benchmark", benchmark, "--format", "json", "--output", results), 0)
            own = auditing.composable(json.loads(results.read_text()))
            self.assertEqual(self.verdicts(results, self.write("own.csv", auditing.formulas([row[1:] for row in own]))),
                             [(metric, "right") for _, metric, _ in own])
            self.assertGreater(self.check_broken(results), 20)


if __name__ == "__main__":
    support.main()
