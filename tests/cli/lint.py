"""What is wrong with files of formulas, without measuring: each kind of fault, and nothing in clean files."""

import csv

import support

PAPI = "CPU,x\n"
# What a core counts, over lines that two memory controllers count: as LIKWID's LONG says it, with a parenthesis forgotten.
MEMORY = """SHORT memory
EVENTSET
PMC0 E
MBOX0C0 R
MBOX1C0 R

METRICS
Intensity PMC0*4.0/((MBOX0C0+MBOX1C0)*64.0)
Both MBOX0C0+MBOX1C0
Other MBOX0C0+MBOX1C0
LONG
Intensity = {}
Both = {}
Other = {}
"""
LIKWID = "SHORT a group\n\nEVENTSET\nPMC0 E\nPMC1 F\n\nMETRICS\nBoth PMC0+PMC1\n"

def group(first, second, *metrics):
    """A group that counts two events, with its metrics from line 8 on."""
    return f"SHORT a group\n\nEVENTSET\nPMC0 {first}\nPMC1 {second}\n\nMETRICS\n" + "\n".join(metrics) + ("" if "PMC1" in "".join(metrics) else "\nRest PMC1") + \
        ("" if "PMC0" in "".join(metrics) else "\nRest PMC0") + "\n"


def perf(formula, name="a"):
    return '[{"MetricName": "%s", "MetricExpr": "%s"}]' % (name, formula)


PERFMON = '{"Metrics": [{"MetricName": "m", "Events": [{"Name": "E", "Alias": "a"}%s], "Formula": "%s"}]}'

# A telemetry specification of Arm's: two events, and a metric with its formula and the events that it lists.
ARM = '{"product_configuration": {"product_name": "X"}, "events": {"E": {}, "F": {}},\n"metrics": {"m": {"title": "M", "formula": "%s", "events": [%s]}%s}%s}'

# Counters of rocprofv3: two that the GPU has, and two that are computed; a panel of rocprof-compute.
ROCM = """A:
  architectures:
    gfx90a:
      block: SQ
B:
  architectures:
    gfx942/gfx90a:
      block: SQ
D:
  architectures:
    gfx90a:
      expression: {}
E:
  architectures:
    gfx90a:
      expression: {}
"""
PANEL = """---
# what this is
Panel Config:
  data source:
    - metric_table:
        metric:
          L2 BW:
            value: {}
            unit: {}
            tips:
"""


def terms(count):
    return ",".join(f"E{i}" for i in range(count))


def preset_names():
    lines = (support.SOURCE / "data/papi-presets.csv").read_text().splitlines()
    return [row["preset"] for row in csv.DictReader(line for line in lines if not line.startswith("#"))]


KNOWN = preset_names()
MANY = KNOWN + [f"PAPI_X{i}" for i in range(130 - len(KNOWN))]

