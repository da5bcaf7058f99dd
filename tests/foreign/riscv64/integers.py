"""Instructions of RISC-V on integers, by their disassembled text."""

import re

KINDS = {name: kind for kind, names in {
    "int_scalar_add": "add addi addw addiw sub subw neg negw",
    "int_scalar_mul": "mul mulh mulhsu mulhu mulw",
    "int_scalar_div": "div divu rem remu divw divuw remw remuw",
    "int_scalar_logic": "and or xor andi ori xori not",
    "int_scalar_shift": "sll srl sra slli srli srai sllw srlw sraw slliw srliw sraiw slli64 srli64 srai64",
    "int_scalar_compare": "slt sltu slti sltiu seqz snez sltz sgtz",
    "int_scalar_move": "mv li lui sext.w zext.b sext.b zext.h sext.h zext.w",
    "int_scalar_address": "auipc",
    "pauses": "pause"}.items() for name in names.split()}
ATOMIC = re.compile(r"amo(add|xor|or|and)\.[wd](\.\w+)*")


def facts(mnemonic, operands):
    if mnemonic == "fence":
        return ["load_fences"] if operands.startswith("r,") else []
    if atomic := ATOMIC.fullmatch(mnemonic):
        return ["int_scalar_add" if atomic[1] == "add" else "int_scalar_logic"]
    if mnemonic == "andi" and operands.endswith(", 255"):
        return ["int_scalar_move"]  # zext.b
    found = KINDS.get(mnemonic.removeprefix("c."))
    return [found] if found else []


FORMS = {"x{a}, x{b}, x{c}": "add addw sub subw mul mulh mulhsu mulhu mulw div divu rem remu divw divuw remw remuw and or xor sll srl sra sllw srlw sraw slt sltu",
         "x{a}, x{b}, {i}": "addi addiw andi ori xori slli srli srai slliw srliw sraiw slti sltiu", "x{a}, x{b}": "mv neg negw not seqz snez sltz sgtz sext.w zext.b",
         "x{a}, x{c}": "c.add c.mv", "x{a}, {i}": "li lui auipc c.addi c.addiw c.li c.slli",
         "x{s}, x{t}": "c.sub c.and c.or c.xor c.addw c.subw", "x{s}, {i}": "c.srli c.srai c.andi", "x{s}, sp, {four}": "c.addi4spn"}


def lines(source):
    """300 of each, assembled."""
    return [f"{name} " + form.format(i=source.randrange(1, 28), four=4 * source.randrange(1, 200), s=source.randrange(8, 16), t=source.randrange(8, 16),
                                     **{at: source.randrange(3, 32) for at in "abc"})
            for form, names in FORMS.items() for name in names.split() for _ in range(300)]
