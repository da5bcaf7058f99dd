/* Writes instructions of x86-64 into memory, with Zydis' encoder, and counts them. */
#ifndef CM_PROGRAMS_X86_64_CODE_H
#define CM_PROGRAMS_X86_64_CODE_H

#include <Zydis/Zydis.h>

#include "programs/programs.h"

typedef struct cm_code {
    unsigned char *bytes;
    size_t size, used;
    double *facts;      /* counts of the instructions are added here */
    cm_error *error;    /* of the first instruction that could not be encoded; may be NULL */
    cm_status status;   /* CM_UNSUPPORTED after that */
    unsigned isa;       /* instruction sets that may be used */
    unsigned registers; /* number of result registers used so far, which gives the next one */
    size_t far;         /* lines used after `size` */
    const struct cm_program_memory *memory;
} cm_code;

typedef ZydisEncoderOperand cm_operand;

static inline cm_operand cm_register(ZydisRegister name)
{
    return (cm_operand){.type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = name};
}

static inline cm_operand cm_immediate(int64_t value)
{
    return (cm_operand){.type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.s = value};
}

/* `bytes` at base + displacement. */
static inline cm_operand cm_memory(ZydisRegister base, int64_t displacement, unsigned bytes)
{
    return (cm_operand){.type = ZYDIS_OPERAND_TYPE_MEMORY,
                        .mem = {.base = base, .displacement = displacement, .size = (ZyanU16)bytes}};
}

/* Writes an instruction; adds to `instructions`, `simd_instructions` and the fact of integers in general registers. */
void cm_code_write(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands);
/* The same with prefixes, ZYDIS_ATTRIB_HAS_... */
void cm_code_write_prefixed(cm_code *code, ZydisInstructionAttributes prefixes, ZydisMnemonic mnemonic, size_t count,
                            const cm_operand *operands);
/* The same for an instruction that is not always executed: counts nothing. */
void cm_code_write_uncounted(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands);

/* A branch or call to `target`, an offset in the code, with 32 bits for the distance. */
void cm_code_write_branch(cm_code *code, ZydisMnemonic mnemonic, size_t target);
/* Makes the branch that ends at `from` lead to the next instruction. */
void cm_code_land(cm_code *code, size_t from);

/* A jump through CM_WORK_HOPS lines after the code, each on another page, to the next instruction. */
void cm_code_write_far_jump(cm_code *code);

/* The pointers into the buffers. */
extern const ZydisRegister cm_work_pointers[CM_WORK_BUFFERS];
/* The memory operand of the work. */
cm_operand cm_work_memory(const cm_work *work);

#define CM_PUT(code, mnemonic, ...)                                                                                    \
    cm_code_write(code, mnemonic, sizeof(cm_operand[]){__VA_ARGS__} / sizeof(cm_operand), (cm_operand[]){__VA_ARGS__})

/* ---- vector.c ---- */

bool cm_vector_available(const cm_work *work, unsigned isa);
/* Fills the registers: no result is denormal, or raises an exception. */
void cm_vector_begin(cm_code *code, const void *const *ones);
void cm_vector_end(cm_code *code);
void cm_vector_write(cm_code *code, const cm_work *work);
/* A load of a vector register from memory, of 16, 32 or 64 bytes; the next function stores. */
void cm_vector_load(cm_code *code, const cm_operand *memory);
void cm_vector_store(cm_code *code, const cm_operand *memory, bool non_temporal);

#endif
