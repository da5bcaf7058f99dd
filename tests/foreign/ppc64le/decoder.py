"""The decoder of Power against LLVM's: what a disassembled text says is worked out anew here, and compared with what the decoder says."""

import re

import integers
import llvm
import support

OPTIONS = ("-triple=powerpc64le", "-mcpu=pwr10", "--ppc-asm-full-reg-names")
FLOATING = re.compile(r"(?:^|[ ,(])(?:fp?|v|vs|vsp|acc)\d+\b")
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8, "q": 16}

# Without what a dot, a precision or an order of operands adds.
OLD = {"fadd": "add", "fsub": "sub", "fmul": "mul", "fdiv": "div", "fsqrt": "sqrt", "fmadd": "fma", "fmsub": "fma", "fnmadd": "fma",
       "fnmsub": "fma", "fre": "reciprocals", "frsqrte": "reciprocals"}
NEW = {"add": "add", "sub": "sub", "mul": "mul", "div": "div", "sqrt": "sqrt", "re": "reciprocals", "rsqrte": "reciprocals",
       "max": "min_max", "min": "min_max", "maxc": "min_max", "minc": "min_max", "maxj": "min_max", "minj": "min_max"}
VMX = {"vaddfp": "add", "vsubfp": "sub", "vmaddfp": "fma", "vnmsubfp": "fma", "vmaxfp": "min_max", "vminfp": "min_max",
       "vrefp": "reciprocals", "vrsqrtefp": "reciprocals", "vexptefp": "other", "vlogefp": "other"}
CONVERT = re.compile(r"fcfidu?s?|fcti[wd]u?z?|frsp|vcfux|vcfsx|vct[us]xs|xsrsp|x[sv]cv(?!.*qp).*")
COMPARE = re.compile(r"fcmp[uo]|vcmp(?:eq|ge|gt|b)fp|xscmp[uo]dp|x[sv]cmp(?:eq|gt|ge)[sd]p")
FENCES = re.compile(r"isync|[hl]?w?sync|ptesync|eieio|(?:hw|pte|phw|plw|stnc|stc|st)sync|miso")

def memory(mnemonic, operands):
    """(loaded, stored, locked), in bytes."""
    mnemonic = mnemonic.removesuffix(".")
    if mnemonic.startswith("p") and mnemonic[1:3] in ("ld", "lw", "lb", "lh", "lf", "lx", "st", "lq"):
        mnemonic = mnemonic[1:]
    load = mnemonic.startswith("l")
    if mnemonic in ("lwat", "ldat", "stwat", "stdat"):
        size = SIZES[mnemonic[-3]]
        return size, size, 1
    if mnemonic in ("lswi", "stswi"):
        size = int(operands.split(", ")[2]) or 32
    elif mnemonic in ("lmw", "stmw"):
        size = 4 * (32 - int(re.match(r"r(\d+)", operands)[1]))
    elif found := re.fullmatch(r"l([bhwdq])arxl?|st([bhwdq])cx", mnemonic):
        size = SIZES[found[1] or found[2]]
    elif found := re.fullmatch(r"(?:l([bhw])(?:z|a|br)?|l(d)(?:br)?|st([bhwd])(?:br)?)u?x?", mnemonic):
        size = SIZES[found[1] or found[2] or found[3]]
    elif mnemonic in ("lq", "stq"):
        size = 16
    elif found := re.fullmatch(r"(?:lf|stf)([sd])(p?)u?x?", mnemonic):
        size = {"s": 4, "d": 8}[found[1]] * (2 if found[2] else 1)
    elif mnemonic in ("lfiwax", "lfiwzx", "stfiwx"):
        size = 4
    elif found := re.fullmatch(r"(?:l|st)ve([bhw])x", mnemonic):
        size = SIZES[found[1]]
    elif re.fullmatch(r"(?:l|st)vxl?", mnemonic) or re.fullmatch(r"(?:l|st)xv(?:x|l|ll|d2x|w4x|h8x|b16x)?", mnemonic):
        size = 16
    elif mnemonic in ("lxvp", "stxvp", "lxvpx", "stxvpx"):
        size = 32
    elif found := re.fullmatch(r"(?:l|st)xs(d|sp|iwa|iwz|iw|ibz|ib|ihz|ih)x?", mnemonic):
        size = {"d": 8, "sp": 4, "ib": 1, "ih": 2, "iw": 4}[found[1] if found[1] in ("d", "sp") else found[1][:2]]
    elif found := re.fullmatch(r"(?:l|st)xvr([bhwd])x", mnemonic):
        size = SIZES[found[1]]
    elif mnemonic in ("lxvdsx", "lxvwsx"):
        size = SIZES[mnemonic[3]]
    else:
        return None
    return (size, 0, 0) if load else (0, size, 0)


