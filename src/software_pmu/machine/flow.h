/* What instructions wait for one another, and how long at least: each begins when what it reads is there and when there
 * is room for it, and is done a latency later. Room is a window of instructions that enter and leave it in their order,
 * as many a cycle as the processor is wide; units are without end, branches are known before, and every load is
 * answered by the first level. So a processor with these latencies, this window and this width that knows no other way
 * to its results is not faster. What is stored and loaded again is taken for new. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FLOW_H
#define CM_SOFTWARE_PMU_MACHINE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/software_pmu.h>

enum { CM_FLOW_REGISTERS = 64, CM_FLOW_READS = 8, CM_FLOW_WRITES = 4, CM_FLOW_WINDOW = 1024 };

typedef enum cm_flow_kind {
    CM_FLOW_MOVE, /* without latency */
    CM_FLOW_SIMPLE,
    CM_FLOW_INT_MULTIPLY,
    CM_FLOW_ADD, /* from here of floating point */
    CM_FLOW_MULTIPLY,
    CM_FLOW_MULTIPLY_ADD,
    CM_FLOW_DIVIDE, /* in double precision, as the square root */
    CM_FLOW_SQUARE_ROOT,
    CM_FLOW_SHORT_DIVIDE, /* of shorter numbers */
    CM_FLOW_SHORT_SQUARE_ROOT,
    CM_FLOW_KINDS
} cm_flow_kind;

/* Registers are numbers below CM_FLOW_REGISTERS, by the decoder's choice; flags are one. The first `address_count` of
 * what is read form an address. */
typedef struct cm_flow {
    uint8_t kind;
    bool loads;
    bool fused; /* with the instruction before it: it takes no place of its own, nor room */
    uint8_t address_count, read_count, write_count;
    uint8_t reads[CM_FLOW_READS], writes[CM_FLOW_WRITES];
} cm_flow;

typedef struct cm_flows {
    unsigned latencies[CM_FLOW_KINDS], load; /* cycles */
    unsigned window, width;                  /* instructions; of width 0: without end */
    unsigned next;                           /* in `left` */
    unsigned entered;                        /* in the cycle of `entry` */
    uint64_t entry;                          /* when the last instruction entered the window */
    uint64_t done;                           /* cycles until all so far have left */
    uint64_t ready[CM_FLOW_REGISTERS];
    uint64_t left[CM_FLOW_WINDOW]; /* when the last instructions did */
} cm_flows;

/* By the machine's latencies and window, where it has them; else by what no processor of today is faster than. */
void cm_flows_init(cm_flows *flows, const cm_pmu_machine *machine);
/* Instructions in the order of the code. Returns by how many cycles they are longer. */
uint64_t cm_flows_add(cm_flows *flows, const cm_flow *flow, size_t count);

#endif
