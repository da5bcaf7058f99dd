/* The plugin's parts. A thread counts for one machine at a time: for the one for which catmint, running under QEMU,
 * asked (plugin.c), or for one of its own, where the whole program is counted (program.c). */
#ifndef CM_SOFTWARE_PMU_QEMU_PLUGIN_H
#define CM_SOFTWARE_PMU_QEMU_PLUGIN_H

#include "software_pmu/machine/modelled.h"
#include "software_pmu/qemu/decoded.h"
#include "software_pmu/qemu/qemu_plugin.h"

/* What a block counts each time, where scalable vectors are such. */
typedef struct cm_sums {
    struct cm_sums *next;
    bool scalable; /* else they do not matter */
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
    uint64_t repeated; /* its last instruction, where that is repeated, else 0 */
    uint8_t (*codes)[CM_CODE_LONGEST];
    cm_flow *flows;          /* NULL: nobody asks what waits for what, or the decoder cannot tell */
    _Atomic(cm_sums *) sums; /* found when it is first counted, and when vectors are others than then */
} cm_block;

/* Bytes of an access that are still to come. */
typedef struct cm_open_access {
    uint64_t address;
    unsigned load_left, store_left;
    bool begun;
} cm_open_access;

/* What a thread counts. QEMU tells nothing but a vCPU's number, and a vCPU is a thread of this process. */
typedef struct cm_counter {
    cm_modelled *modelled; /* NULL: nothing is counted */
    cm_flows *flows;       /* NULL: no dependencies are */
    cm_vectors vectors;
    const cm_decoded *branch; /* executed; the next block says where it led */
    uint64_t repeating;       /* an instruction that may be its own next one, else 0 */
    cm_open_access accesses[CM_DECODED_ACCESSES];
    cm_decoded walked; /* on a wrong path */
} cm_counter;

extern __thread cm_counter cm_counted __attribute__((tls_model("initial-exec")));

/* guest address + this: this process's */
extern uint64_t cm_guest_base;

static inline void *cm_host_address(uint64_t guest)
{
    return (void *)(uintptr_t)(guest + cm_guest_base);
}

/* translate.c */
void cm_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
/* Code from begin to end is not counted. */
void cm_translate_except(uint64_t begin, uint64_t end);
/* Copies the code at the address, as cm_decode takes it; returns how many bytes are known, 0: none is known to be code.
 */
size_t cm_copy_code(uint64_t address, uint8_t *code);

/* count.c; `data` is a block, or a decoded instruction. */
void cm_on_block(unsigned vcpu, void *data);
void cm_on_branch(unsigned vcpu, void *data);
void cm_on_access_begin(unsigned vcpu, void *data);
void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* The branch that was executed last led to `address`. */
void cm_branch_led_to(uint64_t address);

/* program.c */
/* Counts the whole program into the file. False with a message on stderr. */
bool cm_program_begin(qemu_plugin_id_t id, const char *file);
/* Whether a whole program is counted, and what a core takes for it at least. */
bool cm_program_wants_flows(void);
/* The thread's own machine; NULL where no program is counted, or there is no room. */
cm_modelled *cm_program_join(void);
void cm_program_system_call(int64_t call);

#endif
