"""Instructions of Power on integers, by their disassembled text."""

import re

KINDS = [(kind, re.compile(pattern)) for kind, pattern in (
    ("int_scalar_move", r"mr|li|lis|pli|isel\w*|set(b|n?bcr?)|exts[bhw]"),
    ("int_scalar_address", r"addpcis|lnia|pla"),
    ("int_scalar_add", r"(add|subf?)[cemz]?o?|(add|subf)(me|ze)o?|addex|p?addi|addis|addic|subfic|p?subi|subis|subic|la|nego?"),
    ("int_scalar_mul", r"mulli|mull[wd]o?|mulh[wd]u?|madd[hl]du?"),
    ("int_scalar_div", r"div[wd]e?u?o?|mod[su][wd]"),
    ("int_scalar_logic", r"andc?|orc?|xor|nand|nor|not|eqv|(and|or|xor)is?|xnop|cn[tl]\w+|cnttz[wd]m?|popcnt[bwd]|prty[wd]|bpermd|cmpb|br[hwd]|cfuged|p(dep|ext)d"),
    ("int_scalar_shift", r"rl[wd]\w+|rot[lr][wd]i?|clr[lr]\w+|s[lr][wd]i?|sra[wd]i?|ext[lr][wd]i|ins[lr][wd]i|extswsli"),
    ("int_scalar_compare", r"cmpl?[wd]?i?|cmprb|cmpeqb"),
    ("int_128_add", r"vadd(u[bhwdq]m|euqm|ecuq|cu[wq]|[us][bhw]s)"),
    ("int_128_sub", r"vsub(u[bhwdq]m|euqm|ecuq|cu[wq]|[us][bhw]s)"),
    ("int_128_mul", r"vmul([eo][us][bhwd]|uwm|ld|h[us][wd])"),
    ("int_128_logic", r"vandc?|vorc?|vxor|v(nor|not|nand)|veqv|vsel|xxl(andc?|orc?|xor|nor|nand|eqv|not)|xxsel"),
    ("int_128_shift", r"vs[lr][bhwdqov]?|vsra[bhwdq]|vrl[bhwdq]|vrl[wdq](mi|nm)"),
    ("int_128_compare", r"vcmp(equ[bhwdq]|gt[us][bhwdq]|nez?[bhw]|[us]q)"),
    ("int_128_shuffle", r"vmrg([hl][bhw]|[eo]w)|vpermr?|vsldoi|xxpermdi|xxmrg[hl][wd]|xxswapd|xxspltd|xxpermr?|xxsldwi"),
    ("aes_instructions", r"vn?cipher(last)?|vsbox"))]


def facts(mnemonic, operands):
    places = operands.split(", ")
    name = mnemonic.removesuffix(".")
    if name in ("or", "mr") and set(places) == {"r27"} and name == mnemonic:
        return ["pauses"]
    if name in ("vor", "xxlor") and places[1] == places[2]:
        return []
    if name == "or" and places[0] != places[1] == places[2]:
        return ["int_scalar_move"]
    if name == "paddi" and places[-1] == "1":
        return ["int_scalar_address"]
    return next(([kind] for kind, pattern in KINDS if pattern.fullmatch(name)), [])


FORMS = {
    "r{a}, r{b}, r{c}": "add addc adde subf subfc subfe mullw mulld mulhw mulhwu mulhd mulhdu divw divwu divd divdu divwe divdeu modsw moduw modsd modud and andc "
                        "or orc xor nand nor eqv slw srw sraw sld srd srad cmpb bpermd pdepd pextd cfuged cntlzdm cnttzdm add. and. addo",
    "r{a}, r{b}": "addze addme neg cntlzw cntlzd cnttzw cnttzd popcntb popcntw popcntd extsb extsh extsw mr not brh brw brd",
    "r{a}, r{b}, {i}": "addi addis addic addic. subfic mulli andi. andis. ori oris xori xoris", "r{a}, {i}": "li lis pli",
    "r{a}, r{b}, {g}": "srawi sradi slwi srwi sldi srdi rotlwi rotldi clrlwi clrldi extswsli", "r{a}, r{b}, {g}, 3, 20": "rlwinm rlwimi",
    "r{a}, r{b}, r{c}, 3, 20": "rlwnm", "r{a}, r{b}, {g}, 3": "rldicl rldicr rldic rldimi", "cr{e}, r{a}, r{b}": "cmpw cmplw cmpd cmpld cmpeqb",
    "cr{e}, r{a}, {i}": "cmpwi cmpdi cmplwi cmpldi", "r{a}, r{b}, r{c}, {g}": "isel", "r{a}, cr{e}": "setb", "r{a}, {g}": "setbc setbcr setnbc setnbcr addpcis",
    "r{a}, r{b}, r{c}, r{d}": "maddld", "v{a}, v{b}, v{c}":
        "vaddubm vadduhm vadduwm vaddudm vadduqm vaddcuw vaddcuq vaddubs vadduws vaddsbs vaddsws vsububm vsubuhm vsubuwm vsubudm vsubuqm vsubcuw vsubuhs vsubshs vmuloub "
        "vmuleuh vmulosw vmulesd vmuluwm vmulld vmulhuw vmulhsd vand vandc vor vxor vnor vorc vnand veqv vslb vslh vslw vsld vsrb vsrw vsrd vsrab vsraw vsrad vrlb vrlw "
        "vrld vsl vsr vslo vsro vslv vsrv vrlwnm vrldnm vslq vsrq vsraq vrlq vcmpequb vcmpequh vcmpequw vcmpequd vcmpequq vcmpgtub vcmpgtuw vcmpgtud vcmpgtsh vcmpgtsd "
        "vcmpgtsq vcmpneb vcmpnew vcmpnezh vcmpequw. vmrghb vmrglh vmrghw vmrgew vmrgow vcipher vcipherlast vncipher vncipherlast",
    "v{a}, v{b}, v{c}, v{d}": "vsel vperm vpermr vaddeuqm vsubecuq", "v{a}, v{b}, v{c}, 7": "vsldoi", "v{a}, v{b}": "vsbox", "cr{e}, v{a}, v{b}": "vcmpuq vcmpsq",
    "vs{a}, vs{b}, vs{c}": "xxland xxlandc xxlor xxlxor xxlnor xxlorc xxlnand xxleqv xxmrghw xxmrglw xxperm xxpermr", "vs{a}, vs{b}, vs{c}, 1": "xxpermdi xxsldwi",
    "vs{a}, vs{b}, vs{c}, vs{d}": "xxsel"}
