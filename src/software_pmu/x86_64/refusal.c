/* Instructions that are not stepped: they leave user code, switch the host's state, or must run in one piece. */
#include "software_pmu/x86_64/step.h"

static const struct {
    ZydisMnemonic mnemonic;
    const char *reason;
} refusals[] = {
    {ZYDIS_MNEMONIC_UD0, "undefined by definition"},
    {ZYDIS_MNEMONIC_UD1, "undefined by definition"},
    {ZYDIS_MNEMONIC_UD2, "undefined by definition"},
    {ZYDIS_MNEMONIC_XBEGIN, "a transaction cannot be stepped"},
    {ZYDIS_MNEMONIC_XEND, "a transaction cannot be stepped"},
    {ZYDIS_MNEMONIC_XABORT, "a transaction cannot be stepped"},
    {ZYDIS_MNEMONIC_SYSENTER, "an old system call"},
    {ZYDIS_MNEMONIC_SYSEXIT, "privileged"},
    {ZYDIS_MNEMONIC_SYSRET, "privileged"},
    {ZYDIS_MNEMONIC_IRET, "a far transfer"},
    {ZYDIS_MNEMONIC_IRETD, "a far transfer"},
    {ZYDIS_MNEMONIC_IRETQ, "a far transfer"},
    {ZYDIS_MNEMONIC_UIRET, "a far transfer"},
    {ZYDIS_MNEMONIC_RSM, "privileged"},
    {ZYDIS_MNEMONIC_MONITOR, "privileged"},
    {ZYDIS_MNEMONIC_MWAIT, "privileged"},
    {ZYDIS_MNEMONIC_WRFSBASE, "it moves thread-local storage"},
    {ZYDIS_MNEMONIC_WRGSBASE, "it moves thread-local storage"},
};

static const struct {
    ZydisInstructionCategory category;
    const char *reason;
} categories[] = {
    {ZYDIS_CATEGORY_INTERRUPT, "a software interrupt"},      {ZYDIS_CATEGORY_IO, "input or output"},
    {ZYDIS_CATEGORY_IOSTRINGOP, "input or output"},          {ZYDIS_CATEGORY_VTX, "of a hypervisor"},
    {ZYDIS_CATEGORY_AMX_TILE, "AMX tiles are not switched"},
};

/* Why the operand cannot be stepped; NULL: it can. */
static const char *refuse_operand(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand)
{
    bool written = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    bool named = operand->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN; /* syscall's segments are hidden */
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && written && named &&
        ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_SEGMENT)
        return "it loads a segment register";
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.base == ZYDIS_REGISTER_EIP)
        return "an address relative to EIP";
    if (instruction->mnemonic == ZYDIS_MNEMONIC_ENTER && operand->id == 1 && operand->imm.value.u != 0)
        return "nested stack frames";
    return NULL;
}

const char *cm_step_refusal(const cm_isa_features *features, const ZydisDecodedInstruction *instruction,
                            const ZydisDecodedOperand *operands)
{
    if ((instruction->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) != 0)
        return "privileged";
    if (instruction->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return "a far transfer";
    if ((instruction->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || instruction->meta.category == ZYDIS_CATEGORY_RET) &&
        instruction->operand_width == 16)
        return "a branch of 16 bits";
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (instruction->mnemonic == refusals[i].mnemonic)
            return refusals[i].reason;
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++)
        if (instruction->meta.category == categories[i].category)
            return categories[i].reason;
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const char *reason = refuse_operand(instruction, &operands[i]);
        if (reason != NULL)
            return reason;
    }
    if (!cm_isa_executable(features, instruction))
        return "this processor lacks the instruction set";
    return NULL;
}
