"""The decoder of A64 against LLVM's: what a disassembled text says is worked out anew here, and compared with what the decoder says."""

import re

import integers
import llvm
import scalable
import support

FEATURES = "+v8.7a,+fp-armv8,+neon,+fullfp16,+fp16fml,+bf16,+crypto,+lse,+rdm,+complxnum,+ls64,+mte,+dotprod,+i8mm,+sb,+rcpc-immo,+sve2,+f32mm,+f64mm,+sve2-aes,+sve2-sha3,+sve2-sm4,+sve2-bitperm"
FMA = re.compile(r"fn?m(add|sub|l[as]|ad|sb)|fml[as]l[2bt]?")
PLAIN = {"fadd": "add", "fsub": "sub", "fmul": "mul", "fnmul": "mul", "fdiv": "div", "fsqrt": "sqrt", "fsubr": "sub", "fdivr": "div"}
MINMAX = re.compile(r"f(max|min)(nm)?[pv]?")
ESTIMATE = re.compile(r"frecp[ex]|frsqrte")
OTHER = re.compile(r"fabd|fmulx|frecps|frsqrts|fadd[pva]|fcmla|fcadd|ftsmul|ftmad|fmmla")
COMPARE = re.compile(r"fc?cmpe?|fcm(eq|ne|uo|g[et]|l[et])|fac[gl][et]")
CONVERT = re.compile(r"b?fcvt.*|[su]cvtf|fjcvtzs")
VECTOR_BITS = scalable.VECTOR_BITS
SYSTEM = (("isb", "instruction_fences"), ("svc", "environment_calls"), ("brk", "breakpoints"), ("eret(a[ab])?", "trap_returns"), ("mrs", "csr_reads"),
          ("msr", "csr_writes"), ("lda?x[rp][bh]?", "reserved_loads"), ("stl?x[rp][bh]?", "conditional_stores"))
SIZES = {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16, "w": 4, "x": 8}
ATOMIC = re.compile(r"(?:(?:ld|st)(?:add|clr|eor|set|[su](?:max|min))|swp|cas)(?:al?|l)?([bh]?)")
BRANCHES = {"b": "jump", "bl": "call", "cbz": "conditional", "cbnz": "conditional", "tbz": "conditional", "tbnz": "conditional"}
INDIRECT = {"br": "jump_indirect", "braa": "jump_indirect", "brab": "jump_indirect", "braaz": "jump_indirect", "brabz": "jump_indirect",
            "blr": "call_indirect", "blraa": "call_indirect", "blrab": "call_indirect", "blraaz": "call_indirect",
            "blrabz": "call_indirect", "ret": "return", "retaa": "return", "retab": "return"}
OF_KIND = {"conditional": ["branches_cond", "cond_executed"], "jump": ["branches_uncond", "uncond_executed"],
           "jump_indirect": ["branches_indirect"], "call": ["calls"], "call_indirect": ["calls", "calls_indirect"], "return": ["returns"]}


def size_of(register, mnemonic):
    """In bytes: by what the mnemonic ends in, else by the register."""
    suffix = re.search(r"^(?:ld|st)(?:[ut]?r|a?xr|a?r|la?r|lxr|lur|llr|apu?r|ltr)s?([bhw])$", mnemonic)
    return {"b": 1, "h": 2, "w": 4}[suffix[1]] if suffix else SIZES[register[0]]


def structures(mnemonic, operands):
    registers = re.search(r"\{(.*?)\}", operands)[1]
    if " - " in registers:
        first, last = (int(number) for number in re.findall(r"v(\d+)", registers))
        count = (last - first) % 32 + 1
    else:
        count = len(registers.split(","))
    lanes, lane = re.search(r"\.(\d*)([bhsd])", registers).groups()
    whole = not mnemonic.endswith("r") and "[" not in operands.split("}")[1].split(",")[0]
    return count * SIZES[lane] * (int(lanes) if whole else 1)


