"""Faults that the field's formulas had, each in text of our own, on small tables of what such events count."""

import csv
import fnmatch

import auditing
import support

# POWER: an event for instructions by how many operations they do, and one for all instructions.
POWER = {"PM_1FLOP_CMPL": {"D_SCAL": 1, "S_SCAL": 1}, "PM_2FLOP_CMPL": {"D_FMA_SCAL": 1, "S_FMA_SCAL": 1, "D_128": 1},
         "PM_4FLOP_CMPL": {"D_FMA_128": 1, "S_128": 1}, "PM_8FLOP_CMPL": {"S_FMA_128": 1}}
POWER["PM_FLOP_CMPL"] = {symbol: 1 for parts in POWER.values() for symbol in parts}
# Intel: one a width and precision, of which an FMA counts twice.
INTEL = {f"FP_ARITH_INST_RETIRED:{event}": {f"{p}_{width}": 1, f"{p}_FMA_{width}": 2} for p, precision in (("S", "SINGLE"), ("D", "DOUBLE"))
         for width, event in (("SCAL", f"SCALAR_{precision}"), ("128", f"128B_PACKED_{precision}"), ("256", f"256B_PACKED_{precision}"),
                              ("512", f"512B_PACKED_{precision}"))}
# Zen: operations of both precisions in one event.
ZEN = {"RETIRED_SSE_AVX_FLOPS:ANY": {f"{p}_{fma}{width}": lanes * (2 if fma else 1) * (2 if p == "S" and lanes > 1 else 1)
                                     for p in "SD" for fma in ("", "FMA_") for width, lanes in (("SCAL", 1), ("128", 2), ("256", 4), ("512", 8))}}
GROUP = "SHORT {0}\n\nEVENTSET\n{1}\n\nMETRICS\n{2}\n\nLONG\nHere.\n"


def packed(precision, scalar=False):
    widths = ["SCALAR"] * scalar + [f"{width}B_PACKED" for width in (128, 256, 512)]
    return [f"FP_ARITH_INST_RETIRED:{width}_{precision}" for width in widths]