NO_MEMORY = re.compile(r"li|lis|lvsl|lvsr|lnia|la|lxvkq|lswx|stswx|l[bhwd]zcix|ldcix|st[bhwd]cix|stop|pli|pla|lwsync|stsync|stncisync")
# Instructions of embedded processors, which LLVM knows whatever the processor is.
LATER = re.compile(r"(l|st)xvp?rll?\b")  # than POWER10
EMBEDDED = re.compile(r"(lb|lh|lw|ld|lfd|lvx?|stb|sth|stw|std|stfd|stv)epxl?\b|lv?epx|mbar|wrtee|tlb(re|we|sx|ivax)|icbt|dcb[a-z]*ep|msync|rf[cdm]?i\b|rfmci|dci|ici")


def operation(mnemonic):
    """(what, precision, width), None: no arithmetic."""
    if mnemonic in VMX:
        return VMX[mnemonic], "s", "128"
    stem = mnemonic.removesuffix("s") if mnemonic in ("fsubs", "fdivs") or mnemonic.removesuffix("s") in OLD else mnemonic
    if stem in OLD:
        return OLD[stem], "s" if mnemonic.endswith("s") and mnemonic != stem else "d", "scalar"
    if found := re.fullmatch(r"(?:pm)?xvf(32|64)ger(?:[pn][pn])?", mnemonic):
        return "other", {"32": "s", "64": "d"}[found[1]], "512"
    if found := re.fullmatch(r"x([sv])(.*)([sd])p", mnemonic):
        what = NEW.get(found[2]) or ("fma" if re.fullmatch(r"n?m(add|sub)[am]", found[2]) else None)
        return what and (what, found[3], "scalar" if found[1] == "s" else "128")
    return None


def arithmetic(mnemonic):
    if COMPARE.fullmatch(mnemonic):
        return ["fp_compares"]
    if CONVERT.fullmatch(mnemonic):
        return ["fp_conversions"]
    found = operation(mnemonic)
    if found is None:
        return []
    what, precision, width = found
    fact = f"fp_{precision}_{width}"
    extra = [f"fp_{what}"] if what in ("min_max", "reciprocals") else []
    return [f"{fact}_{'other' if extra else what}", *([fact] if what != "fma" else []), *extra]


def always(operands):
    """Of bc and its kin, which begin with BO: whether neither condition nor count decides."""
    return int(operands.split(",")[0]) & 20 == 20


def kind_of(name, operands):
    if name in ("b", "ba", "bl", "bla"):
        return "call" if "l" in name else "jump"
    if name in REGISTERS:
        return REGISTERS[name]
    if re.fullmatch(r"bcl?a?", name) and always(operands):
        return "call" if "l" in name and operands != "20, 4*cr7+un, .+4" else "jump"
    if re.fullmatch(r"bc(lr|ctr|tar)l?", name) and always(operands):
        return REGISTERS[name.replace("bcctr", "bctr").replace("bclr", "blr").replace("bctar", "bctar")]
    return "conditional" if CONDITIONAL.fullmatch(name) else None


REGISTERS = {"blr": "return", "bctr": "jump_indirect", "bctar": "jump_indirect", "blrl": "call_indirect", "bctrl": "call_indirect",
             "bctarl": "call_indirect"}
CONDITIONAL = re.compile(r"b(c|lt|gt|eq|so|un|ge|le|ne|ns|nu|t|f|dn?z[tf]?)(l|la|a|lr|lrl|ctr|ctrl|tar|tarl)?")


def branch(mnemonic, operands):
    """(kind, offset); hints do not matter."""
    name = mnemonic.rstrip("+-")
    kind = kind_of(name, operands)
    if kind is None or re.search(r"(lr|ctr|tar)l?$", name):
        return kind and (kind, 0)
    target = int(re.search(r"[+-]?(?:0x[0-9a-f]+|\d+)$", operands)[0], 0)
    if name.endswith("a"):
        bits = 25 if name in ("ba", "bla") else 15
        target = (target + (1 << bits)) % (2 << bits) - (1 << bits)
        return kind, target and target - ADDRESS
    return kind, target


OF_KIND = {"conditional": ["branches_cond", "cond_executed"], "jump": ["branches_uncond", "uncond_executed"],
           "jump_indirect": ["branches_indirect"], "call": ["calls"], "call_indirect": ["calls", "calls_indirect"], "return": ["returns"]}
