/* The facts that a decoded instruction adds in every run. */
#include "software_pmu/x86_64/step.h"

static void add_fact(cm_step *step, cm_fact fact)
{
    step->facts[step->fact_count++] = (uint16_t)fact;
}

static bool is_vector(ZydisRegister value)
{
    return CM_IS_AMONG(ZydisRegisterGetClass(value), ZYDIS_REGCLASS_XMM, ZYDIS_REGCLASS_YMM, ZYDIS_REGCLASS_ZMM,
                       ZYDIS_REGCLASS_MASK);
}

/* By its registers: an instruction with both vector and MMX registers is a vector instruction. */
static void add_register_file(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                              cm_step *step)
{
    bool vector =
        instruction->mnemonic == ZYDIS_MNEMONIC_VZEROUPPER || instruction->mnemonic == ZYDIS_MNEMONIC_VZEROALL;
    bool mmx = instruction->mnemonic == ZYDIS_MNEMONIC_EMMS;
    for (size_t i = 0; i < instruction->operand_count_visible; i++) {
        if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER)
            continue;
        vector = vector || is_vector(operands[i].reg.value);
        mmx = mmx || ZydisRegisterGetClass(operands[i].reg.value) == ZYDIS_REGCLASS_MMX;
    }
    if (vector)
        add_fact(step, CM_FACT_SIMD_INSTRUCTIONS);
    else if (mmx)
        add_fact(step, CM_FACT_MMX_INSTRUCTIONS);
    else if (instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87)
        add_fact(step, CM_FACT_X87_INSTRUCTIONS);
}

static void add_integer(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, cm_step *step)
{
    size_t fact = cm_int_classify(instruction, operands);
    if (fact != CM_FACT_COUNT)
        add_fact(step, (cm_fact)fact);
}

/* Adds the facts of a branch that do not depend on its outcome. */
static void add_branch(cm_step *step)
{
    switch ((cm_step_kind)step->kind) {
    case CM_STEP_JCC:
    case CM_STEP_JCX:
    case CM_STEP_LOOP:
    case CM_STEP_LOOPE:
    case CM_STEP_LOOPNE:
        add_fact(step, CM_FACT_BRANCHES_COND);
        add_fact(step, CM_FACT_COND_EXECUTED);
        break;
    case CM_STEP_JUMP:
        add_fact(step, CM_FACT_BRANCHES_UNCOND);
        add_fact(step, CM_FACT_UNCOND_EXECUTED);
        break;
    case CM_STEP_JUMP_INDIRECT: add_fact(step, CM_FACT_BRANCHES_INDIRECT); break;
    case CM_STEP_CALL_INDIRECT: add_fact(step, CM_FACT_CALLS_INDIRECT); /* fall through */
    case CM_STEP_CALL: add_fact(step, CM_FACT_CALLS); break;
    case CM_STEP_RETURN: add_fact(step, CM_FACT_RETURNS); break;
    default: break;
    }
}

/* The part that the instruction takes as the first of a fused pair. */
static cm_fusion_first first_of(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_TEST: return CM_FUSES_TEST;
    case ZYDIS_MNEMONIC_CMP: return CM_FUSES_COMPARE;
    case ZYDIS_MNEMONIC_AND: return CM_FUSES_AND;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB: return CM_FUSES_ADD;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC: return CM_FUSES_STEP;
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR: return CM_FUSES_LOGIC;
    default: return CM_FUSES_NEVER;
    }
}

/* The condition of a jcc, by the upper three of its four bits; other branches fuse with nothing. */
static cm_fusion_condition condition_of(const ZydisDecodedInstruction *instruction)
{
    static const uint8_t conditions[] = {CM_CONDITION_OTHER, CM_CONDITION_CARRY, CM_CONDITION_ZERO, CM_CONDITION_CARRY,
                                         CM_CONDITION_OTHER, CM_CONDITION_OTHER, CM_CONDITION_ZERO, CM_CONDITION_ZERO};
    const bool conditional =
        instruction->meta.category == ZYDIS_CATEGORY_COND_BR &&
        !CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_JCXZ, ZYDIS_MNEMONIC_JECXZ, ZYDIS_MNEMONIC_JRCXZ,
                     ZYDIS_MNEMONIC_LOOP, ZYDIS_MNEMONIC_LOOPE, ZYDIS_MNEMONIC_LOOPNE);
    return conditional ? conditions[(instruction->opcode & 0xF) >> 1] : CM_CONDITION_NONE;
}

/* An instruction that writes memory fuses with nothing, nor does one with a constant and an operand in memory. */
static cm_fusible fusible_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    cm_fusible fusible = {.first = (uint8_t)first_of(instruction), .condition = (uint8_t)condition_of(instruction)};
    bool constant = false, writes = false;
    for (size_t i = 0; i < instruction->operand_count_visible; i++) {
        const bool memory = operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY;
        fusible.memory = fusible.memory || memory;
        constant = constant || operands[i].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
        writes = writes || (memory && (operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0);
    }
    if (writes || (fusible.memory && constant))
        fusible.first = CM_FUSES_NEVER;
    return fusible;
}

/* Lanes of floating-point arithmetic under a mask; its facts are known. */
static void add_mask(const ZydisDecodedInstruction *instruction, cm_step *step)
{
    static const uint16_t bits[] = {[CM_FP_128] = 128, [CM_FP_256] = 256, [CM_FP_512] = 512};
    const bool arithmetic = step->fact_count != 0 && step->facts[0] >= CM_FACT_FP && step->facts[0] <= CM_FACT_FP_END;
    const ZydisRegister mask = instruction->avx.mask.reg;
    if (!arithmetic || mask == ZYDIS_REGISTER_NONE || mask == ZYDIS_REGISTER_K0)
        return;
    const size_t index = step->facts[0] - CM_FACT_FP, operation = index % CM_FP_OPERATIONS;
    const size_t width = index / CM_FP_OPERATIONS % CM_FP_WIDTHS, precision = index / CM_FP_OPERATIONS / CM_FP_WIDTHS;
    step->masked = (uint8_t)ZydisRegisterGetId(mask);
    step->masked_fact = (uint16_t)(CM_FACT_FP_MASKED + precision * 2 + (operation == CM_FP_FMA));
    step->lanes = width == CM_FP_SCALAR ? 1 : (uint8_t)(bits[width] >> (precision + 4));
}

void cm_step_decode_facts(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          cm_step *step)
{
    step->fact_count = (uint8_t)cm_fp_classify(instruction, step->facts);
    add_mask(instruction, step);
    step->fusible = fusible_of(instruction, operands);
    add_register_file(instruction, operands, step);
    add_integer(instruction, operands, step);
    add_branch(step);
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_LFENCE: add_fact(step, CM_FACT_LOAD_FENCES); /* fall through */
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE: add_fact(step, CM_FACT_FENCES); break;
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_ENDBR64: add_fact(step, CM_FACT_NOPS); break;
    case ZYDIS_MNEMONIC_PAUSE: add_fact(step, CM_FACT_PAUSES); break;
    case ZYDIS_MNEMONIC_PREFETCHNTA: add_fact(step, CM_FACT_PREFETCHES_NTA); break;
    case ZYDIS_MNEMONIC_PREFETCHT0: add_fact(step, CM_FACT_PREFETCHES_T0); break;
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2: add_fact(step, CM_FACT_PREFETCHES_T1_T2); break;
    case ZYDIS_MNEMONIC_PREFETCHW: add_fact(step, CM_FACT_PREFETCHES_W); break;
    default: break;
    }
}
