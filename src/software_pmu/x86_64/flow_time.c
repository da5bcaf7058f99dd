/* Latency and waiting of an instruction, by what Zydis says of it. */
#include "software_pmu/x86_64/step.h"

#include "software_pmu/qemu/plugin.h"

/* Cycles beyond the latency of its kind: of a move between register files, and of an instruction that takes longer. */
enum { TO_OTHER_REGISTERS = 2, LONGER = 2 };

/* How the instruction waits: a wall waits for all before it, and all behind it wait for the wall. */
static cm_flow_role role_of(const ZydisDecodedInstruction *instruction)
{
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_LFENCE:
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_SERIALIZE:
    case ZYDIS_MNEMONIC_SYSCALL: return CM_FLOW_WALL;
    case ZYDIS_MNEMONIC_MFENCE: return CM_FLOW_FULL_WALL;
    case ZYDIS_MNEMONIC_PAUSE: return CM_FLOW_PAUSE;
    default: return CM_FLOW_PLAIN;
    }
}

/* Whether it is a sum, product, quotient or root of x87, whose registers are a stack. */
static bool is_of_x87(const ZydisDecodedInstruction *instruction)
{
    static const char *const operations[] = {"fadd",  "fsub",  "fmul",  "fdiv", "fsqrt",
                                             "fiadd", "fisub", "fimul", "fidiv"};
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strncmp(name, operations[i], strlen(operations[i])) == 0)
            return instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87;
    return false;
}

/* Whether it takes longer than others of its registers: 3 cycles in general ones by the instruction tables of Intel and
 * AMD processors, and 3 or 4 in vector registers. */
static bool takes_longer(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->mnemonic, ZYDIS_MNEMONIC_CRC32, ZYDIS_MNEMONIC_PDEP, ZYDIS_MNEMONIC_PEXT,
                       ZYDIS_MNEMONIC_AESENC, ZYDIS_MNEMONIC_AESENCLAST, ZYDIS_MNEMONIC_AESDEC,
                       ZYDIS_MNEMONIC_AESDECLAST, ZYDIS_MNEMONIC_VAESENC, ZYDIS_MNEMONIC_VAESENCLAST,
                       ZYDIS_MNEMONIC_VAESDEC, ZYDIS_MNEMONIC_VAESDECLAST);
}

typedef struct flow_traits {
    bool vectors, crosses, loads, stores, locked;
} flow_traits;

/* Its registers, and its work in memory. */
static flow_traits traits_of(const cm_step *step, const cm_flow *flow)
{
    flow_traits traits = {0};
    bool reads = false, writes = false, writes_others = false, reads_others = false;
    for (size_t i = flow->address_count; i < flow->read_count; i++)
        flow->reads[i] > CM_FLOW_FLAGS ? (reads = true) : (reads_others = true);
    for (size_t i = 0; i < flow->write_count; i++)
        flow->writes[i] > CM_FLOW_FLAGS ? (writes = true) : (writes_others = true);
    for (size_t i = 0; i < step->access_count; i++) {
        traits.loads = traits.loads || step->accesses[i].load;
        traits.stores = traits.stores || step->accesses[i].store;
        traits.locked = traits.locked || step->accesses[i].locked;
    }
    traits.vectors = reads || writes;
    traits.crosses = (reads && writes_others) || (writes && reads_others && !reads);
    return traits;
}

void cm_decode_time(const ZydisDecodedInstruction *instruction, const cm_step *step, cm_flow *flow)
{
    const flow_traits traits = traits_of(step, flow);
    const bool only_stores = traits.stores && !traits.loads && flow->write_count == 0;
    flow->role = (uint8_t)role_of(instruction);
    flow->fusible = step->fusible;
    const ZydisInstructionCategory category = instruction->meta.category;
    flow->branches = category == ZYDIS_CATEGORY_COND_BR || category == ZYDIS_CATEGORY_UNCOND_BR ||
                     category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET;
    flow->of_x87 = is_of_x87(instruction);
    flow->vectors = traits.vectors;
    flow->wide = instruction->avx.vector_length == 512;
    if (flow->kind != CM_FLOW_MOVE && !only_stores)
        flow->unit = traits.vectors ? CM_FLOW_VECTOR : CM_FLOW_INTEGER;
    for (size_t i = 0; i < step->fact_count; i++)
        cm_fact_flow_take(step->facts[i], flow);
    if (traits.crosses)
        flow->extra = (uint8_t)(flow->extra + TO_OTHER_REGISTERS);
    if (takes_longer(instruction))
        flow->extra = (uint8_t)(flow->extra + LONGER);
    flow->locked = traits.locked;
}
