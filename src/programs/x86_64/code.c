/* x86-64 instructions written into memory, and counted. */
#include "programs/x86_64/code.h"

/* Opcode and distance. */
enum { CALL_BYTES = 1 + 4, CONDITIONAL_BYTES = 2 + 4 };

static bool is_vector(const cm_operand *operand)
{
    ZydisRegisterClass of = ZydisRegisterGetClass(operand->reg.value);
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           (of == ZYDIS_REGCLASS_XMM || of == ZYDIS_REGCLASS_YMM || of == ZYDIS_REGCLASS_ZMM);
}

static void refuse_instruction(cm_code *code, const char *reason, ZydisMnemonic mnemonic)
{
    code->status = CM_FAIL(code->error, CM_UNSUPPORTED, "%s %s", reason, ZydisMnemonicGetString(mnemonic));
}

/* Appends an instruction; an error stays in `code`, and nothing follows it. */
static void encode_instruction(cm_code *code, ZydisEncoderRequest *request)
{
    ZyanUSize length = code->size - code->used;
    if (code->status != CM_OK)
        return;
    request->machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
    if (length < ZYDIS_MAX_INSTRUCTION_LENGTH)
        refuse_instruction(code, "a program is too long for", request->mnemonic);
    else if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(request, code->bytes + code->used, &length)))
        refuse_instruction(code, "a program cannot be written: Zydis does not encode", request->mnemonic);
    else
        code->used += length;
}

static void encode_operands(cm_code *code, ZydisInstructionAttributes prefixes, ZydisMnemonic mnemonic, size_t count,
                            const cm_operand *operands)
{
    ZydisEncoderRequest request = {.prefixes = prefixes, .mnemonic = mnemonic, .operand_count = (ZyanU8)count};
    if (count != 0)
        memcpy(request.operands, operands, count * sizeof *operands);
    encode_instruction(code, &request);
}

/* The facts of the instructions on general registers that programs use. */
static const struct {
    ZydisMnemonic mnemonic;
    cm_fact fact;
} integer_facts[] = {
    {ZYDIS_MNEMONIC_ADD, CM_FACT_INT_SCALAR_ADD},     {ZYDIS_MNEMONIC_INC, CM_FACT_INT_SCALAR_ADD},
    {ZYDIS_MNEMONIC_DEC, CM_FACT_INT_SCALAR_ADD},     {ZYDIS_MNEMONIC_IMUL, CM_FACT_INT_SCALAR_MUL},
    {ZYDIS_MNEMONIC_DIV, CM_FACT_INT_SCALAR_DIV},     {ZYDIS_MNEMONIC_AND, CM_FACT_INT_SCALAR_LOGIC},
    {ZYDIS_MNEMONIC_XOR, CM_FACT_INT_SCALAR_LOGIC},   {ZYDIS_MNEMONIC_SHL, CM_FACT_INT_SCALAR_SHIFT},
    {ZYDIS_MNEMONIC_CMP, CM_FACT_INT_SCALAR_COMPARE}, {ZYDIS_MNEMONIC_TEST, CM_FACT_INT_SCALAR_COMPARE},
    {ZYDIS_MNEMONIC_LEA, CM_FACT_INT_SCALAR_ADDRESS}, {ZYDIS_MNEMONIC_MOV, CM_FACT_INT_SCALAR_MOVE},
};

static void add_integer(cm_code *code, ZydisMnemonic mnemonic, bool memory)
{
    if (memory && mnemonic == ZYDIS_MNEMONIC_MOV)
        return; /* a load or a store, not a move */
    for (size_t i = 0; i < sizeof integer_facts / sizeof integer_facts[0]; i++)
        if (integer_facts[i].mnemonic == mnemonic)
            code->facts[integer_facts[i].fact] += 1.0;
}

void cm_code_write_uncounted(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands)
{
    encode_operands(code, 0, mnemonic, count, operands);
}

void cm_code_write_prefixed(cm_code *code, ZydisInstructionAttributes prefixes, ZydisMnemonic mnemonic, size_t count,
                            const cm_operand *operands)
{
    bool vector = mnemonic == ZYDIS_MNEMONIC_VZEROUPPER, memory = false;
    for (size_t i = 0; i < count; i++) {
        vector = vector || is_vector(&operands[i]);
        memory = memory || operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY;
    }
    encode_operands(code, prefixes, mnemonic, count, operands);
    code->facts[CM_FACT_INSTRUCTIONS] += 1.0;
    code->facts[CM_FACT_SIMD_INSTRUCTIONS] += vector;
    add_integer(code, mnemonic, memory);
}

void cm_code_write(cm_code *code, ZydisMnemonic mnemonic, size_t count, const cm_operand *operands)
{
    cm_code_write_prefixed(code, 0, mnemonic, count, operands);
}

void cm_code_write_branch(cm_code *code, ZydisMnemonic mnemonic, size_t target)
{
    bool conditional = mnemonic != ZYDIS_MNEMONIC_CALL && mnemonic != ZYDIS_MNEMONIC_JMP;
    size_t length = conditional ? CONDITIONAL_BYTES : CALL_BYTES;
    ZydisEncoderRequest request = {.mnemonic = mnemonic,
                                   .operand_count = 1,
                                   .branch_type = ZYDIS_BRANCH_TYPE_NEAR,
                                   .branch_width = ZYDIS_BRANCH_WIDTH_32,
                                   .operands = {cm_immediate((int64_t)target - (int64_t)(code->used + length))}};
    encode_instruction(code, &request);
    code->facts[CM_FACT_INSTRUCTIONS] += 1.0;
}

void cm_code_land(cm_code *code, size_t from)
{
    int32_t distance = (int32_t)(code->used - from);
    if (code->status == CM_OK)
        memcpy(code->bytes + from - sizeof distance, &distance, sizeof distance);
}

/* The place of the next far line: pages in turn, far from each other, and on each page four lines further. */
static size_t next_far_line(cm_code *code)
{
    enum { STEP = 37, LINES = 4 * CM_WORK_LINE };
    size_t page = code->far * STEP % CM_PROGRAM_FAR_PAGES, round = code->far / CM_PROGRAM_FAR_PAGES;
    code->far++;
    return code->size + page * CM_PROGRAM_PAGE + (round * LINES + page * CM_WORK_LINE) % CM_PROGRAM_PAGE;
}

void cm_code_write_far_jump(cm_code *code)
{
    size_t back = code->used + CALL_BYTES, size = code->size;
    for (size_t hop = 0; hop <= CM_WORK_HOPS && code->status == CM_OK; hop++) {
        size_t next = hop < CM_WORK_HOPS ? next_far_line(code) : back;
        code->size = size + CM_PROGRAM_FAR_BYTES;
        cm_code_write_branch(code, ZYDIS_MNEMONIC_JMP, next);
        code->size = size;
        code->used = next;
    }
}

const ZydisRegister cm_work_pointers[CM_WORK_BUFFERS] = {ZYDIS_REGISTER_R8, ZYDIS_REGISTER_R9, ZYDIS_REGISTER_R10};

cm_operand cm_work_memory(const cm_work *work)
{
    return cm_memory(cm_work_pointers[work->buffer], work->offset, work->bytes);
}