def memory(mnemonic, operands):
    """(loaded, stored, locked), in bytes."""
    registers = [name for name in re.split(r"[ ,{}\[\]]+", operands.replace("wzr", "w0").replace("xzr", "x0").replace("wsp", "w0")) if name]
    load = mnemonic.startswith("ld")
    if mnemonic.startswith(("prf", "ldg", "stg", "st2g")) and mnemonic != "stgp" or mnemonic == "stzgm":
        return 0, 0, 0
    if mnemonic.startswith("casp"):
        return 2 * SIZES[registers[0][0]], 2 * SIZES[registers[0][0]], 1
    if atomic := ATOMIC.fullmatch(mnemonic):
        size = SIZES[atomic[1] or registers[0][0]]
        return size, size, 1
    if re.fullmatch(r"(ld|st)[1-4]r?", mnemonic):
        size = structures(mnemonic, operands)
    elif "64b" in mnemonic:
        size = 64
    elif mnemonic in ("stzg", "stz2g", "stgp"):
        size = 32 if mnemonic == "stz2g" else 16
    elif mnemonic.startswith("ldra"):
        size = 8
    elif mnemonic == "ldpsw":
        size = 8
    elif re.fullmatch(r"(ld|st)n?p|lda?xp", mnemonic):
        size = 2 * SIZES[registers[0][0]]
    elif re.fullmatch(r"stl?xp", mnemonic):
        size = 2 * SIZES[registers[1][0]]
    elif re.fullmatch(r"stl?xr[bh]?", mnemonic):
        size = {"b": 1, "h": 2}.get(mnemonic[-1]) or SIZES[registers[1][0]]
    elif re.fullmatch(r"(ld|st)(a|ap|apu|x|ax|la|l|ll|lu|u|t)?r(s?[bhw])?", mnemonic):
        size = {"b": 1, "h": 2, "w": 4}.get(mnemonic[-1]) or SIZES[registers[0][0]]
    else:
        return None
    return (size, 0, 0) if load else (0, size, 0)


def arithmetic(mnemonic, operands, predicates):
    if COMPARE.fullmatch(mnemonic):
        return ["fp_compares"]
    if CONVERT.fullmatch(mnemonic):
        return ["fp_conversions"]
    extra, operation = [], PLAIN.get(mnemonic)
    if FMA.fullmatch(mnemonic):
        operation = "fma"
    elif MINMAX.fullmatch(mnemonic) or ESTIMATE.fullmatch(mnemonic) or OTHER.fullmatch(mnemonic):
        operation = "other"
        extra = ["fp_min_max"] if MINMAX.fullmatch(mnemonic) else ["fp_reciprocals"] if ESTIMATE.fullmatch(mnemonic) else []
    if operation is None:
        return []
    vector = re.search(r"v\d+\.\d+([hsd])(?!\[)", operands)
    lanes = re.search(r"z\d+\.([hsd])", operands)
    precision = "s" if "mlal" in mnemonic or "mlsl" in mnemonic else (vector or lanes or operands)[1 if vector or lanes else 0]
    width = f"fp_{precision}_{'128' if vector else f'v{VECTOR_BITS}' if lanes else 'scalar'}"
    facts = [f"{width}_{operation}", *([width] if operation != "fma" else []), *extra]
    return facts + (predicates.lanes(operands, precision, operation == "fma") if lanes else [])


def meaning(text, predicates):
    """Of a disassembled instruction. `predicates`: of scalable vectors, of which it is then one."""
    mnemonic, _, operands = text.partition("\t")
    facts = ["simd_instructions"] if re.search(r"\b[vbhsdq]\d+\b", operands) or predicates else []
    kind, offset = "plain", 0
    if mnemonic in BRANCHES or mnemonic.startswith(("b.", "bc.")):
        kind = BRANCHES.get(mnemonic, "conditional")
        offset = int(re.search(r"#(-?\d+)$", operands)[1])
    elif mnemonic in INDIRECT:
        kind = INDIRECT[mnemonic]
    elif mnemonic in ("isb", "dsb", "sb", "ssbb", "pssbb", "svc"):
        kind = "wall"
    facts += OF_KIND.get(kind, [])
    facts += ["fences"] if mnemonic in ("isb", "dsb", "dmb", "sb", "ssbb", "pssbb") else ["nops"] if mnemonic == "nop" else []
    facts += [fact for names, fact in SYSTEM if re.fullmatch(names, mnemonic) and not re.search(r"^\w+, #|\bS[01]_", operands)]
    moved, each = (0, 0, 0), []
    if predicates:
        moved, each = scalable.memory(mnemonic, operands, predicates)
    elif re.match(r"ld|st|cas|swp|prf", mnemonic):
        moved = memory(mnemonic, operands)
    if mnemonic.startswith("f") or mnemonic.startswith("bf") or mnemonic in ("scvtf", "ucvtf"):
        facts += arithmetic(mnemonic, operands, predicates)
    if not predicates:
        facts += integers.facts(mnemonic, operands)
    return moved and llvm.Meaning(kind, offset, *moved, sorted(facts + each))


