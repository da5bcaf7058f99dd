/* The fewest cycles that a sequence of instructions takes: each begins when its operands are ready and the window has a
 * free place, and is done a latency later. Instructions enter and leave the window in their order, at most `width` a
 * cycle. Units are unlimited, branches are known in advance, and the first cache level answers every load. So a
 * processor with these latencies, this window and this width is not faster, unless it has another way to the results. A
 * value that is stored and loaded again counts as a new one. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FLOW_H
#define CM_SOFTWARE_PMU_MACHINE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/software_pmu.h>

enum { CM_FLOW_REGISTERS = 96, CM_FLOW_READS = 8, CM_FLOW_WRITES = 4, CM_FLOW_WINDOW = 1024 };

typedef enum cm_flow_kind {
    CM_FLOW_MOVE, /* without latency */
    CM_FLOW_SIMPLE,
    CM_FLOW_INT_MULTIPLY,
    CM_FLOW_ADD, /* floating point from here */
    CM_FLOW_MULTIPLY,
    CM_FLOW_MULTIPLY_ADD,
    CM_FLOW_DIVIDE, /* in double precision; so is the square root */
    CM_FLOW_SQUARE_ROOT,
    CM_FLOW_SHORT_DIVIDE, /* in shorter precisions */
    CM_FLOW_SHORT_SQUARE_ROOT,
    CM_FLOW_KINDS
} cm_flow_kind;

/* The units that time is modelled with. */
typedef enum cm_flow_unit {
    CM_FLOW_NO_UNIT,
    CM_FLOW_INTEGER, /* in general registers; branches */
    CM_FLOW_VECTOR,  /* integers, logic and moves in vector registers */
    CM_FLOW_ADDER,   /* floating point from here */
    CM_FLOW_MULTIPLIER,
    CM_FLOW_LOADER,
    CM_FLOW_STORER,
    CM_FLOW_UNITS
} cm_flow_unit;

/* How an instruction takes slots. */
typedef enum cm_flow_role {
    CM_FLOW_PLAIN,
    CM_FLOW_COMPARE, /* a conditional branch behind it is a part of it */
    CM_FLOW_BRANCH,  /* conditional */
    CM_FLOW_STRING,  /* repeated */
    CM_FLOW_WALL,    /* waits for all before it, and all behind wait for it */
} cm_flow_role;

/* Registers are numbers below CM_FLOW_REGISTERS, chosen by the decoder; flags are one. The first `address_count`
 * registers read form an address. */
typedef struct cm_flow {
    uint8_t kind;
    bool loads;
    bool fused; /* with the instruction before it: it needs no place in the window or the width */
    uint8_t address_count, read_count, write_count;
    uint8_t reads[CM_FLOW_READS], writes[CM_FLOW_WRITES];
    /* for time alone */
    uint8_t unit, role;
    uint8_t extra; /* cycles more than the latency of its kind */
    uint8_t busy;  /* the divider, for so many sixths of its latency */
    bool divides;  /* integers */
    bool wide;     /* of more than 256 bits */
} cm_flow;

typedef struct cm_flows {
    unsigned latencies[CM_FLOW_KINDS], load; /* cycles */
    unsigned window, width;                  /* instructions; width 0: unlimited */
    unsigned next;                           /* index in `left` */
    unsigned entered;                        /* instructions that entered in the cycle `entry` */
    uint64_t entry;                          /* cycle in which the last instruction entered the window */
    uint64_t done;                           /* cycles until all so far have left */
    uint64_t ready[CM_FLOW_REGISTERS];
    uint64_t left[CM_FLOW_WINDOW]; /* cycles in which the last instructions left */
} cm_flows;

/* Uses the machine's latencies and window if it has them; else figures that no present processor beats. */
void cm_flows_init(cm_flows *flows, const cm_pmu_machine *machine);
/* Adds instructions in the order of the code. Returns the cycles added. */
uint64_t cm_flows_add(cm_flows *flows, const cm_flow *flow, size_t count);

#endif
