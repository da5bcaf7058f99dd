/* The fewest cycles that a sequence of instructions takes: each begins when its operands are ready and the window has a
 * free place, and is done a latency later. Instructions enter and leave the window in their order, at most `width` a
 * cycle. Units are unlimited, branches are known in advance, and the first cache level answers every load. So a
 * processor with these latencies, this window and this width is not faster, unless it has another way to the results. A
 * value that is stored and loaded again counts as a new one. */
#ifndef CM_SOFTWARE_PMU_MACHINE_FLOW_H
#define CM_SOFTWARE_PMU_MACHINE_FLOW_H

#include "software_pmu/machine/memory.h"

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
    CM_FLOW_VECTOR_LOADER, /* loads to vector registers, which take a loader, too */
    CM_FLOW_STORER,
    CM_FLOW_UNITS
} cm_flow_unit;

/* How an instruction takes slots. */
typedef enum cm_flow_role {
    CM_FLOW_PLAIN,
    CM_FLOW_STRING,    /* repeated */
    CM_FLOW_WALL,      /* waits for all before it, and all behind wait for it */
    CM_FLOW_PREFIX,    /* of the next instruction, with which it is one */
    CM_FLOW_FULL_WALL, /* a wall that stores leave before, too */
    CM_FLOW_PAUSE,
    CM_FLOW_ROLES
} cm_flow_role;

/* Instructions that processors fuse with a conditional branch behind them. */
typedef enum cm_fusion_first {
    CM_FUSES_NEVER,
    CM_FUSES_TEST,
    CM_FUSES_COMPARE,
    CM_FUSES_AND,
    CM_FUSES_ADD,   /* and subtractions */
    CM_FUSES_STEP,  /* additions and subtractions of 1 that leave the carry flag as it is */
    CM_FUSES_LOGIC, /* other than AND */
    CM_FUSION_FIRSTS
} cm_fusion_first;

/* The condition that a conditional branch tests. */
typedef enum cm_fusion_condition {
    CM_CONDITION_NONE, /* it asks none, or is no branch */
    CM_CONDITION_ZERO, /* whether the result is zero, or less or greater as a signed number */
    CM_CONDITION_CARRY,
    CM_CONDITION_OTHER, /* sign, overflow, parity */
    CM_FUSION_CONDITIONS
} cm_fusion_condition;

/* An instruction's part in a pair that fuses. */
typedef struct cm_fusible {
    uint8_t first;     /* cm_fusion_first */
    bool memory;       /* the first one reads memory */
    uint8_t condition; /* cm_fusion_condition */
} cm_fusible;

/* The values of a machine's `macro_fusion` by which these two, one behind the other, are one operation: bit i for the
 * value i. */
unsigned cm_fusion_rules(const cm_fusible *first, const cm_fusible *branch);

/* Operations that an instruction takes beyond one, by the values of a machine's `operations`. In the fused domain, a
 * load and the work on it are one, and so are the address and the data of a store. */
enum { CM_OPERATION_TABLES = 3, CM_MICRO_FUSING = 1 /* the value whose unfused operations are known */ };

typedef struct cm_operations {
    uint8_t more[CM_OPERATION_TABLES + 1];
    uint8_t micro_fused; /* of its operations, those that are two each in the unfused domain, by CM_MICRO_FUSING */
    bool repeated;       /* and one an access of its repetitions */
} cm_operations;

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
    cm_fusible fusible;
    uint8_t extra;          /* cycles more than the latency of its kind */
    uint8_t busy;           /* the divider, for so many sixths of its latency */
    bool divides;           /* integers */
    bool multiplies;        /* integers in vector registers */
    bool of_x87;            /* arithmetic of x87, one behind the other */
    bool wide;              /* of more than 256 bits */
    bool locked;            /* it loads and stores at once */
    bool branches, vectors; /* it is a branch; it works on vector registers, or loads or stores them */
    uint8_t parts;          /* operations beyond the first, on machines that split accesses */
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

/* A figure of the machine, or the one for machines without it. */
static inline unsigned cm_figure_or(unsigned given, unsigned otherwise)
{
    return given != 0 ? given : otherwise;
}

/* Uses the machine's latencies and window if it has them; else figures that no present processor beats. */
void cm_flows_init(cm_flows *flows, const cm_pmu_machine *machine);
/* Adds instructions in the order of the code. Returns the cycles added. */
uint64_t cm_flows_add(cm_flows *flows, const cm_flow *flow, size_t count);

/* ---- tage ---- */

/* A small TAGE predictor. Source: Seznec, Michaud, "A case for (partially) TAgged GEometric history length branch
 * prediction", Journal of Instruction-Level Parallelism 8 (2006). */

enum { CM_TAGE_TABLES = 4, CM_TAGE_ENTRIES = 2048, CM_TAGE_BASE_ENTRIES = 4096, CM_TAGE_HISTORY_WORDS = 2 };

typedef struct cm_tage_entry {
    uint16_t tag;   /* 0: free */
    int8_t counter; /* -4 to 3, taken from 0 on */
    uint8_t useful; /* 0 to 3 */
} cm_tage_entry;

/* The entries of a branch in each table under the current history, and the tables that predict it. */
typedef struct cm_tage_lookup {
    uint64_t branch, history[CM_TAGE_HISTORY_WORDS];
    unsigned index[CM_TAGE_TABLES], base;
    uint16_t tag[CM_TAGE_TABLES];
    int provider, alternative; /* tables with the longest and the next history; -1: the base */
    bool provided, alternated; /* their predictions */
    bool is_new;               /* the provider has little experience yet */
    bool prediction;
} cm_tage_lookup;

