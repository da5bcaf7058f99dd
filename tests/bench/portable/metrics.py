#!/usr/bin/env python3
"""Metrics of B. J. Gravelle's dissertation (Tables 9 to 13) and its Figures 15 to 35 and 38 to 51, by `catmint count` and `catmint evaluate`, on models of three processors.

usage: tests/bench/portable/metrics.py MODEL RESULTS.json|-|MODEL.csv FOLDER

MODEL is skylake, golden-cove or a64fx; RESULTS are those of `discover` on it, for PAPI's presets. Writes MODEL.csv, a row for each metric and a column for each
size of STREAM, version of the matrix product (on the a64fx also by Clang, for the paper's second compiler), size of a block, build of n-body (Tables 8 and 16) and offset, and a figure of each as SVG. On the a64fx programs are compiled for NEON: with SVE the
default product gathers by computed indices, which no cache sees. A cell without a value is `-`. Everything is counted three times,
in one environment, whose size moves a program's stack and with it a few lines of caches: a cell is the median, and cells whose range is more than 2 % of it are printed. With MODEL.csv of an earlier run figures alone are drawn. Memory controllers are not modelled: on Intel's two what misses the
last cache and what it writes back stand for their reads and writes. Cycles are those of the models of time."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import plot
import portable

STREAMS = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 524288)
SIZE, BLOCKS, OFFSETS, ELEMENTS = 192, (8, 16, 32, 48, 96, 192), (1, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 448, 512, 576, 640), {"skylake": 8192, "golden-cove": 8192, "a64fx": 16384}
REPETITIONS = 3
PRESETS = ("PAPI_LD_INS", "PAPI_SR_INS", "PAPI_L1_DCM", "PAPI_L1_TCM", "PAPI_L2_TCM", "PAPI_L3_TCM")
WIDTHS = ("SCALAR", "128B_PACKED", "256B_PACKED", "512B_PACKED")
INTEL = [f"FP_ARITH_INST_RETIRED:{width}_{precision}" for width in WIDTHS for precision in ("SINGLE", "DOUBLE")] + ["INST_RETIRED:PREC_DIST"]
ARM = ["INST_RETIRED", "LD_SPEC", "ST_SPEC", "L1D_CACHE", "L1D_CACHE_REFILL", "L2D_CACHE", "L2D_CACHE_REFILL", "L2D_CACHE_WB", "FP_SP_SCALE_OPS_SPEC",
       "FP_SP_FIXED_OPS_SPEC", "FP_DP_SCALE_OPS_SPEC", "FP_DP_FIXED_OPS_SPEC"]
FACTS = ["instructions", "l3_load_miss", "l3_store_miss", "l3_written_back", "loads", "loads_1", "loads_2", "loads_4", "loads_8", "stores", "stores_1", "stores_2", "stores_4",
         "stores_8", "load_bytes", "store_bytes", *(f"fp_d_{width}{fma}" for width in ("scalar", "128", "v512") for fma in ("", "_fma"))]
BYTES, RATIOS, RATES = ("DP_LS_bytes", "L2_bytes", "L3_bytes", "Mem_bytes"), ("DP_L2_per_LS", "DP_L3_per_LS", "DP_Mem_per_LS"), ("L1_MR", "L2_MR", "L3_MR")
DENSITIES, VERSIONS = ("DP_AI", "DP_flops_per_LD_byte", "DP_flops_per_ST_byte"), ("matrix", "transposed", "unrolled", "blocked")
FIGURES = {  # the paper's number on the A64FX and on Cascade Lake, metrics, and the columns that begin with one of these words
    "stream-ipc": ((15, 16), ("IPC", "DP_flops_per_cycle"), ("stream",)),
    "ipc": ((17, 18), ("IPC", "DP_flops_per_cycle"), VERSIONS),
    "clang-ipc": ((19, 19), ("IPC", "DP_flops_per_cycle"), ("Clang",)),
    "stream-bytes": ((20, 21), BYTES, ("stream",)),
    "block-bytes": ((22, 24), BYTES, ("blocked",)),
    "block-cycles": ((23, 25), ("cycles",), ("blocked",)),
    "conflict-bytes": ((26, 27), BYTES, ("offset",)),
    "conflict-ratios": ((28, 29), RATIOS, ("offset",)),
    "conflict-rates": ((30, 31), RATES, ("offset",)),
    "ratios": ((32, 33), RATIOS, VERSIONS),
    "rates": ((34, 35), RATES, VERSIONS),
    "flops": ((38, 39), ("DP_flops",), VERSIONS),
    "stream-flops": ((40, 41), DENSITIES, ("stream",)),
    "flops-per-access": ((42, 43), ("DP_flops_per_LD_ins", "DP_flops_per_ST_ins"), VERSIONS),
    "cycles": ((44, 45), ("cycles",), VERSIONS),
    "loads-per-store": ((46, 47), ("LD_ins_per_ST_ins",), VERSIONS),
    "flops-per-byte": ((48, 49), DENSITIES, VERSIONS),
    "intensity": ((50, 51), DENSITIES[:2], VERSIONS),
}
GROUPS = {"overall": ("IPC", "DP_flops_per_s", "DP_flops_per_cycle", "cycles"),
          "memory": ("DP_LS_bytes", "L2_bytes", "L3_bytes", "Mem_bytes", "L1_MR", "L2_MR", "L3_MR", "DP_L2_per_LS", "DP_L3_per_LS", "DP_Mem_per_LS", "LD_ins_per_ST_ins"),
          "compute": ("DP_flops", "DP_flops_per_fpins"),
          "memory/compute": ("DP_AI", "DP_flops_per_LD_ins", "DP_flops_per_ST_ins", "DP_flops_per_LD_byte", "DP_flops_per_ST_byte")}


def versions(model):
    yield from ((f"stream {size}", ("stream", size, 1)) for size in STREAMS)
    yield from ((name, (name, SIZE, 1)) for name in ("matrix", "transposed", "unrolled"))
    yield from ((f"blocked {block}", ("blocked", SIZE, block)) for block in BLOCKS)
    yield from ((title, ("bodies", 256, 1)) for title in ("n-body", "n-body unoptimised"))
    yield from ((f"Clang {name}", (name, SIZE, 1)) for name in ("matrix", "transposed", "unrolled") if model == "a64fx")
    yield from ((f"offset {offset}", ("conflict", ELEMENTS[model] // offset * offset, offset)) for offset in OFFSETS)


def names_of_intel(counts):
    """What the paper's machine counts and the model does not: memory controllers, all in the first one."""
    counts["skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0"] = counts["l3_load_miss"] + counts["l3_store_miss"]
    counts["skx_unc_imc0::UNC_M_CAS_COUNT:WR:cpu=0"] = counts["l3_written_back"]
    for controller in range(6):
        for way in ("RD", "WR"):
            for socket in (0, 24):
                counts.setdefault(f"skx_unc_imc{controller}::UNC_M_CAS_COUNT:{way}:cpu={socket}", 0)


