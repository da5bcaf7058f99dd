/* The registers and flags that an instruction of aarch64 reads and writes, and its kind of latency, by its group
 * (C4.1). Predicates of scalable vectors have no numbers, as if each were ready, nor has the stack pointer, which
 * nothing waits for. */
#include "software_pmu/aarch64/decode.h"
#include "software_pmu/qemu/plugin.h"

/* General registers are 0 to 30; 31 is zero or the stack pointer in code, and the flags here. */
enum { LINK = 30, FLAGS = 31, VECTORS = 32 };
_Static_assert((int)VECTORS + 32 <= (int)CM_FLOW_REGISTERS, "each has a number");

/* Cycles beyond the latency of its kind: between files of registers, and of atomics. */
enum { TO_OTHER_REGISTERS = 2, ATOMIC = 6 };

static void add_read(cm_flow *flow, unsigned number)
{
    if (flow->read_count < CM_FLOW_READS)
        flow->reads[flow->read_count++] = (uint8_t)number;
}

static void add_write(cm_flow *flow, unsigned number)
{
    if (flow->write_count < CM_FLOW_WRITES)
        flow->writes[flow->write_count++] = (uint8_t)number;
}

/* The general register in these bits; 31 has no number. */
static void read_general(uint32_t word, unsigned low, cm_flow *flow)
{
    const unsigned number = cm_code_bits(word, low + 4, low);
    if (number != FLAGS)
        add_read(flow, number);
}

static void write_general(uint32_t word, unsigned low, cm_flow *flow)
{
    const unsigned number = cm_code_bits(word, low + 4, low);
    if (number != FLAGS)
        add_write(flow, number);
}

static void read_vector(uint32_t word, unsigned low, cm_flow *flow)
{
    add_read(flow, VECTORS + cm_code_bits(word, low + 4, low));
}

static void write_vector(uint32_t word, unsigned low, cm_flow *flow)
{
    add_write(flow, VECTORS + cm_code_bits(word, low + 4, low));
}

/* "Data Processing -- Immediate". */
static void take_immediate_flow(uint32_t word, cm_flow *flow)
{
    const unsigned operation = cm_code_bits(word, 25, 23);
    const bool moves = operation == 5;
    if (operation >= 2 && !moves)
        read_general(word, CM_A64_RN, flow);
    if ((moves && cm_code_bits(word, 30, 29) == 3) || (operation == 6 && cm_code_bits(word, 30, 29) == 1))
        read_general(word, CM_A64_RD, flow); /* movk, bfm */
    if (operation == 7)
        read_general(word, CM_A64_RM, flow);
    write_general(word, CM_A64_RD, flow);
    const bool adds = operation == 2, logic = operation == 4;
    if ((adds && cm_code_bits(word, 29, 29) != 0) || (logic && cm_code_bits(word, 30, 29) == 3))
        add_write(flow, FLAGS);
}

/* "Branches, Exception Generating and System instructions". */
static void take_branch_flow(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    const bool tests = (word & 0x7C000000) == 0x34000000; /* cbz cbnz tbz tbnz */
    if (tests)
        read_general(word, CM_A64_RD, flow);
    else if (decoded->kind == CM_DECODED_CONDITIONAL)
        add_read(flow, FLAGS);
    if (decoded->target == 0 && decoded->kind != CM_DECODED_PLAIN && decoded->kind != CM_DECODED_WALL)
        read_general(word, CM_A64_RN, flow);
    if (decoded->kind == CM_DECODED_CALL || decoded->kind == CM_DECODED_CALL_INDIRECT)
        add_write(flow, LINK);
    if (decoded->kind == CM_DECODED_WALL)
        flow->role = CM_FLOW_WALL;
    if ((word & 0xFFF00000) == 0xD5300000) /* mrs */
        write_general(word, CM_A64_RD, flow);
}

