/* The effects of x86-64's instructions on general registers, for the addresses of prefetches under QEMU. */
#include "software_pmu/qemu/decoded.h"
#include "software_pmu/x86_64/step.h"

enum { WORD = 8 };

/* The number of a general register of 64 bits, or that one is a part of. */
static uint8_t number_of(ZydisRegister value)
{
    const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, value);
    return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 ? (uint8_t)ZydisRegisterGetId(whole) : CM_EFFECT_NONE;
}

/* The general registers that an instruction writes, a bit each; a system call may write any. */
static uint32_t written_by(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    uint32_t written = 0;
    if (instruction->mnemonic == ZYDIS_MNEMONIC_SYSCALL)
        return UINT32_MAX;
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const uint8_t number =
            operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operands[i].reg.value) : CM_EFFECT_NONE;
        if (number != CM_EFFECT_NONE && (operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
            written |= UINT32_C(1) << number;
    }
    return written;
}

static bool is_whole(const ZydisDecodedOperand *operand)
{
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_GPR64;
}

/* The register becomes the sum. */
static void set_register(cm_effect *effect, uint8_t number, cm_effect_sum sum)
{
    effect->sets = number;
    effect->value = sum;
}

static cm_effect_sum moved(uint8_t base, int64_t displacement)
{
    return (cm_effect_sum){.base = base, .index = CM_EFFECT_NONE, .scale = 1, .displacement = displacement};
}

/* An addition to the register, or a subtraction, of a constant or register. */
static void add_to_register(const ZydisDecodedOperand *operands, int sign, cm_effect *effect)
{
    const uint8_t number = number_of(operands[0].reg.value);
    if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        set_register(effect, number, moved(number, sign * operands[1].imm.value.s));
    else if (is_whole(&operands[1]) && sign > 0)
        set_register(effect, number,
                     (cm_effect_sum){.base = number, .index = number_of(operands[1].reg.value), .scale = 1});
}

static void move_register(const ZydisDecodedOperand *operands, cm_effect *effect)
{
    const uint8_t number = number_of(operands[0].reg.value);
    if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        set_register(effect, number, moved(CM_EFFECT_NONE, operands[1].imm.value.s));
    else if (is_whole(&operands[1]))
        set_register(effect, number, moved(number_of(operands[1].reg.value), 0));
}

/* LEA: the destination is the sum that the operand describes. */
static void take_address(const ZydisDecodedOperand *operands, uint64_t behind, cm_effect *effect)
{
    const ZydisDecodedOperandMem *memory = &operands[1].mem;
    const bool relative = memory->base == ZYDIS_REGISTER_RIP;
    if (memory->base != ZYDIS_REGISTER_EIP)
        set_register(effect, number_of(operands[0].reg.value),
                     (cm_effect_sum){.base = relative ? CM_EFFECT_NONE : number_of(memory->base),
                                     .index = number_of(memory->index),
                                     .scale = memory->scale,
                                     .displacement = memory->disp.value + (relative ? (int64_t)behind : 0)});
}

/* Bytes that the stack pointer moves by. */
static int64_t stack_moves(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_PUSH: return -(int64_t)(instruction->operand_width / 8);
    case ZYDIS_CATEGORY_POP: return instruction->operand_width / 8;
    case ZYDIS_CATEGORY_CALL: return -WORD;
    case ZYDIS_CATEGORY_RET: return WORD + (instruction->operand_count_visible != 0 ? operands[0].imm.value.s : 0);
    default: return 0;
    }
}

/* The value that it gives a register, if that is a simple one. */
static void take_value(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, uint64_t behind,
                       cm_effect *effect)
{
    const int64_t moves = stack_moves(instruction, operands);
    if (moves != 0)
        set_register(effect, CM_EFFECT_STACK, moved(CM_EFFECT_STACK, moves));
    if (moves != 0 || instruction->operand_count_visible == 0 || !is_whole(&operands[0]))
        return;
    const uint8_t number = number_of(operands[0].reg.value);
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_MOV: move_register(operands, effect); break;
    case ZYDIS_MNEMONIC_LEA: take_address(operands, behind, effect); break;
    case ZYDIS_MNEMONIC_ADD: add_to_register(operands, 1, effect); break;
    case ZYDIS_MNEMONIC_SUB: add_to_register(operands, -1, effect); break;
    case ZYDIS_MNEMONIC_INC: set_register(effect, number, moved(number, 1)); break;
    case ZYDIS_MNEMONIC_DEC: set_register(effect, number, moved(number, -1)); break;
    case ZYDIS_MNEMONIC_AND:
        if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
            set_register(effect, number, moved(number, 0));
            effect->mask = (uint64_t)operands[1].imm.value.s;
        }
        break;
    default: break;
    }
}

/* The register that takes what a move loads; the upper half of one is 0 behind a move to the lower. */
static void take_loaded(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                        cm_effect *effect)
{
    if (instruction->mnemonic != ZYDIS_MNEMONIC_MOV || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY || operands[0].size < 8 * WORD / 2)
        return;
    const uint8_t number = number_of(operands[0].reg.value);
    if (number != CM_EFFECT_NONE)
        effect->load =
            (cm_effect_load){1, {number, CM_EFFECT_NONE}, (uint8_t)(operands[0].size / 8), false, UINT64_MAX};
}

/* The address of a prefetch, or of the only access of an instruction that runs once. */
static void take_single_access(const cm_step *step, cm_effect *effect)
{
    const cm_access *access = &step->accesses[0];
    effect->hint = step->hint;
    effect->has_address = (step->hint != CM_NO_HINT || (step->access_count == 1 && step->kind != CM_STEP_STRING)) &&
                          access->elements == 0 && access->segment == CM_SEGMENT_NONE && !access->address_32 &&
                          access->bit_register == CM_NO_REGISTER;
    effect->address = (cm_effect_sum){
        .base = access->base, .index = access->index, .scale = access->scale, .displacement = access->displacement};
}

bool cm_decode_effect(uint64_t address, const void *code, unsigned vector_bits, cm_effect *effect)
{
    (void)vector_bits;
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    cm_step step = {.address = address};
    *effect = (cm_effect){.forgets = UINT32_MAX, .sets = CM_EFFECT_NONE, .mask = UINT64_MAX, .fills = CM_EFFECT_NONE};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, CM_INSTRUCTION_SIZE, &instruction, operands)))
        return true;
    step.length = instruction.length;
    effect->forgets = written_by(&instruction, operands);
    take_value(&instruction, operands, address + instruction.length, effect);
    take_loaded(&instruction, operands, effect);
    if (cm_step_decode_accesses(&instruction, operands, &step))
        take_single_access(&step, effect);
    return true;
}
