/* The registers that an instruction of RISC-V reads and writes, and its kind of latency, by its opcode (volume I,
 * "RV32/64G Instruction Set Listings" and "C"). The stack pointer has no number, since nothing waits for it, nor have
 * vectors, as if each were ready. */
#include "software_pmu/qemu/plugin.h"
#include "software_pmu/riscv64/decode.h"

/* General registers are 1 to 31, of which 2 is the stack pointer; those of floating point follow. */
enum { LINK = 1, STACK = 2, FLOATING = 32 };
_Static_assert((int)FLOATING + 32 <= (int)CM_FLOW_REGISTERS, "each has a number");

static void read_general(unsigned number, cm_flow *flow)
{
    if (number != 0 && number != STACK)
        flow->reads[flow->read_count++] = (uint8_t)number;
}

static void write_general(unsigned number, cm_flow *flow)
{
    if (number != 0 && number != STACK)
        flow->writes[flow->write_count++] = (uint8_t)number;
}

static void read_floating(unsigned number, cm_flow *flow)
{
    flow->reads[flow->read_count++] = (uint8_t)(FLOATING + number);
}

static void write_floating(unsigned number, cm_flow *flow)
{
    flow->writes[flow->write_count++] = (uint8_t)(FLOATING + number);
}

/* The register forms the address of an access. */
static void address_by(unsigned number, cm_flow *flow)
{
    read_general(number, flow);
    flow->address_count = flow->read_count;
    flow->kind = CM_FLOW_MOVE;
}

/* A load into a register, or a store of one; `floating`: of floating point. */
static void move_data(unsigned number, bool loads, bool floating, cm_flow *flow)
{
    flow->loads = loads;
    if (loads)
        floating ? write_floating(number, flow) : write_general(number, flow);
    else
        floating ? read_floating(number, flow) : read_general(number, flow);
}

/* Opcode OP-FP: between registers of floating point, to a general one, or from one. */
static void take_floating(uint32_t word, cm_flow *flow)
{
    enum { SIGN = 4, MOST = 5, COMPARE = 20, TO_INTEGER = 24, FROM_INTEGER = 26, TO_GENERAL = 28, FROM_GENERAL = 30 };
    const unsigned operation = cm_code_bits(word, 31, 27), first = cm_code_bits(word, 19, 15);
    const unsigned second = cm_code_bits(word, 24, 20), to = cm_code_bits(word, 11, 7);
    const bool from_general = operation == FROM_INTEGER || operation == FROM_GENERAL;
    const bool to_general = operation == COMPARE || operation == TO_INTEGER || operation == TO_GENERAL;
    from_general ? read_general(first, flow) : read_floating(first, flow);
    if (operation <= MOST || operation == COMPARE)
        read_floating(second, flow);
    to_general ? write_general(to, flow) : write_floating(to, flow);
    if (operation == SIGN && first == second) /* fmv */
        flow->kind = CM_FLOW_MOVE;
}

/* Instructions of 32 bits. */
static void take_long(uint32_t word, cm_flow *flow)
{
    const unsigned to = cm_code_bits(word, 11, 7), first = cm_code_bits(word, 19, 15);
    const unsigned second = cm_code_bits(word, 24, 20), width = cm_code_bits(word, 14, 12);
    const bool is_scalar = width >= 1 && width <= 4; /* else an access of vectors */
    switch (cm_code_bits(word, 6, 2)) {
    case 0x00: address_by(first, flow), move_data(to, true, false, flow); break;
    case 0x08: address_by(first, flow), move_data(second, false, false, flow); break;
    case 0x01:
    case 0x09:
        address_by(first, flow);
        if (is_scalar)
            move_data(cm_code_bits(word, 5, 5) == 0 ? to : second, cm_code_bits(word, 5, 5) == 0, true, flow);
        break;
    case 0x0B: /* atomic */
        address_by(first, flow), read_general(second, flow), move_data(to, true, false, flow);
        break;
    case 0x04:
    case 0x06:
    case 0x19: read_general(first, flow), write_general(to, flow); break; /* with a constant, jalr */
    case 0x0C:
    case 0x0E: read_general(first, flow), read_general(second, flow), write_general(to, flow); break;
    case 0x05:
    case 0x0D:
    case 0x1B:
    case 0x1C: write_general(to, flow); break; /* auipc, lui, jal, control registers */
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13: /* multiply-adds */
        read_floating(first, flow), read_floating(second, flow), read_floating(cm_code_bits(word, 31, 27), flow);
        write_floating(to, flow);
        break;
    case 0x14: take_floating(word, flow); break;
    case 0x18: read_general(first, flow), read_general(second, flow); break;
    default: break;
    }
}

