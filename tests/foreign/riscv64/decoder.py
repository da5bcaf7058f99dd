"""The decoder of RISC-V against LLVM's: what a disassembled text says is worked out anew here, and compared with what the decoder says."""

import fractions
import itertools
import re

import integers
import llvm
import support

VECTOR_BITS = 256  # as decode_words has them
LINKS = ("ra", "t0")
CONDITIONAL = re.compile(r"b(eq|ne|lt|ge|le|gt)u?z?")
MOVE = re.compile(r"(?:c\.)?(f?[ls])([bhwd])u?(?:sp)?")
VECTOR_MOVE = re.compile(r"v([ls])(s|[uo]x)?(?:seg(\d))?ei?(\d+)(?:ff)?\.v")
VECTOR_WHOLE = re.compile(r"v([ls])(?:(\d)re?\d*|(m))\.v")
ATOMIC = re.compile(r"(amo\w+|lr|sc)\.([wd])(\.\w+)*")
SCALAR = re.compile(r"f(n?m?add|n?m?sub|mul|div|sqrt|min|max)\.([hsd])")
VECTOR = re.compile(r"v(f)(w?)(r?)(add|sub|mul|div|sqrt|rsqrt7|rec7|min|max|redmin|redmax|red[ou]?sum|n?m(?:acc|sac|add|sub))\.")
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
OF_KIND = {"conditional": ["branches_cond", "cond_executed"], "jump": ["branches_uncond", "uncond_executed"],
           "jump_indirect": ["branches_indirect"], "call": ["calls"], "call_indirect": ["calls", "calls_indirect"], "return": ["returns"]}


def operation_of(name):
    """(operation, further fact)"""
    if name in ("add", "sub", "mul", "div", "sqrt"):
        return name, []
    if re.fullmatch(r"(red)?(min|max)", name):
        return "other", ["fp_min_max"]
    if name in ("rsqrt7", "rec7"):
        return "other", ["fp_reciprocals"]
    return ("other" if name.endswith("sum") else "fma"), []


def arithmetic(width, name):
    operation, further = operation_of(name)
    return [f"{width}_{operation}", *([width] if operation != "fma" else []), *further]


def branch(mnemonic, operands):
    """(kind, offset)"""
    places = [place.strip() for place in operands.split(",")] if operands else []
    if CONDITIONAL.fullmatch(mnemonic):
        return "conditional", int(places[-1])
    if mnemonic in ("j", "jal"):
        return "call" if mnemonic == "jal" and (len(places) == 1 or places[0] in LINKS) else "jump", int(places[-1])
    if mnemonic in ("jr", "jalr", "ret"):
        from_register = re.search(r"(\w+)\)?$", operands or "ra")[1]
        to_register = "ra" if mnemonic == "jalr" and len(places) == 1 else places[0] if mnemonic == "jalr" else "zero"
        if to_register in LINKS:
            return "call_indirect", 0
        return "return" if from_register in LINKS else "jump_indirect", 0
    return "wall" if mnemonic in ("fence.i", "ecall") else "plain", 0


def memory(mnemonic):
    """(loaded, stored, locked), in bytes."""
    if move := MOVE.fullmatch(mnemonic):
        size = SIZES[move[2]]
        return (size, 0, 0) if move[1] in ("l", "fl") else (0, size, 0)
    if atomic := ATOMIC.fullmatch(mnemonic):
        size = SIZES[atomic[2]]
        return {"lr": (size, 0, 0), "sc": (0, size, 0)}.get(atomic[1], (size, size, 1))
    return 0, 0, 0


