/* Random programs that are written out: compositions of single pieces of work, by seed. */
#ifndef CM_FREESTANDING_PROGRAMS_H
#define CM_FREESTANDING_PROGRAMS_H

#include <stdint.h>

#include <catmint/error.h>

/* The benchmark's name for programs. */
#define CM_EMITTED_PROGRAMS "programs"

typedef struct cm_emitted_program {
    char *name;        /* "program-3.7": the third of seed 7. The first, of number 0, does nothing */
    char *description; /* its most frequent work: "12 add, 7 load_4" */
    size_t count;
    size_t *works; /* of a turn, one behind the other: rows of the table */
    double *facts; /* of a turn, cm_fact_count(), derived ones too */
} cm_emitted_program;

typedef struct cm_emitted_programs {
    char benchmark[sizeof CM_EMITTED_PROGRAMS];
    uint64_t seed;
    size_t count; /* the empty one and the others */
    cm_emitted_program *items;
    size_t work_count;
    char **works; /* names of macros */
} cm_emitted_programs;

/* The programs 0 to `count` of the seed. CM_BAD_ARGUMENT for an unknown instruction set. */
cm_status cm_emitted_programs_create(const char *isa, uint64_t seed, size_t count, cm_emitted_programs **programs,
                                     cm_error *error);
void cm_emitted_programs_free(cm_emitted_programs *programs);

#endif
