/* Projects a program's speed from one machine to another: equations 1 to 4 of C. Gavaille, H. Taboada, P. Carribault,
 * F. Dupros, B. Goglin, E. Jeannot, Relative performance projection on Arm architectures, Euro-Par 2022.
 *
 * A machine is described by its peak performance (High Performance LINPACK's), and the bandwidth of STREAM's triad in
 * each level of its memory; a program by its mix: its operations, the instructions that do them, and the bytes that
 * each level answers. docs/reference/project.md describes both files. */
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
    size_t size;              /* of this structure */
    const char *from, *to;    /* files of machines */
    size_t mix_count;         /* at least 1 */
    const char *const *mixes; /* files; the first column of the first file is the program on `from`, every other column
                               * a program on `to`. A single column is both */
    double performance;       /* of the program on `from`, GFLOP/s; 0: given in the mix */
    size_t vector_bits;       /* of the target; 0: as the mix was counted, or else the target's own */
    double least_share;  /* rooflines of levels that answer a smaller share of the bytes of both programs are left out;
                          * 0: none is, as in the paper */
    size_t memory_count; /* 0: only the target's own */
    const cm_memory_choice *memories;
} cm_project_options;
CM_OPTIONS_DEFAULT(cm_project_options)

/* An interval for each mix and memory; pointers from its accessors belong to it. */
typedef struct cm_projection cm_projection;

typedef struct cm_projected_speed {
    const char *program;                  /* the mix's column */
    const char *memory;                   /* "": the target's own */
    double bandwidth;                     /* of its memory, GB/s; NaN: the machine's file has none */
    double vector_bits;                   /* of the target */
    double lowest, highest;               /* GFLOP/s, by equation 4 on all levels */
    double spread_lowest, spread_highest; /* the same, with the spread of the measurements; equal to the above if that
                                           * is unknown */
    double bound_lowest, bound_highest;   /* by the tightest roofline, if the program waits as long as on the source, or
                                           * less; NaN if the lines that levels move are not known */
    double bound_spread_lowest, bound_spread_highest; /* the same, with the spread of the measurements */
} cm_projected_speed;

/* CM_BAD_INPUT if a file is wrong, or lacks a figure that every projection needs; CM_IO if one cannot be read. */
CM_API cm_status cm_projection_create(const cm_project_options *options, cm_projection **projection, cm_error *error);
CM_API void cm_projection_free(cm_projection *projection);
CM_API size_t cm_projection_count(const cm_projection *projection);
/* NULL if there is none. */
CM_API const cm_projected_speed *cm_projection_get(const cm_projection *projection, size_t index);
/* The reasons why intervals lack a level, and the assumptions made for unknown figures: sentences, separated by
 * newlines; "" if there are none. */
CM_API const char *cm_projection_notes(const cm_projection *projection);
/* Warnings: sentences about speeds that cannot be right. The program exceeds the source's performance or bandwidth by
 * more than repeated measurements differ, the projection exceeds the target's performance, or the upper end of an
 * interval of the tightest roofline is 3 times its lower end, or more. The interval is there all the same;
 * cm_projection_write writes the warnings, too. */
CM_API size_t cm_projection_warning_count(const cm_projection *projection);
/* NULL if there is none. */
CM_API const char *cm_projection_warning(const cm_projection *projection, size_t index);
/* Whether the intervals lack a level that the program uses, because its bandwidth is unknown. */
CM_API int cm_projection_is_partial(const cm_projection *projection);

/* JSON has the schema catmint.project/1. */
CM_API cm_status cm_projection_write(const cm_projection *projection, const cm_output_style *style, FILE *stream,
                                     cm_error *error);
CM_API cm_status cm_projection_save(const cm_projection *projection, const cm_output_style *style, const char *path,
                                    cm_error *error);
/* Writes plots as SVG: projections.svg with all intervals, and projection-1.svg and so on with the rooflines of each.
 * The directory is created; files that it had of an earlier projection go, others stay. *files is their number, or
 * `files` is NULL. */
CM_API cm_status cm_projection_save_plots(const cm_projection *projection, const char *directory, size_t *files,
                                          cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