def is_scalable(word):
    return word >> 25 & 0xF == 2


FORMS = {
    "scalar": ("{r}{a}, {r}{b}, {r}{c}", "fadd fsub fmul fdiv fnmul fmax fmin fmaxnm fminnm fabd fmulx frecps frsqrts"),
    "scalar of one": ("{r}{a}, {r}{b}", "fsqrt fcmp frecpe frsqrte frecpx fabs fneg frinta"),
    "scalar of four": ("{r}{a}, {r}{b}, {r}{c}, {r}{d}", "fmadd fmsub fnmadd fnmsub"),
    "vector": ("v{a}.{t}, v{b}.{t}, v{c}.{t}", "fadd fsub fmul fdiv fmla fmls fmax fmin fmaxp fminnmp faddp fabd fmulx frecps frsqrts fcmeq facgt"),
    "scalable": ("z{a}.{t}, z{b}.{t}, z{c}.{t}", "fadd fsub fmul frecps"),
    "masked": ("z{a}.{t}, p{p}/m, z{b}.{t}, z{c}.{t}", "fmla fmls fnmla fnmls fmad"),
    "masked, twice": ("z{a}.{t}, p{p}/m, z{a}.{t}, z{c}.{t}", "fadd fsub fmul fdiv fmaxnm fmin fabd fmulx"),
    "masked of one": ("z{a}.{t}, p{p}/m, z{b}.{t}", "fsqrt frecpx fabs frinti"),
    "vector of one": ("v{a}.{t}, v{b}.{t}", "fsqrt frecpe frsqrte fabs fneg frintx scvtf fcvtzs"),
}

MOVES = [f"{name} {r}{{a}}, [x{{b}}, #{{i}}]" for name in ("ldr", "str") for r in "bhsdqwx"] + \
    [f"{name} {r}{{a}}, {r}{{c}}, [x{{b}}, #{{i}}]" for name in ("ldp", "stp") for r in "sdqwx"] + \
    [f"{name} w{{a}}, [x{{b}}, #{{i}}]" for name in ("ldrb", "ldrh", "ldrsb", "ldrsh", "strb", "strh")] + \
    [f"{name} {{{{ v{{a}}.{t} }}}}, [x{{b}}]" for name in ("ld1", "st1") for t in ("8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d")] + \
    [f"{name} {r}{{a}}, {r}{{c}}, [x{{b}}]" for name in ("ldadd", "swpal", "cas", "ldumaxl") for r in "wx"]
LONE = ["isb", "dsb sy", "dsb nsh", "dmb ish", "dmb ishst", "sb", "nop", "svc #7", "hint #34", "brk #3", "mrs x3, tpidr_el0", "msr tpidr_el0, x4", "msr daifset, #2", "mrs x1, nzcv", "eretab", "ret", "ret x3", "br x9", "blr x8", "eret",
        "b #64", "bl #-64", "cbz x1, #32", "cbnz w1, #-32", "tbz w1, #3, #16", "tbnz x1, #63, #-16", "b.eq #8", "b.al #-8"]