ADDRESS = 1 << 30  # where decode_words says that instructions are


def meaning(text):
    mnemonic, _, operands = re.sub(r"\s+", " ", text).partition(" ")
    facts = ["simd_instructions"] if FLOATING.search(" " + operands) or mnemonic in STATUS else []
    kind, offset = "plain", 0
    led = branch(mnemonic, operands) if mnemonic.startswith("b") else None
    if led:
        kind, offset = led
    elif mnemonic in WALLS:
        kind = "wall"
    facts += OF_KIND.get(kind, [])
    facts += ["fences"] if FENCES.fullmatch(mnemonic) else ["nops"] if mnemonic in ("nop", "pnop") else []
    moved = (0, 0, 0)
    if re.match(r"p?(l[bhwdqmsfxv]|st)", mnemonic) and not NO_MEMORY.fullmatch(mnemonic):
        moved = memory(mnemonic, operands)
    facts += arithmetic(mnemonic.removesuffix(".")) + integers.facts(mnemonic, operands)
    return moved and llvm.Meaning(kind, offset, *moved, sorted(facts))


def expected(_, text):
    return meaning(text)


STATUS = ("mtfsb0", "mtfsb1", "mtfsfi", "mcrfs", "mtfsfi.", "mtfsb0.", "mtfsb1.")
WALLS = ("isync", "sc", "scv", "rfid", "hrfid", "rfscv", "rfebb")

OLD_FORMS = {"{f}{a}, {f}{b}, {f}{c}": "fadd fadds fsub fsubs fmul fmuls fdiv fdivs",
             "{f}{a}, {f}{b}": "fsqrt fsqrts fre fres frsqrte frsqrtes fabs fneg fmr frsp fcfid fcfids fctidz fctiwuz frin",
             "{f}{a}, {f}{b}, {f}{c}, {f}{d}": "fmadd fmadds fmsub fmsubs fnmadd fnmadds fnmsub fnmsubs fsel",
             "cr{e}, {f}{a}, {f}{b}": "fcmpu fcmpo"}
NEW_FORMS = {"{x}{a}, {x}{b}, {x}{c}": " ".join(
    f"x{w}{o}{p}p" for w in "sv" for p in "sd" for o in "add sub mul div madda maddm msuba msubm nmadda nmaddm nmsuba nmsubm".split())
    + " xsmaxdp xsmindp xsmaxcdp xsmincdp xsmaxjdp xsminjdp xvmaxsp xvminsp xvmaxdp xvmindp xvcmpeqsp xvcmpgedp xvcmpgtsp. xscpsgndp xxland xxlxor",
    "{x}{a}, {x}{b}": " ".join(f"x{w}{o}{p}p" for w in "sv" for p in "sd" for o in ("sqrt", "re", "rsqrte"))
    + " xscvdpsp xscvspdp xscvdpsxds xscvuxddp xvcvspdp xvcvdpsp xvcvsxwsp xvcvdpuxws xscvhpdp xvcvsphp xvrdpiz xvabsdp",
    "cr{e}, {x}{a}, {x}{b}": "xscmpudp xscmpodp"}
VMX_FORMS = {"v{a}, v{b}, v{c}": "vaddfp vsubfp vmaxfp vminfp vcmpeqfp vcmpgefp vcmpgtfp vcmpbfp vcmpeqfp. vaddudm vand",
             "v{a}, v{b}": "vrefp vrsqrtefp vexptefp vlogefp vrfin", "v{a}, v{b}, v{c}, v{d}": "vmaddfp vnmsubfp vperm",
             "v{a}, v{b}, {g}": "vcfux vcfsx vctuxs vctsxs", "r{a}, r{b}, r{c}, r{d}": "maddld maddhd maddhdu"}
