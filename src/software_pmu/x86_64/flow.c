/* The registers and flags that an instruction reads and writes, and its kind of latency. */
#include "software_pmu/qemu/plugin.h"
#include "software_pmu/x86_64/step.h"

/* Numbers of registers; those of x87 and MMX have none, as if each instruction wrote a new one. */
enum { FLAGS = CM_FLOW_FLAGS, VECTORS, MASKS = VECTORS + 32, NONE = MASKS + 8 };
_Static_assert((int)NONE <= (int)CM_FLOW_REGISTERS, "each has a number");

/* The number of a register; NONE: it has none. */
static unsigned find_flow_register(ZydisRegister value)
{
    const ZyanI8 id = ZydisRegisterGetId(value);
    switch (ZydisRegisterGetClass(value)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
        return (unsigned)ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, value));
    case ZYDIS_REGCLASS_FLAGS: return FLAGS;
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM: return VECTORS + (unsigned)id;
    case ZYDIS_REGCLASS_MASK: return value == ZYDIS_REGISTER_K0 ? NONE : MASKS + (unsigned)id;
    default: return NONE;
    }
}

static void add_read(cm_flow *flow, ZydisRegister value)
{
    const unsigned number = find_flow_register(value);
    if (number != NONE && flow->read_count < CM_FLOW_READS)
        flow->reads[flow->read_count++] = (uint8_t)number;
}

static void add_write(cm_flow *flow, ZydisRegister value)
{
    const unsigned number = find_flow_register(value);
    if (number != NONE && flow->write_count < CM_FLOW_WRITES)
        flow->writes[flow->write_count++] = (uint8_t)number;
}

/* Whether registers' contents are irrelevant: an exclusive or, difference or comparison with itself. */
static bool is_idiom(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    static const char *const general[] = {"xor", "sub", "sbb", "cmp"};
    static const char *const vectors[] = {"xorp", "pxor", "andnp", "pandn", "psub", "pcmpeq", "pcmpgt"}; /* prefixes */
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    const size_t visible = instruction->operand_count_visible;
    if (visible < 2)
        return false;
    const ZydisDecodedOperand *one = &operands[visible - 2], *other = &operands[visible - 1];
    if (one->type != ZYDIS_OPERAND_TYPE_REGISTER || other->type != ZYDIS_OPERAND_TYPE_REGISTER ||
        one->reg.value != other->reg.value || one->size < 32)
        return false;
    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        if (strcmp(name, general[i]) == 0)
            return true;
    name += name[0] == 'v';
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (strncmp(name, vectors[i], strlen(vectors[i])) == 0)
            return true;
    return false;
}

/* In an exchange, each register becomes ready with the other: a flow has one time for all that it writes. */
static bool is_exchange(const ZydisDecodedInstruction *instruction)
{
    return instruction->mnemonic == ZYDIS_MNEMONIC_XCHG;
}

/* The operand whose upper part remains, of an instruction on one number: processors need not wait for it if they know
 * the contents. */
static size_t merged_operand(const ZydisDecodedInstruction *instruction)
{
    if (CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_CVTSI2SD, ZYDIS_MNEMONIC_CVTSI2SS, ZYDIS_MNEMONIC_CVTSD2SS,
                    ZYDIS_MNEMONIC_CVTSS2SD, ZYDIS_MNEMONIC_SQRTSD, ZYDIS_MNEMONIC_SQRTSS, ZYDIS_MNEMONIC_ROUNDSD,
                    ZYDIS_MNEMONIC_ROUNDSS, ZYDIS_MNEMONIC_MOVSD, ZYDIS_MNEMONIC_MOVSS))
        return 0;
    return CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_VCVTSI2SD, ZYDIS_MNEMONIC_VCVTSI2SS,
                       ZYDIS_MNEMONIC_VCVTSD2SS, ZYDIS_MNEMONIC_VCVTSS2SD, ZYDIS_MNEMONIC_VSQRTSD,
                       ZYDIS_MNEMONIC_VSQRTSS, ZYDIS_MNEMONIC_VROUNDSD, ZYDIS_MNEMONIC_VROUNDSS, ZYDIS_MNEMONIC_VMOVSD,
                       ZYDIS_MNEMONIC_VMOVSS)
               ? 1
               : ZYDIS_MAX_OPERAND_COUNT;
}

