/* The plugin's parts: it counts for one machine at a time, and only what the thread that started it executes, since
 * libraries of the program may have threads of their own. */
#ifndef CM_SOFTWARE_PMU_QEMU_PLUGIN_H
#define CM_SOFTWARE_PMU_QEMU_PLUGIN_H

#include "software_pmu/machine/modelled.h"
#include "software_pmu/qemu/decoded.h"
#include "software_pmu/qemu/qemu_plugin.h"

/* An instruction that is watched when it runs. */
typedef struct cm_site {
    cm_decoded decoded;
    bool seen; /* its access: in parts, of which the first stands for all */
} cm_site;

/* Translated code from one entry to the first exit, and what it counts each time. */
typedef struct cm_block {
    uint64_t address;
    size_t length;
    uint8_t (*codes)[CM_CODE_LONGEST];
    unsigned vectors_before, vectors_behind; /* of scalable vectors, as cm_decode has them */
    size_t sum_count;
    struct cm_sum {
        uint16_t fact, by;
    } * sums; /* found when it is first counted, and when vectors are others than then; NULL before */
} cm_block;

/* A plugin is told nothing but an instruction, so its state is global. */
typedef struct cm_counter {
    cm_modelled *modelled; /* NULL: nothing is counted */
    unsigned vcpu;         /* the thread that is counted */
    unsigned vectors;      /* scalable ones, as cm_decode has them */
    const cm_site *branch; /* executed; the next block says where it led */
    cm_decoded walked;     /* on a wrong path */
    uint64_t guest_base;   /* guest address + guest_base: this process's */
} cm_counter;

extern cm_counter cm_counted;

static inline void *cm_host_address(uint64_t guest)
{
    return (void *)(uintptr_t)(guest + cm_counted.guest_base);
}

/* translate.c */
void cm_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
/* Code from begin to end is not counted. */
void cm_translate_except(uint64_t begin, uint64_t end);
/* Whether there is known to be code at the address. */
bool cm_is_code(uint64_t address);

/* count.c; `data` is a block, or the site of an access. */
void cm_on_block(unsigned vcpu, void *data);
void cm_on_branch(unsigned vcpu, void *site);
void cm_on_access_begin(unsigned vcpu, void *data);
void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* The branch that was executed last led to `address`. */
void cm_branch_led_to(uint64_t address);

#endif
