"""Algorithms counted under the emulated PMU: compiled, run twice with different repetitions, and the difference. Python's standard library only."""

import json
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
SOURCES = ("-DOF_KERNELS", HERE / "kernels.c", HERE / "others.c", HERE / "mini.c")
PROGRAM = os.environ.get("CATMINT_PROGRAM", str(SOURCE / "build-test/bin/catmint"))
PLAIN = ("-O2", "-fno-tree-vectorize", "-fno-tree-loop-distribute-patterns", "-fno-math-errno", "-ffp-contract=off")
IN_ORDER = ("-O3", "-fno-tree-loop-distribute-patterns", "-ffp-contract=fast")  # sums stay in the order of the source
FAST = ("-O3", "-ffast-math", "-fno-tree-loop-distribute-patterns")

# What is built: compiler, flags, what `count` is told besides.
BUILDS = {
    "x86-64 scalar": ("gcc", PLAIN, ()),
    "x86-64 unoptimised": ("gcc", ("-O0",), ()),
    "aarch64 unoptimised": ("aarch64-linux-gnu-gcc", ("-O0", "-static", "-march=armv8.2-a"), ()),
    "x86-64 SSE2": ("gcc", FAST, ()),
    "x86-64 AVX2": ("gcc", (*FAST, "-march=haswell"), ()),
    "x86-64 AVX2, in order": ("gcc", (*IN_ORDER, "-march=haswell"), ()),
    "x86-64 AVX2, Clang": ("clang", ("-O3", "-ffast-math", "-march=haswell"), ()),
    "x86-64 AVX-512": ("gcc", (*FAST, "-march=skylake-avx512", "-mprefer-vector-width=512"), ("--stepped",)),
    "x86-64 AVX-512, in order": ("gcc", (*IN_ORDER, "-march=skylake-avx512", "-mprefer-vector-width=512"), ("--stepped",)),
    "aarch64 scalar FMA": ("aarch64-linux-gnu-gcc", (*PLAIN[:-1], "-ffp-contract=fast", "-static"), ()),
    "aarch64 scalar": ("aarch64-linux-gnu-gcc", (*PLAIN, "-static"), ()),
    "ppc64le VSX": ("powerpc64le-linux-gnu-gcc", (*FAST, "-static", "-mcpu=power9"), ()),
    "aarch64 NEON": ("aarch64-linux-gnu-gcc", (*FAST, "-static", "-march=armv8.2-a"), ()),
    "aarch64 NEON, Clang": ("clang", ("--target=aarch64-linux-gnu", "-O3", "-ffast-math", "-static", "-march=armv8.2-a"), ()),
    **{f"aarch64 SVE {bits}": ("aarch64-linux-gnu-gcc", (*FAST, "-static", "-march=armv8.2-a+sve"), ("--vector-bits", str(bits)))
       for bits in (128, 256, 512, 1024, 2048)},
}


class Missing(Exception):
    """A compiler, the emulator or AVX-512 is not here."""


def build(folder, name):
    compiler, flags, options = BUILDS[name]
    if "--stepped" in options and "avx512f" not in pathlib.Path("/proc/cpuinfo").read_text():
        raise Missing("this processor has no AVX-512")
    if shutil.which(compiler) is None:
        raise Missing(f"{compiler} is not installed")
    program = pathlib.Path(folder) / ("kernels-" + "-".join(flag.strip("-").replace("=", "") for flag in (compiler, *flags)))
    if not program.exists():
        subprocess.run([compiler, *flags, "-o", program, *SOURCES, "-lm"], check=True)
    return program


