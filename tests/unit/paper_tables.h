/* What the paper prints: the events that its analysis selects and its metrics in them (Tables V to VIII), and what
 * becomes of the events that were made up around them. */
#ifndef PAPER_TABLES_H
#define PAPER_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/analysis.h>

enum { EVENTS = 12, TERMS = 4 };

typedef struct paper_table {
    const char *table, *benchmark;
    const char *selected[EVENTS]; /* in any order */
} paper_table;

#define FP(name) "FP_ARITH_INST_RETIRED:" name
#define SQ(name) "SQ_INSTS_VALU_" name

static const paper_table tables[] = {
    {"sapphire-rapids-cpu-flops",
     "cpu-flops",
     {FP("128B_PACKED_SINGLE"), FP("256B_PACKED_SINGLE"), FP("512B_PACKED_SINGLE"), FP("128B_PACKED_DOUBLE"),
      FP("256B_PACKED_DOUBLE"), FP("512B_PACKED_DOUBLE"), FP("SCALAR_SINGLE"), FP("SCALAR_DOUBLE")}},
    {"mi250x-gpu-flops",
     "gpu-flops",
     {SQ("ADD_F16"), SQ("ADD_F32"), SQ("ADD_F64"), SQ("MUL_F16"), SQ("MUL_F32"), SQ("MUL_F64"), SQ("TRANS_F16"),
      SQ("TRANS_F32"), SQ("TRANS_F64"), SQ("FMA_F16"), SQ("FMA_F32"), SQ("FMA_F64")}},
    {"sapphire-rapids-branch",
     "branch",
     {"BR_MISP_RETIRED", "BR_INST_RETIRED:COND", "BR_INST_RETIRED:COND_TAKEN", "BR_INST_RETIRED:ALL_BRANCHES"}},
    {"sapphire-rapids-dcache",
     "dcache",
     {"MEM_LOAD_RETIRED:L3_HIT", "L2_RQSTS:DEMAND_DATA_RD_HIT", "MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_RETIRED:L1_HIT"}},
};
enum { CPU, GPU, BRANCH, DCACHE, TABLES };

typedef struct term {
    const char *event;
    const char *coefficient; /* as printed; without a point it is exact */
} term;

typedef struct definition {
    int table;
    const char *metric;
    const char *error; /* as printed; NULL where it is printed near 1e-16: below 1e-14 */
    bool composable;
    term terms[TERMS]; /* events that are not here have coefficient 0 */
} definition;

#define PACKED(precision, scalar, narrow, middle, wide)                                                                \
    {                                                                                                                  \
        {FP("128B_PACKED_" precision), narrow}, {FP("256B_PACKED_" precision), middle},                                \
            {FP("512B_PACKED_" precision), wide},                                                                      \
        {                                                                                                              \
            FP("SCALAR_" precision), scalar                                                                            \
        }                                                                                                              \
    }
#define OPERATIONS(bits)                                                                                               \
    {                                                                                                                  \
        {SQ("FMA_F" bits), "2"}, {SQ("MUL_F" bits), "1"}, {SQ("TRANS_F" bits), "1"},                                   \
        {                                                                                                              \
            SQ("ADD_F" bits), "1"                                                                                      \
        }                                                                                                              \
    }
#define CACHE(l3_hit, l2_hit, l1_miss, l1_hit)                                                                         \
    {                                                                                                                  \
        {"MEM_LOAD_RETIRED:L3_HIT", l3_hit}, {"L2_RQSTS:DEMAND_DATA_RD_HIT", l2_hit},                                  \
            {"MEM_LOAD_RETIRED:L1_MISS", l1_miss},                                                                     \
        {                                                                                                              \
            "MEM_LOAD_RETIRED:L1_HIT", l1_hit                                                                          \
        }                                                                                                              \
    }

