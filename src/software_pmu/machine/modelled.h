/* The modelled machine as a whole: its counts, and the state of its caches and predictor. An engine reports the code's
 * actions to it, in the order of the code. */
#ifndef CM_SOFTWARE_PMU_MACHINE_MODELLED_H
#define CM_SOFTWARE_PMU_MACHINE_MODELLED_H

#include "software_pmu/machine/flow.h"

/* ---- expected ---- */

/* The addresses that loads and stores of wrong paths are taken to have. The addresses of an instruction there depend on
 * values that nothing computes; but most go on as they went. So each instruction's last address, and the step to it
 * from the one before, are kept, and on a wrong path it is expected one step further, and a step further each time that
 * the same path comes to it again. */

/* Accesses that are kept; one more may take the place of another. */
enum { CM_EXPECTED_PLACES = 1 << 14 };

typedef struct cm_expected_access {
    uint64_t instruction; /* times two, plus one for stores; 0: the place is free */
    uint64_t address;
    int64_t step;
    uint32_t path;
    uint16_t ahead; /* steps taken on that path */
    uint16_t bytes;
} cm_expected_access;

typedef struct cm_expected {
    uint32_t path; /* wrong paths so far */
    cm_expected_access places[CM_EXPECTED_PLACES];
} cm_expected;

/* The program accesses `bytes` from `address` on by the instruction at that address. */
void cm_expected_note(cm_expected *expected, uint64_t instruction, bool store, uint64_t address, size_t bytes);
/* A wrong path comes to the instruction; NULL: it never had such an access. */
const cm_expected_access *cm_expected_next(cm_expected *expected, uint64_t instruction, bool store);

/* ---- operations ---- */

/* An operation cache. An entry has operations that begin in one window of code, in their order, from the place at which
 * execution came to the window; those beyond an entry's room are in the next one. Execution comes to a window from
 * another one, by going back in it, or behind a misprediction. */

enum { CM_CODE_WINDOW = 64, CM_CODE_PARTS = 72 };

/* Instructions one behind the other that begin in the same window of code. */
typedef struct cm_code_part {
    uint64_t first, last; /* addresses of the first instruction and of the last one */
    uint16_t operations[CM_OPERATION_TABLES + 1];
    uint16_t microcoded[CM_OPERATION_TABLES + 1]; /* operations of microcoded instructions, which are in no entry */
    uint16_t micro_fused;                         /* of the others, two each in the unfused domain */
} cm_code_part;

/* Adds an instruction to the parts of a block, which are `count`; returns how many they are then: a block has
 * at most a page of code. */
size_t cm_code_add(cm_code_part parts[static CM_CODE_PARTS], size_t count, uint64_t address,
                   const cm_operations *operations);

typedef struct cm_opcache {
    cm_cache entries;     /* `lines` is NULL if the machine lacks it */
    unsigned holds;       /* operations of an entry */
    uint64_t name;        /* of the entry that execution is in */
    uint64_t window;      /* its window */
    uint64_t last;        /* address of the last instruction */
    unsigned held, parts; /* operations of the entry so far; entries before it */
    bool found;           /* it was in the cache */
} cm_opcache;

/* A misprediction ends: execution comes anew to the window that it goes on in. */
void cm_opcache_leave(cm_opcache *opcache);

/* ---- interrupts ---- */

typedef struct cm_interrupts {
    uint64_t every, instructions; /* every: 0, there are none; of the handler */
    uint64_t due;                 /* when so many instructions have run */
} cm_interrupts;

/* ---- modelled ---- */

/* Lines of code that are not fetched again: the last one of all whose numbers leave the same remainder. So a loop of up
 * to so many lines is fetched once, as by a processor that keeps decoded instructions. */
enum { CM_DECODED_LINES = 64 };

struct cm_modelled {
    uint64_t facts[CM_FACT_COUNT];
    cm_memory memory;
    cm_predictor *predictor;    /* NULL if the machine names none: it has no caches and TLBs either */
    unsigned wrong_path_window; /* instructions */
    uint64_t decoded[CM_DECODED_LINES];
    uint64_t instruction;  /* the address of the one whose accesses are reported */
    bool watches;          /* accesses, for what follows */
    cm_expected *expected; /* NULL: accesses of wrong paths reach nothing */
    cm_forwarding forwarding;
    unsigned fusion; /* macro_fusion of the machine */
    bool operates;   /* operations are counted */
    unsigned table;  /* `operations` of the machine */
    cm_opcache opcache;
    bool hints;         /* prefetch instructions fetch */
    bool wrong_fetches; /* code of wrong paths is fetched */
    cm_interrupts interrupts;
};

