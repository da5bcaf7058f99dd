/* Instructions decoded with Zydis, and what stepping them takes. */
#include "software_pmu/x86_64/step.h"

/* The kind of a conditional branch: by a counter in a register, or by flags. */
static cm_step_kind conditional_kind(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_JCXZ:
    case ZYDIS_MNEMONIC_JECXZ:
    case ZYDIS_MNEMONIC_JRCXZ: return CM_STEP_JCX;
    case ZYDIS_MNEMONIC_LOOP: return CM_STEP_LOOP;
    case ZYDIS_MNEMONIC_LOOPE: return CM_STEP_LOOPE;
    case ZYDIS_MNEMONIC_LOOPNE: return CM_STEP_LOOPNE;
    default: return CM_STEP_JCC;
    }
}

/* The kind of an instruction. */
static cm_step_kind find_step_kind(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    bool direct = operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    bool repeats =
        (instruction->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR: return conditional_kind(instruction);
    case ZYDIS_CATEGORY_UNCOND_BR: return direct ? CM_STEP_JUMP : CM_STEP_JUMP_INDIRECT;
    case ZYDIS_CATEGORY_CALL: return direct ? CM_STEP_CALL : CM_STEP_CALL_INDIRECT;
    case ZYDIS_CATEGORY_RET: return CM_STEP_RETURN;
    case ZYDIS_CATEGORY_STRINGOP: return repeats ? CM_STEP_STRING : CM_STEP_PLAIN;
    default: return instruction->mnemonic == ZYDIS_MNEMONIC_SYSCALL ? CM_STEP_SYSCALL : CM_STEP_PLAIN;
    }
}

/* Whether nothing behind the instruction begins before it has ended. */
static bool is_serializing(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_LFENCE, ZYDIS_MNEMONIC_MFENCE, ZYDIS_MNEMONIC_CPUID,
                       ZYDIS_MNEMONIC_SERIALIZE, ZYDIS_MNEMONIC_SYSCALL);
}

/* Decodes a branch's target and condition. */
static void decode_branch(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          cm_step *step)
{
    const ZydisDecodedOperand *first = &operands[0];
    step->target_register = CM_NO_REGISTER;
    step->condition = instruction->opcode & 0xF;
    if (step->kind == CM_STEP_RETURN)
        step->stack_release = instruction->operand_count_visible != 0 ? (uint16_t)first->imm.value.u : 0;
    else if (first->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        step->target = step->address + step->length + (uint64_t)first->imm.value.s;
    else if (first->type == ZYDIS_OPERAND_TYPE_REGISTER)
        step->target_register = (uint8_t)ZydisRegisterGetId(first->reg.value);
}

/* Decodes an instruction that Zydis knows; returns the reason why it cannot be stepped, NULL: it can. */
static const char *decode_known(const cm_isa_features *features, const ZydisDecodedInstruction *instruction,
                                const ZydisDecodedOperand *operands, cm_step *step)
{
    step->kind = (uint8_t)find_step_kind(instruction, operands);
    step->counter_32 = instruction->address_width == 32;
    step->serializing = is_serializing(instruction);
    step->is_integer = cm_step_is_integer(instruction, operands);
    const char *refusal = cm_step_refusal(features, instruction, operands);
    if (refusal != NULL)
        return refusal;
    decode_branch(instruction, operands, step);
    if (!cm_step_decode_accesses(instruction, operands, step))
        return "an unknown kind of memory operand";
    cm_step_decode_facts(instruction, operands, step);
    cm_step_decode_operations(instruction, step);
    return NULL;
}

void cm_step_decode(const cm_decoder *decoder, uint64_t address, const unsigned char *bytes, size_t size, cm_step *step)
{
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    memset(step, 0, sizeof *step);
    step->address = address;
    step->length = (uint8_t)(size < CM_INSTRUCTION_SIZE ? size : CM_INSTRUCTION_SIZE);
    memcpy(step->bytes, bytes, step->length);
    step->refusal = "not an instruction";
    memset(operands, 0, sizeof operands);
    if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder->zydis, bytes, size, &instruction, operands))) {
        step->length = instruction.length;
        step->refusal = decode_known(&decoder->features, &instruction, operands, step);
    }
    if (step->refusal != NULL)
        step->kind = CM_STEP_REFUSED;
}
