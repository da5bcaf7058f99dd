/* The instructions that do not touch vector, x87 and MMX state: those of a few categories whose operands, including
 * hidden ones, are general registers, flags, memory and constants. All others count as touching it. */
#include "software_pmu/x86_64/step.h"

/* Whether the category or the instruction is on the list. */
static bool is_of_integer_category(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_BITBYTE:
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_CONVERT:
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_FLAGOP:
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_POP:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_ROTATE:
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_WIDENOP: return true;
    default: break;
    }
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_MFENCE:
    case ZYDIS_MNEMONIC_SFENCE: return true;
    default: return false;
    }
}

/* Whether a register is none, a general one, the flags or the instruction pointer. */
static bool is_integer_register(ZydisRegister value)
{
    switch (ZydisRegisterGetClass(value)) {
    case ZYDIS_REGCLASS_INVALID: /* none */
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
    case ZYDIS_REGCLASS_FLAGS:
    case ZYDIS_REGCLASS_IP: return true;
    default: return false;
    }
}

bool cm_step_is_integer(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    if (!is_of_integer_category(instruction))
        return false;
    for (size_t i = 0; i < instruction->operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER && !is_integer_register(operands[i].reg.value))
            return false;
    return true;
}