/* "Data Processing -- Register". */
static void take_register_flow(uint32_t word, cm_flow *flow)
{
    const unsigned group = cm_code_bits(word, 24, 21);
    const bool big = cm_code_bits(word, 28, 28) != 0, sets = cm_code_bits(word, 29, 29) != 0;
    const bool compares = big && (group & 0xE) == 2; /* ccmp ccmn */
    const bool selects = big && (group & 0xE) == 4;  /* csel and its kin */
    const bool carries = big && (group & 0xE) == 0;  /* adc sbc */
    const bool one = big && group == 6 && cm_code_bits(word, 30, 30) != 0;
    read_general(word, CM_A64_RN, flow);
    if (!one && !(compares && cm_code_bits(word, 11, 11) != 0))
        read_general(word, CM_A64_RM, flow);
    if (big && (group & 8) != 0)
        read_general(word, CM_A64_RA, flow); /* products and sums */
    if (compares || selects || carries)
        add_read(flow, FLAGS);
    if (!compares)
        write_general(word, CM_A64_RD, flow);
    const bool adds = !big && (group & 8) != 0, logic = !big && (group & 8) == 0 && cm_code_bits(word, 30, 29) == 3;
    if (compares || (carries && sets) || (adds && sets) || logic)
        add_write(flow, FLAGS);
    const bool copies = !big && (word & 0x7FE0FFE0) == 0x2A0003E0; /* mov */
    if (copies)
        flow->kind = CM_FLOW_MOVE;
}

/* Whether an access to one register or a pair moves its base, before or after. */
static bool moves_base(uint32_t word)
{
    return (word & 0x3B200400) == 0x38000400 || (word & 0x3A800000) == 0x28800000;
}

/* Whether it works on vectors, or loads or stores them. */
static bool has_vectors(const cm_flow *flow)
{
    bool found = false;
    for (unsigned i = flow->address_count; i < flow->read_count; i++)
        found = found || flow->reads[i] >= VECTORS;
    for (unsigned i = 0; i < flow->write_count; i++)
        found = found || flow->writes[i] >= VECTORS;
    return found;
}

/* "Loads and Stores": the base, an index, and one or two registers of data. A base that moves is there at once, since
 * it waits neither for the load nor for the data of a store. */
static void take_access_flow(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    const bool vector = cm_code_bits(word, 26, 26) != 0, literal = (word & 0x3B000000) == 0x18000000;
    const bool pair = (word & 0x3A000000) == 0x28000000, single = (word & 0x3A000000) == 0x38000000;
    const bool scaled = single && cm_code_bits(word, 24, 24) != 0;
    const bool indexed = single && !scaled && (word & 0x00200C00) == 0x00200800;
    const bool atomic = single && !scaled && (word & 0x00200C00) == 0x00200000;
    const bool loads = decoded->access_count != 0 && decoded->accesses[0].load;
    const bool stores = decoded->access_count != 0 && decoded->accesses[0].store;
    if (!literal)
        read_general(word, CM_A64_RN, flow);
    if (indexed)
        read_general(word, CM_A64_RM, flow);
    flow->address_count = flow->read_count;
    if (atomic || (!single && !pair && !literal && stores))
        read_general(word, CM_A64_RM, flow); /* of the status of stores, which is written */
    if (stores && !atomic)
        vector ? read_vector(word, CM_A64_RD, flow) : read_general(word, CM_A64_RD, flow);
    if (stores && pair)
        vector ? read_vector(word, CM_A64_RA, flow) : read_general(word, CM_A64_RA, flow);
    if (loads)
        vector ? write_vector(word, CM_A64_RD, flow) : write_general(word, CM_A64_RD, flow);
    if (loads && pair)
        vector ? write_vector(word, CM_A64_RA, flow) : write_general(word, CM_A64_RA, flow);
    flow->loads = loads;
    flow->kind = CM_FLOW_MOVE;
    if (loads && stores)
        flow->extra = ATOMIC;
    flow->parts = (uint8_t)(pair + moves_base(word));
}

