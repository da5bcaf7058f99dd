"""Instructions of A64 on integers, by their disassembled text."""

import re


def spelled(kinds):
    return {name: kind for kind, names in kinds.items() for name in names.split()}


SCALAR = spelled({
    "int_scalar_add": "add adds sub subs neg negs adc adcs sbc sbcs ngc ngcs",
    "int_scalar_mul": "mul madd msub mneg smull umull smaddl smsubl umaddl umsubl smnegl umnegl smulh umulh",
    "int_scalar_div": "sdiv udiv",
    "int_scalar_logic": "and ands orr orn eor eon bic bics mvn rbit rev rev16 rev32 clz cls bfi bfxil bfc sbfiz sbfx ubfiz ubfx",
    "int_scalar_shift": "lsl lsr asr ror extr",
    "int_scalar_compare": "cmp cmn tst ccmp ccmn",
    "int_scalar_move": "mov movz movn movk csel csinc csinv csneg cset csetm cinc cinv cneg sxtb sxth sxtw uxtb uxth",
    "int_scalar_address": "adr adrp",
    "crc_instructions": "crc32b crc32h crc32w crc32x crc32cb crc32ch crc32cw crc32cx",
    "pauses": "yield",
})
VECTOR = spelled({
    "int_128_add": "add saddl uaddl saddw uaddw addhn raddhn sqadd uqadd suqadd usqadd",
    "int_128_sub": "sub ssubl usubl ssubw usubw subhn rsubhn sqsub uqsub",
    "int_128_mul": "mul pmul smull umull pmull sqdmull sqdmulh sqrdmulh",
    "int_128_logic": "and orr orn eor bic bsl bit bif mvn not eor3 bcax",
    "int_128_shift": "sshl ushl sqshl uqshl srshl urshl sqrshl uqrshl shl sli sri sshr ushr ssra usra srshr urshr srsra ursra sqshlu shrn rshrn sqshrn "
                     "sqrshrn uqshrn uqrshrn sqshrun sqrshrun sshll ushll sxtl uxtl shll",
    "int_128_compare": "cmgt cmge cmhi cmhs cmeq cmtst cmle cmlt",
    "int_128_shuffle": "zip1 zip2 uzp1 uzp2 trn1 trn2 ext tbl tbx rev16 rev32 rev64",
    "aes_instructions": "aese aesd aesmc aesimc",
})
ATOMIC = re.compile(r"(?:ld|st)(add|clr|eor|set)(?:al?|l)?[bh]?")


def vector(mnemonic):
    """Those that write the upper half of a register are called ...2."""
    return VECTOR.get(mnemonic) or VECTOR.get(mnemonic.removesuffix("2"))


def facts(mnemonic, operands):
    """Of no scalable vectors."""
    if mnemonic in ("dmb", "dsb"):
        return ["load_fences"] if operands.endswith("ld") else []
    if atomic := ATOMIC.fullmatch(mnemonic):
        return ["int_scalar_add" if atomic[1] == "add" else "int_scalar_logic"]
    if re.match(r"\{? ?v\d+\.", operands):
        found = vector(mnemonic)
    elif re.search(r"\bv\d+\.", operands):
        found = None
    elif mnemonic == "orr" and re.match(r"(\w+), [wx]zr, #", operands):
        found = "int_scalar_move"
    elif mnemonic == "yield" or re.match(r"[wx](\d|sp|zr)|sp\b", operands):
        found = SCALAR.get(mnemonic)
    else:
        found = None
    return [found] if found else []


