/* The instructions on integers, and their kinds.
 *
 * Source: Intel's manual, volume 1, 5.1 (general-purpose instructions), 5.6.2, 5.9 and 5.13 (on vector registers);
 * AMD's for Zen 4, RETIRED_INT_OPS, which distinguishes these operations. Multiply-adds, minima, maxima, averages,
 * packing and sums of absolute differences have no kind. */
#include "software_pmu/x86_64/step.h"

/* Beginnings of mnemonics, without a leading v. */
static const struct {
    const char *stem;
    cm_int_operation operation;
} int_stems[] = {
    {"padd", CM_INT_ADD},       {"psub", CM_INT_SUB},       {"pmul", CM_INT_MUL},     {"pand", CM_INT_LOGIC},
    {"por", CM_INT_LOGIC},      {"pxor", CM_INT_LOGIC},     {"ptest", CM_INT_LOGIC},  {"pternlog", CM_INT_LOGIC},
    {"psll", CM_INT_SHIFT},     {"psrl", CM_INT_SHIFT},     {"psra", CM_INT_SHIFT},   {"prol", CM_INT_SHIFT},
    {"pror", CM_INT_SHIFT},     {"psh", CM_INT_SHUFFLE},    {"pcmp", CM_INT_COMPARE}, {"punpck", CM_INT_SHUFFLE},
    {"palign", CM_INT_SHUFFLE}, {"valign", CM_INT_SHUFFLE}, {"perm", CM_INT_SHUFFLE}, {"pblend", CM_INT_SHUFFLE},
};

/* Bits of the widest vector register among the operands; 0: none. */
static unsigned find_widest_vector(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    unsigned bits = 0;
    for (size_t i = 0; i < instruction->operand_count_visible; i++) {
        if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER)
            continue;
        ZydisRegisterClass of = ZydisRegisterGetClass(operands[i].reg.value);
        unsigned found = of == ZYDIS_REGCLASS_XMM   ? 128
                         : of == ZYDIS_REGCLASS_YMM ? 256
                         : of == ZYDIS_REGCLASS_ZMM ? 512
                                                    : 0;
        bits = found > bits ? found : bits;
    }
    return bits;
}

/* Permutations of floating point end with their type. */
static bool is_floating_point(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && name[length - 2] == 'p' && (name[length - 1] == 's' || name[length - 1] == 'd');
}

/* The fact of an instruction on vector registers, CM_FACT_COUNT: none. */
static size_t classify_vector(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    unsigned bits = find_widest_vector(instruction, operands);
    if (name[0] == 'v' && strncmp(name, "valign", 6) != 0)
        name++;
    if (bits == 0 || is_floating_point(name))
        return CM_FACT_COUNT;
    if (instruction->meta.category == ZYDIS_CATEGORY_AES || instruction->meta.category == ZYDIS_CATEGORY_VAES)
        return CM_FACT_AES_INSTRUCTIONS;
    for (size_t i = 0; i < sizeof int_stems / sizeof int_stems[0]; i++)
        if (strncmp(name, int_stems[i].stem, strlen(int_stems[i].stem)) == 0)
            return cm_fact_int(bits / 256, int_stems[i].operation);
    return CM_FACT_COUNT;
}

static bool is_general(ZydisRegister value)
{
    return CM_IS_AMONG(ZydisRegisterGetClass(value), ZYDIS_REGCLASS_GPR8, ZYDIS_REGCLASS_GPR16, ZYDIS_REGCLASS_GPR32,
                       ZYDIS_REGCLASS_GPR64);
}

/* Whether its registers are all general ones. */
static bool has_general_registers(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    for (size_t i = 0; i < instruction->operand_count_visible; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER && !is_general(operands[i].reg.value))
            return false;
    return instruction->meta.isa_ext != ZYDIS_ISA_EXT_X87;
}

static bool has_memory(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    for (size_t i = 0; i < instruction->operand_count_visible; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return true;
    return false;
}

/* The fact of a category, if the category decides it. */
static size_t classify_by_category(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_ROTATE: return CM_FACT_INT_SCALAR_SHIFT;
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_BITBYTE: return CM_FACT_INT_SCALAR_LOGIC;
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_SETCC: return CM_FACT_INT_SCALAR_MOVE;
    case ZYDIS_CATEGORY_STRINGOP: return CM_FACT_STRING_INSTRUCTIONS;
    default: return CM_FACT_COUNT;
    }
}

