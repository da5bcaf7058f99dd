/* The path that a processor follows after a misprediction. */
#ifndef CM_SOFTWARE_PMU_MACHINE_WRONG_PATH_H
#define CM_SOFTWARE_PMU_MACHINE_WRONG_PATH_H

#include <stdbool.h>
#include <stdint.h>

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
     * instruction after it. Each plain instruction takes one of the `left` instructions, and is reported where paths
     * are watched. False if there is no code, or none is left. */
    bool (*follow)(void *engine, cm_path_step *step, bool taken, unsigned *left);
} cm_path;

/* Walks from `branch` on, along the wrong prediction, and counts the branches met there. */
void cm_wrong_path_walk(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool predicted);

#endif