class Faults(auditing.Audit):
    def narrow(self, events):
        """A table of the kernels of 128 bits and fewer."""
        rows = [line.split(",") for line in support.measurements("cpu-flops", events).splitlines()]
        kept = [i for i, name in enumerate(rows[0]) if i < 3 or "256" not in name and "512" not in name]
        self.write("narrow/cpu-flops.csv", "".join(",".join(row[i] for i in kept) + "\n" for row in rows))
        return self.folder / "narrow"

    def presets(self, *definitions):
        return self.write("papi_events.csv", "CPU,mine\n" + "".join(f"PRESET,{definition}\n" for definition in definitions))

    def test_power_counts_instructions_as_operations(self):
        table = self.narrow(POWER)
        for formula, verdict in (("NOT_DERIVED,PM_FLOP_CMPL", "wrong"),
                                 ("DERIVED_POSTFIX,N0|8|*|N1|4|*|+|N2|2|*|+|N3|+|,PM_8FLOP_CMPL,PM_4FLOP_CMPL,PM_2FLOP_CMPL,PM_1FLOP_CMPL", "right")):
            entry, = self.audit(table, self.presets(f"PAPI_FP_OPS,{formula}"), code=int(verdict == "wrong"))["formulas"]
            self.assertEqual(entry["verdict"], verdict)
            if verdict == "wrong":
                self.assertEqual({term["event"]: term["coefficient"] for term in entry["numerator"]["definition"]},
                                 {f"PM_{flops}FLOP_CMPL": flops for flops in (1, 2, 4, 8)})

    def test_each_preset_has_a_meaning_or_a_reason(self):
        def rows(path):
            return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))

        named = {row["preset"] for path in (*support.SOURCE.glob("signatures/*.csv"), support.SOURCE / "data/meanings.csv") for row in rows(path)}
        patterns = [row["metric"] for row in rows(support.SOURCE / "data/maps/papi.csv")]
        self.assertEqual([row["preset"] for row in rows(support.SOURCE / "data/papi-presets.csv") if row["preset"] not in named and
                          not any(fnmatch.fnmatchcase(row["preset"], pattern) for pattern in patterns)], [])

    def test_vectors_with_scalars(self):
        table = self.table("cpu-flops", INTEL)
        for preset, precision in (("PAPI_VEC_DP", "DOUBLE"), ("PAPI_VEC_SP", "SINGLE")):
            for scalar in (True, False):
                path = self.presets(f"{preset},DERIVED_ADD,{','.join(packed(precision, scalar))}")
                entry, = self.audit(table, path, code=int(scalar))["formulas"]
                self.assertEqual(entry["verdict"], "wrong" if scalar else "right", entry)

    def test_weights_and_widths_of_groups(self):
        table = self.table("cpu-flops", INTEL)
        events = "\n".join(f"PMC{i} {event.replace(':', '_')}" for i, event in enumerate(packed("SINGLE", True)))
        for formula, verdict, told in (("1E-06*(PMC0+4*PMC1+8*PMC2+16*PMC3)/time", "right", ""),
                                       ("1E-06*(PMC0+2*PMC1+4*PMC2+8*PMC3)/time", "wrong", "has the weights of DP Ops."),
                                       ("1E-06*(PMC0+4*PMC1+8*PMC2)/time", "wrong", "misses 512-bit")):
            path = self.write("G.txt", GROUP.format("G", events, f"SP [MFLOP/s] {formula}"))
            entry, = self.audit(table, path, code=int(verdict == "wrong"))["formulas"]
            self.assertEqual((entry["verdict"], entry["numerator"]["measures"]), (verdict, told))

    def test_all_lines_of_a_group(self):
        """Weights of double precision for single precision, in two lines of METRICS and three of LONG: each of the five is found."""
        table = self.table("cpu-flops", INTEL)
        names = [event.replace(":", "_") for event in packed("SINGLE", True)]
        events = "\n".join([*(f"PMC{i} {name}" for i, name in enumerate(names)), *(f"MBOX{i}C{way} CAS_COUNT_{kind}" for i in range(2)
                                                                                   for way, kind in enumerate(("RD", "WR")))])

        def group(metrics, documented):
            weighed = [["+".join(f"{terms[i]}*{weights[i]}" for i in range(4)) for terms in ([f"PMC{i}" for i in range(4)], names)]
                       for weights in (metrics, documented)]
            wide = "+".join(f"{names[i]}*{documented[i]}" for i in (2, 3))
            lines = "\n".join((f"SP [MFLOP/s] 1E-06*({weighed[0][0]})/time", "AVX SP [MFLOP/s] 1E-06*(PMC2*8.0+PMC3*16.0)/time",
                               f"Operational intensity [FLOP/Byte] ({weighed[0][0]})/((MBOX0C0+MBOX1C0+MBOX0C1+MBOX1C1)*64.0)"))
            text = "\n".join((f"SP [MFLOP/s] = 1.0E-06*({weighed[1][1]})/runtime", f"AVX SP [MFLOP/s] = 1.0E-06*({wide})/runtime",
                              f"Operational intensity [FLOP/Byte] = ({weighed[1][1]})/(SUM(CAS_COUNT_RD)+SUM(CAS_COUNT_WR))*64.0)"))
            return self.write("MEM_SP.txt", GROUP.format("memory", events, lines).replace("Here.", text))

        right, wrong, said = (1, 4, 8, 16), (1, 2, 4, 8), r"\[documented\] {}.*: LONG says otherwise than METRICS does"
        entries = {entry["metric"]: entry for entry in self.audit(table, group(wrong, wrong), code=1)["formulas"]}
        self.assertEqual({name: entry["numerator"]["verdict"] for name, entry in entries.items()},
                         {"SP [MFLOP/s]": "wrong", "AVX SP [MFLOP/s]": "right", "Operational intensity [FLOP/Byte]": "wrong"})
        for metrics, found in ((wrong, {"AVX SP"}), (right, {"SP", "AVX SP", "Operational intensity"})):
            run = support.Run("lint", group(metrics, wrong))
            for name in ("SP", "AVX SP", "Operational intensity"):
                (self.assertRegex if name in found else self.assertNotRegex)(run.out, said.format(name))
        self.expect(support.Run("lint", group(right, right)), 0, out="")
        self.assertNotIn("wrong", [entry["numerator"]["verdict"] for entry in self.audit(table, group(right, right))["formulas"]])

    def test_one_event_for_both_precisions(self):
        table = self.table("cpu-flops", ZEN)
        path = self.write("G.txt", GROUP.format("G", "PMC0 RETIRED_SSE_AVX_FLOPS_ALL", "DP [MFLOP/s] 1E-06*PMC0/time\nSP [MFLOP/s] 1E-06*PMC0/time"))
        self.assertEqual([entry["verdict"] for entry in self.audit(table, path, code=1)["formulas"]], ["wrong", "wrong"])

    def test_what_lint_finds(self):
        for content, found in (("CPU,mine\nPRESET,PAPI_L2_ICM,DERIVED_SUB,E\n", r"\[one term\] PAPI_L2_ICM: a difference of one term"),
                               (GROUP.format("G", "PMC0 E", "Ratio PMC0/FIXC1"), r"unknown counter 'FIXC1'")):
            self.expect(support.Run("lint", self.write("file.txt", content)), 1, out=found)


    def test_a_file_of_which_nothing_is_read(self):
        """The number of formulas goes with that of faults, and the function that is unknown is named."""
        counters = self.write("counters.yaml", "rocprofiler-sdk:\n  counters:\n    - name: X\n      definitions:\n        - architectures:\n            - gfx90a\n"
                              "          expression: select(SQ_WAVES,sum)*2\n")
        run = support.Run("audit", counters, "--against", support.RECORDED["branch"], "--benchmark", "branch")
        self.expect(run, 3, err=r"counters\.yaml:7:29: unexpected '\(': 'select' is no function, or a '\)' is missing$", out=r"^0 formulas; 1 fault in the files, named on stderr$")


if __name__ == "__main__":
    support.main()
