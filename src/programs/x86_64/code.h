/* Instructions of x86-64 put into memory, with Zydis' encoder, and counted on the way. */
#ifndef CM_PROGRAMS_X86_64_CODE_H
#define CM_PROGRAMS_X86_64_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include <catmint/error.h>

#include "programs/work.h"

typedef struct cm_code {
    unsigned char *bytes;
    size_t size, used;
    double *facts;      /* to which instructions are added */
    cm_error *error;    /* of the first that could not be put; may be NULL */
    cm_status status;   /* CM_UNSUPPORTED from then on */
    unsigned isa;       /* that may be used */
    unsigned registers; /* vector registers of results were chosen so often */
    size_t far;         /* lines used behind `size` */
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

/* Puts an instruction, and adds to `instructions`, `simd_instructions` and what it does with integers in general
 * registers. */
void cm_code_put(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands);
/* The same with prefixes, ZYDIS_ATTRIB_HAS_... */
void cm_code_put_prefixed(cm_code *code, ZydisInstructionAttributes prefixes, ZydisMnemonic mnemonic, size_t count,
                          const cm_operand *operands);
/* The same, but it is not always executed: nothing is added. */
void cm_code_put_uncounted(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands);

/* A branch or call to what begins at `target`, with 32 bits for the distance. */
void cm_code_put_branch(cm_code *code, ZydisMnemonic mnemonic, size_t target);
/* The branch that ends at `from` leads to what is put next. */
void cm_code_land(cm_code *code, size_t from);

/* A jump through CM_WORK_HOPS lines behind the code, each on another page, to what is put next. */
void cm_code_put_far_jump(cm_code *code);

/* What the work reads or writes. */
cm_operand cm_work_memory(const cm_work *work);

#define CM_PUT(code, mnemonic, ...)                                                                                    \
    cm_code_put(code, mnemonic, sizeof(cm_operand[]){__VA_ARGS__} / sizeof(cm_operand), (cm_operand[]){__VA_ARGS__})

/* ---- vector.c ---- */

bool cm_vector_available(const cm_work *work, unsigned isa);
/* Fills the registers: no result ever is denormal, or an exception's. */
void cm_vector_begin(cm_code *code, const void *const *ones);
void cm_vector_end(cm_code *code);
void cm_vector_put(cm_code *code, const cm_work *work);
/* Between a vector register and memory, of 16, 32 or 64 bytes. */
void cm_vector_load(cm_code *code, const cm_operand *memory);
void cm_vector_store(cm_code *code, const cm_operand *memory, bool non_temporal);

#endif