static const struct {
    ZydisMnemonic mnemonic;
    cm_fact fact;
} scalars[] = {
    {ZYDIS_MNEMONIC_ADC, CM_FACT_INT_SCALAR_ADD},      {ZYDIS_MNEMONIC_ADCX, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_ADD, CM_FACT_INT_SCALAR_ADD},      {ZYDIS_MNEMONIC_ADOX, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_DEC, CM_FACT_INT_SCALAR_ADD},      {ZYDIS_MNEMONIC_INC, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_NEG, CM_FACT_INT_SCALAR_ADD},      {ZYDIS_MNEMONIC_SBB, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_SUB, CM_FACT_INT_SCALAR_ADD},      {ZYDIS_MNEMONIC_XADD, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_IMUL, CM_FACT_INT_SCALAR_MUL},     {ZYDIS_MNEMONIC_MUL, CM_FACT_INT_SCALAR_MUL},
    {ZYDIS_MNEMONIC_MULX, CM_FACT_INT_SCALAR_MUL},     {ZYDIS_MNEMONIC_DIV, CM_FACT_INT_SCALAR_DIV},
    {ZYDIS_MNEMONIC_IDIV, CM_FACT_INT_SCALAR_DIV},     {ZYDIS_MNEMONIC_CMP, CM_FACT_INT_SCALAR_COMPARE},
    {ZYDIS_MNEMONIC_TEST, CM_FACT_INT_SCALAR_COMPARE}, {ZYDIS_MNEMONIC_LEA, CM_FACT_INT_SCALAR_ADDRESS},
    {ZYDIS_MNEMONIC_MOV, CM_FACT_INT_SCALAR_MOVE},     {ZYDIS_MNEMONIC_MOVSX, CM_FACT_INT_SCALAR_MOVE},
    {ZYDIS_MNEMONIC_MOVSXD, CM_FACT_INT_SCALAR_MOVE},  {ZYDIS_MNEMONIC_MOVZX, CM_FACT_INT_SCALAR_MOVE},
    {ZYDIS_MNEMONIC_XCHG, CM_FACT_INT_SCALAR_MOVE},    {ZYDIS_MNEMONIC_CBW, CM_FACT_INT_SCALAR_MOVE},
    {ZYDIS_MNEMONIC_CDQ, CM_FACT_INT_SCALAR_MOVE},     {ZYDIS_MNEMONIC_CDQE, CM_FACT_INT_SCALAR_MOVE},
    {ZYDIS_MNEMONIC_CQO, CM_FACT_INT_SCALAR_MOVE},     {ZYDIS_MNEMONIC_CWD, CM_FACT_INT_SCALAR_MOVE},
    {ZYDIS_MNEMONIC_CWDE, CM_FACT_INT_SCALAR_MOVE},    {ZYDIS_MNEMONIC_RORX, CM_FACT_INT_SCALAR_SHIFT},
    {ZYDIS_MNEMONIC_SARX, CM_FACT_INT_SCALAR_SHIFT},   {ZYDIS_MNEMONIC_SHLX, CM_FACT_INT_SCALAR_SHIFT},
    {ZYDIS_MNEMONIC_SHRX, CM_FACT_INT_SCALAR_SHIFT},   {ZYDIS_MNEMONIC_ANDN, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_BEXTR, CM_FACT_INT_SCALAR_LOGIC},  {ZYDIS_MNEMONIC_BLSI, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_BLSMSK, CM_FACT_INT_SCALAR_LOGIC}, {ZYDIS_MNEMONIC_BLSR, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_BSWAP, CM_FACT_INT_SCALAR_LOGIC},  {ZYDIS_MNEMONIC_BZHI, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_LZCNT, CM_FACT_INT_SCALAR_LOGIC},  {ZYDIS_MNEMONIC_PDEP, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_PEXT, CM_FACT_INT_SCALAR_LOGIC},   {ZYDIS_MNEMONIC_POPCNT, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_TZCNT, CM_FACT_INT_SCALAR_LOGIC},  {ZYDIS_MNEMONIC_CRC32, CM_FACT_CRC_INSTRUCTIONS},
};

static size_t classify_scalar(const ZydisDecodedInstruction *instruction)
{
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        if (instruction->mnemonic == scalars[i].mnemonic)
            return scalars[i].fact;
    return classify_by_category(instruction);
}

size_t cm_int_classify(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    size_t fact = classify_vector(instruction, operands);
    if (fact == CM_FACT_COUNT && has_general_registers(instruction, operands))
        fact = classify_scalar(instruction);
    return fact == CM_FACT_INT_SCALAR_MOVE && has_memory(instruction, operands) ? CM_FACT_COUNT : fact;
}