# Lines of what is printed behind the file's name; none: the file is clean.
CASES = [
    # PAPI: every known fault of FORMATS' list, and what lies beside it and is right
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_ADD,E\n", ["2:32: [one term] PAPI_BR_INS: a sum of one term"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_SUB,E\n", ["2:32: [one term] PAPI_BR_INS: a difference of one term"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_SUB,E,F\nPRESET,PAPI_BR_MSP,NOT_DERIVED,E\n", []),
    (PAPI + f"PRESET,PAPI_BR_INS,DERIVED_ADD,{terms(13)}\n", ["2:32: [terms] PAPI_BR_INS: 13 terms, PAPI takes only the first 8 (after version 7.2: 12)"]),
    (PAPI + f"PRESET,PAPI_BR_INS,DERIVED_ADD,{terms(8)},NOTE,n\n", []),
    (PAPI + f"PRESET,PAPI_BR_INS,DERIVED_ADD,{terms(9)},NOTE,n\n", ["2:32: [terms] PAPI_BR_INS: 9 terms, "]),
    (PAPI + f"PRESET,PAPI_BR_INS,DERIVED_ADD,{terms(7)}\nPRESET,PAPI_BR_MSP,DERIVED_ADD,PAPI_BR_INS,F0,F1,F2,F3,F4,F5\n",
     ["3:20: [terms] PAPI_BR_MSP: 13 events, including those of presets that are terms; PAPI takes 8"]),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E\nPRESET,papi_br_ins,NOT_DERIVED,F\n",
     ["3:8: [duplicate] papi_br_ins: defined in line 2 for the same processors; PAPI takes the last"]),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E\nCPU,y\nPRESET,PAPI_BR_INS,NOT_DERIVED,F\n", []),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|1.5|*|,E\n", [r"2:39: [number] PAPI_BR_INS: a decimal, "]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|+|,E\n", ["2:39: [stack] PAPI_BR_INS: an operator with fewer than two"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|N1|/|,E,F\n", ["2:42: [division] PAPI_BR_INS: this divides by a value that may be zero"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|3|*|2|/|,E\n", []),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|3|3|-|/|,E\n", ["2:45: [division] PAPI_BR_INS: this divides by zero"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|2|*,E\n", ["2:42: [unterminated] PAPI_BR_INS: the arithmetic lacks its final"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|2|*|,E,F\n", ["2:46: [unused] PAPI_BR_INS: the arithmetic does not use N1, which is F"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_POSTFIX,N0|N2|+|,E,F\n", ["2:39: [unknown counter] PAPI_BR_INS: no term N2: there are 2"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_INFIX,N0-N1-N2,E,F,G\n", ["2:34: [misread] PAPI_BR_INS: PAPI applies operators of equal precedence from the right"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_INFIX,(N0-N1)-N2,E,F,G\n", []),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_INFIX,N0+N1*2,E,F\n", []),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E,\n", ["2: [unterminated] PAPI_BR_INS: the line ends in a comma"]),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E,F\n", ["2:34: [ignored] PAPI_BR_INS: terms after the first"]),
    (PAPI + "PRESET,PAPI_BR_INS,DERIVED_ADD,E,F, ,G\n", ["2: [ignored] PAPI_BR_INS: PAPI reads nothing after an empty field"]),
    (PAPI + "PRESTE,PAPI_BR_INS,NOT_DERIVED,E\nPRESET,PAPI_BR_MSP,NOT_DERIVED,E\n", ["2:1: [ignored] unknown keyword 'PRESTE'"]),
    (PAPI + "cuda,GH100\nPRESET,PAPI_BR_MSP,NOT_DERIVED,E\n", []),
    ("PRESET,PAPI_BR_INS,NOT_DERIVED,E\n", ["1:1: [ignored] PAPI_BR_INS: a definition before any CPU line"]),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E\nPRESET,PAPI_BR_MSP,NOT_DERIVED,PAPI_BR_INS\n", ["3:32: [misread] PAPI_BR_MSP: a preset as term"]),
    (PAPI + "".join(f"PRESET,{name},NOT_DERIVED,E\n" for name in MANY[:128]),
     [f"{2 + i}:8: [unknown preset] {name}: PAPI has no preset of this name" for i, name in enumerate(MANY[:128]) if i >= len(KNOWN)]),
    (PAPI + "".join(f"PRESET,{name},NOT_DERIVED,E\n" for name in MANY[len(KNOWN):] + KNOWN),
     [f"{2 + i}:8: [unknown preset] {name}" for i, name in enumerate(MANY[len(KNOWN):])] + [
         f"130:8: [presets] {KNOWN[-2]}: the section has more than 128 presets"]),
    (PAPI + "".join(f"PRESET,{name},NOT_DERIVED,E\n" for name in KNOWN), []),
    (PAPI + "".join(f"EVENT,X{i},NOT_DERIVED,E\n" for i in range(20)), []),
    (PAPI + "PRESET,papi_br_ins,NOT_DERIVED,E\n", []),
    (PAPI + "".join(f"EVENT,A{i},NOT_DERIVED,E\n" for i in range(51)), ["52:7: [presets] A50: the section has more than 50 user events"]),
    (PAPI + "PRESET,PAPI_BR_INS,NOT_DERIVED,E,SDESC," + 2100 * "x" + "\n", ["2: [ignored] a line of more than 2046 bytes"]),
    (PAPI + "PRESET,PAPI_BR_INS\nPRESET,PAPI_BR_MSP,DERIVED_ADD,E\n",
     ["2:8: [syntax] PAPI_BR_INS: a definition without a type", "3:32: [one term] PAPI_BR_MSP: a sum of one term"]),
    # LIKWID
    (LIKWID, []),
    (LIKWID + "Ratio PMC0/PMC1\nMean 1.0E-06*(PMC0+PMC1)/time\n\nLONG\nfree text PMC7\n", []),
    (LIKWID + "\nLONG\nFormulas:\nBoth = E+F\nBoth = E + SUM(F)\nNone = E\nBoth = the sum of E and F\nBoth of them\n", []),
    (LIKWID + "\nLONG\nBoth = sum(E)\n", ["11:8: [documented] Both: LONG says otherwise than METRICS does in line 8"]),
    (LIKWID + "\nLONG\nBoth = sum(E + F)\nBoth = SUM(E + F)\nBoth = SUM(PMC*)\nBoth = SUM(G*)\n", []),
    (LIKWID + "\nLONG\nBoth = E+\nBoth = E$+F\nBoth = E+G\nBoth (E+F)\nBoth = (E+F\n",
     ["11:8: [documented] Both: LONG breaks off behind +", "12:8: [documented] Both: LONG has no formula that fits the group: unexpected '$'",
      "13:8: [documented] Both: LONG has no formula that fits the group: unknown event 'G'", "14:6: [documented] Both: LONG has no '=' between",
      "15:8: [documented] Both: LONG has no formula that fits the group: unclosed '('"]),
    (LIKWID + "Rate [1/s] PMC0/time\n\nLONG\nRate = E/time\nRate [1/s] = E/time\n", []),
    (LIKWID + "Rate [1/s] PMC0/time\n\nLONG\nRate = F/time\n", ["12:8: [documented] Rate [1/s]: LONG says otherwise than METRICS does in line 9"]),
    (LIKWID + "Share 100*PMC0/(PMC1+1)\n\nLONG\nShare = 100*E/F\n", []),
    (LIKWID + "\nLONG\nOther = 2*E\nOther = 2*G\nOther = the G of it\n", ["12:9: [documented] LONG explains a metric that METRICS does not have: unknown event 'G'"]),
    # counters with options, which formulas name in full
    (LIKWID.replace("PMC1 F", "PMC1:EDGEDETECT F"), ["8:6: [misread] Both: LIKWID puts no value in the place of PMC1: EVENTSET calls the counter PMC1:EDGEDETECT"]),
    (LIKWID.replace("PMC1 F", "PMC1:EDGEDETECT F").replace("+PMC1", "+PMC1:EDGEDETECT") + "\nLONG\nBoth = E+F:EDGEDETECT\n", []),
    (LIKWID.replace("PMC1 F", "PMC1:MATCH0=0x81 F").replace("+PMC1", "+PMC1:MATCH0=81"), ["8:6: [misread] Both: LIKWID puts no value in the place of PMC1:MATCH0=81"]),
    # what names and units say of quantities
    (group("CLK_UNHALTED", "INSTR_RETIRED", "CPI PMC0/PMC1", "IPC PMC1/PMC0", "CPI (based on uops) PMC1/PMC0"), []),
    (group("FILLS", "INSTR_RETIRED", "CPI PMC0/PMC1"), ["8:5: [quantity] CPI: none of the events that it takes for cycles counts cycles"]),
    (group("CLK_UNHALTED", "UOPS", "CPI PMC0/PMC1"), ["8:5: [quantity] CPI: none of the events that it takes for instructions"]),
    (group("CLK_UNHALTED", "INSTR_RETIRED", "CPI PMC1/PMC0"), ["8:5: [quantity] CPI: upside down: these are instructions per cycle"]),
    (group("LINES", "WB", "Volume [GBytes] 1.0E-09*(PMC0+PMC1)*64.0", "Rate [MBytes/s] 1E-06*PMC0*64.0/time"), []),
    (group("LINES", "WB", "Volume [GByte] 1.0E-06*(PMC0+PMC1)*64.0"), ["8:16: [quantity] Volume [GByte]: the factor disagrees with the unit GByte: LINES would count 6.4e+04 bytes each"]),
    (group("LINES", "WB", "Rate [MBytes/s] 1.0E-09*(PMC0+PMC1)*64.0/time"), ["8:17: [quantity] Rate [MBytes/s]: the factor disagrees with the unit MBytes/s"]),
    (group("LINES", "WB", "Rate [MBytes/s] 1.0E-06*(PMC0+PMC1)*64.0"), ["8:17: [quantity] Rate [MBytes/s]: a rate, but the formula has no time"]),
    (group("LINES", "WB", "Volume [GBytes] 1.0E-09*(PMC0+PMC1)*64.0/time"), ["8:17: [quantity] Volume [GBytes]: an amount, but the formula divides by time"]),
    (group("X_PACKED_DOUBLE", "X_SCALAR_DOUBLE", "DP [MFLOP/s] 1E-06*(PMC0*2+PMC1)/time", "Packed [MUOPS/s] 1E-06*PMC0/time", "Scalar 1*PMC1"), []),
    (group("X_PACKED_DOUBLE", "X_SCALAR_DOUBLE", "DP [MFLOP/s] 1E-06*(PMC0+PMC1)/time"), ["8:14: [quantity] DP [MFLOP/s]: X_PACKED_DOUBLE counts packed instructions"]),
    (group("X_PACKED_SINGLE", "X_SCALAR_SINGLE", "DP [MFLOP/s] 1E-06*(PMC0*2+PMC1)/time"), ["8:14: [quantity] DP [MFLOP/s]: X_PACKED_SINGLE is of another precision"]),
    (group("X_PACKED_SINGLE", "X_SCALAR_SINGLE", "SP [MFLOP/s] 1E-06*(PMC0*4+PMC1)/time"), []),
    (group("X_PACKED_SINGLE", "X_SCALAR_SINGLE", "AVX DP [MFLOP/s] 1E-06*PMC0*4/time"), ["8:18: [quantity] AVX DP [MFLOP/s]: X_PACKED_SINGLE is of another precision"]),
    (group("ASE_SPEC", "VFP_SPEC", "SP [MFLOP/s] 1E-06*(PMC0*2+PMC1)/time", "NEON DP [MFLOP/s] 1E-06*PMC0*2/time"),
     ["8:14: [quantity] SP [MFLOP/s]: ASE_SPEC counts packed instructions of 4 operations each, not 2"]),
    (group("A", "B", "MFLOP/s 1E-06*PMC0*2/time", "AVX MFLOP/s 1E-06*PMC1*4/time"), ["8:9: [quantity] MFLOP/s: leaves out B, which 'AVX MFLOP/s' counts"]),
    (group("X_MISS", "X_HIT", "L3 miss ratio PMC0/(PMC0+PMC1)", "L3 misses PMC0"), []),
    (group("X_MISS", "X_HIT", "L3 miss ratio PMC0/PMC1"), ["8:15: [quantity] L3 miss ratio: this divides misses by hits"]),
    (group("CACHE_ACCESSES", "CACHE_REFILLS", "data misses PMC0", "data refills PMC1"), ["8:13: [quantity] data misses: this counts accesses, not misses"]),
    (group("A", "B", "L3 bandwidth [MBytes/s] 1E-06*(PMC0+PMC1)*64/time", "L2 data volume [GBytes] 1E-09*(PMC0+PMC1)*64"),
     ["9:25: [quantity] L2 data volume [GBytes]: computed from the events of 'L3 bandwidth [MBytes/s]', which is another level"]),
    (group("A", "B", "Share PMC0/(PMC0+PMC0)", "Rest PMC1"), ["8:7: [quantity] Share: always 0.5, whatever is counted", "8:18: [quantity] Share: adds A to itself"]),
    (group("A", "B", "Sum 1E-06*(PMC1+PMC1)/time", "Twice 2*PMC0"), ["8:17: [quantity] Sum: adds B to itself"]),
    (PAPI + "PRESET,PAPI_DP_OPS,DERIVED_ADD,X:PACKED_DOUBLE,X:SCALAR_DOUBLE\n", ["2:20: [quantity] PAPI_DP_OPS: X:PACKED_DOUBLE counts packed instructions"]),
    (PAPI + "PRESET,PAPI_FP_INS,DERIVED_ADD,X:PACKED_DOUBLE,X:SCALAR_DOUBLE\n", []),
    (group("X_128B_PACKED_SINGLE", "X_SCALAR_SINGLE", "SP [MFLOP/s] 1E-06*(PMC0*2+PMC1)/time"),
     ["8:14: [quantity] SP [MFLOP/s]: X_128B_PACKED_SINGLE counts packed instructions of 4 operations each, not 2"]),
    (group("X_128B_PACKED_SINGLE", "X_SCALAR_SINGLE", "SP [MFLOP/s] 1E-06*(PMC0*4+PMC1)/time", "Packed [MUOPS/s] 1E-06*PMC0/time"), []),
    (group("X_256B_PACKED_DOUBLE", "X_SCALAR_DOUBLE", "Operational intensity [FLOP/Byte] (PMC0*2+PMC1)/((PMC0+PMC1)*64.0)"),
     ["8:35: [quantity] Operational intensity [FLOP/Byte]: X_256B_PACKED_DOUBLE counts packed instructions of 4 operations each, not 2"]),
    (group("INST_FP64_PIPE", "X", "SP [MFLOP/s] 1E-06*PMC0*2/time"), ["8:14: [quantity] SP [MFLOP/s]: INST_FP64_PIPE is of another precision"]),
    (group("CAS_COUNT_WR", "X", "Memory read volume [GBytes] 1.0E-09*PMC0*64.0"),
     ["8:29: [quantity] Memory read volume [GBytes]: reads by its name, but CAS_COUNT_WR counts writes"]),
    (group("CAS_COUNT_RD", "CAS_COUNT_WR", "Memory read volume [GBytes] 1.0E-09*PMC0*64.0", "Read and write volume [GBytes] 1.0E-09*(PMC0+PMC1)*64.0"), []),
    (group("ALL_MISSES", "LOAD_MISSES", "Store misses PMC0-PMC1"), []),
    (PAPI + "PRESET,PAPI_L1_STM,NOT_DERIVED,L1D:LD_MISS\n", ["2:20: [quantity] PAPI_L1_STM: writes by its name, but L1D:LD_MISS counts reads"]),
    (group("ALLOC_STORE", "L1D_WB", "L2 evict volume [GBytes] 1.0E-09*PMC0*64.0"),
     ["8:26: [quantity] L2 evict volume [GBytes]: no event counts lines that leave the cache, ALLOC_STORE neither"]),
    (group("ALLOC_STORE", "L1D_WB", "L2 evict volume [GBytes] 1.0E-09*PMC1*64.0"), []),
    (PAPI + "PRESET,PAPI_L2_ICM,DERIVED_SUB,L2:IC_READ:HW_PF,L2:IC_HIT\n", ["2:20: [quantity] PAPI_L2_ICM: L2:IC_READ:HW_PF counts prefetches, too, which are of data"]),
    (PAPI + "PRESET,PAPI_L1_ICM,NOT_DERIVED,32_BYTE_FETCH_MISSES\nPRESET,PAPI_L1_DCA,DERIVED_ADD,LOADS:HIT,LOADS:MISS\n",
     ["2:20: [quantity] PAPI_L1_ICM: 32_BYTE_FETCH_MISSES counts pieces of a line", "3:20: [quantity] PAPI_L1_DCA: LOADS:MISS counts loads alone, where stores count, too"]
     ),
    (PAPI + "PRESET,PAPI_L1_DCA,DERIVED_ADD,LOADS,STORES\nPRESET,PAPI_LST_INS,NOT_DERIVED,LDST_SPEC\nPRESET,PAPI_FP_OPS,DERIVED_ADD,FP:SSE,FP:X87\n", []),
    (PAPI + "PRESET,PAPI_FP_INS,NOT_DERIVED,X87_OPS\n", ["2:20: [quantity] PAPI_FP_INS: X87_OPS counts x87 alone"]),
    (group("WALK_DURATION", "WALKS", "L1 TLB miss duration PMC0"), ["8:22: [quantity] L1 TLB miss duration: all cycles together, not those of each"]),
    (group("WALK_DURATION", "WALKS", "L1 TLB miss duration [Cyc] PMC0/PMC1"), []),
    (group("MEM_ACCESS_ST", "L2D_MEM_ACCESS", "Memory write bandwidth [MBytes/s] 1.0E-06*PMC0*64.0/time"),
     ["8:35: [quantity] Memory write bandwidth [MBytes/s]: MEM_ACCESS_ST counts accesses of cores"]),
    (group("FP_ALL", "E", "DP [MFLOP/s] 1E-06*(PMC0/2)/time"), ["8:14: [quantity] DP [MFLOP/s]: the factor disagrees with the unit MFLOP/s: FP_ALL would count 0.5 operations each"]),
    # a processor's sections beside each other
    (PAPI + "CPU,y\nPRESET,PAPI_BR_CN,NOT_DERIVED,E\nCPU,y\nPRESET,PAPI_BR_CN,NOT_DERIVED,E\nCPU,x\nPRESET,PAPI_BR_CN,NOT_DERIVED,F\nCPU,z\nPRESET,PAPI_BR_CN,NOT_DERIVED,F\n",
     ["5:8: [duplicate] PAPI_BR_CN: line 3 says the same for these processors", "7:8: [duplicate] PAPI_BR_CN: line 3 says otherwise for some of these"]),
    (LIKWID + "Rate 1E-6*PMC0*8.0/time\n\nLONG\nRate = 1.0E-06*E*4/runtime\n Both = F+E*2\n",
     ["12:8: [documented] Rate: LONG says otherwise than METRICS does in line 9", "13:9: [documented] Both: LONG says otherwise than METRICS does in line 8"]),
    (MEMORY.format("E*4/(SUM(R))*64.0)", "SUM(R)", "SUM(MBOXxC0)"), []),
    (MEMORY.format("E*4/((SUM(MBOX*C0))*64.0)", "SUM(W) of both", "SUM(E)+2.0*SUM(MBOX0C0)"), ["14:9: [documented] Other: LONG says otherwise"]),
    (MEMORY.format("E*2/(SUM(R))*64.0)", "1.0*SUM(R)", "SUM(R)"), ["12:13: [documented] Intensity: LONG says otherwise than METRICS does in line 8"]),
    (MEMORY.format("E*4/SUM(R)*64.0", "SUM(R)/2", "SUM(R)"), ["12:13: [documented] Intensity", "13:8: [documented] Both: LONG says otherwise than METRICS does in line 9"]),
    (LIKWID + "Third PMC2\n", ["9:7: [unknown counter] Third: unknown counter 'PMC2'"]),
    (LIKWID + "Both PMC1\n", ["9: [duplicate] Both: metric 'Both' is already defined in line 8"]),
    (LIKWID + "Third 1E-06+PMC0\n", ["9:12: [misread] Third: LIKWID reads a sign right after an exponent"]),
    (LIKWID + "Third PMC0/(2-2)\n", ["9:11: [division] Third: this divides by zero"]),
    (LIKWID + "Third PMC0 + PMC1\n", []),
    (LIKWID + "Third = PMC0-PMC1\n", ["9: [misread] Third =: a '=' behind the name"]),
    (LIKWID + "Third (PMC0 +PMC1)\n", ["9:13: [syntax] a blank within the formula"]),
    (LIKWID.replace("PMC1 F", "PMC1 F\nPMC2 G\nFIXC0 H"), ["6:1: [unused] no formula uses PMC2, which counts G"]),
    (LIKWID.replace("PMC1 F", "PMC1 F\nPMC1 G"), ["6:1: [duplicate] counter 'PMC1' has an event already, in line 5",
                                                  "6:1: [unused] no formula uses PMC1, which counts G"]),
    (LIKWID.replace("PMC1 F", "PMC1 F G"), ["5:8: [ignored] text after the event"]),
    (LIKWID.replace("PMC1 F\n", "PMC1 F\n\nPMC2 G\n"), ["7:1: [ignored] a line outside EVENTSET and METRICS"]),

    # perf, perfmon, catmint
    (perf("E.X:c1"), ["1:37: [foreign] a: 'E.X:c1': perfmon's way to write options"]),
    (perf("cpu@E.X\\\\,cmask\\\\=1@ + E.X:u + cpu@E@"), []),
    (perf("E * #NUM_PACKAGES"), ["1:41: [foreign] a: '#NUM_PACKAGES': perf has no such literal"]),
    (perf("E * #num_packages"), []),
    (perf("@E / F"), ["1:37: [foreign] a: '/E': an '@' before the name"]),
    (perf("F / cpu@E\\\\,cmask\\\\=1"), ["1:41: [foreign] a: 'cpu/E,cmask=1': no '@' behind the event"]),
    ('[{"MetricName": "a", "MetricExpr": "cha@U@ / F"},\n{"MetricName": "b", "MetricExpr": "cha@U@ / F"}]',
     ["1:37: [quantity] a: the formula of 'b', word by word", "2:36: [quantity] b: the formula of 'a', word by word"]),
    ('[{"MetricName": "a", "MetricExpr": "cha@U\\\\,filter\\\\=1@ / F"},\n{"MetricName": "b", "MetricExpr": "cha@U\\\\,filter\\\\=2@ / F"}]', []),
    (PERFMON % ("", "2 * a[0]"), ["1: [foreign] m: an index behind an alias"]),
    (PERFMON.replace('"Formula"', '"Threshold": {"ThresholdMetrics": [], "Formula": "a > 70 || b > 10"}, "Formula"') % ("", "2 * a"), ["1:88: [syntax] m: in its threshold: unexpected '|'"]),
    (PERFMON.replace('"Formula"', '"Threshold": {"Formula": "metric_M(%%) > 0.2"}, "Formula"') % ("", "2 * a"), []),
    (PERFMON.replace('"Formula"', '"Threshold": {"ThresholdMetrics": [], "Formula": "a > 70 | b > 10"}, "Formula"') % ("", "2 * a"), []),
    # perf on processors with two types of cores
    (perf("cpu_core@E.X@ / cpu_core@F.Y@ + U / cpu_core@E.X\\\\,cmask\\\\=1@ + UNC_B.C + cpu_core@E.X@k"), []),
    (perf("cpu_core@E.X@ / F.Y:k"), ["1:53: [foreign] a: 'F.Y:k': no device before the event"]),
    (perf("cpu_core@E.X@ / F.Y"), ["1:53: [foreign] a: 'F.Y': no device before the event"]),
    (perf("cpu_core@E.X@ / cpu@F.Y@"), ["1:53: [foreign] a: 'cpu/F.Y/': a hybrid processor has no device 'cpu'"]),
    (perf("cpu_core@UNC_B.C@ + cpu_core@TSC@"), ["1:37: [foreign] a: 'cpu_core/UNC_B.C/': an event of a unit outside the cores",
                                                 "1:57: [foreign] a: 'cpu_core/TSC/': no event of the cores' device"]),
    ('[{"MetricName": "a", "MetricExpr": "E / F"}]', []),
    ('[{"MetricName": "a", "MetricExpr": "E / 0"}]', ["1:39: [division] a: this divides by zero"]),
    ('[{"MetricName": "a", "MetricExpr": "E"},\n{"MetricName": "a", "MetricExpr": "F +"}]',
     ["2:16: [duplicate] a: an earlier metric has the same name", "2:39: [syntax] a: the expression ends here"]),
    (PERFMON % ("", "2 * a"), []),
    (PERFMON % (', {"Name": "F", "Alias": "b"}', "2 * a"), ["1:44: [unused] m: the formula does not use b, which is F"]),
    (PERFMON % ("", "1 if a > = 2 else 0"), ["1:96: [syntax] m: a blank parts '>' from '=', expected '>='"]),
    (PERFMON % ("", "1 if a >= 2 else 0"), []),
    (PERFMON % ("", "a if ( 1 ) else 2"), ["1:94: [quantity] m: the condition is always true"]),
    (PERFMON % ("", "1 if a = 2 else 0"), ["1:94: [syntax] m: unexpected '='"]),
    (PERFMON % ("", "2 * b"), ["1:91: [unknown counter] m: unknown alias 'b'"]),
    (ARM % ("E / F * 1000", '"E", "F"', ', "n": {"formula": "2 * m"}', ""), []),
    (ARM % ("E / F", '"E"', "", ""), ["2:63: [unknown counter] m: the metric's events leave out F"]),
    (ARM % ("E / G", '"E", "F", "G"', "", ""), ["2:44: [unknown event] m: no event 'G' among this document's events", "2:63: [unused] m: the formula does not use F"]),
    (ARM % ("E / G", '"E"', "", ', "components": {}'), []),
    (ARM % ("E +", '"E"', ', "n": {"events": []}, "k": 5', ""), ["2:48: [syntax] m: the expression ends here", "2:74: [syntax] n: a metric without a formula", "2:95: [syntax] k: not an object"]),
    # AMD's profilers
    (ROCM.format("2*reduce(A,max)/reduce(accumulate(B, HIGH_RES),sum)*simd_count", "D/(A-B)"), []),
    (ROCM.format("reduce(A,sum)+reduce(C,sum)", "D*0.5"),
     ["12:19: [unknown event] D: no counter 'C' for gfx90a in this file", "16:22: [misread] E: rocprofv3 reads whole numbers alone"]),
    (ROCM.format("reduce(A,sum)*", "D"), ["12:33: [syntax] D: the expression ends here", "16:19: [uses faulty] E"]),
    ("rocprofiler-sdk:\n  counters:\n    - name: X\n      definitions:\n        - architectures:\n            - gfx942\n          expression: reduce(Y,sum)/0\n",
     ["7:36: [division] X: this divides by zero"]),
    (PANEL.format("\n              AVG((64 * A)\n              / )", "pct"), ["10:17: [syntax] L2 BW: unexpected ')'"]),
    (PANEL.format("'64 *\n              A /'", "pct"), ["9:18: [syntax] L2 BW: the expression ends here"]),
    (PANEL.format("AVG((A[0] + $b) / (End_Timestamp - Start_Timestamp)\n              if (A[0] != 0) else None)", "GB/s"), []),
    (PANEL.format("AVG((64 * A) / B)", "Bytes/s"), ["8:20: [quantity] L2 BW: a rate, but the formula has no time"]),
    (PANEL.format("AVG((64 * A) / (B\n              + C)", "pct"), ["8:23: [syntax] L2 BW: unexpected '(': 'AVG' is no function, or a ')' is missing"]),
    # clocks, hits and notes
    (perf("1e9 * O / I / UNC_C_CLOCKTICKS", name="read_latency"), ["1:48: [quantity] read_latency: UNC_C_CLOCKTICKS are no ticks per second"]),
    (perf("1e9 * O / I / UNC_C_CLOCKTICKS * duration_time", name="read_latency"), []),
    (perf("UNC_P_OCCUPANCY / pcu_0@UNC_P_CLOCKTICKS@"), ["1:37: [quantity] a: pcu_0/UNC_P_CLOCKTICKS/ counts one unit"]),
    (group("UNC_L3_HITS_ANY", "INSTR_RETIRED_ANY", "L3 request rate PMC0/PMC1"), ["8:17: [quantity] L3 request rate: this counts hits, not requests"]),
    (group("UNC_L3_HITS_ANY", "UNC_L3_MISS_ANY", "L3 request rate (PMC0+PMC1)/time"), []),
    (group("PWR_PP0_ENERGY", "PWR_DRAM_ENERGY", "Energy DRAM [J] PMC0", "Power DRAM [W] PMC1/time"), ["8:17: [quantity] Energy DRAM [J]: PWR_PP0_ENERGY is of another domain"]),
    ("CPU,x\nPRESET,PAPI_TOT_INS,NOT_DERIVED,E,NOTE,\"counts, all\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,F,NOTE,'it''s, here'\n",
     ["2:40: [unterminated] PAPI_TOT_INS: a quotation mark that the line does not close"]),
    ("CPU,arm_a64fx\nPRESET,PAPI_L2_DCM,NOT_DERIVED,L2D_CACHE_REFILL\nPRESET,PAPI_L2_TCM,DERIVED_SUB,L2D_CACHE_REFILL,L2D_SWAP_DM,L2D_CACHE_MIBMCH_PRF\n",
     ["2:20: [quantity] PAPI_L2_DCM: L2D_CACHE_REFILL counts lines that are swapped"]),
    ("metric,formula,unit,source\na,E / F,,\nb,2 * a,,\n", []),
    ("metric,formula\na,E / F\nb,2 * a\n", []),
    ("metric,formula,unit,source\na,E +,,\nb,2 * a,,\nc,c,,\n",
     ["2:6: [syntax] a: the expression ends here", "3: [uses faulty] b: the formula of metric 'b' uses 'a'",
      "4: [circle] c: the formula of metric 'c' depends on its own value"]),
]

def check_each(case, cases):
    """Each content of a file has these findings, and no other."""
    for content, expected in cases:
        with case.subTest(content=content[:120]):
            path = case.write("formulas.txt", content)
            run = support.Run("lint", path)
            lines = run.out.splitlines()
            case.assertEqual(len(lines), len(expected), str(run))
            for line, text in zip(lines, expected):
                case.assertTrue(line.startswith(f"{path}:{text}"), f"expected {text}\n{run}")
            case.expect(run, 1 if expected else 0, err=r"^catmint: \d+ faults? in 1 of 1 file" if expected else "")


class Lint(support.Case):
    def test_lists_of_events_are_named(self):
        for name, text in (("perf", '[{"EventName": "A", "EventCode": "0xc0"}]'), ("perfmon", '{"Header": {}, "Events": [{"EventName": "A"}]}')):
            self.expect(support.Run("lint", self.write(f"{name}.json", text)), 3, err="a list of events")

    def test_each_kind(self):
        check_each(self, CASES)

    def test_catmints_own_formulas_are_clean(self):
        self.expect(support.Run("lint", support.SOURCE / "data/formulas"), 0, err="", out="")

    def lines(self, *arguments, code=1):
        """What lint prints, from the kind on, without the folder's name."""
        run = self.expect(support.Run("lint", *arguments), code, err=None)
        return [line[line.index("["):].replace(str(self.folder), "") for line in run.out.splitlines()]

    def test_lists_that_are_named(self):
        path = self.write("g.txt", group("E", "G", "Both PMC0+PMC1"))
        self.assertEqual(self.lines(path, code=0), [])
        listed = self.write("list.txt", "E\n")
        self.assertEqual(len(self.lines(path, "--known-events", listed)), 1)
        self.expect(support.Run("lint", path, "--known-events", self.folder / "none"), 3, err="none: ")
        self.expect(support.Run("lint", path, "--cpu", "skx"), 2, err="LIKWID's groups have other names of events than libpfm4: give LIKWID's list", out="")
        for text, said in (("a: [1\n  b: }", r"x\.yaml:3:4: did not find expected"), ("a: " + 40 * "[" + 40 * "]", r"x\.yaml:2:3\d: nested too deep"), ("? [a]\n  : b", r"x\.yaml:2:5: expected a text as the key")):
            self.expect(support.Run("lint", self.write("x.yaml", f"Panel Config:\n  {text}\n")), 3, err=said)
        self.expect(support.Run("lint", path, "--cpu", "skx", "--cpu", "spr"), 2, err="--cpu: expected one name")

    def test_four_slots_where_the_processor_has_more(self):
        text = group("CPU_CLK_UNHALTED_CORE", "E", "Total Slots 4*PMC0", "Other PMC1")
        self.assertEqual(self.lines(self.write("groups/ICX/TMA.txt", text)), ["[quantity] Total Slots: 4 slots for each of CPU_CLK_UNHALTED_CORE, but the processor has 5"])
        self.assertEqual(self.lines(self.write("groups/skylakeX/TMA.txt", text), code=0), [])

    def test_slots_where_the_processor_counts_them(self):
        for list_, code in (('[{"EventName": "E"}, {"EventName": "TOPDOWN.SLOTS"}]', 0), ('[{"EventName": "E"}]', 1)):
            self.write("x/events.json", list_)
            path = self.write("x/metrics.json", perf("E / slots"))
            self.assertEqual(self.lines(path, code=code), ["[unknown event] a: no event 'slots' on this processor (/x/)"][:code])

    def test_sources_of_an_event_that_is_not_counted(self):
        path = self.write("m.json", perf("E / source_count(E)"))
        self.assertEqual(self.lines(path, code=0), [])
        path = self.write("m.json", perf("cha@E\\\\,config1\\\\=0x1@ / source_count(E)"))
        self.assertEqual(self.lines(path), ["[quantity] a: source_count(E) is of an event that the formula does not count"])

    def test_base(self):
        self.write("old/zen/A.txt", LIKWID + "Third PMC9\n")
        self.write("new/zen/A.txt", "# a line\n" + LIKWID + "Third PMC9\nFourth PMC8\n")
        self.write("new/zen/B.txt", LIKWID + "Both PMC1\n")
        self.assertEqual(self.lines(self.folder / "new", "--base", self.folder / "old"),
                         ["[unknown counter] Fourth: unknown counter 'PMC8'", "[duplicate] Both: metric 'Both' is already defined in line 8"])
        self.assertEqual(self.lines(self.folder / "new/zen/B.txt", "--base", self.folder / "new/zen/B.txt", code=0), [])
        twice = self.write("twice.txt", LIKWID + "Third PMC9\nThird PMC9\n")
        self.assertIn("[unknown counter] Third: unknown counter 'PMC9'", self.lines(twice, "--base", self.folder / "old/zen/A.txt"))
        self.expect(support.Run("lint", twice, twice, "--base", twice), 2, err="--base: expected one file or directory")
        self.expect(support.Run("lint", self.folder / "new", "--base", twice), 3, err="twice.txt: expected a directory, as FORMULAS is")
        self.expect(support.Run("lint", twice, "--base", self.folder / "none.txt"), 3, err="none.txt: cannot be opened")
        self.assertEqual(len(self.lines(twice, "--base", self.write("other.txt", "no formulas"))), 2)

    def test_the_base_is_read_where_the_file_is(self):
        self.write("src/includes/perfmon_zen4_events.txt", "UMASK_E 0x0\n")
        new, old = self.write("groups/zen4/A.txt", LIKWID), self.write("before.txt", LIKWID)
        self.assertEqual(len(self.lines(new)), 1)
        self.assertEqual(self.lines(new, "--base", old, code=0), [])

    def test_folders_and_json(self):
        self.write("groups/zen/A.txt", LIKWID + "Third PMC9\n")
        self.write("groups/icx/B.txt", LIKWID)
        self.write("groups/README", "not formulas")
        document = self.expect(support.Run("lint", self.folder / "groups", "--format", "json"), 1).json()
        self.assertEqual(document["schema"], "catmint.lint/1")
        self.assertEqual([(entry["file"][len(str(self.folder)):], entry["format"], entry["definitions"], len(entry["faults"]))
                          for entry in document["files"]], [("/groups/icx/B.txt", "LIKWID", 1, 0), ("/groups/zen/A.txt", "LIKWID", 1, 1)])
        self.assertEqual(document["files"][1]["faults"][0], {"line": 9, "column": 7, "kind": "unknown counter", "metric": "Third",
                                                             "text": "unknown counter 'PMC9'"})

    def test_files_that_cannot_be_read(self):
        bad = self.write("bad.json", '[\n  {"MetricName" 1}\n]')
        good = self.write("good.txt", PAPI + "PRESET,PAPI_A,DERIVED_ADD,E\n")
        self.expect(support.Run("lint", bad, good), 3, err=r"^catmint: .*bad\.json:2:17: ':' expected", out=r"good\.txt:2:27: \[one term\]")
        self.expect(support.Run("lint", self.folder / "none.csv"), 3, err=r"none\.csv: cannot be opened", out="")
        self.expect(support.Run("lint", self.write("x.csv", "event,r\nA,1\n")), 3, err=r"x\.csv:1: not a file of formulas")
        (self.folder / "empty").mkdir()
        self.expect(support.Run("lint", self.folder / "empty"), 3, err=r"empty: no files of formulas here, expected names that end in")
        self.expect(support.Run("lint"), 2, err=r"^catmint: lint needs at least one argument")

    def test_evaluate_takes_every_format(self):
        counts = self.write("counts.csv", "event,r\nE,3\nF,5\ntime,2\n")
        for content, values in [(PAPI + "PRESET,PAPI_A,DERIVED_POSTFIX,N0|N1|2|*|+|,E,F\nPRESET,PAPI_B,DERIVED_SUB,PAPI_A,E\n", {"PAPI_A": "13", "PAPI_B": "10"}),
                                (LIKWID + "Rate [1/s] PMC0/time\nNone PMC0/(PMC1-PMC1)\n", {"Both": "8", "Rate [1/s]": "1.5", "None": "0"}),
                                ('[{"MetricName": "a", "MetricExpr": "E + b"}, {"MetricName": "b", "MetricExpr": "max(E, F)"}]', {"a": "8", "b": "5"}),
                                (PERFMON % ("", "2 * a"), {"m": "6"}), (PERFMON % ("", "2 * a[0] + a[12]"), {"m": "9"})]:
            with self.subTest(content=content[:60]):
                run = support.Run("evaluate", self.write("formulas.txt", content), "--counts", counts, "--format", "csv")
                rows = {row["metric"]: row["r"] for row in csv.DictReader(self.expect(run, 0, err="").out.splitlines())}
                self.assertEqual(rows, values)
        faulty = self.write("faulty.txt", LIKWID + "Third PMC2\n")
        self.expect(support.Run("evaluate", faulty, "--counts", counts), 3, err=r"^catmint: .*faulty\.txt:9:7: unknown counter 'PMC2'$", out="")


if __name__ == "__main__":
    support.main()