def count(folder, program, words, *options, by=PROGRAM):
    """The events of one run, by name; and how long scalable vectors are."""
    out = pathlib.Path(folder) / "counts.json"
    done = subprocess.run([by, "count", "--format", "json", "--output", out, *options, "--", program, *map(str, words)],
                          env={**os.environ, "CATMINT_DATA_DIR": str(SOURCE)}, capture_output=True, text=True, check=False)
    if done.returncode == 125 and any(reason in done.stderr for reason in ("the emulated PMU needs", "programs are stepped on")):
        raise Missing(done.stderr.strip())
    if done.returncode != 0:
        raise RuntimeError(f"{program} {words}: {done.stderr}")
    document = json.loads(out.read_text())
    scope = document["scopes"][0]
    counted = {entry.get("event", entry.get("metric")): entry["value"] for entry in (*scope["events"], *scope["metrics"])}
    return counted, document["vector_bits"]


def difference(folder, name, algorithm, size, step, *options, repetitions=(1, 3), program=PROGRAM):
    """What one repetition counts; `program` is the catmint that counts."""
    compiled = build(folder, name)
    few, many = (count(folder, compiled, (algorithm, size, step, times), *BUILDS[name][2], *options, by=program) for times in repetitions)
    found = {event: None if many[0][event] is None else (many[0][event] - few[0][event]) / (repetitions[1] - repetitions[0]) for event in few[0]}
    return {**found, "vector_bits": many[1]}


def enough(algorithm, size, step):
    """Two numbers of repetitions that are far enough apart: what starting and ending a program takes differs by some hundred cycles from run to run."""
    return 1, 1 + max(1, 2**20 // int(expected(algorithm, size, step)[0]))


def amount(value):
    """A difference as a count: less than half of one is none, and a negative one, which is noise or unknown, has no value."""
    return None if value is None or value <= -0.5 else value if value >= 0.5 else 0.0


def operations(facts):
    """Floating-point operations of facts: a fused multiply-add is two. Of scalable vectors all lanes, where code does not say which are active."""
    total = active = scalable = 0.0
    for precision, bits in (("h", 16), ("s", 32), ("d", 64)):
        for width, lanes in (("scalar", 1), ("128", 128 / bits), ("256", 256 / bits), ("512", 512 / bits)):
            total += lanes * (facts[f"fp_{precision}_{width}"] + 2 * facts[f"fp_{precision}_{width}_fma"])
        for stem, lanes in ((f"fp_{precision}_v128", 128 / bits), (f"fp_{precision}_v256", 256 / bits), (f"fp_{precision}_v512", 512 / bits),
                            (f"fp_longer_{precision}", (facts["vector_bits"] or 0) / bits)):
            scalable += lanes * (facts[stem] + 2 * facts[f"{stem}_fma"])
        active += facts[f"fp_lanes_{precision}"] + 2 * facts[f"fp_lanes_{precision}_fma"]
    return total + (scalable if facts["fp_lanes_unknown"] > 0 else active)


def moved(facts):
    return facts["load_bytes"] + facts["store_bytes"]


def expected(algorithm, size, step):
    """Operations and bytes by the algorithm: each element that it names is loaded and stored once where it stands."""
    n = size
    return {
        "stream": (2 * n, 24 * n),
        "crunch": (64 * n, 32 * n),
        "crunch_single": (64 * n, 16 * n),
        **{f"crunch_{kind}": (33 * n, 24 * n) for kind in ("add", "multiply", "divide", "cosine")},
        "crunch_logarithm": (65 * n, 24 * n),  # an addition for each logarithm
        "conflict": (n, 16 * n),
        "matrix": (2 * n**3, 16 * n**3 + 16 * n**2),
        "transposed": (2 * n**3, 16 * n**3 + 16 * n**2),
        "unrolled": (2 * n**3, 9 * n**3 + 16 * n**2),
        "blocked": (2 * n**3, 16 * n**3 + 16 * n**2 * (n // step)),
        "bodies": (19 * n**2 + 12 * n, 32 * n**2 + 144 * n),
        "dot": (2 * n, 16 * n),
        "axpy": (2 * n, 24 * n),
        "horner": (16 * n, 16 * n),
        "stencil": (3 * n, 32 * n),
    }[algorithm]