static const definition definitions[] = {
    /* Table V */
    {CPU, "SP Instrs.", NULL, true, PACKED("SINGLE", "1", "1", "1", "1")},
    {CPU, "SP Ops.", NULL, true, PACKED("SINGLE", "1", "4", "8", "16")},
    {CPU, "SP FMA Instrs.", "2.36e-1", false, PACKED("SINGLE", "0.8", "0.8", "0.8", "0.8")},
    {CPU, "DP Instrs.", NULL, true, PACKED("DOUBLE", "1", "1", "1", "1")},
    {CPU, "DP Ops.", NULL, true, PACKED("DOUBLE", "1", "2", "4", "8")},
    {CPU, "DP FMA Instrs.", "2.36e-1", false, PACKED("DOUBLE", "0.8", "0.8", "0.8", "0.8")},
    /* Table VI */
    {GPU, "HP Add Ops.", "4.14e-1", false, {{SQ("ADD_F16"), "0.5"}}},
    {GPU, "HP Sub Ops.", "4.14e-1", false, {{SQ("ADD_F16"), "0.5"}}},
    {GPU, "HP Add and Sub Ops.", NULL, true, {{SQ("ADD_F16"), "1"}}},
    {GPU, "All HP Ops.", NULL, true, OPERATIONS("16")},
    {GPU, "All SP Ops.", NULL, true, OPERATIONS("32")},
    {GPU, "All DP Ops.", NULL, true, OPERATIONS("64")},
    /* Table VII */
    {BRANCH,
     "Unconditional Branches",
     NULL,
     true,
     {{"BR_INST_RETIRED:COND", "-1"}, {"BR_INST_RETIRED:ALL_BRANCHES", "1"}}},
    {BRANCH, "Conditional Branches Taken", NULL, true, {{"BR_INST_RETIRED:COND_TAKEN", "1"}}},
    {BRANCH,
     "Conditional Branches Not Taken",
     NULL,
     true,
     {{"BR_INST_RETIRED:COND", "1"}, {"BR_INST_RETIRED:COND_TAKEN", "-1"}}},
    {BRANCH, "Mispredicted Branches", NULL, true, {{"BR_MISP_RETIRED", "1"}}},
    {BRANCH, "Correctly Predicted Branches", NULL, true, {{"BR_MISP_RETIRED", "-1"}, {"BR_INST_RETIRED:COND", "1"}}},
    {BRANCH, "Conditional Branches Retired", NULL, true, {{"BR_INST_RETIRED:COND", "1"}}},
    {BRANCH, "Conditional Branches Executed", "1.0", false, {{NULL, NULL}}},
    /* Table VIII */
    {DCACHE, "L1 Misses", NULL, true, CACHE("2.56e-3", "3.50e-4", "1.00001", "-3.05e-4")},
    {DCACHE, "L1 Hits", NULL, true, CACHE("-5.69e-6", "-4.21e-4", "-4.19e-6", "0.9996")},
    {DCACHE, "L1 Reads", NULL, true, CACHE("2.55e-3", "-7.14e-5", "1.00001", "0.9993")},
    {DCACHE, "L2 Hits", NULL, true, CACHE("-5.87e-3", "1.003", "-2.39e-3", "-3.11e-4")},
    {DCACHE, "L2 Misses", NULL, true, CACHE("8.43e-3", "-1.002", "1.002", "5.74e-6")},
    {DCACHE, "L3 Hits", NULL, true, CACHE("1.02", "5.22e-3", "-5.26e-3", "-5.88e-6")},
};

