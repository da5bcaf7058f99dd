"""Code for AMD's GPUs, as LLVM disassembles it: loops hold exactly what bases/gpu/facts.csv says, and faults that are planted show.

What an instruction is, is worked out anew here, from its name; the kernels' writer shares nothing with it but the file of facts."""

import collections
import csv
import os
import re
import shutil
import subprocess
import unittest

import support

WRITER = os.environ["CATMINT_WRITE_AMDGPU"]
OBJECTS = os.environ["CATMINT_CODE_OBJECTS"]  # those of the build, "" where it has none
MC = shutil.which("llvm-mc-19") or shutil.which("llvm-mc", path="/usr/lib/llvm-19/bin")
OBJDUMP = shutil.which("llvm-objdump-19") or shutil.which("llvm-objdump", path="/usr/lib/llvm-19/bin")
LACKING = "" if MC and OBJDUMP else "llvm-mc and llvm-objdump 19 are not installed: code for AMD's GPUs is not disassembled"
TARGETS = ("gfx90a", "gfx942")
PRECISIONS = {"f16": "h", "f32": "s", "f64": "d"}
# Of an operand that is negated, in the order of the operands behind the result.
NEGATED = re.compile(r",\s*-")
OTHERS = {"v_add_u32": "int_add", "s_add_i32": "int_add", "v_mul_lo_u32": "int_mul", "v_bfi_b32": "int_logic", "v_alignbit_b32": "int_shift",
          "v_cvt_i32_f32": "convert", "v_cvt_f32_i32": "convert", "v_rcp_f32": "special", "s_cmp_lg_u32": "compare", "s_cbranch_scc1": "branch"}


def meaning(opcode, operands):
    """The fact of an instruction; None: none of them."""
    opcode = re.sub("_e(32|64)$", "", opcode)
    if opcode in OTHERS:
        return OTHERS[opcode]
    if found := re.fullmatch(r"v_(add|sub|mul|fma|sqrt)_(f16|f32|f64)", opcode):
        operation, precision = found.groups()
        if operation == "add" and NEGATED.search(operands):
            operation = "sub"  # there is no v_sub_f64
        return f"{PRECISIONS[precision]}_{operation}"
    if found := re.fullmatch(r"v_pk_(add|mul|fma)_(f16|f32)", opcode):
        return f"{PRECISIONS[found[2]]}2_{found[1]}"
    if found := re.fullmatch(r"v_mfma_f\d\d_16x16x(16|4)_?(f16|bf16|f32|f64)(_1k)?", opcode):
        return "matrix_" + {"f16": "h", "bf16": "b", "f32": "s", "f64": "d"}[found[2]]
    if found := re.fullmatch(r"v_mfma_f\d\d_4x4x4_?(?:4b|16b)?_?(f16|bf16|f64)(_1k)?", opcode):
        return "mfma_" + {"f16": "h", "bf16": "b", "f64": "d"}[found[1]] + "_4"
    if found := re.fullmatch(r"v_smfmac_[fi]32_16x16x(?:32|64)_(f16|bf16|fp8_fp8|i8)", opcode):
        return "smfmac_" + {"f16": "h", "bf16": "b", "fp8_fp8": "f8", "i8": "i"}[found[1]]
    return "product" if operations(opcode) else None


def operations(opcode):
    """{fact: operations} of a product of matrices."""
    found = re.fullmatch(r"v_mfma_[fi]\d\d_(\d+)x(\d+)x(\d+)_?(?:(\d+)b)?_?(f16|bf16|f32|f64|xf32|i8|fp8_fp8|bf8_bf8)(_1k)?", opcode)
    if not found:
        return {}
    m, n, k, blocks = (int(number or 0) for number in found.groups()[:4])
    blocks = blocks or (1 if m == 16 else 4 if found[5] == "f64" else 16)  # gfx90a's names do not say it
    kind = {"xf32": "tf32", "fp8_fp8": "f8", "bf8_bf8": "f8"}.get(found[5], found[5])
    return {f"matrix_{kind}_ops": 2 * m * n * k * blocks}


MEMORY = re.compile(r"_of_(memory|instructions)$|x64")  # entries of gpu-memory and gpu-instructions
NOTHING = re.compile("^catmint_nothing")
SECTORS = {"gfx90a": 64, "gfx942": 128}


