/* From decoded operands to memory accesses. */
#include "software_pmu/x86_64/step.h"

/* Whether the operand is memory read or written as data: prefetches, no-ops and flushes only name an address. */
static bool touches_memory(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand)
{
    if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
        return false;
    if (operand->mem.type != ZYDIS_MEMOP_TYPE_MEM && operand->mem.type != ZYDIS_MEMOP_TYPE_VSIB)
        return false;
    return !CM_IS_AMONG(instruction->meta.category, ZYDIS_CATEGORY_PREFETCH, ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_WIDENOP,
                        ZYDIS_CATEGORY_CLDEMOTE) &&
           !CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_CLFLUSH, ZYDIS_MNEMONIC_CLFLUSHOPT, ZYDIS_MNEMONIC_CLWB);
}

static uint8_t general_register(ZydisRegister value)
{
    const ZydisRegisterClass class = ZydisRegisterGetClass(value);
    return class == ZYDIS_REGCLASS_GPR32 || class == ZYDIS_REGCLASS_GPR64 ? (uint8_t)ZydisRegisterGetId(value)
                                                                          : CM_NO_REGISTER;
}

/* The stack pointer's change before the operand's address is formed (push, call), or before it is used (pop to memory
 * relative to rsp). */
static int64_t stack_adjustment(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand)
{
    if (operand->mem.base != ZYDIS_REGISTER_RSP)
        return 0;
    bool written = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
        return written ? -(int64_t)(operand->size / 8) : 0;
    return instruction->mnemonic == ZYDIS_MNEMONIC_POP ? operand->size / 8 : 0;
}

/* Fills the registers and the displacement of an operand's address. */
static void fill_address(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand, cm_step *step,
                         cm_access *access)
{
    const ZydisDecodedOperandMem *memory = &operand->mem;
    access->base = general_register(memory->base);
    access->index = general_register(memory->index);
    access->scale = memory->scale;
    access->displacement = memory->disp.value + stack_adjustment(instruction, operand);
    if (memory->base == ZYDIS_REGISTER_RIP) {
        step->displacement_target = step->address + step->length + (uint64_t)memory->disp.value;
        step->displacement_offset = instruction->raw.disp.offset;
        access->displacement = (int64_t)step->displacement_target;
    }
    access->segment = memory->segment == ZYDIS_REGISTER_FS   ? CM_SEGMENT_FS
                      : memory->segment == ZYDIS_REGISTER_GS ? CM_SEGMENT_GS
                                                             : CM_SEGMENT_NONE;
    bool no_register = memory->base == ZYDIS_REGISTER_NONE && memory->index == ZYDIS_REGISTER_NONE;
    access->address_32 =
        ZydisRegisterGetClass(memory->base) == ZYDIS_REGCLASS_GPR32 ||
        ZydisRegisterGetClass(memory->index) == ZYDIS_REGCLASS_GPR32 ||
        (instruction->address_width == 32 &&
         (no_register || (memory->type == ZYDIS_MEMOP_TYPE_VSIB && memory->base == ZYDIS_REGISTER_NONE)));
}

static unsigned register_bits(ZydisRegister value)
{
    switch (ZydisRegisterGetClass(value)) {
    case ZYDIS_REGCLASS_XMM: return 128;
    case ZYDIS_REGCLASS_YMM: return 256;
    case ZYDIS_REGCLASS_ZMM: return 512;
    default: return 0;
    }
}

/* Gather and scatter: v[p]gatherDps and so on, D or Q: the indices' size. AVX2's gathers have the mask third. */
static bool fill_elements(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          const ZydisDecodedOperand *operand, cm_access *access)
{
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    const char *gather = strstr(name, "gather"), *scatter = strstr(name, "scatter");
    if ((gather == NULL && scatter == NULL) || strstr(name, "pf") != NULL)
        return false;
    char size = gather != NULL ? gather[strlen("gather")] : scatter[strlen("scatter")];
    access->index_bytes = size == 'd' ? 4 : 8;
    access->index = (uint8_t)ZydisRegisterGetId(operand->mem.index);
    const ZydisDecodedOperand *data = gather != NULL ? &operands[0] : &operands[instruction->operand_count_visible - 1];
    unsigned indices = register_bits(operand->mem.index) / (8u * access->index_bytes);
    unsigned values = register_bits(data->reg.value) / (8u * access->bytes);
    access->elements = (uint8_t)(indices < values ? indices : values);
    access->mask_is_vector = instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
    ZydisRegister mask = access->mask_is_vector ? operands[2].reg.value : instruction->avx.mask.reg;
    access->mask = (uint8_t)ZydisRegisterGetId(mask);
    return access->elements != 0;
}

static bool names_a_bit(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    return operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTC, ZYDIS_MNEMONIC_BTR,
                       ZYDIS_MNEMONIC_BTS);
}

/* Whether the store bypasses the caches. */
static bool is_non_temporal(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_MASKMOVDQU, ZYDIS_MNEMONIC_MASKMOVQ,
                       ZYDIS_MNEMONIC_MOVNTDQ, ZYDIS_MNEMONIC_MOVNTI, ZYDIS_MNEMONIC_MOVNTPD, ZYDIS_MNEMONIC_MOVNTPS,
                       ZYDIS_MNEMONIC_MOVNTQ, ZYDIS_MNEMONIC_MOVNTSD, ZYDIS_MNEMONIC_MOVNTSS,
                       ZYDIS_MNEMONIC_VMASKMOVDQU, ZYDIS_MNEMONIC_VMOVNTDQ, ZYDIS_MNEMONIC_VMOVNTPD,
                       ZYDIS_MNEMONIC_VMOVNTPS);
}

/* The cache into which a prefetch instruction loads. */
static cm_hint hint_of(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHW: return CM_HINT_L1D;
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2: return CM_HINT_L2;
    default: return CM_NO_HINT;
    }
}

bool cm_step_decode_accesses(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                             cm_step *step)
{
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY)
            continue;
        cm_access access = {.bit_register = CM_NO_REGISTER};
        fill_address(instruction, operand, step, &access); /* lea and prefetch also need their displacement adjusted */
        if (!touches_memory(instruction, operand)) {
            step->hint = (uint8_t)hint_of(instruction);
            if (step->hint != CM_NO_HINT)
                step->accesses[0] = access;
            continue;
        }
        if (step->access_count == CM_STEP_ACCESSES)
            return false;
        access.bytes = operand->size / 8;
        access.load = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
        access.store = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
        access.locked =
            (instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 || instruction->mnemonic == ZYDIS_MNEMONIC_XCHG;
        access.non_temporal = access.store && is_non_temporal(instruction);
        if (names_a_bit(instruction, operands))
            access.bit_register = (uint8_t)ZydisRegisterGetId(operands[1].reg.value);
        if (operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB && !fill_elements(instruction, operands, operand, &access))
            return false;
        step->accesses[step->access_count++] = access;
    }
    return true;
}
