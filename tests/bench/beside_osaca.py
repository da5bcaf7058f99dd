#!/usr/bin/env python3
"""catmint's predictions by ports against those of OSACA, which shares no code with it: the loops of the paper's 13 kernels (J. Laukemann, G. Hager, G. Wellein, 2024).

usage: PYTHONPATH=OSACA tests/bench/beside_osaca.py CATMINT [MACHINE ...]

OSACA is a checkout of github.com/RRZE-HPC/OSACA (ruamel.yaml, networkx and pyparsing are needed). Compiles data/streaming/kernels.c at -O2 and -O3, analyses each different loop by both, and prints for each machine how
far throughput, the chain from turn to turn and the prediction (the most of both; catmint's without the front end, which OSACA does not have) are apart, and the loops that differ by more than 10 %."""

import json
import pathlib
import subprocess
import sys
import tempfile

from osaca.parser import ParserAArch64, ParserX86ATT
from osaca.semantics import ArchSemantics, KernelDG, MachineModel

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "data/streaming/kernels.c"
KERNELS = ("INIT", "COPY", "UPDATE", "ADD", "STREAM_TRIAD", "SCHOENAUER_TRIAD", "SUM", "PI", "JACOBI_2D_5", "JACOBI_3D_7", "JACOBI_3D_11", "JACOBI_3D_27", "GAUSS_SEIDEL_2D_5")
X86 = (("gcc", "-march=x86-64-v4"), ("clang", "-march=x86-64-v4"))
ARM = (("aarch64-linux-gnu-gcc", "-march=armv8.2-a+sve"), ("aarch64-linux-gnu-gcc", "-march=armv8.2-a"))
MACHINES = {"golden-cove": ("SPR", X86), "zen4": ("ZEN4", X86), "zen5": ("ZEN5", X86), "neoverse-v2": ("V2", ARM)}
APART = 0.1


def loops_of(catmint, machine, compilers, folder):
    """Each different loop of a kernel, with catmint's figures."""
    seen = set()
    for compiler, *flags in compilers:
        for level in ("-O2", "-O3"):
            for kernel in KERNELS:
                file = folder / "kernel.s"
                subprocess.run([compiler, level, *flags, "-fno-builtin", "-S", f"-D{kernel}", SOURCE, "-o", file], check=True)
                done = subprocess.run([catmint, "incore", "--assembly", file, "--function", "kernel", "--machine", machine, "--format", "json"], capture_output=True, text=True, check=False)
                for loop in json.loads(done.stdout)["loops"]:
                    text = "\n".join(instruction["text"] for instruction in loop["instructions"])
                    if loop["label"] is not None and text not in seen:
                        seen.add(text)
                        yield f"{kernel} {compiler} {' '.join(flags)} {level}", loop, f"{loop['label']}:\n{text}\n"


def by_osaca(parser, model, semantics, text):
    """Throughput and the longest chain from turn to turn, in cycles."""
    kernel = parser.parse_file(text)
    semantics.normalize_instruction_forms(kernel)
    semantics.add_semantics(kernel)
    semantics.assign_optimal_throughput(kernel)
    chains = KernelDG(kernel, parser, model, semantics).get_loopcarried_dependencies()
    return max(semantics.get_throughput_sum(kernel)), max((chain["latency"] for chain in chains.values()), default=0)


def apart(ours, theirs):
    return abs(ours - theirs) / max(ours, theirs) if max(ours, theirs) > 0 else 0.0


def compare(catmint, machine, folder):
    name, compilers = MACHINES[machine]
    parser = ParserAArch64() if compilers is ARM else ParserX86ATT()
    model = MachineModel(arch=name)
    semantics = ArchSemantics(parser, model)
    rows = []
    for title, loop, text in loops_of(catmint, machine, compilers, folder):
        throughput, carried = by_osaca(parser, model, semantics, text)
        rows.append((title, (loop["throughput"], throughput), (loop["loop_carried"], carried), (max(loop["throughput"], loop["loop_carried"]), max(throughput, carried))))
    counts = [f"{sum(apart(*row[1 + which]) <= APART for row in rows)} of {len(rows)}" for which in range(3)]
    print(f"| {machine} | {' | '.join(counts)} | {100 * sum(apart(*row[3]) for row in rows) / len(rows):.1f} % |", flush=True)
    for title, *pairs in rows:
        if apart(*pairs[2]) > APART:
            print(f"    {title}: " + ", ".join(f"{what} {ours:.2f} and {theirs:.2f}" for what, (ours, theirs) in zip(("throughput", "carried", "both"), pairs)), flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for machine in sys.argv[2:] or MACHINES:
            compare(sys.argv[1], machine, pathlib.Path(folder))


if __name__ == "__main__":
    main()