def lines(source):
    """300 of each, assembled: operands by what instructions take."""
    forms = {
        "{r}{a}, {r}{b}, {r}{c}": "add adds sub subs adc adcs sbc sbcs mul mneg sdiv udiv and ands orr orn eor eon bic bics lsl lsr asr ror",
        "{r}{a}, {r}{b}, #{i}": "add adds sub subs lsl lsr asr ror", "{r}{a}, {r}{b}, #12": "and orr eor", "{r}{a}, {r}{b}, #{i}, #3": "bfi bfxil sbfx ubfx ubfiz",
        "{r}{a}, {r}{b}, {r}{c}, lsl #{i}": "add sub and orr eor bic", "{r}{a}, {r}{b}, w{c}, sxtb": "add subs", "{r}{a}, {r}{b}, {r}{c}, #{i}": "extr",
        "{r}{a}, {r}{b}, {r}{c}, {r}{d}": "madd msub", "x{a}, w{b}, w{c}": "smull umull", "x{a}, x{b}, x{c}": "smulh umulh", "w{a}, w{b}, w{c}": "crc32b crc32ch",
        "x{a}, w{b}, w{c}, x{d}": "smaddl umsubl", "{r}{a}, {r}{b}": "cmp cmn tst mov mvn neg rbit rev rev16 clz cls", "{r}{a}, #{i}": "cmp cmn mov movk",
        "{r}{a}, w{b}": "sxtb sxth", "w{a}, w{b}": "uxtb uxth", "x{a}, w{b}": "sxtw", "{r}{a}, {r}{b}, {r}{c}, ne": "csel csinc csinv csneg",
        "{r}{a}, {r}{b}, #3, ne": "ccmp ccmn", "{r}{a}, gt": "cset csetm", "x{a}, #{i}": "adr", "w{a}, w{b}, x{c}": "crc32x crc32cx"}
    three = "v{a}.{t}, v{b}.{t}, v{c}.{t}"
    vectors = {
        three: "add sub sqadd uqadd sqsub uqsub cmgt cmhi cmge cmhs cmeq cmtst sshl ushl sqshl urshl sqrshl zip1 zip2 uzp1 trn2",
        "v{a}.{t}, v{b}.{t}": "suqadd usqadd rev64", "v{a}.{t}, v{b}.{t}, #0": "cmgt cmge cmeq cmle cmlt", "v{a}.{t}, v{b}.{t}, #5": "shl sli sri sshr usra srshr sqshlu"}
    bytes_only = {three: "and orr orn eor bic bsl bit bif", "v{a}.{t}, v{b}.{t}": "mvn rev16", "v{a}.{t}, v{b}.{t}, v{c}.{t}, #5": "ext",
                  "v{a}.{t}, {{{{ v{b}.16b }}}}, v{c}.{t}": "tbl tbx"}
    shorter = {three: "mul", "v{a}.{t}, v{b}.{t}, v{e}.h[{h}]": "mul sqdmulh sqrdmulh"}
    longer = {"v{a}.4s, v{b}.4h, v{c}.4h": "saddl uaddl ssubl usubl smull umull sqdmull", "v{a}.4s, v{b}.8h, v{c}.8h": "saddl2 usubl2 smull2 sqdmull2",
              "v{a}.4s, v{b}.4s, v{c}.4h": "saddw uaddw ssubw usubw", "v{a}.4h, v{b}.4s, v{c}.4s": "addhn raddhn subhn rsubhn", "v{a}.8h, v{b}.8b, v{c}.8b": "pmull",
              "v{a}.4h, v{b}.4s, #3": "shrn rshrn sqshrn uqrshrn sqshrun", "v{a}.4s, v{b}.4h, #3": "sshll ushll", "v{a}.4s, v{b}.4h, #16": "shll",
              "v{a}.16b, v{b}.16b": "aese aesd aesmc aesimc", "v{a}.16b, v{b}.16b, v{c}.16b, v{d}.16b": "eor3 bcax"}
    kinds = [(forms, "wx"), (vectors, ("8b", "16b", "4h", "8h", "2s", "4s")), (bytes_only, ("8b", "16b")), (shorter, ("4h", "8h")), (longer, ("",))]
    return [f"{name} {form.format(r=kind, t=kind, i=source.randrange(1, 29), h=source.randrange(8), e=source.randrange(16), **{at: source.randrange(29) for at in 'abcd'})}"
            .replace("{{", "{").replace("}}", "}")
            for table, operands in kinds for form, names in table.items() for name in names.split() for kind in operands for _ in range(300 // len(operands) + 1)]
