/* The registers that an instruction of ppc64le reads and writes, and its kind of latency, by its opcode (Power ISA 3.1,
 * appendix of instructions by opcode). The condition, link and count registers, the stack pointer and accumulators have
 * no numbers, nor have integers in vectors: nothing is known to wait for them. */
#include "software_pmu/ppc64le/decode.h"
#include "software_pmu/qemu/plugin.h"

/* General registers are 0 to 31; those of vectors follow, of which the first half is that of floating point. */
enum { STACK = 1, VECTORS = 32, SECOND_HALF = 32 };
_Static_assert((int)VECTORS + 64 <= (int)CM_FLOW_REGISTERS, "each has a number");

/* The fields of a word: a target or source, and two or three more sources. */
enum { T = 21, A = 16, B = 11, C = 6 };

static void read_general(uint32_t word, unsigned low, cm_flow *flow)
{
    if (cm_ppc_field(word, low) != STACK)
        flow->reads[flow->read_count++] = (uint8_t)cm_ppc_field(word, low);
}

static void write_general(uint32_t word, unsigned low, cm_flow *flow)
{
    if (cm_ppc_field(word, low) != STACK)
        flow->writes[flow->write_count++] = (uint8_t)cm_ppc_field(word, low);
}

static void read_vector(unsigned number, cm_flow *flow)
{
    flow->reads[flow->read_count++] = (uint8_t)(VECTORS + number);
}

static void write_vector(unsigned number, cm_flow *flow)
{
    flow->writes[flow->write_count++] = (uint8_t)(VECTORS + number);
}

/* ---- loads and stores ---- */

/* The number of a vector's register that a load or store moves; false: a general one. */
static bool find_vector(uint32_t word, unsigned *number)
{
    const unsigned opcode = cm_ppc_opcode(word), extended = cm_code_bits(word, 10, 1);
    *number = cm_ppc_field(word, T);
    if (opcode >= 48 && opcode <= 55)
        return true;
    if (opcode == 57 || (opcode == 61 && (word & 3) != 1)) {
        *number += SECOND_HALF;
        return true;
    }
    if (opcode == 61) { /* lxv stxv */
        *number += cm_code_bits(word, 3, 3) * SECOND_HALF;
        return true;
    }
    if (opcode != 31)
        return false;
    const unsigned last = extended & 31;
    if (last == 7 && extended < 512) /* of VMX */
        *number += SECOND_HALF;
    else if (last == 12 || last == 13) /* of VSX */
        *number += (word & 1) * SECOND_HALF;
    return last == 12 || last == 13 || last == 7 || last == 23;
}

/* A base that moves is there at once. */
static void take_access(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    unsigned number = 0;
    const bool indexed = cm_ppc_opcode(word) == 31, loads = decoded->accesses[0].load;
    const bool vector = find_vector(word, &number);
    const bool general = !vector && (!indexed || (cm_code_bits(word, 5, 1) == 21 || cm_code_bits(word, 5, 1) == 23));
    if (cm_ppc_field(word, A) != 0)
        read_general(word, A, flow);
    if (indexed)
        read_general(word, B, flow);
    flow->address_count = flow->read_count;
    flow->loads = loads;
    flow->kind = CM_FLOW_MOVE;
    if (vector)
        loads ? write_vector(number, flow) : read_vector(number, flow);
    else if (general || !indexed)
        loads ? write_general(word, T, flow) : read_general(word, T, flow);
}

/* ---- integers ---- */

enum { READS_A = 1, READS_B = 2, READS_T = 4, WRITES_A = 8 /* else T */ };

typedef struct integer_row {
    uint16_t code;
    uint8_t uses;
} integer_row;

/* By opcode; a register of 0 stands for zero in addi and addis. */
static const integer_row opcodes[] = {
    {7, READS_A},
    {8, READS_A},
    {12, READS_A},
    {13, READS_A},
    {14, READS_A},
    {15, READS_A}, /* mulli subfic addic addic. addi addis */
    {20, READS_T | READS_A | WRITES_A},
    {21, READS_T | WRITES_A}, /* rlwimi rlwinm */
    {23, READS_T | READS_B | WRITES_A},
    {24, READS_T | WRITES_A},
    {25, READS_T | WRITES_A}, /* rlwnm ori oris */
    {26, READS_T | WRITES_A},
    {27, READS_T | WRITES_A},
    {28, READS_T | WRITES_A},
    {29, READS_T | WRITES_A}, /* xori xoris andi. andis. */
    {30, READS_T | WRITES_A}, /* rld* */
};

