/* A program's speed, projected from one machine to another: equations 1 to 4 of C. Gavaille, H. Taboada, P. Carribault,
 * F. Dupros, B. Goglin, E. Jeannot, Relative performance projection on Arm architectures, Euro-Par 2022.
 *
 * A machine has the speed that it reaches at most (High Performance LINPACK's), and the bandwidth of STREAM's triad in
 * each level of its memory. A mix is what a program does: its operations, the instructions that do them, and the bytes
 * that each level answers. docs/reference/project.md has both files. */
#ifndef CATMINT_PROJECT_H
#define CATMINT_PROJECT_H

#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of memory, from the core outwards. */
typedef enum cm_memory_level { CM_LEVEL_L1, CM_LEVEL_L2, CM_LEVEL_L3, CM_LEVEL_MEM, CM_LEVELS } cm_memory_level;

/* A memory that the target could have. */
typedef struct cm_memory_choice {
    const char *name; /* "": none */
    double bandwidth; /* GB/s, above 0 */
} cm_memory_choice;

typedef struct cm_project_options {
    const char *from, *to;    /* files of machines */
    size_t mix_count;         /* 1 at least */
    const char *const *mixes; /* files; the first column of the first is of the program on `from`, each other of one on
                               * `to`. One column alone is of both */
    double performance;       /* of the program on `from`, GFLOP/s; 0: the mix says it */
    size_t vector_bits;       /* of the target; 0: what the mix was counted with, or else the target's own */
    double least_share; /* rooflines of levels that answer a smaller part of the bytes of both programs are left out; 0:
                         * none is, as the paper has it */
    size_t memory_count; /* 0: the target's own alone */
    const cm_memory_choice *memories;
} cm_project_options;

/* An interval for each mix and memory; what is got from it belongs to it. */
typedef struct cm_projection cm_projection;

typedef struct cm_projected {
    const char *program;                  /* the mix's column */
    const char *memory;                   /* "": the target's own */
    double bandwidth;                     /* of its memory, GB/s; NaN: the machine's file has none */
    double vector_bits;                   /* of the target */
    double lowest, highest;               /* GFLOP/s, by equation 4 on all levels */
    double spread_lowest, spread_highest; /* the same, with the spread of what was measured; as above where it is not
                                           * known */
    double bound_lowest, bound_highest;   /* by the tightest roofline, where the program waits as long as on the source,
                                           * and less; NaN where the lines that levels move are not known */
    double bound_spread_lowest, bound_spread_highest; /* the same, with the spread of what was measured */
} cm_projected;

/* CM_BAD_INPUT where a file is wrong, or lacks what no projection can do without; CM_IO where one cannot be read. */
CM_API cm_status cm_projection_create(const cm_project_options *options, cm_projection **projection, cm_error *error);
CM_API void cm_projection_free(cm_projection *projection);
CM_API size_t cm_projection_count(const cm_projection *projection);
/* NULL where there is none. */
CM_API const cm_projected *cm_projection_get(const cm_projection *projection, size_t index);
/* Why intervals lack a level, and what was taken for what is not known; "" where there is nothing to say. Sentences,
 * separated by newlines. */
CM_API const char *cm_projection_notes(const cm_projection *projection);
/* Speeds that cannot be: of the program on the source, beyond the machine's performance or bandwidth by more than
 * figures differ that are measured again, or projected beyond the target's performance; and intervals of the tightest
 * roofline that are 3 times as wide as their lowest, or wider. Sentences; the interval is there all the same, and
 * cm_projection_write says them, too. */
CM_API size_t cm_projection_doubt_count(const cm_projection *projection);
/* NULL where there is none. */
CM_API const char *cm_projection_doubt(const cm_projection *projection, size_t index);
/* Whether a level that the program uses has no bandwidth, so that the intervals lack it. */
CM_API int cm_projection_is_partial(const cm_projection *projection);

/* JSON has the schema catmint.project/1. */
CM_API cm_status cm_projection_write(const cm_projection *projection, const cm_style *style, FILE *stream,
                                     cm_error *error);
CM_API cm_status cm_projection_save(const cm_projection *projection, const cm_style *style, const char *path,
                                    cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
