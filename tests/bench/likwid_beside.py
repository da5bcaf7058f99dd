"""`catmint roofline` and likwid-bench side by side, on one core.

Run by hand, on quiet cores: CATMINT_PROGRAM=build/bin/catmint python3 tests/bench/likwid_beside.py ROUNDS WHAT... [--machine machine.json]
WHAT are some of flops, L1, L2, L3 and memory; with --machine the figures are those, else they are measured first. Streams go through as many
bytes with both. likwid-bench runs each kernel ROUNDS times for five milliseconds, and its best run counts, since it has no way to tell
whether it was disturbed. Printed as CSV: what each measured in 10^9 a second, and the ratio. Bytes are those that the program loads and stores."""

import json
import os
import re
import subprocess
import sys
import tempfile

SECONDS = 0.005

# likwid-bench's kernel, catmint's operation and vectors.
STREAMS = [(f"{theirs}{suffix}", ours, vectors) for theirs, ours in (("load", "load"), ("store", "store"), ("copy", "copy"), ("stream", "triad"), ("triad", "schoenauer"))
           for suffix, vectors in (("", "scalar"), ("_sse", "SSE"), ("_avx", "AVX"), ("_avx512", "AVX-512"))]
PAST_CACHES = [(f"{theirs}_mem_{suffix}", f"{ours}_nt", vectors) for theirs, ours in (("store", "store"), ("copy", "copy"), ("stream", "triad"))
               for suffix, vectors in (("sse", "SSE"), ("avx", "AVX"), ("avx512", "AVX-512"))]
FLOPS = [("peakflops", "add_mul", "scalar"), ("peakflops_sse", "add_mul", "SSE"), ("peakflops_avx", "add_mul", "AVX"), ("peakflops_avx_fma", "fma", "AVX"),
         ("peakflops_avx512", "add_mul", "AVX-512"), ("peakflops_avx512_fma", "fma", "AVX-512")]


def known():
    listed = subprocess.run(["likwid-bench", "-a"], capture_output=True, text=True, check=True).stdout
    return {line.split(" - ")[0].strip() for line in listed.splitlines() if " - " in line}


def measure_ours(machine):
    with tempfile.TemporaryDirectory() as folder:
        given = ["--machine", machine] if machine else ["--cores", "0", "--precision", "double"]
        out = subprocess.run([os.environ["CATMINT_PROGRAM"], "roofline", "--out", f"{folder}/out", "--format", "json", *given],
                             capture_output=True, text=True, check=True).stdout
    return {(row["operation"], row["vectors"], row["level"]): row for row in json.loads(out)["ceilings"]
            if row["kind"] != "sweep" and row["cores"] == 1 and row["precision"] == "double"}


def measure_theirs(kernel, size, rate, work, flops):
    """`work`: bytes or operations of a pass, to choose how many of them take the time."""
    passes = max(1, int(rate * SECONDS / work))
    out = subprocess.run(["likwid-bench", "-t", kernel, "-w", f"S0:{int(size)}B:1", "-i", str(passes)],
                         capture_output=True, text=True, check=False).stdout
    found = re.search(r"^MFlops/s:\s+([\d.]+)" if flops else r"^MByte/s:\s+([\d.]+)", out, re.M)
    return float(found[1]) * 1e6 if found else None


def main(rounds, parts, machine):
    offered, figures, ratios = known(), measure_ours(machine), []
    rows = [(*row, "") for row in FLOPS if "flops" in parts]
    rows += [(*row, part) for part in parts if part != "flops" for row in STREAMS + (PAST_CACHES if part == "memory" else [])]
    print("kernel,operation,vectors,level,catmint,likwid,ratio")
    for kernel, operation, vectors, level in rows:
        ours = figures.get((operation, vectors, level))
        if kernel not in offered or ours is None:
            continue
        size = ours["bytes"] if level else 24000
        work = size if level else size / 8 * 15
        found = [measure_theirs(kernel, size, ours["rate"][1], work, not level) for _ in range(rounds)]
        best = max(filter(None, found), default=None)
        if best:
            ratios.append(ours["rate"][1] / best)
            print(f"{kernel},{operation},{vectors},{level},{ours['rate'][1] / 1e9:.4g},{best / 1e9:.4g},{ratios[-1]:.3f}", flush=True)
    print(f"{sum(abs(ratio - 1) <= 0.05 for ratio in ratios)} of {len(ratios)} within 5 %, {sum(ratio > 1.05 for ratio in ratios)} above, "
          f"{sum(ratio < 0.95 for ratio in ratios)} below", file=sys.stderr)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    given = arguments.index("--machine") if "--machine" in arguments else len(arguments)
    main(int(arguments[0]), arguments[1:given], arguments[given + 1] if given < len(arguments) else None)