/* Events that the paper does not name. */
static const struct {
    int table;
    const char *event;
    cm_event_status status;
    const char *equivalent; /* NULL: to none */
} made_up[] = {
    {CPU, "MADE_UP:COPY_OF_SCALAR_DOUBLE", CM_EVENT_DEPENDENT, FP("SCALAR_DOUBLE")},
    {CPU, "MADE_UP:SCALAR_DOUBLE_TIMES_2", CM_EVENT_DEPENDENT, FP("SCALAR_DOUBLE")},
    {CPU, "MADE_UP:512B_PACKED_DOUBLE_TIMES_1000", CM_EVENT_DEPENDENT, FP("512B_PACKED_DOUBLE")},
    {CPU, "MADE_UP:SCALAR_SINGLE_TIMES_1_OVER_10", CM_EVENT_DEPENDENT, FP("SCALAR_SINGLE")},
    {CPU, "MADE_UP:SUM_FOUR_OPERATIONS", CM_EVENT_DEPENDENT, NULL},
    {CPU, "MADE_UP:SUM_ALL", CM_EVENT_DEPENDENT, NULL},
    {CPU, "MADE_UP:ZERO_1", CM_EVENT_ZERO, NULL},
    {CPU, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
    {CPU, "MADE_UP:ONE_AN_ITERATION", CM_EVENT_UNREPRESENTABLE, NULL},
    {CPU, "MADE_UP:CYCLES_1", CM_EVENT_NOISY, NULL},
    {CPU, "MADE_UP:CYCLES_5", CM_EVENT_NOISY, NULL},
    {CPU, "MADE_UP:INTERRUPTS_1", CM_EVENT_NOISY, NULL},
    {CPU, "MADE_UP:NEARLY_SCALAR_DOUBLE", CM_EVENT_NOISY, NULL},
    {GPU, "MADE_UP:COPY_OF_ADD_F32", CM_EVENT_DEPENDENT, SQ("ADD_F32")},
    {GPU, "MADE_UP:MUL_F32_TIMES_64", CM_EVENT_DEPENDENT, SQ("MUL_F32")},
    {GPU, "MADE_UP:SUM_FMA", CM_EVENT_DEPENDENT, NULL},
    {GPU, "MADE_UP:ZERO_6", CM_EVENT_ZERO, NULL},
    {GPU, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
    {GPU, "MADE_UP:CYCLES_3", CM_EVENT_NOISY, NULL},
    {BRANCH, "MADE_UP:COPY_OF_MISPREDICTED", CM_EVENT_DEPENDENT, "BR_MISP_RETIRED"},
    {BRANCH, "MADE_UP:ALL_BRANCHES_TIMES_1_OVER_2", CM_EVENT_DEPENDENT, "BR_INST_RETIRED:ALL_BRANCHES"},
    {BRANCH, "MADE_UP:COND_NOT_TAKEN", CM_EVENT_DEPENDENT, NULL},
    {BRANCH, "MADE_UP:INSTRUCTIONS", CM_EVENT_UNREPRESENTABLE, NULL},
    {BRANCH, "MADE_UP:ONE_AN_ITERATION", CM_EVENT_UNREPRESENTABLE, NULL},
    {BRANCH, "MADE_UP:CYCLES_4", CM_EVENT_NOISY, NULL},
    {BRANCH, "MADE_UP:INTERRUPTS_1", CM_EVENT_ZERO, NULL}, /* rounded to the quantum nothing is left */
    {DCACHE, "MADE_UP:COPY_OF_L2_HIT", CM_EVENT_DEPENDENT, "L2_RQSTS:DEMAND_DATA_RD_HIT"},
    {DCACHE, "MADE_UP:L1_HIT_TIMES_2", CM_EVENT_DEPENDENT, "MEM_LOAD_RETIRED:L1_HIT"},
    {DCACHE, "MADE_UP:L3_MISS", CM_EVENT_DEPENDENT, NULL},
    {DCACHE, "MADE_UP:STEADY_CYCLES", CM_EVENT_DEPENDENT, NULL},
    {DCACHE, "MADE_UP:DTLB_MISS", CM_EVENT_UNREPRESENTABLE, NULL},
    {DCACHE, "MADE_UP:CYCLES", CM_EVENT_NOISY, NULL},
    {DCACHE, "MADE_UP:NOISY_L3_HIT", CM_EVENT_NOISY, NULL},
    {DCACHE, "MADE_UP:ZERO_2", CM_EVENT_ZERO, NULL},
};

/* What selected events count, in the ideal events of bases/branch.csv and bases/dcache.csv. */
enum { MOST_IDEAL = 5, COUNTED = 4 };
typedef struct counted_event {
    const char *event;
    double counts[MOST_IDEAL];
} counted_event;

static const counted_event branch_events[COUNTED] = {
    {"BR_MISP_RETIRED", {0, 0, 0, 0, 1}},
    {"BR_INST_RETIRED:COND", {0, 1, 0, 0, 0}},
    {"BR_INST_RETIRED:COND_TAKEN", {0, 0, 1, 0, 0}},
    {"BR_INST_RETIRED:ALL_BRANCHES", {0, 1, 0, 1, 0}},
};

static const counted_event dcache_events[COUNTED] = {
    {"MEM_LOAD_RETIRED:L3_HIT", {0, 0, 0, 1}},
    {"L2_RQSTS:DEMAND_DATA_RD_HIT", {0, 0, 1, 0}},
    {"MEM_LOAD_RETIRED:L1_MISS", {1, 0, 0, 0}},
    {"MEM_LOAD_RETIRED:L1_HIT", {0, 1, 0, 0}},
};

#endif