def banks(bytes_each, stride):
    """(transactions, conflicts) of 64 lanes: as many at a time as have 128 bytes, the words of a bank one after another."""
    group, transactions, conflicts = 128 // bytes_each, 0, 0
    for first in range(0, 64, group):
        words = {(lane * stride + part) // 4 for lane in range(first, first + group) for part in range(0, bytes_each, 4)}
        most = max(collections.Counter(word % 32 for word in words).values())
        transactions, conflicts = transactions + most, conflicts + most - 1
    return transactions, conflicts


def every_instruction(loop):
    """{fact: count} of all of them, waits aside, and of the branches."""
    opcodes = [opcode for opcode, _ in loop if opcode != "s_waitcnt"]
    return collections.Counter(instructions=len(opcodes), branch_slots=sum("branch" in opcode for opcode in opcodes))


def lanes(before, loop):
    """{fact: count} of a loop of gpu-instructions: which lanes are on follows from the masks that the code before it computes."""
    on, counts, exec_lanes, bits = {"s[16:17]": 64}, every_instruction(loop), 64, 0
    for opcode, operands in before:
        first, *rest = operands.split(", ")
        if opcode.startswith("v_and_b32") and rest[-1] == "v0":
            bits = int(rest[0], 0)
        elif opcode.startswith("v_cmp_eq_u32") and rest[0] == "0" and first != "s[16:17]":
            on[first] = sum(lane & bits == 0 for lane in range(64))
    skipped = 0
    for opcode, operands in loop[:-3]:
        fact = meaning(opcode, operands)
        if opcode == "s_mov_b64":
            exec_lanes = on[operands.split(", ")[1]]
        if opcode.startswith("v_") and not skipped:
            counts["idle_lanes"] += 64 - exec_lanes
            counts[fact] += 1
        counts["branch"] += "branch" in opcode
        counts["scalars"] += opcode in ("s_mov_b64", "s_add_i32", "s_cmp_eq_u32")
        counts["scalar_loads"] += opcode == "s_load_dword"
        if skipped and opcode.startswith("v_"):  # past a branch that is taken
            counts["instructions"] -= 1
        skipped = opcode == "s_cbranch_execnz"
        for name, number in operations(opcode).items():
            counts[name] += number
    return +(counts + collections.Counter(int_add=1, compare=1, branch=1))


def accesses(target, before, loop):
    """{fact: count} of a loop of gpu-memory: distances of lanes are those that the code before it computes, what answers follows from the cache bits."""
    strides = {operands.split(", ")[0]: int(operands.split(", ")[1], 0) for opcode, operands in before if opcode.startswith("v_mul_u32_u24") and operands.endswith(", v3")}
    strides |= {operands.split(", ")[0]: strides[operands.split(", ")[1]] for opcode, operands in before if opcode.startswith("v_mov_b32") and operands.split(", ")[1] in strides}
    counts = every_instruction(loop)
    for opcode, operands in loop:
        first, second, *rest = operands.split(", ") + [""]
        kind, _, width = opcode.rpartition("_")
        if opcode.startswith("v_add_u32") and rest[0] in strides and first not in strides:
            strides[first] = strides[rest[0]]  # of a stream: where it is, and the lane's distance
        if found := re.fullmatch(r"ds_(read|write)_b(\d+)", opcode):
            way, stride = ("load", strides[second.split(" ")[0]]) if found[1] == "read" else ("store", strides[first])
            transactions, conflicts = banks(int(found[2]) // 8, stride)
            counts.update({f"shared_{way}_requests": 1, f"shared_{way}_transactions": transactions, f"shared_{way}_conflicts": conflicts})
        elif opcode.startswith("global_"):
            load, size = kind == "global_load", 4 * int(width.removeprefix("dwordx") if "x" in width else 1)
            way, sector = {"global_load": "load", "global_store": "store", "global_atomic": "atomic"}[kind], SECTORS[target] if load else 64
            moved = sector * len({lane * strides[second if load else first] // sector for lane in range(64)})
            base, past = rest[0].split(" ")[0], rest[0].split(" ")[-1] in ("glc", "sc1")
            assert past == (load and base != "s[18:19]"), (opcode, operands)
            answers = {"s[18:19]": "l1_load_hit", "s[20:21]": "l2_load_hit", "s[26:27]": "l2_load_miss"}[base] if load else \
                {"s[22:23]": "l2_store_hit", "s[26:27]": "l2_store_miss", "s[24:25]": "l2_atomic"}[base]
            counts.update({f"{way}_requests": 1, f"{answers}_bytes": moved})
            if way != "atomic":
                counts[f"asked_{way}_bytes"] += 64 * size
        else:
            counts["int_logic" if opcode.startswith("v_and_b32") else meaning(opcode, operands)] += 1
    del counts[None]  # waits
    return +counts


def disassemble(path):
    """{symbol: [(opcode, operands)]}"""
    done = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True)
    code, symbol = {}, None
    for line in done.stdout.splitlines():
        if found := re.match(r"[0-9a-f]+ <(.*)>:", line):
            symbol = code.setdefault(found[1], [])
        elif symbol is not None and line.startswith("\t"):
            opcode, _, operands = line.split("//")[0].strip().partition(" ")
            symbol.append((opcode, operands.strip()))
    return code


def loops(code):
    """{entry: ([instructions before its loop], [those of the loop], [those behind])}"""
    found = {}
    for symbol, instructions in code.items():
        if not symbol.endswith("_loop"):
            continue
        ends = [at for at, (opcode, operands) in enumerate(instructions) if opcode.startswith("s_cbranch") and operands == symbol]
        assert len(ends) == 1, symbol
        entry = symbol.removesuffix("_loop")
        found[entry] = code[entry], instructions[:ends[0] + 1], instructions[ends[0] + 1:] + code[f"{entry}_done"]
    return found


def expected():
    """{entry: {fact: count}} of the file of facts."""
    with open(support.SOURCE / "bases/gpu/facts.csv", newline="") as stream:
        rows = csv.DictReader(line for line in stream if not line.startswith("#"))
        kernels = {(row["benchmark"], row["kernel"]): row["facts"] for row in rows}
    facts = {}
    for (benchmark, kernel), text in kernels.items():
        entry = "catmint_" + re.sub(r"\W", "_", kernel) + ({"gpu-matrix": "_of_matrices", "gpu-memory": "_of_memory", "gpu-instructions": "_of_instructions"}.get(benchmark, "") if kernel in ("empty", "nothing") else "")
        counts = facts[entry] = collections.Counter()
        for term in filter(None, text.split(" + ")):
            number, _, name = term.rpartition("*")
            counts[name.removeprefix("gpu_")] += float(number or 1)
    return facts


def faults(path):
    """What is wrong with an object, in words."""
    facts, wrong = expected(), []
    found = {entry: parts for entry, parts in loops(disassemble(path)).items() if not MEMORY.search(entry)}
    for entry, (before, loop, behind) in found.items():
        counts = every_instruction(loop) + collections.Counter(meaning(*instruction) for instruction in loop)
        if any(fact.endswith("_ops") for fact in facts[entry]):
            for instruction in loop:
                counts.update(operations(instruction[0]))
        counts.pop("product", None)
        if counts != facts[entry] and not NOTHING.search(entry):
            wrong.append(f"{entry}: the loop has {dict(counts)}, its facts are {dict(facts[entry])}")
        arithmetic = [opcode for opcode, operands in before + behind
                      if meaning(opcode, operands) not in (None, "int_add") or opcode.startswith(("v_mfma", "v_smfmac", "v_pk"))]
        if arithmetic:
            wrong.append(f"{entry}: outside of the loop stands {arithmetic}")
        branches = [opcode for opcode, _ in before + loop[:-1] + behind if opcode.startswith(("s_cbranch", "s_branch", "s_setpc", "s_call"))]
        if branches != ["s_cbranch_execz"]:  # where no lane is in the loop
            wrong.append(f"{entry}: there is a second branch")
    return wrong, set(found)


@unittest.skipIf(LACKING, LACKING)
class Amdgpu(support.Case):
    def text(self, target):
        return subprocess.run([WRITER, target], capture_output=True, text=True, check=True).stdout

    def assemble(self, target, text):
        path = self.folder / "code.o"
        subprocess.run([MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-filetype=obj", "-o", path, "-"], input=text, text=True, check=True)
        return path

    def amd_kernels(self, target):
        """Those without an instruction that these GPUs lack, and without threads whose predicate is false, which are NVIDIA's, as are products of 8 columns and
        their mixtures."""
        others = re.compile("catmint_(masked_|matrix_[hbd]_16$|[a-z]+_[0-9]+x8x|[bdhi]_with_(halves|singles|doubles|integers)$|types_together|half_the_warps|(?:[bhit]|e4)_sparse|wg?mma_|e[45]_"
                            + ("|i_16x16x16_" if target == "gfx942" else "|i_16x16x32_|t_16x16x8_|b?f8_|[bhi]_smfmac") + ")")
        return {entry for entry, counts in expected().items()
                if not (MEMORY.search(entry) or re.search(r"_\d*x32(_|$)", entry)) and (entry == "catmint_h_with_singles" or not others.match(entry)) and not any(re.match("b2?_|h2_sub", fact) for fact in counts)}

    def test_loops_are_what_the_facts_say(self):
        for target in TARGETS:
            with self.subTest(target=target):
                wrong, kernels = faults(self.assemble(target, self.text(target)))
                self.assertEqual(wrong, [])
                self.assertEqual(kernels, self.amd_kernels(target))
                self.assertGreater(len(kernels), 60)

    def test_accesses(self):
        """Loops of gpu-memory and gpu-instructions, and that one of them is only jumped over where no lane is in it."""
        facts = expected()
        with open(support.SOURCE / "bases/gpu/facts.csv", encoding="utf-8") as stream:
            mixes = {"catmint_" + re.sub(r"\W", "_", line.split(",")[1]) for line in stream if line.startswith("gpu-instructions,")} | {"catmint_empty_of_instructions"}
        for target in TARGETS:
            found = {entry: parts for entry, parts in loops(disassemble(self.assemble(target, self.text(target)))).items() if MEMORY.search(entry)}
            self.assertEqual(set(found), {entry for entry in facts if MEMORY.search(entry)})
            for entry, (before, loop, _) in found.items():
                with self.subTest(target=target, entry=entry):
                    self.assertEqual([opcode for opcode, _ in before if "branch" in opcode], ["s_cbranch_execz"])
                    if not NOTHING.search(entry):
                        self.assertEqual(lanes(before, loop) if entry in mixes else accesses(target, before, loop), facts[entry])

    def test_the_objects_of_the_build(self):
        if not OBJECTS:
            self.skipTest("this build has no code objects for AMD's GPUs: llvm-mc-19 or ld.lld was not installed")
        for target in TARGETS:
            with self.subTest(target=target):
                wrong, kernels = faults(f"{OBJECTS}/{target}.co")
                self.assertEqual((wrong, kernels), ([], self.amd_kernels(target)))

    def test_chains(self):
        """Each result depends on the one before it in its chain, and is stored: registers that the loop writes."""
        for target in TARGETS:
            for entry, (before, loop, behind) in loops(disassemble(self.assemble(target, self.text(target)))).items():
                if MEMORY.search(entry) or NOTHING.search(entry):
                    continue
                with self.subTest(target=target, entry=entry):
                    written = [operands.split(",")[0] for opcode, operands in loop[:-3]]
                    stored = {operand.strip() for opcode, operands in behind if opcode.startswith("global_store") for operand in operands.split(",")[1:2]}
                    loaded = {operands.split(",")[0] for opcode, operands in before if opcode.startswith("global_load")}
                    self.assertEqual(stored, loaded)
                    for (opcode, operands), result in zip(loop, written):
                        if not opcode.startswith(("v_mfma", "v_smfmac", "v_cvt")):
                            self.assertIn(result, stored)
                            self.assertIn(result, [operand.strip() for operand in operands.split(",")[1:]])

    def plant(self, target, change):
        head, *kernels = self.text(target).split("    .text\n    .globl ")
        kept = [kernel for kernel in kernels if kernel.startswith(("catmint_A_S_48\n", "catmint_A_D_24\n"))]
        lines = "    .text\n    .globl ".join([head, *kept]).splitlines(keepends=True)
        start = lines.index("catmint_A_S_48_loop:\n")
        change(lines, start)
        return faults(self.assemble(target, "".join(lines)))[0]

    def test_planted_faults_show(self):
        def swap(lines, start):
            lines[start + 3] = lines[start + 3].replace("v_add_f32", "v_mul_f32")

        def drop(lines, start):
            del lines[start + 5]

        def hoist(lines, start):
            lines.insert(start, lines.pop(start + 7))

        def repeat(lines, start):
            lines.insert(start + 2, lines[start + 2])

        def fuse(lines, start):
            lines[start + 2] = "    v_fma_f32 v10, v10, v15, v14\n"
            del lines[start + 3]

        def sink(lines, start):
            line = lines.pop(start + 4)
            lines.insert(next(at for at in range(start, len(lines)) if "s_cbranch" in lines[at]) + 1, line)

        def negate(lines, start):
            at = lines.index("catmint_A_D_24_loop:\n") + 1
            lines[at] = lines[at].replace(", v[24:25]", ", -v[24:25]")

        for target in TARGETS:
            for change, entry in ((swap, "A_S_48"), (drop, "A_S_48"), (hoist, "A_S_48"), (repeat, "A_S_48"), (fuse, "A_S_48"), (sink, "A_S_48"), (negate, "A_D_24")):
                with self.subTest(target=target, fault=change.__name__):
                    wrong = self.plant(target, change)
                    self.assertTrue(wrong and all(text.startswith(f"catmint_{entry}:") for text in wrong), wrong)

    def test_a_target_that_is_not_known(self):
        done = subprocess.run([WRITER, "gfx1100"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "catmint has no kernels for the GPU 'gfx1100', expected gfx90a or gfx942\n"))


if __name__ == "__main__":
    support.main()