/* CM_BAD_ARGUMENT if the machine is impossible. Free with cm_modelled_clear, also after a failure. */
cm_status cm_modelled_init(cm_modelled *modelled, const cm_pmu_machine *machine, cm_error *error);
void cm_modelled_clear(cm_modelled *modelled);
/* Replaces the facts counted so far: counting continues from these. */
void cm_modelled_take_facts(cm_modelled *modelled, const uint64_t *facts);

/* An instruction's access to `bytes` of memory: a load, a store, or both. */
void cm_modelled_load(cm_modelled *modelled, uint64_t address, size_t bytes, bool locked);
void cm_modelled_store(cm_modelled *modelled, uint64_t address, size_t bytes);
/* The part of both that caches and TLBs do, or of split accesses if there are none. */
void cm_modelled_access(cm_modelled *modelled, uint64_t address, size_t bytes, bool store);
/* A non-temporal store, past the caches, which lose its lines. */
void cm_modelled_nt_store(cm_modelled *modelled, uint64_t address, size_t bytes);

/* A pair of instructions ran that these values of macro_fusion fuse (cm_fusion_rules); returns whether this one does.
 */
static inline bool cm_modelled_pair(cm_modelled *modelled, unsigned rules)
{
    const bool fused = (rules >> modelled->fusion & 1) != 0;
    modelled->facts[CM_FACT_FUSED_PAIRS] += fused;
    return fused;
}

/* The operations of code that runs; of the last instruction none if it is `fused` with the one before. */
void cm_modelled_operate(cm_modelled *modelled, const cm_code_part *parts, size_t count, bool fused);
/* Accesses of a repeated string instruction. */
static inline void cm_modelled_repeat(cm_modelled *modelled, uint64_t accesses)
{
    if (modelled->table == 0)
        return;
    modelled->facts[CM_FACT_OPERATIONS] += accesses;
    modelled->facts[CM_FACT_MICROCODE_OPERATIONS] += accesses;
}

/* A prefetch by instruction, from `address`. */
void cm_modelled_hint(cm_modelled *modelled, cm_hint hint, uint64_t address);

/* Whether an engine has to report each instruction of a wrong path, by cm_modelled_pass. */
static inline bool cm_modelled_watches_paths(const cm_modelled *modelled)
{
    return modelled->expected != NULL || modelled->wrong_fetches;
}

/* A wrong path goes over an instruction. */
void cm_modelled_pass(cm_modelled *modelled, const cm_passed *passed);
/* The part of it that is its operations. */
void cm_modelled_pass_operations(cm_modelled *modelled, const cm_passed *passed);

/* A line of code that is not decoded yet. */
void cm_modelled_fetch_line(cm_modelled *modelled, uint64_t line);

/* Code of `bytes` is about to run, from `address` on. */
static inline void cm_modelled_fetch(cm_modelled *modelled, uint64_t address, size_t bytes)
{
    if (modelled->memory.l1i.lines == NULL)
        return;
    uint64_t last = (address + bytes - 1) >> modelled->memory.line_shift;
    for (uint64_t line = address >> modelled->memory.line_shift; line <= last; line++)
        if (modelled->decoded[line % CM_DECODED_LINES] != line)
            cm_modelled_fetch_line(modelled, line);
}

/* An interrupt, which is due, is taken. */
void cm_modelled_interrupt(cm_modelled *modelled);
/* Execution goes on behind a branch, before the code there is fetched; returns whether an interrupt was taken. */
static inline bool cm_modelled_go_on(cm_modelled *modelled)
{
    const cm_interrupts *interrupts = &modelled->interrupts;
    const bool due = modelled->facts[CM_FACT_INSTRUCTIONS] >= interrupts->due && interrupts->every != 0;
    if (due)
        cm_modelled_interrupt(modelled);
    return due;
}

