/* An engine runs code and counts facts. The functions are those of the public header. */
#ifndef CM_SOFTWARE_PMU_ENGINE_H
#define CM_SOFTWARE_PMU_ENGINE_H

#include <catmint/software_pmu.h>

typedef struct cm_engine {
    cm_status (*create)(const cm_pmu_machine *machine, void **state, cm_error *error);
    void (*free)(void *state); /* may be NULL */
    cm_status (*run)(void *state, void (*function)(void *argument), void *argument, cm_error *error);
    const uint64_t *(*facts)(const void *state);
    void (*seed)(void *state, uint64_t seed);
    cm_status (*huge_pages)(void *state, uint64_t start, uint64_t size, cm_error *error); /* NULL: all are small */
} cm_engine;

/* The engines of this processor, up to a NULL: the first that is not CM_UNSUPPORTED counts. */
extern const cm_engine *const cm_engines[];

/* QEMU's plugin, which answers under qemu-user only (qemu/guest.c). */
extern const cm_engine cm_plugin_engine;

#endif
