/* The plugin's parts. A thread counts for one machine at a time: for the machine that catmint, running under QEMU,
 * asked for (plugin.c), or for one of its own, if the whole program is counted (program.c). */
#ifndef CM_SOFTWARE_PMU_QEMU_PLUGIN_H
#define CM_SOFTWARE_PMU_QEMU_PLUGIN_H

#include "software_pmu/machine/modelled.h"
#include "software_pmu/qemu/decoded.h"

/* ---- The part used here of the interface between QEMU and its plugins, version 1: docs/devel/tcg-plugins.rst and
 * include/qemu/qemu-plugin.h of QEMU 7.2, whose header Debian 12 does not package ---- */

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef struct qemu_info_t {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned vcpu, void *data);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_syscall_cb_t)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
                                              uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                                              uint64_t a7, uint64_t a8);

typedef void (*qemu_plugin_vcpu_syscall_ret_cb_t)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t callback,
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_udata_cb_t callback,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t callback,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw, void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_cb_t callback);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_ret_cb_t callback);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

/* ---- shared ---- */

/* The number that one run of code adds to a fact. */
typedef struct cm_sum {
    uint32_t fact, by;
} cm_sum;

/* The counts of one run of a block, under this state of scalable vectors. */
typedef struct cm_sums {
    struct cm_sums *next;
    uint32_t count;
    bool scalable;      /* else the vectors do not matter */
    cm_vectors *around; /* those before it and behind it */
    cm_sum sums[];
} cm_sums;

/* Translated code from one entry to the first exit. */
typedef struct cm_block {
    uint64_t address;
    size_t length; /* instructions */
    size_t bytes;
    uint64_t repeated;   /* address of its last instruction if that is repeated, else 0 */
    unsigned fusion;     /* cm_fusion_rules of its last two */
    cm_code_part *parts; /* NULL: operations are not counted */
    size_t part_count;
    uint8_t (*codes)[CM_CODE_LONGEST];
    cm_effect *effects;      /* on registers; NULL: they are not needed */
    cm_flow *flows;          /* NULL: dependences are not needed */
    _Atomic(cm_sums *) sums; /* found when the block is first counted, and again when the vectors have changed */
} cm_block;

/* The rest of an access, which QEMU will report in further parts. */
typedef struct cm_open_access {
    uint64_t address;
    unsigned load_left, store_left;
    bool begun;
} cm_open_access;

enum { CM_RUNS = 8192, CM_RUN_BYTES = 112 };

/* The target of a branch. */
typedef struct cm_fork {
    uint64_t target, behind;
} cm_fork;

/* Plain instructions and the one that ends them, which is not plain; or `plain` instructions alone. */
typedef struct cm_run {
    uint64_t from;
    size_t bytes; /* 0: not kept */
    uint8_t code[CM_RUN_BYTES];
    unsigned plain;
    bool ends, is_wall;
    cm_path_step step; /* the last instruction */
    cm_fork fork;
} cm_run;

/* The state of a counting thread. QEMU reports only the number of a vCPU, and a vCPU is a thread of this process. */
typedef struct cm_counter {
    cm_modelled *modelled; /* NULL: nothing is counted */
    cm_flows *flows;       /* NULL: dependences are not counted */
    cm_time *time;         /* NULL: time is not counted */
    cm_run *runs;          /* CM_RUNS, by address */
    cm_vectors vectors;
    const cm_decoded *branch; /* executed; the next block is its target */
    uint64_t taken_to;        /* likewise a conditional one, if no predictor learns: its target, else 0 */
    uint64_t repeating;       /* an instruction that may be its own next one, else 0 */
    cm_registers registers;
    const void *opened; /* whose accesses have begun, in the block that runs */
    cm_open_access accesses[CM_DECODED_ACCESSES];
} cm_counter;

extern __thread cm_counter cm_counted __attribute__((tls_model("initial-exec")));

/* guest address + this = address in this process */
extern uint64_t cm_guest_base;

static inline void *cm_host_address(uint64_t guest)
{
    return (void *)(uintptr_t)(guest + cm_guest_base);
}

/* translate.c */
void cm_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
/* The registers of code that is translated from now on are followed, for the addresses of its prefetches and of
 * scalable vectors of that length, if the processor's decoder knows them. */
