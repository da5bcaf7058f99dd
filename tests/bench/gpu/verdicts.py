#!/usr/bin/env python3
"""Judges verdicts of `catmint audit --format json` on formulas for GPUs by another way: verdicts.py GPU AUDIT.json... [--draw N] [--seed S].

Random programs are numbers of instructions and accesses. What each counter counts of them, and what a metric means, stands here, after the vendors' documents; the formula's text is evaluated as
Python. It shares no code and no table with catmint. Of the formulas that the audit calls right or wrong, N are drawn; a verdict is false if values in 40 programs say otherwise.
"""
import argparse
import json
import random
import re

# AMD, "MI200 / MI300 performance counters and metrics", and "ROCm Compute Profiler": bytes of an access or request of loads, and of stores and atomic operations.
SECTORS = {"gfx90a": (64, 64), "gfx942": (128, 64), "sm_90": (32, 32)}
SHAPES = {"F16": (16 * 16 * 16, 4 * 4 * 4 * 16), "BF16": (16 * 16 * 16, 4 * 4 * 4 * 16), "F32": (16 * 16 * 4, 4 * 4 * 16), "F64": (16 * 16 * 4, 4 * 4 * 4 * 4), "I8": (16 * 16 * 16, 4 * 4 * 4 * 16)}
# Names of rocprofv3 and of the memory chart that say what one of a panel does.
SAME = {"VL1 Hit": "Cache Hit Rate", "VL1_L2 Rd": "L1-L2 Read", "VL1_L2 Wr": "L1-L2 Write", "VL1_L2 Atomic": "L1-L2 Atomic", "L2 Rd": "Read Req", "L2 Wr": "Write Req", "L2 Atomic": "Atomic Req", "L2 Hit": "Cache Hit",
        "BR": "Branch", "LDS Req": "LDS", "LDS Instructions": "LDS", "Total Instructions": "Global/Generic Instr", "L2CacheHit": "Cache Hit", "TCC_EA_READBW": "Read BW", "AvgNumActiveThreads": "VALU Active Threads",
        "MfmaFlops": "MFMA FLOPs"} | {f"MfmaFlops{bits}": f"MFMA FLOPs ({bits})" for bits in ("F16", "BF16", "F32", "F64")}
SAME |= {f"Global/Generic {way} Instructions": f"Global/Generic {way}" for way in ("Read", "Write", "Atomic")}
KINDS = ("ADD", "MUL", "TRANS", "FMA")


