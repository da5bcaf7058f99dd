"""What names and units say of the dimension of a formula: ratios upside down, percentages without 100, rates without time, in every format."""

import json
import shutil

import support
from lint import ARM, PANEL, PERFMON, group
from lint_formats import PYTHON


def perf(name, formula, unit=""):
    return json.dumps([{"MetricName": name, "MetricExpr": formula, "ScaleUnit": unit}])


def table(*rows):
    return "metric,formula,unit\n" + "".join(f"{name},{formula},{unit}\n" for name, formula, unit in rows)


IPC = "upside down: these are cycles per instruction"
MISSES = "upside down: these are accesses per miss"
BRANCHES = "upside down: these are branches per misprediction"
LACKS = "a percentage, but the formula lacks the factor 100"
NO_TIME = "a rate, but the formula has no time"
RATE = "64 * LINES / 1e6 / "

# A formula's metric, its text and its unit, and what is said of it; None: it is right.
FORMULAS = [
    ("tma_info_thread_ipc", "CPU_CLK_UNHALTED / INST_RETIRED", "", IPC), ("tma_info_thread_ipc", "INST_RETIRED / CPU_CLK_UNHALTED", "", None),
    ("lpm_ipc", "cycles / instructions", "insn/cycle", IPC), ("lpm_ipc", "instructions / cycles", "insn/cycle", None),
    ("core_ipc", "1 / (ex_ret_instr / ls_not_halted_cyc)", "", IPC), ("core_ipc", "ex_ret_ops / ls_not_halted_cyc", "", None), ("core_ipc", "L2_MISSES / cycles", "",
     "none of the events that it takes for instructions counts instructions"),
    ("info_cpi", "INST / CYC", "", "upside down: these are instructions per cycle"), ("dispatch_stall_cpi", "PM_DISP_HELD / PM_INST_CMPL", "", None),
    ("CPI of uops", "UOPS / INST_X * CYC", "", None),
    ("l1_miss_ratio", "L1_HIT / L1_MISS", "", MISSES), ("L1MissRatio", "L1_ACCESS / L1_MISS", "", MISSES), ("l1_miss_ratio", "L1D_CACHE / L1D_CACHE_REFILL", "", MISSES),
    ("l1_miss_ratio", "L1_MISS / L1_ACCESS", "", None), ("l1_miss_ratio", "L1D_CACHE_REFILL / L1D_CACHE", "", None), ("l2_miss_rate", "L2_MISS / INST", "", None),
    ("l2_miss_rate", "INST / L2_MISS", "", MISSES), ("l1_miss_ratio", "(L1_ACCESS - L1_HIT) / L1_ACCESS", "", None),
    ("l1_miss_ratio", "L1_MISS / L1_HIT", "", "this divides misses by hits; a ratio is of hits and misses together"),
    ("l1_hit_rate", "L1_MISS / L1_ACCESS", "", "hits by its name, but counts misses"), ("l1_hit_rate", "1 - L1_MISS / L1_ACCESS", "", None),
    ("l1_hit_rate", "100 - 100 * L1_MISS / L1_ACCESS", "%", None), ("l1_miss_rate", "L1_HIT / L1_ACCESS", "", "misses by its name, but counts hits"),
    ("l1_hit_rate", "L1_ACCESS / L1_HIT", "", "upside down: these are accesses per hit"), ("l1_hit_rate", "L1_HIT / (L1_HIT + L1_MISS)", "", None),
    ("misprediction ratio", "BR_INST_RETIRED / BR_MISP_RETIRED", "", BRANCHES), ("misprediction ratio", "BR_MIS_PRED / BR_PRED", "", None),
    ("branch_miss_rate", "branches / branch_misses", "", BRANCHES), ("branch_miss_rate", "branch_misses / branches", "", None),
    ("instructions per misp", "INST_RETIRED / BR_MISP_RETIRED", "", None),
    ("l1_mpki", "L1_MISS / INST", "", "per 1000 by its name, but the factor is 1"), ("l1_mpki", "100 * L1_MISS / INST", "", "per 1000 by its name, but the factor is 100"),
    ("l1_mpki", "1000000 * L1_MISS / INST", "", "per 1000 by its name, but the factor is 1e+06"), ("misses", "L1_MISS / INST", "MPKI", "per 1000 by its name, but the factor is 1"),
    ("l1_mpki", "1000 * (L1_MISS + 2 * L2_MISS) / INST", "", None), ("l1_mpki", "1e3 * L1_MISS / INST", "MPKI", None),
    ("branch_mpki", "1000 * BR_MISP / CYC", "", "per 1000 instructions by its name, but divides by cycles"),
    ("branch_mpki", "1000 * BR_MISP / BR_INST_RETIRED", "", "per 1000 instructions by its name, but divides by branches"), ("branch_mpki", "1000 * BR_MISP / INST_RETIRED", "", None),
    ("Instructions per cycle", "CYC / INST", "", IPC), ("instructions_per_cycle", "INST / CYC", "", None), ("Vector instructions per cycle", "VECTORS / CYC", "", None),
    ("Cycles per instruction", "INST / CYC", "", "upside down: these are instructions per cycle"), ("cycles_per_instruction", "CYC / INST", "", None),
    ("Stall cycles per instruction", "RESOURCE_STALLS / INST", "", None),
    ("share", "A / B", "%", LACKS), ("share", "A / B", "percent of cycles", LACKS), ("share", "A / B * 100", "percent", None), ("share", "1 - A / (4 * B)", "%", LACKS),
    ("share", "A * 3.125 / B", "%", None), ("share", "A - B", "%", None), ("l2_share_percent", "A / B", "", LACKS), ("l2_share_percent", "A / B / 0.01", "", None),
    ("share", "100 * (100 * A / B)", "%", "100 times too large: the factor 100 is twice in this percentage"), ("share", "100 * 200 * A / B", "%", None),
    ("Share [%]", "A / B", "", LACKS), ("Traffic (MB/s)", "64 * LINES / 1e6", "", NO_TIME),
    ("bandwidth", "64 * LINES / 1e6", "MB/s", NO_TIME), ("bandwidth", "64 * LINES * CYC / TSC", "MB/s", None), ("rate", "A", "per_sec", NO_TIME), ("rate", "QPI_RATE", "GT/s", None),
    ("bandwidth", "32 * L2_LINES_IN / 1e6 / time", "MB/s", "32 bytes per line, but the processor's lines have 64"), ("bandwidth", "32 * RING_BL / 1e6 / time", "MB/s", None),
    ("bandwidth", "32 * FILL_32B / 1e6 / time", "MB/s", None), ("bandwidth", "64 * L2_LINES_IN / 1e6 / time", "MB/s", None),
    ("bandwidth", "L2_LINES_IN / 1e6 / time", "MB/s", "bytes, but L2_LINES_IN counts lines, and the formula lacks their size"), ("bandwidth", "BYTES_OF_LINES / 1e6 / time", "MB/s", None),
    ("power", "PKG_ENERGY", "W", NO_TIME), ("power", "PKG_ENERGY / time", "W", None), ("energy", "PKG_ENERGY / time", "J", "an amount, but the formula divides by time"),
    ("energy", "PKG_ENERGY", "J", None), ("cpu_power_pkg", "2.3e-10 * PKG_ENERGY", "", NO_TIME), ("cpu_power_pkg", "2.3e-10 * PKG_ENERGY / seconds", "", None),
    ("PkgEnergy", "PKG_ENERGY / seconds", "", "an amount, but the formula divides by time"), ("power_throttles", "POWER_LICENSE", "", None),
]
# Names of what is made of a ratio, and formulas that are right for them.
DERIVED = [
    ("l2_hit_ratio", "(L1_MISS - L2_MISS) / L1_MISS"), ("l2_miss_ratio", "(L1_HIT - L2_HIT) / L1_ACCESS"), ("Inverse IPC", "CYC / INST"), ("Reciprocal IPC", "CYC / INST"), ("1/IPC", "CYC / INST"),
    ("Inverse CPI", "INST / CYC"), ("IPC to CPI check", "INST / CYC"), ("IPC/CPI", "INST / CYC"), ("Branch to misprediction ratio", "BRANCHES / BR_MISP"), ("Loads to misses ratio", "CACHE_ACCESS / L1_MISS"),
    ("Inverse miss ratio", "L1_ACCESS / L1_MISS"), ("Miss ratio reciprocal", "L1_ACCESS / L1_MISS"), ("Branches per mispredict ratio", "BRANCHES / BR_MISP"), ("Accesses per L2 miss ratio", "L1_ACCESS / L2_MISS"),
    ("Access to hit ratio", "L1_ACCESS / L1_HIT"), ("IPC loss [%]", "100 * (1 - INST / (4 * CYC))"), ("CPI stall share", "RESOURCE_STALLS / CYC"), ("IPC gap", "4 - INST / CYC"), ("IPC headroom", "4 * CYC / INST"),
    ("IPC efficiency [%]", "25 * UOPS_X / CYC"), ("IPC slowdown", "CYC / INST"), ("Delta IPC", "CYC / INST"), ("CPI change", "(CYC - CYC_B) / CYC_B"), ("CPI contribution of L2 misses", "13 * L2_HIT / INST"),
    ("IPC variance", "SQUARES / INST"), ("Cache misses avoided ratio", "L1_HIT / L1_ACCESS"), ("Miss cost ratio", "INST / L1_MISS"), ("Share of MPKI", "L1_MISS / L2_MISS"), ("Max IPC", "UOPS / CYC"), ("Miss-free ratio", "L1_HIT / L1_ACCESS"),
    ("DRAM share of package power [%]", "100 * DRAM_ENERGY / PKG_ENERGY"), ("DRAM to package power ratio", "DRAM_ENERGY / PKG_ENERGY"), ("Package minus core power [W]", "(PWR_PKG_ENERGY - PWR_PP0_ENERGY) / time"),
]
TIMES = ("time", "seconds", "duration_time", "interval_sec", "duration", "elapsed", "elapsed_seconds", "TSC", "inverseClock")