void cm_translate_registers(unsigned vector_bits);
bool cm_translate_follows(void);
/* Code from begin to end is not counted. */
void cm_translate_except(uint64_t begin, uint64_t end);
/* Copies the code at the address for cm_decode; returns the number of known bytes, 0: no code is known there. */
size_t cm_copy_code(uint64_t address, uint8_t *code);

/* count.c; `data` is a block, or a decoded instruction. */
void cm_on_block(unsigned vcpu, void *data);
/* `data` is the prefetch, a decoded instruction. */
void cm_on_hint(unsigned vcpu, void *data);
/* Caches, and time, see an access whose number and width the block's facts count. */
void cm_count_unreported(const cm_decoded *decoded, unsigned bytes, bool store, uint64_t address);
/* Count an access of an instruction that has one, and of one that has several. */
void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
void cm_on_accesses(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
static inline void cm_decide_conditional(cm_modelled *modelled, uint64_t led_to)
{
    modelled->facts[CM_FACT_BRANCHES_COND_TAKEN] += cm_counted.taken_to == led_to;
    cm_counted.taken_to = 0;
}

/* The last executed branch led to `address`. */
void cm_branch_led_to(uint64_t address);

/* scalable.c: arithmetic, a load or a store of scalable vectors. */
void cm_on_scalable(unsigned vcpu, void *data);

/* walk.c: the outcome of a conditional branch, and the path behind a misprediction. */
void cm_walk_conditional(const cm_decoded *branch, bool taken);

/* program.c */
/* Counts the whole program into the file. False with a message on stderr. */
bool cm_program_begin(qemu_plugin_id_t id, const char *file);
/* Whether a whole program is counted, with the fewest cycles that a core takes for it, or with its time. */
bool cm_program_wants_flows(void);
/* Whether the fact is counted; code that counts others may leave it out. */
bool cm_program_wants(size_t fact);
/* All facts are wanted from now on, of a machine with caches, TLBs and predictors, because a machine was created. */
void cm_program_want_all(void);
/* Whether a whole program is counted without caches, TLBs, predictors and dependences. */
bool cm_program_is_bare(void);
/* The thread's own machine; NULL if no program is counted, or no slot is free. */
cm_modelled *cm_program_join(void);
void cm_program_system_call(int64_t call);

/* ---- The facts that each run of code adds, known when it is translated: callbacks that add little else ---- */

/* Adds the facts of one run of an instruction to `by`, a number a fact, without those of its accesses. */
void cm_sums_note(const cm_decoded *decoded, uint32_t *by);

/* Copies those of `by` that are wanted to `sums`, which has room for CM_FACT_COUNT or is NULL; returns their number. */
size_t cm_sums_pack(const uint32_t *by, cm_sum *sums);

/* Registers the callback of a block that is counted alike each time. False: the general one is needed. */
bool cm_sums_watch_block(struct qemu_plugin_tb *tb, const cm_block *block, const uint32_t *by);

/* Whether accesses count anything. */
bool cm_sums_want_accesses(void);

/* Adds the facts of the accesses of a block, if they are the same in each run, no address matters and they are not too
 * many. False: each is to be watched, since QEMU may call one's callback for the next one that has none. */
bool cm_sums_note_accesses(const cm_decoded *decoded, size_t count, uint32_t *by);

/* Registers the callback of an instruction with one access; false: the general one is needed. */
bool cm_sums_watch_access(struct qemu_plugin_insn *insn, const cm_decoded *decoded);

/* ---- The work of an instruction that its facts tell, for flows ---- */

/* Begins a flow with the longest latency of the facts. */
void cm_fact_flow_begin(const cm_decoded *decoded, cm_flow *flow);
/* Ends it, once its registers are known: in this unit, unless its facts name another. */
void cm_fact_flow_end(const cm_decoded *decoded, cm_flow_unit unit, cm_flow *flow);

/* The latency of a fact; CM_FLOW_MOVE: it gives none. */
cm_flow_kind cm_fact_flow_kind(size_t fact);
/* Takes the unit of a fact, and how long it keeps the divider; changes nothing for other facts. */
void cm_fact_flow_take(size_t fact, cm_flow *flow);

#endif
