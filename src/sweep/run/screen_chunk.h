/* Counts a chunk of codes over short runs of all kernels, in a forked process. */
#ifndef CM_SWEEP_RUN_SCREEN_CHUNK_H
#define CM_SWEEP_RUN_SCREEN_CHUNK_H

#include <stdint.h>

#include "core/team.h"
#include "counting/raw/raw.h"
#include "sweep/plan/state.h"

/* Codes a chunk: with a file for each, no more than most systems allow a process; models need no files. */
enum { CM_SCREEN_CHUNK = 512, CM_SCREEN_CHUNK_OF_MODELS = 8192 };

typedef enum cm_screen_outcome {
    CM_SCREEN_UNKNOWN, /* not yet counted */
    CM_SCREEN_EXCLUDED,
    CM_SCREEN_REFUSED,
    CM_SCREEN_CRASHED, /* or hung */
    CM_SCREEN_SILENT,  /* counted nothing */
    CM_SCREEN_COUNTED,
} cm_screen_outcome;

typedef struct cm_screened {
    cm_raw_code code;
    cm_screen_outcome outcome;
    uint64_t sums[2]; /* two checksums of its counts on all kernels */
} cm_screened;

typedef struct cm_screen_chunk {
    cm_sweep_state *state;
    size_t count;
    cm_screened *codes; /* in memory shared with the process */
} cm_screen_chunk;

/* Fills all outcomes that are unknown. Codes that end the process are found by halves. */
cm_status cm_screen_chunk_count(cm_screen_chunk *chunk, cm_error *error);

#endif