# Loads and stores of scalable vectors: {r} is a lane that is as wide as what is moved, or wider.
CONTIGUOUS = [f"{name} {{{{ z{{a}}.{lane} }}}}, p{{p}}{'/z' if name[0] == 'l' else ''}, [x{{b}}{offset}]"
              for size, (letter, lanes) in enumerate((("b", "bhsd"), ("h", "hsd"), ("w", "sd"), ("d", "d"))) for lane in lanes
              for offset in ("", ", x{c}" + (f", lsl #{size}" if size else ""), ", #3, mul vl") for name in (f"ld1{letter}", f"st1{letter}")] + \
    [f"ld1s{letter} {{{{ z{{a}}.d }}}}, p{{p}}/z, [x{{b}}]" for letter in "bhw"] + \
    [f"{name}{letter} {{{{ z{{a}}.{lane} }}}}, p{{p}}/z, [x{{b}}{offset}]" for letter, lane in zip("bhwd", "bhsd")
     for name, offset in (("ldnt1", ""), ("ldnf1", ""), ("ldff1", ""), ("ld1rq", ", #16"), ("ld1ro", ", #32"), ("ld1r", ""))] + \
    [f"{verb}{count}{letter} {{{{ {', '.join(f'z{i}.{lane}' for i in range(count))} }}}}, p{{p}}{'/z' if verb == 'ld' else ''}, [x{{b}}]"
     for verb in ("ld", "st") for count in (2, 3, 4) for letter, lane in zip("bhwd", "bhsd")] + \
    ["ldr z{a}, [x{b}, #5, mul vl]", "str z{a}, [x{b}]", "ldr p{p}, [x{b}, #-1, mul vl]", "str p{p}, [x{b}]", "stnt1d {{ z{a}.d }}, p{p}, [x{b}]"]
SCATTERED = [f"{name} {{{{ z{{a}}.{lane} }}}}, p{{p}}{'/z' if name[0] == 'l' else ''}, [{place}]"
             for name, lanes in (("ld1b", "sd"), ("ldff1h", "sd"), ("ld1w", "sd"), ("ld1d", "d"), ("st1b", "sd"), ("st1h", "sd"), ("st1w", "sd"), ("st1d", "d"))
             for lane in lanes for place in (f"z{{c}}.{lane}", f"x{{b}}, z{{c}}.{lane}, sxtw", *(["x{b}, z{c}.d"] if lane == "d" else []))] + \
    ["prfb pldl1keep, p{p}, [x{b}]", "prfd pldl2strm, p{p}, [x{b}, z{c}.d, lsl #3]", "prfw pstl1keep, p{p}, [z{c}.s, #4]", "prfh 13, p{p}, [x{b}, x{c}, lsl #1]"]
PREDICATED = ["fadd z1.{r}, p{q}/m, z1.{r}, z2.{r}", "fmla z1.{r}, p{q}/m, z2.{r}, z3.{r}", "fmaxv {r}1, p{q}, z2.{r}", "fsqrt z4.{r}, p{q}/m, z5.{r}"]
BETWEEN = ["whilelo p{p}.{r}, x1, x2", "cmpeq p{p}.{r}, p{q}/z, z1.{r}, z2.{r}", "cmplt p{p}.{r}, p{q}/z, z1.{r}, #3", "cmphi p{p}.{r}, p{q}/z, z1.{r}, #77",
           "and p{p}.b, p{q}/z, p1.b, p2.b", "orrs p{p}.b, p{q}/z, p1.b, p2.b", "brkn p{p}.b, p{q}/z, p1.b, p{p}.b", "brka p{p}.b, p{q}/z, p2.b",
           "brkpb p{p}.b, p{q}/z, p1.b, p2.b", "pfirst p{p}.b, p{q}, p{p}.b", "pnext p{p}.{r}, p{q}, p{p}.{r}", "rdffr p{p}.b", "rdffrs p{p}.b, p{q}/z",
           "zip1 p{p}.{r}, p1.{r}, p2.{r}", "rev p{p}.{r}, p3.{r}", "punpklo p{p}.h, p3.b", "match p{p}.h, p{q}/z, z1.h, z2.h", "whilewr p{p}.{r}, x1, x2",
           "fcmeq p{p}.{r}, p{q}/z, z1.{r}, #0.0", "facgt p{p}.{r}, p{q}/z, z1.{r}, z2.{r}", "ldr p{p}, [x3]", "pfalse p{p}.b", "svc #0",
           # and what writes none
           "ptest p{q}, p{p}.b", "str p{p}, [x3]", "wrffr p{p}.b", "cntp x{p}, p{q}, p1.{r}", "ctermeq x{p}, x3", "incp x{p}, p1.{r}", "nop",
           "sel z{p}.{r}, p{q}, z1.{r}, z2.{r}", "add z{p}.{r}, z1.{r}, z2.{r}", "fadd z{p}.{r}, z1.{r}, z2.{r}"]
