/* The instructions that do not touch vector, x87 and MMX state: those of a few categories whose operands, including
 * hidden ones, are general registers, flags, memory and constants. All others count as touching it. */
#include "software_pmu/x86_64/step.h"

/* Whether the category or the instruction is on the list. */
static bool is_of_integer_category(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->meta.category, ZYDIS_CATEGORY_BINARY, ZYDIS_CATEGORY_BITBYTE, ZYDIS_CATEGORY_CMOV,
                       ZYDIS_CATEGORY_CONVERT, ZYDIS_CATEGORY_DATAXFER, ZYDIS_CATEGORY_FLAGOP, ZYDIS_CATEGORY_LOGICAL,
                       ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_POP, ZYDIS_CATEGORY_PUSH, ZYDIS_CATEGORY_ROTATE,
                       ZYDIS_CATEGORY_SETCC, ZYDIS_CATEGORY_SHIFT, ZYDIS_CATEGORY_WIDENOP) ||
           CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_LEA, ZYDIS_MNEMONIC_LFENCE, ZYDIS_MNEMONIC_MFENCE,
                       ZYDIS_MNEMONIC_SFENCE);
}

/* Whether a register is none, a general one, the flags or the instruction pointer. */
static bool is_integer_register(ZydisRegister value)
{
    return CM_IS_AMONG(ZydisRegisterGetClass(value), ZYDIS_REGCLASS_INVALID, ZYDIS_REGCLASS_GPR8, ZYDIS_REGCLASS_GPR16,
                       ZYDIS_REGCLASS_GPR32, ZYDIS_REGCLASS_GPR64, ZYDIS_REGCLASS_FLAGS, ZYDIS_REGCLASS_IP);
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
