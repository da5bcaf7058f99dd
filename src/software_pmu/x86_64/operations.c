/* The operations that instructions of x86-64 take beyond one. All others take one.
 *
 * Sources: LLVM's scheduling models X86SchedAlderlakeP and X86ScheduleZnver4, and A. Fog, "Instruction tables", for
 * calls, locks and repeated instructions; of Zen 4 AMD's Software Optimization Guide, 57647. */
#include "software_pmu/x86_64/step.h"

enum { INTEL = 1, AMD = 2 };

/* The numbers of Golden Cove and of Zen 4. */
typedef struct operations_row {
    ZydisMnemonic mnemonic;
    uint8_t intel, amd;
} operations_row;

static const operations_row operations_rows[] = {
    {ZYDIS_MNEMONIC_DIV, 4, 2},          {ZYDIS_MNEMONIC_IDIV, 4, 2},
    {ZYDIS_MNEMONIC_CMPXCHG16B, 22, 26}, {ZYDIS_MNEMONIC_CMPXCHG8B, 16, 15},
    {ZYDIS_MNEMONIC_CPUID, 26, 60},      {ZYDIS_MNEMONIC_RDTSC, 15, 38},
    {ZYDIS_MNEMONIC_SHLD, 1, 4},         {ZYDIS_MNEMONIC_SHRD, 1, 4},
    {ZYDIS_MNEMONIC_LEAVE, 3, 2},        {ZYDIS_MNEMONIC_CALL, 2, 1},
    {ZYDIS_MNEMONIC_LOOP, 7, 1},         {ZYDIS_MNEMONIC_LOOPE, 11, 1},
    {ZYDIS_MNEMONIC_LOOPNE, 11, 1},      {ZYDIS_MNEMONIC_JRCXZ, 2, 1},
    {ZYDIS_MNEMONIC_JECXZ, 2, 1},        {ZYDIS_MNEMONIC_MFENCE, 2, 1},
    {ZYDIS_MNEMONIC_CVTDQ2PD, 2, 2},     {ZYDIS_MNEMONIC_VCVTDQ2PD, 2, 2},
    {ZYDIS_MNEMONIC_CVTSI2SD, 2, 2},     {ZYDIS_MNEMONIC_VCVTSI2SD, 2, 2},
    {ZYDIS_MNEMONIC_CVTSI2SS, 2, 2},     {ZYDIS_MNEMONIC_VCVTSI2SS, 2, 2},
    {ZYDIS_MNEMONIC_CVTTSD2SI, 2, 2},    {ZYDIS_MNEMONIC_VCVTTSD2SI, 2, 2},
    {ZYDIS_MNEMONIC_CVTSD2SS, 2, 1},     {ZYDIS_MNEMONIC_VCVTSD2SS, 2, 1},
    {ZYDIS_MNEMONIC_CVTSS2SD, 2, 1},     {ZYDIS_MNEMONIC_VCVTSS2SD, 2, 1},
    {ZYDIS_MNEMONIC_HADDPS, 3, 3},       {ZYDIS_MNEMONIC_HADDPD, 3, 3},
    {ZYDIS_MNEMONIC_VHADDPS, 3, 3},      {ZYDIS_MNEMONIC_VHADDPD, 3, 3},
    {ZYDIS_MNEMONIC_DPPD, 3, 3},         {ZYDIS_MNEMONIC_VDPPD, 3, 3},
    {ZYDIS_MNEMONIC_DPPS, 6, 8},         {ZYDIS_MNEMONIC_VDPPS, 6, 8},
    {ZYDIS_MNEMONIC_AESIMC, 2, 1},       {ZYDIS_MNEMONIC_AESKEYGENASSIST, 14, 1},
};

/* Operations of instructions that load and store the same place: Intel's with a lock and exchanges are microcoded;
 * AMD's exchange takes two. */
enum { INTEL_LOCKED = 8, INTEL_UPDATE = 2, EXCHANGE = 2, INTEL_EXCHANGE = 3 };

static void take_operations(cm_step *step, unsigned intel, unsigned amd)
{
    step->operations.more[INTEL] = (uint8_t)(intel - 1);
    step->operations.more[AMD] = (uint8_t)(amd - 1);
}

/* Operations of a gather or scatter, for each element and around them: of Golden Cove's gathers; Zen 4's are our
 * choice, near the figures that others measure. */
enum { INTEL_ELEMENT = 1, AMD_ELEMENT = 4, AROUND_ELEMENTS = 4 };

static void take_access_operations(const cm_access *access, bool exchanges, cm_step *step)
{
    if (access->elements != 0)
        take_operations(step, AROUND_ELEMENTS + INTEL_ELEMENT * access->elements,
                        AROUND_ELEMENTS + AMD_ELEMENT * access->elements);
    else if (access->load && access->store && access->locked)
        take_operations(step, INTEL_LOCKED, exchanges ? EXCHANGE : 1);
    else if (access->load && access->store)
        take_operations(step, INTEL_UPDATE, 1);
}

/* Whether all that it does with memory is one operation: the loaded value is its result. */
static bool only_loads(const ZydisDecodedInstruction *instruction)
{
    return CM_IS_AMONG(instruction->meta.category, ZYDIS_CATEGORY_DATAXFER, ZYDIS_CATEGORY_BROADCAST,
                       ZYDIS_CATEGORY_POP) ||
           instruction->mnemonic == ZYDIS_MNEMONIC_FLD || instruction->mnemonic == ZYDIS_MNEMONIC_LEAVE;
}

void cm_step_decode_operations(const ZydisDecodedInstruction *instruction, cm_step *step)
{
    const bool exchanges = instruction->mnemonic == ZYDIS_MNEMONIC_XCHG;
    step->operations.repeated = step->kind == CM_STEP_STRING;
    /* Golden Cove fuses a load with the work on it, and the address of a store with its data. */
    unsigned count = 0;
    for (size_t i = 0; i < step->access_count; i++)
        count += (step->accesses[i].load && !only_loads(instruction)) + step->accesses[i].store;
    step->operations.micro_fused = (uint8_t)count;
    if (exchanges)
        take_operations(step, INTEL_EXCHANGE, EXCHANGE);
    for (size_t i = 0; i < step->access_count; i++)
        take_access_operations(&step->accesses[i], exchanges, step);
    for (size_t i = 0; i < sizeof operations_rows / sizeof operations_rows[0]; i++)
        if (operations_rows[i].mnemonic == instruction->mnemonic)
            take_operations(step, operations_rows[i].intel, operations_rows[i].amd);
}