class LintQuantities(support.Case):
    def lines(self, path, *options):
        """What lint says of each formula, without the place, the kind and the name."""
        run = support.Run("lint", path, *options)
        return [line.split("[quantity] ", 1)[1].split(": ", 1)[1] for line in run.out.splitlines() if "[quantity]" in line]

    def check(self, text, expected, name="f.txt", options=()):
        with self.subTest(text=text[:200]):
            self.assertEqual(self.lines(self.write(name, text), *options), [expected] if expected else [])

    def test_each_dimension_in_tables(self):
        for name, formula, unit, expected in FORMULAS:
            self.check(table((name, formula, unit)), expected)
            self.check(f"a,b,c\n{name},{formula},{unit}\n", expected, "t.csv", ("--metric-column", "a", "--formula-column", "b", "--unit-column", "c"))

    def test_each_dimension_of_perf(self):
        for name, formula, unit, expected in FORMULAS:
            self.check(perf(name, formula, f"1{unit}" if unit else ""), expected)

    def test_what_is_made_of_ratios_is_not_held_against_them(self):
        for name, formula in DERIVED:
            self.check(table((name, formula, "")), None)

    def test_whatever_stands_for_time_is_time(self):
        for time in TIMES:
            self.check(table(("bandwidth", RATE + time, "MB/s")), None)
            self.check(perf("bandwidth", RATE + time, "1MB/s"), None)
        self.check(perf("bandwidth", RATE + "(TSC / #SYSTEM_TSC_FREQ)", "1MB/s"), None)
        self.check(table(("bandwidth", RATE + "TIME_OUTS", "MB/s")), NO_TIME)

    def test_units_that_have_the_factor(self):
        for formula, unit, expected in (("A / B", "100%", None), ("100 * A / B", "100%", "100 times too large: the unit 100% has the factor 100 already"),
                                        ("A / 100 - B / C", "100%", None), ("min(100 * ASSISTS / SLOTS, 1)", "100%", None), ("100 * min(100 * ASSISTS / SLOTS, 1)", "1%", None), ("L1_MISS / INST", "1e3per_1k_instr", None), ("A / B", "1.063%", None),
                                        ("LINES / duration_time", "6.103515625e-5MiB/s", None), ("LINES / duration_time", "6.103515625e-5KiB/s",
                                         "the factor disagrees with the unit 6.103515625e-5KiB/s: LINES would count 0.0625 bytes each"),
                                        ("LINES", "6.4e-5MB/s", NO_TIME), ("hv_24x7@PM_RD_BLOCKS@", "5.24e-1MB", None)):
            self.check(perf("m", formula, unit), expected)

    def test_conditions_and_metrics_of_metrics(self):
        text = json.dumps([{"MetricName": "clks", "MetricExpr": "CPU_CLK_UNHALTED if #SMT_on else CLK_ALL"}, {"MetricName": "ipc", "MetricExpr": "max(clks, 1) / INST_RETIRED"}])
        self.check(text, IPC)
        self.check(text.replace("max(clks, 1) / INST_RETIRED", "INST_RETIRED / max(clks, 1)"), None)

    def test_other_formats(self):
        papi = "CPU,x\nEVENT,L1_MISS_RATIO,DERIVED_POSTFIX,N0|N1|/|,{}\n"
        self.check(papi.format("L1:HIT,L1:MISS"), MISSES)
        self.check(papi.format("L1:MISS,L1:ACCESS"), None)
        for metric, expected in (("L2 miss ratio PMC1/PMC0", MISSES), ("L2 miss ratio PMC0/PMC1", None), ("L2 share [%] PMC0/PMC1", LACKS), ("L2 share [%] 100.0*PMC0/PMC1", None)):
            self.check(group("L2_MISS", "L2_ACCESS", metric), expected)
        for metric, expected in (("Power [W] PMC0", NO_TIME), ("Power [W] PMC0/time", None), ("Energy [J] PMC0/time", "an amount, but the formula divides by time")):
            self.check(group("PWR_PKG_ENERGY", "E", metric), expected)
        perfmon = PERFMON.replace('"m"', '"Hit_Rate", "UnitOfMeasure": "percent"').replace('"E"', '"L1.HIT"')
        for formula, expected in (("a / b", LACKS), ("100 * a / b", None), ("100 * ( b / a )", "upside down: these are accesses per hit")):
            self.check(perfmon % (', {"Name": "L1.ACCESS", "Alias": "b"}', formula), expected)
        arm = ARM.replace('"m"', '"branch_mpki"').replace('"E"', '"BR_MIS_PRED"').replace('"F"', '"INST_RETIRED"').replace('"title"', '"units": "MPKI", "title"')
        for formula, expected in (("BR_MIS_PRED / INST_RETIRED * 1000", None), ("BR_MIS_PRED / INST_RETIRED", "per 1000 by its name, but the factor is 1")):
            self.check(arm % (formula, '"BR_MIS_PRED", "INST_RETIRED"', "", ""), expected)
        for formula, expected in (("AVG(A / B)", LACKS), ("AVG((100 * A) / B)", None), ("AVG(100000 * A / B)", None)):
            self.check(PANEL.format(formula, "Pct of Peak"), expected)
        for formula, scale, expected in (("a / b", "100%", None), ("100 * a / b", "100%", "100 times too large: the unit 100% has the factor 100 already"),
                                         ("a / b", "1%", LACKS), ("a * 64 / 1e6", "MB/s", NO_TIME)):
            self.check(PYTHON.replace("100%", scale).replace('"A.B", "C.D"', '"A.B"').format(formula), expected, "x_metrics.py")

    def test_lines_of_other_sizes(self):
        volume = group("L2D_CACHE_REFILL", "X", "Volume [GBytes] 1.0E-09*PMC0*{}")
        for folder, size, expected in (("arm64fx", "256.0", None), ("arm64fx", "64.0", "64 bytes per line, but the processor's lines have 256"), ("power9", "128.0", None),
                                       ("power9", "64.0", None), ("power9", "32.0", "32 bytes per line, but the processor's lines have 128"), ("zen4", "32.0", "32 bytes per line, but the processor's lines have 64")):
            self.check(volume.format(size), expected, f"groups/{folder}/X.txt")

    def test_bad_tables(self):
        """Data of the user's own that is malformed is refused with its line; what it lacks is not looked for."""
        formulas = self.write("one.csv", table(("l1_mpki", "L1_MISS / INST", "")))
        shutil.copytree(support.SOURCE / "data", self.folder / "data", ignore=shutil.ignore_patterns("facts", "pmu"))
        own = {"CATMINT_DATA_DIR": str(self.folder)}
        for name, old, new, said in (("quantity-words.csv", "\nipc,ipc", "\nspeed,ipc", "expected quantities, found 'speed'"),
                                     ("ratio-metrics.csv", "\nipc,", "\nippc,", "expected quantities, found 'ippc'"),
                                     ("ratio-metrics.csv", ",1000,", ",many,", "'many'")):
            path = self.folder / "data" / name
            whole = path.read_text()
            path.write_text(whole.replace(old, new))
            line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if new.strip("\n") in text)
            self.expect(support.Run("lint", formulas, **own), 3, out="", err=rf"data/{name}:{line}: .*{said}")
            path.write_text(whole)
        (self.folder / "data/quantity-words.csv").unlink()
        (self.folder / "data/ratio-metrics.csv").unlink()
        self.expect(support.Run("lint", formulas, **own), 0, err=None)


if __name__ == "__main__":
    support.main()