/* Whether it moves or loads a whole register: a move takes no unit, a load only the load's latency. */
static bool is_move(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
    if (instruction->operand_count_visible == 0 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
        return instruction->mnemonic == ZYDIS_MNEMONIC_LEAVE;
    const ZydisOperandType from = operands[instruction->operand_count_visible - 1].type;
    const bool loads = from == ZYDIS_OPERAND_TYPE_MEMORY;
    if (CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_MOVAPD, ZYDIS_MNEMONIC_MOVAPS,
                    ZYDIS_MNEMONIC_MOVDQA, ZYDIS_MNEMONIC_MOVDQU, ZYDIS_MNEMONIC_MOVSD, ZYDIS_MNEMONIC_MOVSS,
                    ZYDIS_MNEMONIC_MOVSXD, ZYDIS_MNEMONIC_MOVUPD, ZYDIS_MNEMONIC_MOVUPS, ZYDIS_MNEMONIC_MOVZX,
                    ZYDIS_MNEMONIC_POP, ZYDIS_MNEMONIC_VMOVAPD, ZYDIS_MNEMONIC_VMOVAPS, ZYDIS_MNEMONIC_VMOVDQA,
                    ZYDIS_MNEMONIC_VMOVDQA32, ZYDIS_MNEMONIC_VMOVDQA64, ZYDIS_MNEMONIC_VMOVDQU,
                    ZYDIS_MNEMONIC_VMOVDQU16, ZYDIS_MNEMONIC_VMOVDQU32, ZYDIS_MNEMONIC_VMOVDQU64,
                    ZYDIS_MNEMONIC_VMOVDQU8, ZYDIS_MNEMONIC_VMOVSD, ZYDIS_MNEMONIC_VMOVSS, ZYDIS_MNEMONIC_VMOVUPD,
                    ZYDIS_MNEMONIC_VMOVUPS, ZYDIS_MNEMONIC_XCHG))
        return loads || from == ZYDIS_OPERAND_TYPE_REGISTER;
    return loads && CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_MOVD, ZYDIS_MNEMONIC_MOVDDUP, ZYDIS_MNEMONIC_MOVQ,
                                ZYDIS_MNEMONIC_MOVSX, ZYDIS_MNEMONIC_VBROADCASTSD, ZYDIS_MNEMONIC_VBROADCASTSS,
                                ZYDIS_MNEMONIC_VMOVD, ZYDIS_MNEMONIC_VMOVDDUP, ZYDIS_MNEMONIC_VMOVQ);
}

/* The stack pointer is updated before any instruction waits for it. */
static bool moves_stack(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->meta.category, ZYDIS_CATEGORY_PUSH, ZYDIS_CATEGORY_POP, ZYDIS_CATEGORY_CALL,
                       ZYDIS_CATEGORY_RET) ||
           instruction->mnemonic == ZYDIS_MNEMONIC_LEAVE;
}

static void add_addresses(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          cm_flow *flow)
{
    for (size_t i = 0; i < instruction->operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) {
            add_read(flow, operands[i].mem.base);
            add_read(flow, operands[i].mem.index);
        }
    flow->address_count = flow->read_count;
}

/* A register written in part, or conditionally, is also read; not so flags, which processors do not wait for then. */
static void add_registers(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          cm_flow *flow)
{
    const bool idiom = is_idiom(instruction, operands) || is_exchange(instruction), stack = moves_stack(instruction);
    const size_t merged = merged_operand(instruction);
    for (size_t i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || (stack && operand->reg.value == ZYDIS_REGISTER_RSP))
            continue;
        const ZydisRegisterClass class = ZydisRegisterGetClass(operand->reg.value);
        const bool flags = class == ZYDIS_REGCLASS_FLAGS;
        const bool part = class == ZYDIS_REGCLASS_GPR8 || class == ZYDIS_REGCLASS_GPR16;
        const bool perhaps = (operand->actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0 && !flags;
        const bool reads = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
        if (i != merged && (reads ? flags || !idiom : part || perhaps))
            add_read(flow, operand->reg.value);
        if ((operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 &&
            (!flags || (instruction->mnemonic != ZYDIS_MNEMONIC_INC && instruction->mnemonic != ZYDIS_MNEMONIC_DEC)))
            add_write(flow, operand->reg.value);
    }
}

static cm_flow_kind find_flow_kind(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                                   const cm_step *step)
{
    cm_flow_kind kind = is_move(instruction, operands) ? CM_FLOW_MOVE : CM_FLOW_SIMPLE;
    for (size_t i = 0; i < step->fact_count; i++) {
        const cm_flow_kind of_fact = cm_fact_flow_kind(step->facts[i]);
        kind = of_fact > kind ? of_fact : kind;
    }
    return kind;
}

/* Whether anything but the stack is loaded: some processors know values just stored there without a load. */
static bool any_loads(const cm_step *step)
{
    const uint8_t stack = (uint8_t)ZydisRegisterGetId(ZYDIS_REGISTER_RSP);
    const uint8_t frame = (uint8_t)ZydisRegisterGetId(ZYDIS_REGISTER_RBP);
    for (size_t i = 0; i < step->access_count; i++)
        if (step->accesses[i].load && step->accesses[i].base != stack && step->accesses[i].base != frame)
            return true;
    return false;
}

/* Whether processors fuse it with the instruction beside it. */
static bool is_fused(const ZydisDecodedInstruction *instruction, const cm_step *step)
{
    for (size_t i = 0; i < step->fact_count; i++)
        if (step->facts[i] == CM_FACT_NOPS)
            return true;
    return instruction->meta.category == ZYDIS_CATEGORY_COND_BR;
}

void cm_decode_flow(const void *code, cm_flow *flow)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    cm_step step = {0};
    *flow = (cm_flow){.kind = CM_FLOW_MOVE};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, CM_INSTRUCTION_SIZE, &instruction, operands)))
        return; /* it does not run */
    if (instruction.meta.category == ZYDIS_CATEGORY_STRINGOP) {
        flow->fused = true; /* one that repeats moves whole lines, and is its own next instruction here */
        flow->role = CM_FLOW_STRING;
        return;
    }
    cm_step_decode_facts(&instruction, operands, &step);
    cm_step_decode_accesses(&instruction, operands, &step);
    add_addresses(&instruction, operands, flow);
    add_registers(&instruction, operands, flow);
    flow->kind = (uint8_t)find_flow_kind(&instruction, operands, &step);
    flow->loads = any_loads(&step);
    flow->fused = is_fused(&instruction, &step);
    cm_decode_time(&instruction, &step, flow);
    if (flow->fused)
        flow->kind = CM_FLOW_MOVE;
}