/* By extended opcode of opcode 31, bits 10 to 1; those of sums have one bit less (OE). */
static const integer_row extended_opcodes[] = {
    {266, READS_A | READS_B},
    {40, READS_A | READS_B},
    {10, READS_A | READS_B},
    {8, READS_A | READS_B}, /* add subf addc subfc */
    {138, READS_A | READS_B},
    {136, READS_A | READS_B},
    {233, READS_A | READS_B},
    {235, READS_A | READS_B}, /* adde subfe mulld mullw */
    {73, READS_A | READS_B},
    {9, READS_A | READS_B},
    {489, READS_A | READS_B},
    {457, READS_A | READS_B}, /* mulhd mulhdu divd divdu */
    {491, READS_A | READS_B},
    {459, READS_A | READS_B},
    {104, READS_A},
    {202, READS_A}, /* divw divwu neg addze */
    {28, READS_T | READS_B | WRITES_A},
    {444, READS_T | READS_B | WRITES_A},
    {316, READS_T | READS_B | WRITES_A},
    {60, READS_T | READS_B | WRITES_A}, /* and or xor andc */
    {24, READS_T | READS_B | WRITES_A},
    {27, READS_T | READS_B | WRITES_A},
    {536, READS_T | READS_B | WRITES_A},
    {539, READS_T | READS_B | WRITES_A}, /* slw sld srw srd */
    {824, READS_T | WRITES_A},
    {826, READS_T | WRITES_A},
    {827, READS_T | WRITES_A},
    {986, READS_T | WRITES_A}, /* srawi sradi extsw */
    {954, READS_T | WRITES_A},
    {922, READS_T | WRITES_A},
    {26, READS_T | WRITES_A},
    {58, READS_T | WRITES_A}, /* extsb extsh cntlzw cntlzd */
};

/* The registers that an integer instruction reads and writes, by its row of the table. */
static void take_integer_row(uint32_t word, const integer_row *row, cm_flow *flow)
{
    const bool copies = row->code == 444 && cm_ppc_field(word, T) == cm_ppc_field(word, B);
    const bool zero = (row->code == 14 || row->code == 15) && cm_ppc_field(word, A) == 0;
    if ((row->uses & READS_T) != 0)
        read_general(word, T, flow);
    if ((row->uses & READS_A) != 0 && !zero)
        read_general(word, A, flow);
    if ((row->uses & READS_B) != 0)
        read_general(word, B, flow);
    write_general(word, (row->uses & WRITES_A) != 0 ? A : T, flow);
    if (copies)
        flow->kind = CM_FLOW_MOVE;
}

/* Finds an integer instruction's row; one without a row reads and writes nothing. */
static void take_integer(uint32_t word, cm_flow *flow)
{
    const unsigned opcode = cm_ppc_opcode(word), extended = cm_code_bits(word, 10, 1);
    const bool by_extended = opcode == 31;
    const integer_row *rows = by_extended ? extended_opcodes : opcodes;
    const size_t count =
        by_extended ? sizeof extended_opcodes / sizeof extended_opcodes[0] : sizeof opcodes / sizeof opcodes[0];
    for (size_t i = 0; i < count; i++)
        if (rows[i].code == (by_extended ? extended : opcode))
            take_integer_row(word, &rows[i], flow);
}

/* ---- floating point ---- */

/* Opcodes 59 and 63. */
static void take_floating(uint32_t word, cm_flow *flow)
{
    enum { DIVIDE = 18, SUBTRACT = 20, ADD, ROOT, MULTIPLY = 25, FIRST_SUM = 28, COPY = 72, NEGATE = 40 };
    const unsigned operation = cm_code_bits(word, 5, 1), extended = cm_code_bits(word, 10, 1);
    const bool sums = operation >= FIRST_SUM;
    const bool two = operation == DIVIDE || operation == SUBTRACT || operation == ADD;
    if (sums || two || operation == MULTIPLY)
        read_vector(cm_ppc_field(word, A), flow);
    if (sums || two || operation == ROOT || extended == COPY || extended == NEGATE)
        read_vector(cm_ppc_field(word, B), flow);
    if (sums || operation == MULTIPLY)
        read_vector(cm_ppc_field(word, C), flow);
    write_vector(cm_ppc_field(word, T), flow);
    if (extended == COPY)
        flow->kind = CM_FLOW_MOVE;
}

/* Opcode 60: two sources, multiply-adds that read their target, one source. */
static void take_vector(uint32_t word, cm_flow *flow)
{
    const unsigned extended = cm_code_bits(word, 10, 3), form = extended & 7;
    const unsigned to = cm_ppc_field(word, T) + (word & 1) * SECOND_HALF;
    const unsigned first = cm_ppc_field(word, A) + cm_code_bits(word, 2, 2) * SECOND_HALF;
    const unsigned second = cm_ppc_field(word, B) + cm_code_bits(word, 1, 1) * SECOND_HALF;
    const bool copies = extended == 146 && first == second; /* xxlor */
    if (form == 1)
        read_vector(to, flow);
    if (form <= 1)
        read_vector(first, flow);
    if (form <= 1 || form == 4 || form == 5 || copies)
        read_vector(second, flow);
    write_vector(to, flow);
    if (copies)
        flow->kind = CM_FLOW_MOVE;
}

/* ---- all ---- */

/* Hands an instruction to the decoder of its kind. */
static void take_word(uint32_t word, const cm_decoded *decoded, cm_flow *flow)
{
    const unsigned opcode = cm_ppc_opcode(word);
    if (decoded->access_count != 0)
        take_access(word, decoded, flow);
    else if (opcode == 59 || opcode == 63)
        take_floating(word, flow);
    else if (opcode == 60)
        take_vector(word, flow);
    else
        take_integer(word, flow);
}

void cm_decode_flow(const void *code, cm_flow *flow)
{
    enum { WORD = 4 };
    const cm_vectors none = {0};
    cm_decoded decoded;
    uint32_t word;
    memcpy(&word, code, sizeof word);
    cm_decode(0, code, &none, &decoded);
    cm_fact_flow_begin(&decoded, flow);
    if (decoded.length == WORD)
        take_word(word, &decoded, flow);
    cm_fact_flow_end(&decoded, CM_FLOW_INTEGER, flow);
}
