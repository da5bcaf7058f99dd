/* Instructions on integers (volume I, "RV32/64G Instruction Set Listings" and "C"), and their kinds, as on x86-64
 * (software_pmu/x86_64/int_class.c): remainders are divisions, extensions and constants are moves, including lui; auipc
 * is address arithmetic. Vectors of integers, whose length is not fixed, have no kind. */
#include "software_pmu/riscv64/decode.h"

/* Opcode, bits 14 to 12, and bits 31 to 25, or 31 to 26 for shifts by a constant. */
#define IMMEDIATE(opcode, kind) 0x0000707F, (opcode) | (kind) << 12
#define BY_CONSTANT(above, kind) 0xFC00707F, 0x13 | (kind) << 12 | (above) << 26
#define REGISTERS(opcode, above, kind) 0xFE00707F, (opcode) | (kind) << 12 | (above) << 25
#define PRODUCTS(opcode, quotient) 0xFE00407F, 0x02000000 | (opcode) | (quotient) << 14

static const cm_decoded_row rows[] = {
    {0xFFFFFFFF, 0x00000013, CM_FACT_NOPS},
    {0x000FF07F, 0x00000013, CM_FACT_INT_SCALAR_MOVE}, /* li */
    {0xFFF0707F, 0x00000013, CM_FACT_INT_SCALAR_MOVE}, /* mv */
    {IMMEDIATE(0x13, 0), CM_FACT_INT_SCALAR_ADD},
    {IMMEDIATE(0x13, 2), CM_FACT_INT_SCALAR_COMPARE},     /* slti */
    {IMMEDIATE(0x13, 3), CM_FACT_INT_SCALAR_COMPARE},     /* sltiu, seqz */
    {IMMEDIATE(0x13, 4), CM_FACT_INT_SCALAR_LOGIC},       /* xori, not */
    {IMMEDIATE(0x13, 6), CM_FACT_INT_SCALAR_LOGIC},       /* ori */
    {0xFFF0707F, 0x0FF07013, CM_FACT_INT_SCALAR_MOVE},    /* zext.b */
    {IMMEDIATE(0x13, 7), CM_FACT_INT_SCALAR_LOGIC},       /* andi */
    {BY_CONSTANT(0, 1), CM_FACT_INT_SCALAR_SHIFT},        /* slli */
    {BY_CONSTANT(0, 5), CM_FACT_INT_SCALAR_SHIFT},        /* srli */
    {BY_CONSTANT(16, 5), CM_FACT_INT_SCALAR_SHIFT},       /* srai */
    {0xFFF0707F, 0x0000001B, CM_FACT_INT_SCALAR_MOVE},    /* sext.w */
    {IMMEDIATE(0x1B, 0), CM_FACT_INT_SCALAR_ADD},         /* addiw */
    {REGISTERS(0x1B, 0, 1), CM_FACT_INT_SCALAR_SHIFT},    /* slliw */
    {REGISTERS(0x1B, 0, 5), CM_FACT_INT_SCALAR_SHIFT},    /* srliw */
    {REGISTERS(0x1B, 32, 5), CM_FACT_INT_SCALAR_SHIFT},   /* sraiw */
    {0x0000007F, 0x00000037, CM_FACT_INT_SCALAR_MOVE},    /* lui */
    {0x0000007F, 0x00000017, CM_FACT_INT_SCALAR_ADDRESS}, /* auipc */
    {REGISTERS(0x33, 0, 0), CM_FACT_INT_SCALAR_ADD},
    {REGISTERS(0x33, 32, 0), CM_FACT_INT_SCALAR_ADD},    /* sub, neg */
    {REGISTERS(0x33, 0, 1), CM_FACT_INT_SCALAR_SHIFT},   /* sll */
    {REGISTERS(0x33, 0, 5), CM_FACT_INT_SCALAR_SHIFT},   /* srl */
    {REGISTERS(0x33, 32, 5), CM_FACT_INT_SCALAR_SHIFT},  /* sra */
    {REGISTERS(0x33, 0, 2), CM_FACT_INT_SCALAR_COMPARE}, /* slt */
    {REGISTERS(0x33, 0, 3), CM_FACT_INT_SCALAR_COMPARE}, /* sltu */
    {REGISTERS(0x33, 0, 4), CM_FACT_INT_SCALAR_LOGIC},   /* xor */
    {REGISTERS(0x33, 0, 6), CM_FACT_INT_SCALAR_LOGIC},   /* or */
    {REGISTERS(0x33, 0, 7), CM_FACT_INT_SCALAR_LOGIC},   /* and */
    {PRODUCTS(0x33, 0), CM_FACT_INT_SCALAR_MUL},         /* mul mulh mulhsu mulhu */
    {PRODUCTS(0x33, 1), CM_FACT_INT_SCALAR_DIV},         /* div divu rem remu */
    {REGISTERS(0x3B, 0, 0), CM_FACT_INT_SCALAR_ADD},     /* addw */
    {REGISTERS(0x3B, 32, 0), CM_FACT_INT_SCALAR_ADD},    /* subw */
    {REGISTERS(0x3B, 0, 1), CM_FACT_INT_SCALAR_SHIFT},   /* sllw */
    {REGISTERS(0x3B, 0, 5), CM_FACT_INT_SCALAR_SHIFT},   /* srlw */
    {REGISTERS(0x3B, 32, 5), CM_FACT_INT_SCALAR_SHIFT},  /* sraw */
    {REGISTERS(0x3B, 1, 0), CM_FACT_INT_SCALAR_MUL},     /* mulw */
    {PRODUCTS(0x3B, 1), CM_FACT_INT_SCALAR_DIV},         /* divw divuw remw remuw */
};