PATTERNS = ["pow2", *(f"vl{count}" for count in (1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256)), "#14", "#28", "mul4", "mul3", "all"]


class Decoder(llvm.Agreement):
    options = ("-triple=aarch64", f"-mattr={FEATURES}")

    def expected(self, word, text):
        found = meaning(text, self.predicates if is_scalable(word) else None)
        self.predicates.follow(text)
        return found

    def agree(self, words, texts):
        """What is no instruction changes no predicate."""
        self.predicates = scalable.Predicates()
        both = [pair for pair in zip(words, texts, strict=True) if pair[1] is not None]
        super().agree([word for word, _ in both], [text for _, text in both])

    def test_random_words(self):
        source = llvm.source(2026)
        words = [source.getrandbits(32) for _ in range(10000 // llvm.PART)]
        texts = self.disassemble(words)
        self.assertGreater(sum(text is not None for text in texts), 3000 // llvm.PART)
        self.agree(words, texts)

    def test_random_words_of_each_group(self):
        source = llvm.source(11)
        for mask, group in ((0x1C000000, 0x14000000), (0x0A000000, 0x08000000), (0x0E000000, 0x0E000000), (0xFF000000, 0x1E000000),
                            (0x9F000000, 0x0F000000), (0x1E000000, 0x04000000), (0xFF000000, 0x64000000), (0xFF000000, 0x65000000), (0x3F000000, 0x38000000), (0xFE000000, 0x84000000), (0xFE000000, 0xA4000000),
                            (0xFE000000, 0xC4000000), (0xFE000000, 0xE4000000), (0xFF000000, 0x25000000), (0x1C000000, 0x10000000), (0x0E000000, 0x0A000000)):
            words = [source.getrandbits(32) & ~mask | group for _ in range(10000 // llvm.PART)]
            self.agree(words, self.disassemble(words))

    def test_300_instructions_of_each_operation_and_width(self):
        source = llvm.source(22)
        for form, (operands, mnemonics) in FORMS.items():
            kinds = "hsd" if "scala" in form or "masked" in form else ("4h", "8h", "2s", "4s", "2d")
            lines = [f"{mnemonic} " + operands.format(r=kind, t=kind, p=source.randrange(8), **{name: source.randrange(32) for name in "abcd"})
                     for mnemonic in mnemonics.split() for kind in kinds for _ in range(300 // llvm.PART)]
            self.agree(self.assemble(lines), llvm.listed(lines))

    def test_300_instructions_on_integers_of_each_kind(self):
        words = self.assemble(integers.lines(llvm.source(66)))
        self.agree(words, self.disassemble(words))

    def test_300_loads_and_stores_of_each_kind(self):
        source = llvm.source(33)
        lines = [form.format(a=source.randrange(16), b=source.randrange(28), c=source.randrange(16, 29), i=16 * source.randrange(4))
                 for form in MOVES for _ in range(300 // llvm.PART)]
        self.agree(self.assemble(lines), llvm.listed(lines))

    def test_300_loads_and_stores_of_scalable_vectors_of_each_kind(self):
        source = llvm.source(44)
        lines = [line for form in CONTIGUOUS + SCATTERED for _ in range(300 // llvm.PART) for line in (
            f"ptrue p{source.randrange(8)}.{source.choice('bhsd')}, {source.choice(PATTERNS)}",
            form.format(a=source.randrange(32), b=source.randrange(29), c=source.randrange(29), p=source.randrange(8)))]
        words = self.assemble(lines)
        self.agree(words, self.disassemble(words))

    def test_active_lanes_behind_whatever_writes_a_predicate(self):
        source = llvm.source(55)
        lines = [line.format(p=p, q=q, r=r) for between in BETWEEN for arithmetic in PREDICATED for p in (0, 3) for q in (0, 3) for _ in range(20)
                 for r in (source.choice("hsd"),) for line in (f"ptrue p{q}.{source.choice('bhsd')}, {source.choice(PATTERNS)}", between, arithmetic)]
        words = self.assemble(lines)
        self.agree(words, self.disassemble(words))

    def test_branches_and_barriers(self):
        self.agree(self.assemble(LONE), llvm.listed(LONE))

    def test_the_kernels_instructions(self):
        self.agree_on_kernels(5000)


if __name__ == "__main__":
    support.main()
