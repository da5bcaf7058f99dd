"""Random GPU programs of products of matrices, and how many operations they are. It shares no code with catmint."""

BLOCKS, THREADS, GROUP = 2, 64, 128
# The instruction's types, m, n, k, and registers of D, A and B: NVIDIA, "Parallel Thread Execution ISA", mma.
SHAPES = (("f32.f16.f16.f32", 16, 8, 16, 4, 4, 2), ("f32.f16.f16.f32", 16, 8, 8, 4, 2, 1), ("f16.f16.f16.f16", 16, 8, 16, 2, 4, 2), ("f16.f16.f16.f16", 16, 8, 8, 2, 2, 1),
          ("f32.bf16.bf16.f32", 16, 8, 16, 4, 4, 2), ("f32.bf16.bf16.f32", 16, 8, 8, 4, 2, 1), ("f32.tf32.tf32.f32", 16, 8, 4, 4, 2, 1), ("f32.tf32.tf32.f32", 16, 8, 8, 4, 4, 2),
          ("f64.f64.f64.f64", 8, 8, 4, 2, 1, 1), ("f64.f64.f64.f64", 16, 8, 4, 4, 2, 1), ("f64.f64.f64.f64", 16, 8, 8, 4, 4, 2), ("f64.f64.f64.f64", 16, 8, 16, 4, 8, 4),
          ("s32.s8.s8.s32", 8, 8, 16, 2, 1, 1), ("s32.s8.s8.s32", 16, 8, 16, 4, 2, 1), ("s32.s8.s8.s32", 16, 8, 32, 4, 4, 2))
# The same of fragments: NVIDIA, "Parallel Thread Execution ISA", wmma.
FRAGMENTS = (("f32.f32", 16, 16, 16, 8, 8, 8), ("f16.f16", 16, 16, 16, 4, 8, 8), ("f32.bf16.bf16.f32", 16, 16, 16, 8, 4, 4), ("f32.tf32.tf32.f32", 16, 16, 8, 8, 4, 4),
             ("f64.f64.f64.f64", 8, 8, 4, 2, 1, 1), ("s32.s8.s8.s32", 16, 16, 16, 8, 2, 2))
# The same of groups of four warps, with the operands behind D, A and B: NVIDIA, "Parallel Thread Execution ISA", wgmma.
GROUPS = (("f32.f16.f16", 64, 8, 16, 4, ", 1, 1, 1, 0, 0"), ("f32.f16.f16", 64, 16, 16, 8, ", 1, 1, 1, 0, 0"), ("f16.f16.f16", 64, 8, 16, 2, ", 1, 1, 1, 0, 0"),
          ("f32.bf16.bf16", 64, 8, 16, 4, ", 1, 1, 1, 0, 0"), ("f32.tf32.tf32", 64, 8, 8, 4, ", 1, 1, 1"), ("s32.s8.s8", 64, 8, 32, 4, ", 1"), ("f32.e4m3.e4m3", 64, 8, 32, 4, ", 1, 1, 1"),
          ("f32.e4m3.e4m3", 64, 16, 32, 8, ", 1, 1, 1"), ("f32.e5m2.e5m2", 64, 8, 32, 4, ", 1, 1, 1"))
METRICS = {"f32.f32": "Matrix HP Ops. with SP Sums", "f16.f16": "Matrix HP Ops. with HP Sums", "f32.f16.f16.f32": "Matrix HP Ops. with SP Sums", "f16.f16.f16.f16": "Matrix HP Ops. with HP Sums", "f32.bf16.bf16.f32": "Matrix BF16 Ops.", "f32.tf32.tf32.f32": "Matrix TF32 Ops.",
           "f64.f64.f64.f64": "Matrix DP Ops.", "s32.s8.s8.s32": "Matrix Int8 Ops.", "f32.f16.f16": "Matrix HP Ops. with SP Sums", "f16.f16.f16": "Matrix HP Ops. with HP Sums",
           "f32.bf16.bf16": "Matrix BF16 Ops.", "f32.tf32.tf32": "Matrix TF32 Ops.", "s32.s8.s8": "Matrix Int8 Ops.", "f32.e4m3.e4m3": "Matrix FP8 Ops.", "f32.e5m2.e5m2": "Matrix FP8 Ops."}
# m, n, k and blocks of AMD's: AMD, "AMD Instinct MI200 / MI300 Instruction Set Architecture", matrix instructions.
DESCRIBED = {"matrix_h": ("HP", 16, 16, 16, 1), "mfma_h_4": ("HP", 4, 4, 4, 16), "matrix_b": ("BF16", 16, 16, 16, 1), "mfma_b_4": ("BF16", 4, 4, 4, 16), "matrix_s": ("SP", 16, 16, 4, 1),
             "mfma_s_4": ("SP", 4, 4, 1, 16), "matrix_d": ("DP", 16, 16, 4, 1), "mfma_d_4": ("DP", 4, 4, 4, 4), "mfma_i_4": ("Int8", 4, 4, 4, 16)}
OWN = {2314: {"mfma_i": ("Int8", 16, 16, 16, 1)}, 2370: {"mfma_i_k32": ("Int8", 16, 16, 32, 1), "mfma_t": ("TF32", 16, 16, 8, 1), "mfma_f8": ("FP8", 16, 16, 32, 1), "mfma_bf8": ("FP8", 16, 16, 32, 1)}}  # by target