/* Quadrant 1 of compressed instructions: constants, logic and branches. */
static void take_constant(uint32_t word, cm_flow *flow)
{
    enum { LOGIC = 4, JUMP = 5, BRANCH = 6 };
    const unsigned kind = cm_code_bits(word, 15, 13), to = cm_code_bits(word, 11, 7);
    const unsigned short_to = 8 + cm_code_bits(word, 9, 7), short_second = 8 + cm_code_bits(word, 4, 2);
    if (kind >= BRANCH) {
        read_general(short_to, flow);
    } else if (kind == LOGIC) {
        read_general(short_to, flow);
        if (cm_code_bits(word, 11, 10) == 3 && (word & 0x1060) != 0x1060) /* not of one source */
            read_general(short_second, flow);
        write_general(short_to, flow);
    } else if (kind < LOGIC) {
        if (kind < 2) /* c.addi c.addiw; others set a constant */
            read_general(to, flow);
        write_general(to, flow);
    }
}

/* Quadrant 2, function 4: jumps, moves and sums. */
static void take_sum(uint32_t word, cm_flow *flow)
{
    const unsigned to = cm_code_bits(word, 11, 7), second = cm_code_bits(word, 6, 2);
    const bool adds = cm_code_bits(word, 12, 12) != 0;
    if (adds || second == 0)
        read_general(to, flow);
    if (second != 0) {
        read_general(second, flow);
        write_general(to, flow);
        flow->kind = adds ? flow->kind : CM_FLOW_MOVE;
    } else if (adds)
        write_general(LINK, flow);
}

/* Instructions of 16 bits, by quadrant and function. */
static void take_compressed(uint32_t word, cm_flow *flow)
{
    const unsigned quadrant = cm_code_bits(word, 1, 0), function = cm_code_bits(word, 15, 13);
    const unsigned data = 8 + cm_code_bits(word, 4, 2), base = 8 + cm_code_bits(word, 9, 7);
    const bool floating = function == 1 || function == 5;
    if (quadrant == 1) {
        take_constant(word, flow);
    } else if (quadrant == 0 && function == 0) {
        write_general(data, flow); /* c.addi4spn */
    } else if (quadrant == 0) {
        address_by(base, flow);
        move_data(data, function == 4 ? cm_code_bits(word, 11, 11) == 0 : function < 4, floating, flow);
    } else if (function == 0) {
        read_general(cm_code_bits(word, 11, 7), flow), write_general(cm_code_bits(word, 11, 7), flow);
    } else if (function == 4) {
        take_sum(word, flow);
    } else { /* by the stack pointer */
        address_by(0, flow);
        move_data(function < 4 ? cm_code_bits(word, 11, 7) : cm_code_bits(word, 6, 2), function < 4, floating, flow);
    }
}

void cm_decode_flow(const void *code, cm_flow *flow)
{
    const cm_vectors vectors = {.bits = 128};
    cm_decoded decoded;
    uint32_t word;
    memcpy(&word, code, sizeof word);
    cm_decode(0, code, &vectors, &decoded);
    cm_fact_flow_begin(&decoded, flow);
    if (decoded.length == 2)
        take_compressed(word & 0xFFFF, flow);
    else
        take_long(word, flow);
    cm_fact_flow_end(&decoded, CM_FLOW_INTEGER, flow);
}
