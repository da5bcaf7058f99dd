/* The facts of instructions that retired. */
#include "verify/freestanding/freestanding.h"

/* Instructions of 16 bits that RV32 has in place of others: a call for RV64's addition, accesses of 4 bytes for 8. */
static void narrow_code(const cm_retired *retired, cm_decoded *decoded)
{
    enum { JUMP = 0x8000 }; /* by which the call and the jump differ */
    const cm_vectors none = {0};
    unsigned quadrant = retired->word & 3, kind = cm_code_bits(retired->word, 15, 13);
    if (quadrant == 1 && kind == 1) {
        const uint32_t jump[4] = {retired->word | JUMP};
        cm_decode_riscv64(retired->pc, jump, &none, decoded);
        uint64_t target = decoded->target;
        *decoded = (cm_decoded){.address = retired->pc, .length = 2, .target = target};
        cm_decoded_add(decoded, CM_FACT_SHORT_INSTRUCTIONS);
        cm_decoded_branch(decoded, CM_DECODED_CALL);
    } else if ((quadrant == 0 || quadrant == 2) && (kind == 3 || kind == 7)) {
        decoded->accesses[0].bytes = 4;
    }
}

void cm_trace_decode(const cm_emit_isa *isa, const cm_retired *retired, cm_decoded *decoded)
{
    const cm_vectors none = {0};
    const uint32_t code[4] = {retired->word};
    if (strcmp(isa->family, "riscv") != 0) {
        cm_decode_aarch64(retired->pc, code, &none, decoded);
        return;
    }
    cm_decode_riscv64(retired->pc, code, &none, decoded);
    if (!isa->wide && decoded->length == 2)
        narrow_code(retired, decoded);
}

/* Environment calls, breakpoints, returns from traps. */
static bool leaves_program(const cm_emit_isa *isa, uint32_t word)
{
    enum { SYSTEM = 0x73, SHORT_BREAK = 0x9002, EXCEPTION = 0xD4, RETURN = 0xD69F03E0 };
    if (strcmp(isa->family, "riscv") == 0)
        return (word & 0x707F) == SYSTEM || (word & 0xFFFF) == SHORT_BREAK;
    return word >> 24 == EXCEPTION || word == (uint32_t)RETURN;
}

bool cm_trace_may_follow(const cm_emit_isa *isa, const cm_decoded *decoded, uint32_t word, uint64_t next)
{
    const uint64_t behind = decoded->address + decoded->length;
    switch (decoded->kind) {
    case CM_DECODED_CONDITIONAL: return next == behind || next == decoded->target;
    case CM_DECODED_JUMP:
    case CM_DECODED_CALL: return next == decoded->target;
    case CM_DECODED_PLAIN:
    case CM_DECODED_WALL: return next == behind || leaves_program(isa, word);
    default: return true;
    }
}

/* Adds the facts of one access: loads, stores, bytes and widths. */
static void add_access(const cm_decoded_access *access, double *facts)
{
    const unsigned bytes = access->bytes;
    const bool power = bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes >> CM_ACCESS_WIDTHS == 0;
    if (access->load) {
        facts[CM_FACT_LOADS]++;
        facts[CM_FACT_LOAD_BYTES] += bytes;
        facts[CM_FACT_LOCKED_LOADS] += access->locked;
    }
    if (access->store) {
        facts[CM_FACT_STORES]++;
        facts[CM_FACT_STORE_BYTES] += bytes;
    }
    if (access->load && power)
        facts[CM_FACT_LOADS_1 + __builtin_ctz(bytes)]++;
    if (access->store && power)
        facts[CM_FACT_STORES_1 + __builtin_ctz(bytes)]++;
    facts[CM_FACT_UPDATES] += access->load && access->store;
}

void cm_trace_add(const cm_decoded *decoded, uint64_t next, double *facts)
{
    facts[CM_FACT_INSTRUCTIONS]++;
    for (size_t i = 0; i < decoded->fact_count; i++)
        facts[decoded->facts[i]]++;
    for (size_t i = 0; i < decoded->access_count; i++)
        add_access(&decoded->accesses[i], facts);
    facts[CM_FACT_BRANCHES_COND_TAKEN] +=
        decoded->kind == CM_DECODED_CONDITIONAL && next != decoded->address + decoded->length;
}

bool cm_trace_tells(const cm_fact_table *table, size_t fact)
{
    static const size_t of_addresses[] = {CM_FACT_SPLIT_LOADS, CM_FACT_SPLIT_STORES, CM_FACT_MISALIGNED_LOADS,
                                          CM_FACT_MISALIGNED_STORES};
    bool tells = table->facts[fact].tolerance == 0.0;
    for (size_t i = 0; i < CM_COUNT_OF(of_addresses); i++)
        tells = tells && fact != of_addresses[i];
    return tells;
}