/* Whether a scalar instruction moves or converts between files of registers: from a general one, or to one. */
static void find_other_file(uint32_t word, bool *from, bool *to)
{
    const bool moves = (word & 0x5F20FC00) == 0x1E200000; /* fmov fcvt* scvtf ucvtf */
    const unsigned operation = cm_code_bits(word, 18, 16);
    *from = moves && (operation == 2 || operation == 3 || operation == 7);
    *to = moves && !*from;
    *from = *from || (word & 0xBFE0FC00) == 0x0E000C00 || (word & 0xFFE0FC00) == 0x4E001C00; /* dup ins */
    *to = *to || (word & 0xBFE0EC00) == 0x0E002C00;                                          /* smov umov */
}

/* Whether an instruction on vectors, or on scalars of theirs, has a second source in bits 20 to 16. */
static bool has_second(uint32_t word)
{
    static const struct {
        uint32_t mask, value;
    } rows[] = {
        {0x8F200400, 0x0E200400}, /* of the same length, and of different ones */
        {0x8F200C00, 0x0E200000}, /* scalars and vectors */
        {0x8F000400, 0x0F000000}, /* by element */
        {0xBF208C00, 0x0E000800}, /* uzp trn zip */
        {0xBFE08400, 0x2E000000}, /* ext */
        {0xBFE08C00, 0x0E000000}, /* tbl tbx */
        {0x9F208400, 0x0E008400}, /* complex and dot products */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((word & rows[i].mask) == rows[i].value)
            return true;
    return false;
}

/* "Scalar Floating-Point and Advanced SIMD": up to three sources; accumulators are read too. */
static void take_vector(uint32_t word, cm_flow *flow)
{
    const bool scalar = (word & 0x5F000000) == 0x1E000000, sums = (word & 0x5F000000) == 0x1F000000;
    const bool compares = scalar && (word & 0x0020FC07) == 0x00202000;
    const bool constant = scalar && (word & 0x00201C00) == 0x00201000;
    const bool one = scalar && (word & 0x00207C00) == 0x00204000;
    const bool second = scalar ? !one && !constant : sums || has_second(word);
    const bool moves = (word & 0x9FF80400) == 0x0F000400; /* movi fmov */
    bool from = false, to = false;
    find_other_file(word, &from, &to);
    if (from)
        read_general(word, CM_A64_RN, flow);
    else if (!constant && !moves)
        read_vector(word, CM_A64_RN, flow);
    if (!from && !to && second)
        read_vector(word, CM_A64_RM, flow);
    if (sums)
        read_vector(word, CM_A64_RA, flow);
    if (scalar && (word & 0x00200C00) == 0x00200C00)
        add_read(flow, FLAGS); /* fcsel */
    if (compares)
        add_write(flow, FLAGS);
    else if (to)
        write_general(word, CM_A64_RD, flow);
    else
        write_vector(word, CM_A64_RD, flow);
    if (!scalar && !sums && flow->kind == CM_FLOW_MULTIPLY_ADD)
        read_vector(word, CM_A64_RD, flow);
    if (from || to)
        flow->extra = TO_OTHER_REGISTERS;
}

/* Arithmetic of scalable vectors, and the registers that it reads; others read none here, as if all were ready. */
static const struct {
    uint32_t mask, value;
    bool reads[3]; /* registers in bits 4 to 0, 9 to 5 and 20 to 16 */
} scalable[] = {
    {0xFF20E000, 0x65000000, {false, true, true}},  /* fadd fsub fmul and the like */
    {0xFF38E000, 0x65008000, {true, true, false}},  /* masked: fadd fsub fmul fmax fabd */
    {0xFF38E000, 0x65088000, {true, true, false}},  /* fmulx fdiv and the like */
    {0xFF38E3C0, 0x65188000, {true, false, false}}, /* with a constant */
    {0xFF200000, 0x65200000, {true, true, true}},   /* fmla fmad and the like */
    {0xFF20F800, 0x64200000, {true, true, false}},  /* fmla fmls by element */
    {0xFF20FC00, 0x64202000, {false, true, false}}, /* fmul by element */
    {0xFF38E000, 0x65002000, {false, true, false}}, /* faddv and the like */
    {0xFF3FE000, 0x65182000, {true, true, false}},  /* fadda */
    {0xFF3EE000, 0x650CA000, {false, true, false}}, /* frecpx fsqrt */
    {0xFF20FC00, 0x04200000, {false, true, true}},  /* add */
    {0xFF20FC00, 0x04200400, {false, true, true}},  /* sub */
    {0xFF3FE000, 0x04100000, {true, true, false}},  /* mul */
};

/* Loads and stores of vectors, counters, and arithmetic. */
static void take_scalable(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    static const uint8_t places[] = {CM_A64_RD, CM_A64_RN, CM_A64_RM};
    if (decoded->unplaced.count != 0) {
        read_general(word, CM_A64_RN, flow);
        flow->address_count = flow->read_count;
        flow->kind = CM_FLOW_MOVE;
        flow->loads = !decoded->unplaced.store;
        decoded->unplaced.store ? read_vector(word, CM_A64_RD, flow) : write_vector(word, CM_A64_RD, flow);
        return;
    }
    if ((word & 0xFF30F800) == 0x0430E000) { /* incb and the like */
        read_general(word, CM_A64_RD, flow);
        write_general(word, CM_A64_RD, flow);
        return;
    }
    if (cm_a64_writes_predicate(word))
        return;
    if ((word & 0xFFFFFC00) == 0x0420BC00 || (word & 0xFF3EE000) == 0x04102000) { /* movprfx */
        flow->role = CM_FLOW_PREFIX;
        flow->kind = CM_FLOW_MOVE;
        read_vector(word, CM_A64_RN, flow);
    }
    for (size_t i = 0; i < sizeof scalable / sizeof scalable[0]; i++)
        for (size_t k = 0; k < 3 && (word & scalable[i].mask) == scalable[i].value; k++)
            if (scalable[i].reads[k])
                read_vector(word, places[k], flow);
    write_vector(word, CM_A64_RD, flow);
}

/* Hands an instruction to the decoder of its group. */
static void take_registers(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    const unsigned group = cm_code_bits(word, 28, 25);
    if ((group & 0xE) == 0xA)
        take_branch_flow(word, decoded, flow);
    else if ((group & 0x5) == 0x4)
        take_access_flow(word, decoded, flow);
    else if ((group & 0x7) == 0x7)
        take_vector(word, flow);
    else if ((group & 0x7) == 0x5)
        take_register_flow(word, flow);
    else if ((group & 0xE) == 0x8)
        take_immediate_flow(word, flow);
    else if (group == 0x2)
        take_scalable(word, decoded, flow);
}

void cm_decode_flow(const void *code, cm_flow *flow)
{
    const cm_vectors vectors = {.bits = 128};
    cm_decoded decoded;
    uint32_t word;
    memcpy(&word, code, sizeof word);
    cm_decode(0, code, &vectors, &decoded);
    cm_fact_flow_begin(&decoded, flow);
    flow->fusible = decoded.fusible;
    bool on_vectors = false;
    for (size_t i = 0; i < decoded.fact_count; i++)
        on_vectors = on_vectors || decoded.facts[i] == CM_FACT_SIMD_INSTRUCTIONS;
    take_registers(word, &decoded, flow);
    flow->vectors = on_vectors || has_vectors(flow);
    if (flow->fused)
        flow->kind = CM_FLOW_MOVE;
    cm_fact_flow_end(&decoded, on_vectors ? CM_FLOW_VECTOR : CM_FLOW_INTEGER, flow);
}
