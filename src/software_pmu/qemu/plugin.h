/* The plugin's parts. A thread counts for one machine at a time: for the machine that catmint, running under QEMU,
 * asked for (plugin.c), or for one of its own, if the whole program is counted (program.c). */
#ifndef CM_SOFTWARE_PMU_QEMU_PLUGIN_H
#define CM_SOFTWARE_PMU_QEMU_PLUGIN_H

#include "software_pmu/machine/modelled.h"
#include "software_pmu/machine/time.h"
#include "software_pmu/qemu/decoded.h"
#include "software_pmu/qemu/qemu_plugin.h"

/* The counts of one run of a block, under this state of scalable vectors. */
typedef struct cm_sums {
    struct cm_sums *next;
    bool scalable; /* else the vectors do not matter */
    cm_vectors before, behind;
    size_t count;
    struct cm_sum {
        uint32_t fact, by;
    } sums[];
} cm_sums;

/* Translated code from one entry to the first exit. */
typedef struct cm_block {
    uint64_t address;
    size_t length; /* instructions */
    size_t bytes;
    uint64_t repeated; /* address of its last instruction if that is repeated, else 0 */
    uint8_t (*codes)[CM_CODE_LONGEST];
    cm_flow *flows;          /* NULL: dependences are not needed, or the decoder does not know registers */
    _Atomic(cm_sums *) sums; /* found when the block is first counted, and again when the vectors have changed */
} cm_block;

/* The rest of an access, which QEMU will report in further parts. */
typedef struct cm_open_access {
    uint64_t address;
    unsigned load_left, store_left;
    bool begun;
} cm_open_access;

/* The state of a counting thread. QEMU reports only the number of a vCPU, and a vCPU is a thread of this process. */
typedef struct cm_counter {
    cm_modelled *modelled; /* NULL: nothing is counted */
    cm_flows *flows;       /* NULL: dependences are not counted */
    cm_time *time;         /* NULL: time is not counted */
    cm_vectors vectors;
    const cm_decoded *branch; /* executed; the next block is its target */
    uint64_t repeating;       /* an instruction that may be its own next one, else 0 */
    cm_open_access accesses[CM_DECODED_ACCESSES];
    cm_decoded walked; /* on a wrong path */
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
/* Code from begin to end is not counted. */
void cm_translate_except(uint64_t begin, uint64_t end);
/* Copies the code at the address for cm_decode; returns the number of known bytes, 0: no code is known there. */
size_t cm_copy_code(uint64_t address, uint8_t *code);

/* count.c; `data` is a block, or a decoded instruction. */
void cm_on_block(unsigned vcpu, void *data);
void cm_on_branch(unsigned vcpu, void *data);
void cm_on_access_begin(unsigned vcpu, void *data);
void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* The last executed branch led to `address`. */
void cm_branch_led_to(uint64_t address);

/* program.c */
/* Counts the whole program into the file. False with a message on stderr. */
bool cm_program_begin(qemu_plugin_id_t id, const char *file);
/* Whether a whole program is counted, with the fewest cycles that a core takes for it, or with its time. */
bool cm_program_wants_flows(void);
/* The thread's own machine; NULL if no program is counted, or no slot is free. */
cm_modelled *cm_program_join(void);
void cm_program_system_call(int64_t call);

#endif