def names_of_arm(counts):
    """Accesses to floating-point registers are those of 8 bytes and more here; instructions, a fused multiply-add once."""
    counts["PAPI_L1_DCM"], counts["PAPI_L2_DCM"] = counts["L1D_CACHE_REFILL"], counts["L2D_CACHE_REFILL"]
    for way, facts in (("LD", "loads"), ("ST", "stores")):
        counts[f"FP_{way}_SPEC"] = counts[f"{facts}_8"]
        counts[f"ASE_SVE_{way}_SPEC"] = counts[facts] - sum(counts[f"{facts}_{size}"] for size in (1, 2, 4))
    counts["FP_SPEC"] = sum(counts[name] for name in FACTS if name.startswith("fp_d"))


def counted(folder, model, results, title, words):
    build = "unoptimised" if "unoptimised" in title else "NEON, Clang" if title.startswith("Clang") else "NEON" if model == "a64fx" else "AVX2"
    build = ("aarch64 " if model == "a64fx" else "x86-64 ") + build
    events = [*(ARM if model == "a64fx" else INTEL), *FACTS, "cycles"]
    options = ["--pmu", f"software:{model}", *(word for name in events for word in ("--events", name))]
    if model != "a64fx":
        options += ["--results", results, "--metrics", ",".join(PRESETS)]
    counts = portable.difference(folder, build, *words, *options, repetitions=portable.enough(*words))
    counts.pop("vector_bits")
    (names_of_arm if model == "a64fx" else names_of_intel)(counts)
    return {name: portable.amount(value) for name, value in counts.items()}