static const cm_decoded_row short_rows[] = {
    {0xFFFF, 0x0001, CM_FACT_NOPS},
    {0xE003, 0x0001, CM_FACT_INT_SCALAR_ADD},   /* c.addi */
    {0xF07F, 0x2001, CM_FACT_INT_SCALAR_MOVE},  /* c.addiw of 0: sext.w */
    {0xE003, 0x2001, CM_FACT_INT_SCALAR_ADD},   /* c.addiw */
    {0xE003, 0x4001, CM_FACT_INT_SCALAR_MOVE},  /* c.li */
    {0xEF83, 0x6101, CM_FACT_INT_SCALAR_ADD},   /* c.addi16sp */
    {0xE003, 0x6001, CM_FACT_INT_SCALAR_MOVE},  /* c.lui */
    {0xE803, 0x8001, CM_FACT_INT_SCALAR_SHIFT}, /* c.srli c.srai */
    {0xEC03, 0x8801, CM_FACT_INT_SCALAR_LOGIC}, /* c.andi */
    {0xFC63, 0x8C01, CM_FACT_INT_SCALAR_ADD},   /* c.sub */
    {0xFC03, 0x8C01, CM_FACT_INT_SCALAR_LOGIC}, /* c.xor c.or c.and */
    {0xFC43, 0x9C01, CM_FACT_INT_SCALAR_ADD},   /* c.subw c.addw */
    {0xFC63, 0x9C41, CM_FACT_INT_SCALAR_MUL},   /* Zcb: c.mul */
    {0xFC7F, 0x9C75, CM_FACT_INT_SCALAR_LOGIC}, /* c.not */
    {0xFC73, 0x9C61, CM_FACT_INT_SCALAR_MOVE},  /* c.zext.b c.sext.b c.zext.h c.sext.h */
    {0xFC7F, 0x9C71, CM_FACT_INT_SCALAR_MOVE},  /* c.zext.w */
    {0xE003, 0x0002, CM_FACT_INT_SCALAR_SHIFT}, /* c.slli */
    {0xFFFF, 0x9002, CM_FACT_BREAKPOINTS},      /* c.ebreak */
};

static const cm_decoded_row of_two_registers[] = {
    {0xF003, 0x8002, CM_FACT_INT_SCALAR_MOVE}, /* c.mv */
    {0xF003, 0x9002, CM_FACT_INT_SCALAR_ADD},  /* c.add */
};

void cm_rv_decode_integer(uint32_t word, cm_decoded *decoded)
{
    cm_decoded_find(word, rows, sizeof rows / sizeof rows[0], decoded);
}

/* Without a second register these words are jumps. */
void cm_rv_decode_compressed_integer(uint32_t word, cm_decoded *decoded)
{
    bool hint = (word & 0xEF83) == 1 && word != 1; /* c.nop with a constant */
    if (hint)
        return;
    cm_decoded_find(word, short_rows, sizeof short_rows / sizeof short_rows[0], decoded);
    if (cm_code_bits(word, 6, 2) != 0)
        cm_decoded_find(word, of_two_registers, sizeof of_two_registers / sizeof of_two_registers[0], decoded);
    if ((word & 0xE003) == 0 && word != 0) /* c.addi4spn */
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_ADD);
}