def amd(gpu, rng):
    """A random program of AMD's: {counter: count}, {name in a panel: what its documentation says, all that it can mean}."""
    loaded, stored = SECTORS[gpu]
    valu = {(kind, bits): rng.randint(0, 99) for kind in KINDS for bits in ("F16", "F32", "F64")}
    mfma = {bits: (rng.randint(0, 9), rng.randint(0, 9)) for bits in SHAPES}
    l1, l2, memory, hit, miss, atomic = (rng.randint(0, 999) for _ in range(6))  # accesses: loads by what answers, stores by L2, atomic additions
    lds, conflicts, salu, smem, branches = rng.randint(1, 99), rng.randint(0, 50), rng.randint(9, 99), rng.randint(0, 99), rng.randint(1, 99)
    reads, writes, atomics = (rng.randint(1, 99) for _ in range(3))  # instructions of wavefronts
    active = rng.randint(1, 64)
    operations = {bits: 2 * (large * SHAPES[bits][0] + small * SHAPES[bits][1]) for bits, (large, small) in mfma.items()}
    counters = {f"SQ_INSTS_VALU_{kind}_{bits}": n for (kind, bits), n in valu.items()}
    for bits, (large, small) in mfma.items():
        counters |= {f"SQ_INSTS_VALU_MFMA_{bits}": large + small, f"SQ_INSTS_VALU_MFMA_MOPS_{bits}": operations[bits] // 512}  # "in units of 512"
    later = {bits: 512 * rng.randint(0, 99) if gpu == "gfx942" else 0 for bits in ("F8", "XF32")}  # types that the MI300 added: "either the VALU or MFMA units" has them, too
    counters |= {f"SQ_INSTS_VALU_MFMA_MOPS_{bits}": n // 512 for bits, n in later.items()}
    vector = sum(valu.values()) + rng.randint(0, 99)
    counters |= {"SQ_INSTS_VALU": vector + sum(map(sum, mfma.values())), "SQ_INSTS_MFMA": sum(map(sum, mfma.values())), "SQ_INSTS_SALU": salu, "SQ_INSTS_SMEM": smem, "SQ_INSTS_BRANCH": branches,
                 "SQ_INSTS_LDS": lds, "SQ_LDS_IDX_ACTIVE": lds + conflicts, "SQ_LDS_BANK_CONFLICT": conflicts, "SQ_INSTS_VMEM_RD": reads, "SQ_INSTS_VMEM_WR": writes + atomics,
                 "SQ_INSTS_VMEM": reads + writes + atomics, "TA_FLAT_READ_WAVEFRONTS_sum": reads, "TA_FLAT_WRITE_WAVEFRONTS_sum": writes, "TA_FLAT_ATOMIC_WAVEFRONTS_sum": atomics,
                 "TA_TOTAL_WAVEFRONTS_sum": reads + writes + atomics, "SQ_ACTIVE_INST_VALU": vector, "SQ_THREAD_CYCLES_VALU": vector * active,
                 "TCP_TOTAL_CACHE_ACCESSES_sum": l1 + l2 + memory + hit + miss + atomic, "TCP_TCC_READ_REQ_sum": l2 + memory, "TCP_TCC_WRITE_REQ_sum": hit + miss, "TCP_TCC_ATOMIC_WITH_RET_REQ_sum": 0,
                 "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum": atomic, "TCC_REQ_sum": l2 + memory + hit + miss + atomic, "TCC_READ_sum": l2 + memory, "TCC_WRITE_sum": hit + miss, "TCC_ATOMIC_sum": atomic,
                 "TCC_HIT_sum": l2 + hit + atomic, "TCC_MISS_sum": memory + miss, "TCC_EA_RDREQ_sum": memory, "TCC_EA0_RDREQ_sum": memory, "TCC_EA_RDREQ_32B_sum": 0, "TCC_EA0_RDREQ_32B_sum": 0,
                 "TCC_BUBBLE_sum": memory if loaded == 128 else 0}
    flops = {bits: 64 * sum(valu[kind, bits] * (2 if kind == "FMA" else 1) for kind in KINDS) for bits in ("F16", "F32", "F64")}  # "assuming that all 64 lanes are active"
    matrix = sum(operations[bits] for bits in ("F16", "BF16", "F32", "F64")) + sum(later.values())
    meant = {f"MFMA FLOPs ({bits})": [operations[bits]] for bits in ("F16", "BF16", "F32", "F64")} | {f"{bits} OPs": [flops[bits] + operations[bits]] for bits in flops}
    meant |= {f"{bits}-{name}": [valu[kind, bits]] for bits in flops for name, kind in (("ADD", "ADD"), ("MUL", "MUL"), ("FMA", "FMA"), ("Trans", "TRANS"))}
    meant |= {f"MFMA-{bits}": [sum(mfma[bits])] for bits in mfma}
    requests, accesses = l2 + memory + hit + miss + atomic, l1 + l2 + memory + hit + miss + atomic
    meant |= {"BF16 OPs": [operations["BF16"]], "F8 OPs": [later["F8"]], "MFMA FLOPs (F8)": [later["F8"]], "INT8 OPs": [operations["I8"]],
              "MFMA IOPs (INT8)": [operations["I8"]], "MFMA IOPs (Int8)": [operations["I8"]], "MFMA FLOPs": [matrix], "VALU FLOPs": [sum(flops.values())],
              "FLOPs (Total)": [sum(flops.values()) + matrix], "VALU Active Threads": [active], "SALU": [salu], "SMEM": [smem], "Branch": [branches], "LDS": [lds], "LDS Instrs": [lds], "VMEM": [reads + writes + atomics],
              "MFMA": [sum(map(sum, mfma.values()))], "Cache BW": [loaded * accesses],  # "the number of cache lines requested multiplied by the cache line size"
              "Hit rate": [100 * l1 / accesses], "Cache Hit Rate": [100 * l1 / accesses], "vL1D Cache Hit Rate": [100 * l1 / accesses], "vL1D Cache BW": [loaded * accesses], "Cache Accesses": [accesses],
              "Cache Hits": [l1], "L1-L2 BW": [loaded * (l2 + memory) + stored * (hit + miss + atomic)], "L1-L2 Read": [l2 + memory], "L1-L2 Write": [hit + miss], "L1-L2 Atomic": [atomic], "Req": [requests],
              "Read Req": [l2 + memory], "Write Req": [hit + miss], "Atomic Req": [atomic], "Hits": [l2 + hit + atomic], "Misses": [memory + miss], "Hit Rate": [100 * (l2 + hit + atomic) / requests],
              "Cache Hit": [100 * (l2 + hit + atomic) / requests], "L2 Cache Hit Rate": [100 * (l2 + hit + atomic) / requests], "L2-Fabric Read BW": [loaded * memory], "Read BW": [loaded * memory],
              "Read (64B)": [memory if loaded == 64 else 0], "LDS Bandwidth": [128 * lds], "Theoretical LDS Bandwidth": [128 * lds], "Theoretical Bandwidth": [128 * lds],
              "LDS Bank Conflicts/Access": [conflicts / lds], "Bank Conflicts/Access": [conflicts / lds], "Bank Conflict": [conflicts], "Bank Conflicts": [conflicts]}
    names = {"Global/Generic Read": reads, "Global/Generic Write": writes, "Global/Generic Atomic": atomics, "Global/Generic Instr": reads + writes + atomics}
    meant |= {name: [n] for name, n in names.items()}
    meant |= {name: meant[same] for name, same in SAME.items()} | {name: [n] for name, n in counters.items() if name.endswith("_sum")}
    counters |= {name[: -len("_sum")]: n for name, n in counters.items() if name.endswith("_sum")}  # rocprofv3's own sums over instances
    meant |= {"VALUUtilization": [100 * active / 64], "FETCH_SIZE": [loaded * memory / 1024], "LdsBankConflict": [conflicts / lds], "Fabric_L2 Rd": [memory],
              "TOTAL_16_OPS": [flops["F16"] + operations["F16"] + operations["BF16"]]}
    return counters | {"MAX_WAVE_SIZE": 64}, meant


def nvidia(_, rng):
    """NVIDIA, "Nsight Compute: Profiling Guide"; operations of halves are those of scalars, as programs say them."""
    threads = {f"{kind}{of}": rng.randint(0, 99) for kind in "hfd" for of in ("add", "mul", "fma")}
    tensor = {"fp16_dst_fp32": (4096, rng.randint(1, 9)), "fp16_dst_fp16": (4096, rng.randint(1, 9)), "bf16_dst_fp32": (4096, rng.randint(1, 9)), "tf32_dst_fp32": (2048, rng.randint(1, 9)), "fp64": (512, rng.randint(1, 9)), "int8": (8192, rng.randint(1, 9))}
    l1, l2, memory, hit, miss, atomic = (rng.randint(1, 999) for _ in range(6))  # sectors of 32 bytes
    shared = [rng.randint(1, 99) for _ in range(4)]
    instructions = [rng.randint(1, 99) for _ in range(4)]
    counters = {f"{unit}__sass_thread_inst_executed_op_{of}_pred_on.sum": n for of, n in threads.items() for unit in ("sm", "smsp")}
    counters |= {f"sm__ops_path_tensor_src_{of}.sum": each * n for of, (each, n) in tensor.items()} | {"sm__inst_executed_pipe_tensor.sum": sum(n for _, n in tensor.values())}
    counters |= {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": l1 + l2 + memory, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": l1, "l1tex__m_xbar2l1tex_read_bytes.sum": 32 * (l2 + memory),
                 "lts__t_sectors.sum": l2 + memory + hit + miss + atomic, "lts__t_sectors_op_read_lookup_hit.sum": l2, "lts__t_sectors_op_read_lookup_miss.sum": memory, "lts__t_sectors_op_write_lookup_hit.sum": hit,
                 "lts__t_sectors_op_red.sum": atomic, "dram__bytes_read.sum": 32 * memory}
    for at, way in enumerate(("ld", "st")):
        counters |= {f"smsp__inst_executed_op_global_{way}.sum": instructions[at], f"smsp__inst_executed_op_shared_{way}.sum": instructions[2 + at],
                     f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{way}.sum": shared[at], f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{way}.sum": shared[2 + at]}
    meant = {}
    for letter, words in (("f", "Single"), ("d", "Double"), ("h", "Half")):
        add, mul, fma = (threads[letter + of] for of in ("add", "mul", "fma"))
        kind = "Operations" if letter == "h" else "Thread Instructions Executed"
        meant |= {f"Predicated-On {letter.upper()}ADD {kind} Per Cycle": [add], f"Predicated-On {letter.upper()}MUL {kind} Per Cycle": [mul], f"Predicated-On {letter.upper()}FMA Operations Per Cycle": [2 * fma],
                  f"{words} Precision Achieved Work": [add + mul + 2 * fma]}
    meant |= {"Tensor Achieved Work": [sum(each * n for each, n in tensor.values())], "Tensor Achieved Work (FP16)": [4096 * tensor["fp16_dst_fp32"][1]], "L2 Cache Bandwidth": [32 * (l2 + memory)],
              "Global Load Instructions": [instructions[0]], "Global Store Instructions": [instructions[1]], "Shared Load Instructions": [instructions[2]], "Shared Store Instructions": [instructions[3]],
              "L1/TEX Global Load Sectors": [l1 + l2 + memory], "L1/TEX Hit Rate": [100 * l1 / (l1 + l2 + memory)], "L2 Cache Sectors": [l2 + memory + hit + miss + atomic],
              "Missed L2 Cache Sectors For Reads": [memory], "L2 Hit Rate": [100 * (l2 + hit + atomic) / (l2 + memory + hit + miss + atomic)], "Shared Load Bank Conflicts": [shared[0]], "Shared Store Bank Conflicts": [shared[1]],
              "Shared Load Wavefronts": [shared[2]], "Shared Store Wavefronts": [shared[3]], "Device Memory Read Bytes": [32 * memory]}
    return counters, meant


def value(formula, counters):
    """Over one launch, of a second, per kernel."""
    text = re.sub(r"\s+", " ", formula).replace("$denom", "1").replace("End_Timestamp - Start_Timestamp", "1")
    text = re.sub(r"reduce\((\w+), ?sum\)", r"\1", text)
    words = ("if", "else", "None", "AVG", "SUM", "ROUND", "sum")
    text = re.sub(r"[A-Za-z]\w*(?:\.\w+)?", lambda name: name[0] if name[0] in words else f"_[{name[0]!r}]", text)
    return eval(text, {name: lambda number, *_: number for name in ("AVG", "SUM", "ROUND", "sum")} | {"_": counters})


def is_right(gpu, entry):
    """None: nothing here says what it means."""
    rng = random.Random(7)
    verdict = True
    for _ in range(40):
        counters, meant = (nvidia if gpu == "sm_90" else amd)(gpu, rng)
        if entry["metric"] not in meant:
            return None
        found = value(entry["formula"], counters)
        verdict = verdict and any(abs(found - right) <= 1e-9 * max(1, abs(right)) for right in meant[entry["metric"]])
    return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("audits", nargs="+", help="GPU=AUDIT.json, as in gfx90a=l1.json")
    parser.add_argument("--draw", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    entries = []
    for audit in options.audits:
        gpu, path = audit.split("=", 1)
        with open(path, encoding="utf-8") as stream:
            entries += [(gpu, entry) for entry in json.load(stream)["formulas"] if entry["verdict"] in ("right", "wrong")]
    drawn = random.Random(options.seed).sample(entries, min(options.draw, len(entries)))
    false = 0
    for gpu, entry in drawn:
        right = is_right(gpu, entry)
        false += right != (entry["verdict"] == "right")
        if right != (entry["verdict"] == "right"):
            print(f"{gpu}: {entry['metric']}, {entry['verdict']}, here {right}: {entry['formula']}")
    print(f"{len(drawn)} of {len(entries)} verdicts, {sum(entry['verdict'] == 'wrong' for _, entry in drawn)} of them wrong: {false} false")
    raise SystemExit(1 if false else 0)


if __name__ == "__main__":
    main()