def of_system(mnemonic, operands):
    """Facts of what designers of cores count: control registers, traps, reservations."""
    listed = operands.split(", ")
    of_float = re.fullmatch(r"fs(csr|rm|flags)i?", mnemonic)
    if re.fullmatch(r"csrr|rd(cycle|time|instret)h?|fr(csr|rm|flags)", mnemonic):
        return ["csr_reads"]
    if re.fullmatch(r"csrr?[sc]i?", mnemonic):  # setting or clearing nothing reads
        return ["csr_reads" if listed[-1] in ("zero", "0") else "csr_swaps"]
    if mnemonic in ("csrw", "csrwi") or (of_float and len(listed) == 1):
        return ["csr_writes"]
    if mnemonic in ("csrrw", "csrrwi") or of_float:
        return ["csr_swaps"]
    named = {"ecall": "environment_calls", "ebreak": "breakpoints", "mret": "trap_returns", "sret": "trap_returns", "fence.i": "instruction_fences",
             "lr": "reserved_loads", "sc": "conditional_stores"}
    found = named.get(mnemonic) or named.get(mnemonic.split(".")[0] if mnemonic.startswith(("lr.", "sc.")) else "")
    return [found] if found else []


class Decoder(llvm.Agreement):
    options = ("-triple=riscv64", "-mattr=+m,+a,+f,+d,+c,+v,+zfh,+zihintpause")
    element, group = None, None  # bits, registers
    active = None  # lanes; None: it is not known

    @staticmethod
    def length(word):
        return 4 if word & 3 == 3 else 2

    def of_vectors(self, mnemonic, operands):
        if mnemonic.startswith("vmf"):
            return ["fp_compares"]
        if re.match(r"vf[wn]?cvt", mnemonic):
            return ["fp_conversions"]
        found = VECTOR.match(mnemonic)
        if found is None or self.element is None:
            return []
        times = 2 if found[2] else 1
        bits = VECTOR_BITS * self.group * times
        precision = {16: "h", 32: "s", 64: "d"}.get(self.element * times)
        if not precision or bits not in (128, 256, 512):
            return []
        facts = arithmetic(f"fp_{precision}_v{bits}", found[4])
        fma = "_fma" if any(fact.endswith("_fma") for fact in facts) else ""
        if self.active is None or "v0.t" in operands:
            return facts + ["fp_lanes_unknown"]
        return facts + ([f"fp_lanes_{precision}{fma}:{self.active}"] if self.active else [])

    def most(self):
        return int(VECTOR_BITS * self.group / self.element)

    def follow_type(self, mnemonic, operands):
        named = re.search(r"e(\d+), m(f?)(\d)", operands)
        self.element = int(named[1]) if named else None
        self.group = named and (fractions.Fraction(1, int(named[3])) if named[2] else int(named[3]))
        to, asked = operands.split(", ")[:2]
        if mnemonic == "vsetivli":
            self.active = min(int(asked), self.most()) if named else None
        elif mnemonic == "vsetvl" or asked != "zero" or not named:
            self.active = None
        elif to != "zero":
            self.active = self.most()

    def moved_vectors(self, mnemonic):
        """((loaded, stored, locked), what each element is), in bytes."""
        move, whole = VECTOR_MOVE.fullmatch(mnemonic), VECTOR_WHOLE.fullmatch(mnemonic)
        if whole and whole[2]:
            total, each = int(whole[2]) * VECTOR_BITS // 8, []
        elif self.element is None or not (move or whole):
            return (0, 0, 0), []
        else:
            lanes = self.most() if self.active is None else self.active
            bits = self.element if move and move[2] in ("ux", "ox") else int(move[4]) if move else 1
            one = int(move[3] or 1) * bits // 8 if move else 0
            total = lanes * one if move else (lanes + 7) // 8
            each = [f"each:{one}"] if move and move[2] and lanes > 1 else []
        return ((total, 0, 0) if mnemonic[1] == "l" else (0, total, 0)), each

    def expected(self, word, text):
        """The types of vectors are followed, too."""
        mnemonic, _, operands = text.partition("\t")
        if mnemonic.startswith("vset"):
            self.follow_type(mnemonic, operands)
            return llvm.Meaning("plain", 0, 0, 0, 0, [])
        facts = ["short_instructions"] if self.length(word) == 2 else []
        kind, offset = branch(mnemonic, operands)
        facts += OF_KIND.get(kind, [])
        facts += ["fences"] if mnemonic.startswith("fence") else ["nops"] if mnemonic == "nop" else []
        facts += of_system(mnemonic, operands)
        facts += integers.facts(mnemonic, operands)
        moved = memory(mnemonic)
        if mnemonic.startswith("v"):
            moved, each = self.moved_vectors(mnemonic)
            facts += ["simd_instructions", *self.of_vectors(mnemonic, operands), *each]
        elif found := SCALAR.match(mnemonic):
            facts += arithmetic(f"fp_{found[2]}_scalar", found[1])
        elif re.match(r"f(eq|lt|le)\.", mnemonic):
            facts += ["fp_compares"]
        elif mnemonic.startswith("fcvt."):
            facts += ["fp_conversions"]
        return llvm.Meaning(kind, offset, *moved, sorted(facts))

    def agree(self, words, texts):
        """Each word behind an instruction that gives vectors a type, one after the other. What is no instruction changes nothing."""
        types = [f"{ask}, e{bits}, {group}, ta, ma" for ask, bits, group in
                 itertools.product(("vsetvli a1, zero", "vsetvli zero, zero", "vsetivli zero, 3", "vsetivli a0, 31", "vsetvli a1, a2"), (8, 16, 32, 64),
                                   ("m1", "m2", "m4", "mf2")) if (bits, group) != (64, "mf2")]
        of_types = list(zip(self.assemble(types), llvm.listed(types)))
        self.element = self.active = None
        both = [pair for i, one in enumerate(one for one in zip(words, texts, strict=True) if one[1] is not None)
                for pair in (of_types[i % len(of_types)], one)]
        super().agree([word for word, _ in both], [text for _, text in both])

    def test_random_words(self):
        source = llvm.source(2026)
        drawn = (word for word in iter(lambda: source.getrandbits(32), None) if word & 0x1F != 0x1F)  # no instructions of more than 32 bits
        words = [word if word & 3 == 3 else word & 0xFFFF for word in itertools.islice(drawn, 10000 // llvm.PART)]
        texts = self.disassemble(words)
        self.assertGreater(sum(text is not None for text in texts), 3000 // llvm.PART)
        self.agree(words, texts)

    def test_all_words_of_16_bits(self):
        words = [word for word in range(1 << 16) if word & 3 != 3]
        texts = self.disassemble(words)
        self.assertGreater(sum(text is not None for text in texts), 40000 // llvm.PART)
        self.agree(words, texts)

    def test_random_words_of_each_opcode(self):
        source = llvm.source(11)
        for opcode in (0x03, 0x07, 0x0F, 0x13, 0x17, 0x1B, 0x23, 0x27, 0x2F, 0x33, 0x37, 0x3B, 0x43, 0x47, 0x4B, 0x4F, 0x53, 0x57, 0x63, 0x67, 0x6F, 0x73):
            words = [source.getrandbits(32) & ~0x7F | opcode for _ in range((5000 if opcode != 0x57 else 40000) // llvm.PART)]
            self.agree(words, self.disassemble(words))

    def test_300_instructions_of_each_operation_and_width(self):
        source = llvm.source(22)
        three, one = "{m} v{a}, v{b}, v{c}", "{m} v{a}, v{b}"
        forms = {"{m}.{p} f{a}, f{b}, f{c}": "fadd fsub fmul fdiv fmin fmax fsgnj", "{m}.{p} f{a}, f{b}": "fsqrt",
                 "{m}.{p} f{a}, f{b}, f{c}, f{d}": "fmadd fmsub fnmadd fnmsub", "{m}.{p} x{a}, f{b}, f{c}": "feq flt",
                 three: "vfadd.vv vfsub.vv vfmul.vv vfdiv.vv vfmin.vv vfmax.vv vfmacc.vv vfnmsac.vv vfmadd.vv vfredusum.vs vfredmin.vs vmfeq.vv vadd.vv",
                 one: "vfsqrt.v vfrec7.v vfrsqrt7.v vfclass.v vfcvt.x.f.v",
                 "{m} v{w}, v{x}, v{c}": "vfwadd.vv vfwsub.vv vfwmul.vv vfwmacc.vv", "{m} v{a}, v{b}, f{c}": "vfadd.vf vfrsub.vf vfrdiv.vf vfmul.vf"}
        for form, mnemonics in forms.items():
            lines = [form.format(m=mnemonic, p=precision, w=2 * source.randrange(4), x=source.randrange(8, 16),
                                 **{name: source.randrange(16, 32) for name in "abcd"})
                     for mnemonic in mnemonics.split() for precision in ("hsd" if "{p}" in form else "v") for _ in range(300 // llvm.PART)]
            words = self.assemble(lines)
            self.agree(words, llvm.listed(lines))

    def test_300_instructions_on_integers_of_each_kind(self):
        words = self.assemble(integers.lines(llvm.source(44)))
        self.agree(words, self.disassemble(words))

    def test_300_loads_and_stores_of_each_kind(self):
        source = llvm.source(33)
        forms = [f"{name} x{{a}}, {{i}}(x{{b}})" for name in ("lb", "lbu", "lh", "lhu", "lw", "lwu", "ld", "sb", "sh", "sw", "sd")] + \
            [f"{name} f{{a}}, {{i}}(x{{b}})" for name in ("flh", "flw", "fld", "fsh", "fsw", "fsd")] + \
            [f"{name} x{{a}}, x{{c}}, (x{{b}})" for name in ("amoadd.w", "amoswap.d.aq", "amomaxu.w.rl", "sc.d")] + \
            ["lr.w x{a}, (x{b})"] + \
            [f"v{verb}{kind} v{{v}}, (x{{b}}){more}{mask}" for verb in "ls" for bits in (8, 16, 32, 64) for mask in ("", ", v0.t") for kind, more in (
                (f"e{bits}.v", ""), (f"se{bits}.v", ", x{c}"), (f"uxei{bits}.v", ", v{w}"), (f"oxei{bits}.v", ", v{w}"), (f"seg3e{bits}.v", ""),
                (f"sseg2e{bits}.v", ", x{c}"), (f"uxseg4ei{bits}.v", ", v{w}"))] + \
            ["vle16ff.v v{v}, (x{b})", "vlm.v v{v}, (x{b})", "vsm.v v{v}, (x{b})", "vl1re8.v v{v}, (x{b})", "vl4re32.v v{e}, (x{b})", "vs2r.v v{e}, (x{b})",
             "vs8r.v v{e}, (x{b})"]
        lines = [form.format(a=source.randrange(1, 32), b=source.randrange(1, 32), c=source.randrange(1, 32), i=8 * source.randrange(64),
                             v=source.randrange(1, 12), w=source.randrange(16, 32), e=8 * source.randrange(4))
                 for form in forms for _ in range(300 // llvm.PART)]
        words = self.assemble(lines)
        self.agree(words, self.disassemble(words))

    def test_branches_and_barriers(self):
        lone = ["fence", "fence.i", "fence.tso", "fence w, w", "fence r, rw", "pause", "nop", "ecall", "ebreak", "ret", "jr t0", "jr a0", "jalr a0", "jalr t0", "jalr zero, 4(ra)",
                "jalr t0, 8(a1)", "jalr a5, 8(ra)", "jalr a5, 8(a4)", "j 64", "jal -64", "jal t0, 32", "jal a3, 32", "beq a0, a1, 16", "bgeu a0, a1, -16",
                "bnez a0, 32"]
        words = self.assemble(lone)
        self.agree(words, self.disassemble(words))

    def test_the_kernels_instructions(self):
        self.agree_on_kernels(5000)


if __name__ == "__main__":
    support.main()