MOVES = {"r{a}, {i}(r{b})": "lbz lhz lha lwz lwa ld stb sth stw std", "r{a}, {i}(r{b}), 0": "plbz plhz plha plwz plwa pld pstb psth pstw pstd",
         "f{a}, {i}(r{b})": "lfs lfd stfs stfd", "v{a}, {i}(r{b})": "lxsd lxssp stxsd stxssp", "vs{a}, {i}(r{b})": "lxv stxv",
         "vs{a}, {i}(r{b}), 0": "plxv pstxv",
         "vsp{h}, {i}(r{b})": "lxvp stxvp", "vsp{h}, {i}(r{b}), 0": "plxvp pstxvp", "r{a}, r{b}, r{c}":
         "lbzx lhzx lhax lwzx lwax ldx stbx sthx stwx stdx lhbrx lwbrx ldbrx sthbrx stwbrx stdbrx lbarx lharx lwarx ldarx stbcx. sthcx. stwcx. stdcx.",
         "f{a}, r{b}, r{c}": "lfsx lfdx lfiwax lfiwzx stfsx stfdx stfiwx", "v{a}, r{b}, r{c}":
         "lvx lvxl lvebx lvehx lvewx stvx stvxl stvebx stvehx stvewx lvsl lvsr", "vs{a}, r{b}, r{c}":
         "lxsdx lxsspx lxsiwax lxsiwzx lxsibzx lxsihzx lxvd2x lxvw4x lxvh8x lxvb16x lxvx lxvl lxvll lxvdsx lxvwsx lxvrbx lxvrdx stxsdx stxsspx "
         "stxsiwx stxsibx stxsihx stxvd2x stxvw4x stxvh8x stxvb16x stxvx stxvl stxvrwx"}
LONE = ["isync", "sync", "lwsync", "ptesync", "eieio", "nop", "sc", "blr", "bctr", "bctrl", "blrl", "b 64", "bl 64", "ba 64",
        "bdnz 32", "bdz 32", "beq 5, 16", "bne 16", "blelr", "bgtctr", "bdnzlr", "bc 20, 0, 8", "bcl 20, 31, 4", "bcl 20, 31, 8"]


class Decoder(llvm.Agreement):
    expected = staticmethod(expected)
    options = OPTIONS

    @staticmethod
    def length(word):
        return 8 if word >> 26 & 63 == 1 else 4

    def disassemble(self, words):
        return [None if text is None or EMBEDDED.match(text) or LATER.match(text) else text for text in super().disassemble(words)]

    def agree_on(self, source, forms, **registers):
        for operands, mnemonics in forms.items():
            lines = [f"{mnemonic} " + operands.format(i=16 * source.randrange(64), e=source.randrange(8), g=source.randrange(32),
                                                      h=2 * source.randrange(32), **{name: source.randrange(3, 32) for name in "abcd"}, **registers)
                     for mnemonic in mnemonics.split() for _ in range(300 // llvm.PART)]
            words = self.assemble([re.sub(r"\b(?:r|f|v|vs|vsp|cr)(?=\d)", "", line) for line in lines])
            texts = self.disassemble(words)
            self.assertNotIn(None, texts)
            self.agree(words, texts)

    def test_random_words(self):
        source = llvm.source(2026)
        words = [source.getrandbits(32) for _ in range(11000 // llvm.PART)]
        words = [word for word in words if word >> 26 != 1]
        texts = self.disassemble(words)
        self.assertGreater(len(words), 10000 // llvm.PART)
        self.assertGreater(sum(text is not None for text in texts), 3000 // llvm.PART)
        self.agree(words, texts)

    def test_random_words_of_each_group(self):
        source = llvm.source(11)
        for opcode in (4, 6, 7, 8, 10, 11, 14, 15, 16, 18, 19, 21, 24, 28, 30, 31, 57, 58, 59, 60, 61, 62, 63):
            words = [source.getrandbits(26) | opcode << 26 for _ in range(10000 // llvm.PART)]
            self.agree(words, self.disassemble(words))

    def test_random_prefixed_words(self):
        source = llvm.source(12)
        for prefix, mask in ((0x04000000, 0x3FFFF), (0x05000000, 0), (0x05000000, 0xFFFF), (0x06000000, 0x3FFFF), (0x07900000, 0xFFFF)):
            words = [prefix | source.getrandbits(32) & mask | source.getrandbits(32) << 32 for _ in range(10000 // llvm.PART)]
            self.agree(words, self.disassemble(words))

    def test_300_instructions_of_each_operation_and_width(self):
        self.agree_on(llvm.source(22), OLD_FORMS, f="f")
        self.agree_on(llvm.source(23), NEW_FORMS, x="vs")
        self.agree_on(llvm.source(24), VMX_FORMS)

    def test_300_instructions_on_integers_of_each_kind(self):
        self.agree_on(llvm.source(44), integers.FORMS)

    def test_300_loads_and_stores_of_each_kind(self):
        self.agree_on(llvm.source(33), MOVES)

    def test_branches_and_barriers(self):
        words = self.assemble(LONE)
        texts = self.disassemble(words)
        self.assertNotIn(None, texts)
        self.agree(words, texts)

    def test_the_kernels_instructions(self):
        self.agree_on_kernels(4000)


if __name__ == "__main__":
    support.main()