/* The outcome of the branch `branch`; if mispredicted, the wrong path is walked before the predictor learns. */
void cm_modelled_conditional(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool taken);
/* An indirect jump or call goes to `target`. */
void cm_modelled_indirect(cm_modelled *modelled, uint64_t address, uint64_t target);
/* A return goes to `target`. Engines report calls to the predictor directly. */
void cm_modelled_return(cm_modelled *modelled, uint64_t target);

/* ---- time ---- */

/* The time that a processor takes: an out-of-order core, or one in order, over the instructions that a program
 * executes, with the outcomes that caches, TLBs and predictor had for them.
 *
 * `dispatch_width` operations enter the window in a cycle, in the order of the code: these places are the slots. An
 * instruction is one operation, but a compare and the conditional branch behind it are one together, and a repeated
 * string instruction is one for each 32 bytes. An operation begins when its operands are ready and a unit of its kind
 * is free, and is done a latency later; operations leave the window in their order. A load waits for the level that has
 * its line, for the line if it is on its way, for the TLB, and for a store to the same 8 bytes. Misses of the first
 * level take a fill buffer until their line is there; memory gives one line in `memory_interval` cycles. A store leaves
 * the store buffer when its line is there and all stores before it have left.
 *
 * Each slot counts once. An operation fills it, or it is lost: to the wrong path, from a mispredicted branch until that
 * is done, as long as the window has room for operations of that path; to recovery, the misprediction's penalty behind
 * that; to the front end, while code is on its way; to memory, while the window, the schedulers or the store buffer
 * are full and a line on its way that the first level lacked; or to the core, while they are full otherwise.
 *
 * At the other end as many operations leave in a cycle, in the order of the code, none before it is done. A cycle in
 * which none leaves counts to the oldest one: it has not entered, is a branch, loads or stores, or executes. */

/* An operation that leaves the window, by cycles. */
typedef struct cm_leaving {
    uint64_t entry, accessed, done; /* it entered; its loads or stores were done, 0: it has none; it was itself */
    uint64_t lacked_l1, lacked_l2;  /* from when on it waits for a miss of L1D, and for one of L2; UINT64_MAX: never */
    bool branches, vectors;
    bool fused; /* it takes no place of its own */
    bool whole; /* it is the last of its instruction */
} cm_leaving;

/* The cycle in which operations leave. */
typedef struct cm_commit {
    unsigned width, operations, instructions;
    bool begun;
    uint64_t cycle;
} cm_commit;

/* The next operation leaves, as soon as it may. */
void cm_commit_add(cm_commit *commit, const cm_leaving *leaving, uint64_t *facts);
/* Counts the cycle, after the last operation. */
void cm_commit_end(cm_commit *commit, uint64_t *facts);

enum {
    CM_TIME_LEVELS = CM_MEMORY_LEVELS + 1, /* the last is memory */
    CM_TIME_CYCLES = 8192,                 /* kept of each unit's use */
    CM_TIME_LINES = 4096,                  /* whose arrival is kept */
    CM_TIME_STORED = 1024,                 /* places stored to that are kept */
    CM_TIME_BUFFERS = 256,                 /* most fill buffers, and entries of the store buffer and of schedulers */
    CM_TIME_ACCESSES = 1024,               /* most of a block, and lines that prefetchers ask for in it */
};

/* The hits and misses of one access. */
typedef struct cm_timed_access {
    uint64_t address;
    uint16_t place; /* of its instruction in the block */
    bool store;
    uint16_t bytes;
    uint8_t level; /* that had the line; this and the next ones are found by cm_time_accessed */
    bool tlb_missed, walked;
    uint16_t asked; /* end of the lines that prefetchers asked for */
} cm_timed_access;

/* Uses of a kind of units in each of the last cycles. */
typedef struct cm_time_unit {
    unsigned width;
    struct {
        uint64_t cycle;
        unsigned used;
    } cycles[CM_TIME_CYCLES];
} cm_time_unit;

/* Cycles in which operations leave a scheduler: a heap, the first one first. */
typedef struct cm_time_scheduler {
    unsigned size;
    uint64_t until[CM_TIME_BUFFERS];
} cm_time_scheduler;