typedef struct cm_tage {
    uint8_t base[CM_TAGE_BASE_ENTRIES]; /* 0 to 3, taken from 2 on */
    cm_tage_entry tables[CM_TAGE_TABLES][CM_TAGE_ENTRIES];
    uint64_t history[CM_TAGE_HISTORY_WORDS]; /* newest outcome in bit 0 of word 0 */
    uint64_t branches;
    int trust_alternative; /* 0 or more: trusted if the provider is new */
    bool is_looked_up;     /* `last` is valid: nothing was learnt since */
    cm_tage_lookup last;
} cm_tage;

bool cm_tage_predict(cm_tage *tage, uint64_t branch);
/* Learns from an outcome; it is added to the history separately. */
void cm_tage_learn(cm_tage *tage, uint64_t branch, bool taken);
void cm_tage_assume(cm_tage *tage, bool taken);

/* ---- predictor ---- */

/* Branch prediction as in processors.
 *
 * Conditional branches: "none" always predicts not taken; "bimodal" has a two-bit counter a branch; "gshare" two-bit
 * counters found by branch and recent outcomes; "tage" tagged tables for ever longer histories over a bimodal one.
 * Direct jumps and calls are always right. Indirect jumps and calls are predicted to go to their last target, returns
 * to the address after the matching call, of the last 16. Tables are indexed by the order in which branches were met,
 * not by their addresses. */

typedef struct cm_predictor cm_predictor;

/* CM_BAD_ARGUMENT if there is none of that name. */
cm_status cm_predictor_create(const char *name, cm_predictor **predictor, cm_error *error);
void cm_predictor_free(cm_predictor *predictor);

/* Whether a conditional branch will be taken; learns nothing. */
bool cm_predictor_predict(cm_predictor *predictor, uint64_t address);
/* Learns the outcome; call it once a retired conditional branch, after predicting it. */
void cm_predictor_learn(cm_predictor *predictor, uint64_t address, bool taken);

/* The outcomes that predictions depend on. On a wrong path the predicted outcomes count, until the path ends. */
typedef struct cm_predictor_history {
    uint64_t outcomes, tage[CM_TAGE_HISTORY_WORDS];
} cm_predictor_history;

cm_predictor_history cm_predictor_save(const cm_predictor *predictor);
void cm_predictor_restore(cm_predictor *predictor, const cm_predictor_history *history);
/* Adds an outcome to the history; learns nothing else. */
void cm_predictor_assume(cm_predictor *predictor, bool taken);

/* Whether an indirect jump or call to `target` was predicted correctly. */
bool cm_predictor_indirect(cm_predictor *predictor, uint64_t address, uint64_t target);

void cm_predictor_call(cm_predictor *predictor, uint64_t return_address);
/* Whether a return to `target` was predicted correctly. */
bool cm_predictor_return(cm_predictor *predictor, uint64_t target);

/* ---- The path that a processor follows after a misprediction ---- */

typedef struct cm_modelled cm_modelled; /* software_pmu/machine/modelled.h */

typedef enum cm_path_kind {
    CM_PATH_CONDITIONAL,
    CM_PATH_JUMP, /* direct, including calls */
    CM_PATH_CALL,
    CM_PATH_END, /* no path goes beyond it: it serializes, or its target is not known before it runs */
} cm_path_kind;

/* An instruction that a path goes over. */
typedef struct cm_passed {
    uint64_t address;
    uint8_t length; /* bytes */
    bool loads, stores;
    cm_operations operations;
} cm_passed;

/* An instruction on a path that is not plain. */
typedef struct cm_path_step {
    cm_path_kind kind;
    uint64_t address;
    void *known;      /* the engine's own pointer */
    cm_passed passed; /* the same instruction, where paths are watched */
} cm_path_step;

/* An engine's decoder along a path. */
typedef struct cm_path {
    void *engine;
    /* Makes `step` the next step that is not plain: from the branch's target on if it is taken, else from the
     * instruction after it. Each plain instruction takes one of the `left` instructions, and is reported if paths are
     * watched. False if there is no code, or none is left. */
    bool (*follow)(void *engine, cm_path_step *step, bool taken, unsigned *left);
} cm_path;

/* Walks from `branch` on, along the wrong prediction, and counts the branches met there. */
void cm_wrong_path_walk(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool predicted);

/* ---- unretired ---- */

/* Lines and translations that no load, store or fetch of the program asks for, but prefetches by instruction, and the
 * loads, stores and code of wrong paths. They come as others come, change caches and TLBs, and count in facts of their
 * own. Neither prefetchers nor a neighbour see them. */

/* The nearest level that a prefetch by instruction brings its line to. */
typedef enum cm_hint { CM_NO_HINT, CM_HINT_L1D, CM_HINT_L2 } cm_hint;

/* A prefetch by instruction; it needs a translation. */
void cm_memory_hint(cm_memory *memory, cm_hint hint, uint64_t address, uint64_t *facts);
/* A load of a wrong path. */
void cm_memory_wrong_load(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* A store of a wrong path, which never leaves the store buffer: only its page is looked up. */
void cm_memory_wrong_store(cm_memory *memory, uint64_t address, size_t bytes, uint64_t *facts);
/* A line of code of a wrong path. */
void cm_memory_wrong_fetch(cm_memory *memory, uint64_t line, uint64_t *facts);

#endif