def registers(name, first, count):
    return "{" + ", ".join(f"%{name}{first + i}" for i in range(count)) + "}"


def ptx(pieces, bit):
    """Products, each so often, by the warps whose threads' numbers lack the bit; those of groups of warps between fences, commits and waits."""
    grouped = any(piece in GROUPS for piece, _ in pieces)
    lines = [*((".version 8.0", ".target sm_90a") if grouped else (".version 7.8", ".target sm_90")), ".address_size 64", ".visible .entry judged(.param .u64 memory, .param .u32 trips)", "{", "\t.reg .b32 %trips, %tid, %bits, %b<16>;", "\t.reg .f32 %f<8>;",
             "\t.reg .f64 %d<16>;", "\t.reg .pred %out, %more;", "\t.shared .align 128 .b8 tile[4096];", "\t.reg .b64 %m, %left, %right;", f"\tadd.s64 %left, 0, {8 << 16 | 16 << 32};", f"\tadd.s64 %right, 0, {128 | 8 << 16 | 16 << 32};", "\tld.param.u64 %m, [memory];",
             *(f"\twmma.load.{part}.global.f16 {registers('b', first, 8)}, [%m], 24;" for part, first in (("a.sync.aligned.row.m16n16k16", 0), ("b.sync.aligned.col.m16n16k16", 8))), "\tld.param.u32 %trips, [trips];", "\tmov.u32 %tid, %tid.x;", f"\tand.b32 %bits, %tid, {bit};", "\tsetp.ne.s32 %out, %bits, 0;",
             "\t@%out bra done;", "loop:"]
    for piece, count in pieces:
        if piece in GROUPS:
            types, m, n, k, d, rest = piece
            product = f"\twgmma.mma_async.sync.aligned.m{m}n{n}k{k}.{types} {registers('f' if types.startswith('f32') else 'b', 0, d)}, %left, %right{rest};"
            lines += ["\tfence.proxy.async;", "\twgmma.fence.sync.aligned;", *[product] * count, "\twgmma.commit_group.sync.aligned;", "\twgmma.wait_group.sync.aligned 0;"]
            continue
        types, m, n, k, d, a, b = piece
        wide = types.startswith("f64")
        sums = registers("d" if wide else "f" if types.startswith("f32") else "b", 12 if wide else 0, d)
        inputs = [registers("d" if wide else "b", first, number) for first, number in ((0, a), (8, b))]
        shape = f"m{m}n{n}k{k}"
        name = f"wmma.mma.sync.aligned.row.col.{shape}" if piece in FRAGMENTS else f"mma.sync.aligned.{shape}.row.col"
        lines += [f"\t{name}.{types} {sums}, {inputs[0]}, {inputs[1]}, {sums};"] * count
    return "\n".join(lines + ["\tadd.s32 %trips, %trips, -1;", "\tsetp.ne.s32 %more, %trips, 0;", "\t@%more bra loop;", "done:", "\tret;", "}", ""])


def summed(found):
    """With the metrics that are sums of others."""
    half = [metric for metric in found if "HP Ops." in metric]
    floats = sum(value for metric, value in found.items() if "Int8" not in metric)
    return found | {"Matrix HP Ops.": sum(found[metric] for metric in half), "Matrix FP Ops.": floats, "All Matrix Ops.": floats + found["Matrix Int8 Ops."]}


def programs(gpu, machine, rng, count):
    """For each program the facts as executed, and the metrics' values."""
    for _ in range(count):
        base, trips = gpu.allocate(192 << 20), rng.randint(1, 5)
        if machine["gpu"] == "nvidia":
            grouped = rng.random() < 0.5
            pieces, bit = [(rng.choice(SHAPES + FRAGMENTS + GROUPS * grouped), rng.randint(1, 6)) for _ in range(rng.randint(1, 16))], 0 if grouped else rng.choice((0, 0, 32))
            threads = GROUP if grouped else THREADS
            found = dict.fromkeys(METRICS.values(), 0)
            for (types, m, n, k, *_), times in pieces:
                found[METRICS[types]] += 2 * m * n * k * times * trips * BLOCKS * threads // (GROUP if m == 64 else 64 if bit else 32)
            yield gpu.run(ptx(pieces, bit), "judged", base, trips, BLOCKS, threads), summed(found)
        else:
            names = DESCRIBED | OWN[machine["gpu_target"]]
            pieces, mask = [(rng.choice(list(names)), rng.randint(1, 6)) for _ in range(rng.randint(1, 16))], rng.choice((0, 0, 1, 16))
            found = {f"Matrix {kind} Ops.": 0 for kind, *_ in names.values()} | {"Matrix TF32 Ops.": 0, "Matrix FP8 Ops.": 0}
            for name, times in pieces:
                kind, m, n, k, blocks = names[name]
                found[f"Matrix {kind} Ops."] += 2 * m * n * k * blocks * times * trips * BLOCKS
            found["Matrix HP Ops. with SP Sums"] = found.pop("Matrix HP Ops.")
            yield gpu.differ(1, pieces, mask, base, trips, BLOCKS, THREADS), summed(found)
        gpu.free(base)