typedef struct cm_line_due {
    uint64_t line, at;
    unsigned level; /* that has the line */
} cm_line_due;

/* A value on its way to memory. */
typedef struct cm_time_store {
    uint64_t place, known, at, number; /* address / 8; the value is known; the store is done; stores before it */
    uint16_t bytes;                    /* 0: it is of a vector register */
} cm_time_store;

typedef struct cm_time {
    cm_pmu_machine machine;
    unsigned latencies[CM_FLOW_KINDS], levels[CM_TIME_LEVELS]; /* cycles */
    unsigned width, window, line_shift;
    cm_time_unit units[CM_FLOW_UNITS], bus, divider;
    uint64_t entry;                 /* cycle in which the last operation entered */
    unsigned entered;               /* operations that entered in it */
    uint64_t begun, done;           /* the last operation; all so far */
    uint64_t turned;                /* cycle in which code behind the last taken branch may enter */
    uint64_t x87, store_count;      /* the last operation of x87 is done; stores so far */
    unsigned stalls[CM_FLOW_ROLES]; /* cycles in which nothing enters behind these */
    uint64_t held;                  /* until when they do */
    uint64_t fetched, missing;      /* until when code, and lines that the first level lacks, are on their way */
    unsigned next, next_store;
    uint64_t ready[CM_FLOW_REGISTERS];
    bool added[CM_FLOW_REGISTERS]; /* by an addition of floating point */
    uint64_t left[CM_FLOW_WINDOW];
    uint64_t stores[CM_TIME_BUFFERS], committed, fills[CM_TIME_BUFFERS];
    cm_time_scheduler operations, vectors, loads;
    cm_line_due arrivals[CM_TIME_LINES];
    cm_time_store stored[CM_TIME_STORED];
    cm_leaving leaving; /* the instruction that executes */
    cm_commit commit;
    /* the block that runs */
    const cm_flow *flows;
    size_t flow_count, access_count, asked_count;
    struct cm_time_misses {
        uint64_t levels, tlbs, walks;
    } before;
    cm_timed_access accesses[CM_TIME_ACCESSES];
    cm_asked_line asked[CM_TIME_ACCESSES];
} cm_time;

/* The machine has time. */
void cm_time_init(cm_time *time, const cm_pmu_machine *machine);

/* Why slots are lost. */
typedef enum cm_time_cause {
    CM_LOST_WRONG_PATH,
    CM_LOST_RECOVERY,
    CM_LOST_FRONTEND,
    CM_LOST_MEMORY,
    CM_LOST_CORE
} cm_time_cause;

/* No operation enters before the cycle `until`; the second one: because something is full. */
void cm_time_lose(cm_time *time, uint64_t until, cm_time_cause cause, uint64_t *facts);
void cm_time_wait(cm_time *time, uint64_t until, uint64_t *facts);
/* An operation enters. */
void cm_time_fill(cm_time *time, uint64_t *facts);
/* The last operation is a mispredicted branch, which is done in that cycle. */
void cm_time_mispredict(cm_time *time, uint64_t resolved, uint64_t *facts);

/* How a block ends: the code behind it follows, or a branch was mispredicted, or was taken. */
typedef enum cm_time_end { CM_TIME_GOES_ON, CM_TIME_MISPREDICTED, CM_TIME_TAKEN } cm_time_end;

/* The block of these flows begins: the accesses until the next one are its own. The block before it is counted
 * first. */
void cm_time_begin(cm_time *time, const cm_flow *flows, size_t count, cm_time_end how, uint64_t *facts);
/* Caches and TLBs are about to be asked, for code or data. */
void cm_time_before(cm_time *time, const uint64_t *facts);
/* Caches and TLBs were asked: for the code of the block that begins, or for an access of it. */
void cm_time_fetched(cm_time *time, const uint64_t *facts);
void cm_time_accessed(cm_time *time, cm_timed_access access, const cm_memory *memory, const uint64_t *facts);
/* An interrupt was taken: code comes anew when all operations are done. The handler's own time is not the program's. */
static inline void cm_time_interrupted(cm_time *time)
{
    const uint64_t again = time->done + time->machine.misprediction_penalty;
    time->fetched = again > time->fetched ? again : time->fetched;
}

#endif