def evaluate(folder, model, columns):
    """The values of every formula by the names of columns; a count without a value is in no table."""
    table = folder / "counts.csv"
    formulas = portable.SOURCE / "data/formulas" / ("portable-a64fx.csv" if model == "a64fx" else "portable-cascade-lake.csv")
    values = {}
    for title, counts in columns.items():
        with table.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("event", "value"), *((name, repr(float(count))) for name, count in counts.items() if count is not None)])
        done = subprocess.run([portable.PROGRAM, "evaluate", formulas, "--counts", table, "--format", "json"],
                              env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)}, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        for entry in json.loads(done.stdout)["metrics"]:
            values.setdefault(entry["metric"], {})[title] = entry["values"][0]
    return values


def values_of(folder, model, results):
    """All metrics of one repetition, by the names of columns."""
    columns = {title: counted(folder, model, results, title, words) for title, words in versions(model)}
    for counts in columns.values():  # presets go by the metrics' names
        counts.update({preset: counts[metric] for preset, metric in presets(results).items() if metric in counts})
    values = evaluate(folder, model, columns)
    values["cycles"] = {title: counts.get("cycles") or None for title, counts in columns.items()}
    values["IPC"] = {title: counts["instructions"] / counts["cycles"] if counts.get("cycles") and counts["instructions"] else None for title, counts in columns.items()}
    values["DP_flops_per_cycle"] = {title: flops / values["cycles"][title] if flops and values["cycles"][title] else None for title, flops in values["DP_flops"].items()}
    return values


def median(metric, title, found):
    """The median of repetitions; none if half of them have none. Prints it where they differ by more than 2 %."""
    known = sorted(value for value in found if value is not None)
    if 2 * len(known) <= len(found):
        return None
    middle = known[len(known) // 2]
    if known[-1] - known[0] > 0.02 * middle:
        print(f"{metric}, {title}: {known[0]:.4g} to {known[-1]:.4g}, median {middle:.4g}", flush=True)
    return middle


def main():
    model, results, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    if results.endswith(".csv"):
        draw_figures(out, model, read_values(results))
        return
    with tempfile.TemporaryDirectory() as name:
        times = [values_of(pathlib.Path(name), model, results) for _ in range(REPETITIONS)]
    values = {metric: {title: median(metric, title, [found[metric][title] for found in times]) for title in cells} for metric, cells in times[0].items()}
    with (out / f"{model}.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["group", "metric", *next(iter(values.values()))])
        for group, metrics in GROUPS.items():
            for metric in (metric for metric in metrics if metric in values):
                writer.writerow([group, metric, *("-" if value is None else f"{value:.4g}" for value in values[metric].values())])
    draw_figures(out, model, values)


def read_values(path):
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {row["metric"]: {title: float(value) if value not in ("", "-") else None for title, value in row.items() if title not in ("group", "metric")} for row in rows}


def draw_figures(out, model, values):
    for name, (numbers, metrics, kinds) in FIGURES.items():
        columns = next(iter(values.values()))
        chosen = [title for title in columns if title.split()[0] in kinds]
        lines = {metric: [values[metric][column] for column in chosen] for metric in metrics if metric in values and any(values[metric][column] for column in chosen)}
        title = f"{model}: {name.replace('-', ' ')}, as Figure {numbers[model != 'a64fx']}"
        if lines:
            (out / f"{model}-{name}.svg").write_text(plot.draw(title, [column.split()[-1] if len(kinds) == 1 else column.replace("blocked ", "b") for column in chosen], lines))


def presets(results):
    if results == "-":
        return {}
    document = json.loads(pathlib.Path(results).read_text())
    return {metric["preset"]: metric["metric"] for entry in document["benchmarks"] for metric in entry["metrics"] if metric["preset"] in PRESETS}


if __name__ == "__main__":
    main()
