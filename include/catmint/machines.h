/* What a machine can do at most, measured by time alone, without counters: floating-point operations a second, and
 * bytes a second of each cache and of memory. Programs stand against it by their operations, bytes and time: the
 * roofline. */
#ifndef CATMINT_MACHINES_H
#define CATMINT_MACHINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/counting.h>
#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CM_PRECISIONS: how many there are. */
typedef enum cm_precision { CM_DOUBLE, CM_SINGLE, CM_HALF, CM_PRECISIONS } cm_precision;
/* "double", "single", "half". */
CM_API const char *cm_precision_name(cm_precision precision);

typedef struct cm_roofline_options {
    const char *processors;   /* to choose cores from, as in "0-3,8"; NULL: all that this process may use */
    unsigned precisions;      /* bits, 1 << CM_DOUBLE and so on; 0: all that the processor computes in */
    size_t rounds;            /* in which everything is measured, one after the other; 0: 4 */
    size_t repetitions;       /* in each round; 0: 9 */
    const volatile int *stop; /* ends the measurement with CM_INTERRUPTED when it becomes 1; may be NULL */
    void (*progress)(size_t done, size_t all, void *data); /* called now and then; may be NULL */
    void *data;
} cm_roofline_options;

typedef struct cm_roofline cm_roofline;

/* Measures on one core, and on all of them at once. CM_BAD_ARGUMENT where one of those may not be used, or it is no
 * list; CM_UNSUPPORTED where catmint has no timed kernels for the architecture, or processes cannot be bound. */
CM_API cm_status cm_roofline_measure(const cm_roofline_options *options, cm_roofline **roofline, cm_error *error);
/* What cm_roofline_save or cm_roofline_write have written as JSON, of any machine. */
CM_API cm_status cm_roofline_load(const char *path, cm_roofline **roofline, cm_error *error);
CM_API void cm_roofline_free(cm_roofline *roofline);

/* Adds programs as points. The file is a table with the columns name, flops, l1_bytes, memory_bytes, seconds and cores,
 * in which l1_bytes or memory_bytes may be blank; or the document catmint.count/1, of whose whole program and of each
 * of whose regions one core is taken to have run FP Ops., or SP Ops. and DP Ops., with Load Bytes and Store Bytes, or
 * Memory Bytes; or a table event,<run>... with such rows and `seconds`. CM_BAD_INPUT where a figure is not above 0, or
 * one that is needed was not counted of the program, or of all regions or runs. */
CM_API cm_status cm_roofline_add_points(cm_roofline *roofline, const char *path, cm_error *error);

/* Which regions and runs are no points, for what they lack; then why points cannot be what they say: faster than any
 * peak, or moving more bytes a second than L1 or memory, on so many cores, by more than figures differ that are
 * measured again; or of cores that were not measured, so that no plot has them; then which figures of the machine
 * others contradict. They are kept and drawn, and cm_roofline_write says it, too. */
CM_API size_t cm_roofline_doubt_count(const cm_roofline *roofline);
/* A sentence with the point's name, or with the file and the region, in `text`, cut off at `size` bytes; returns
 * `text`. */
CM_API const char *cm_roofline_doubt(const cm_roofline *roofline, size_t index, char *text, size_t size);

/* JSON has the schema catmint.machine/1; there is no CSV. */
CM_API cm_status cm_roofline_write(const cm_roofline *roofline, const cm_style *style, FILE *stream, cm_error *error);
/* machine.json, a page for a browser and the plots as SVG, into a folder of their own; *files (may be NULL) becomes
 * their number. */
CM_API cm_status cm_roofline_save(const cm_roofline *roofline, const char *directory, size_t *files, cm_error *error);
/* Whether these could be written there, before anything is measured. Nothing changes. */
CM_API cm_status cm_roofline_check_directory(const char *directory, cm_error *error);

/* ---- what one core does in a cycle ---- */

typedef struct cm_incore_options {
    const char *processors; /* to choose cores from, as in "0-3,8"; NULL: all that this process may use */
    size_t rounds;          /* in which everything is measured, one after the other; 0: 4 */
    size_t repetitions;     /* in each round; 0: 15 */
    double load_seconds;    /* of each load under which the clock is measured; 0: half a second */
    const char *known;      /* table of figures to compare with; NULL: catmint's own, data/instructions.csv */
    const char
        *kernels_folder; /* where streaming kernels are compiled to be held against llvm-mca; NULL: they are not */
    const cm_definitions *definitions; /* count what memory moves for stores by these; NULL: by time alone */
    cm_counting *counting;             /* counts it; NULL: nothing does */
    const char *no_counting;           /* the reason for that, a sentence without its full stop */
    const volatile int *stop;          /* as of a roofline */
    void (*progress)(size_t done, size_t all, void *data);
    void *data;
} cm_incore_options;

typedef struct cm_incore cm_incore;

/* Whether the definitions have what memory's traffic is counted by: one of Memory Read Bytes, Memory Write Bytes and
 * Memory Bytes that is composable. */
CM_API bool cm_incore_can_count(const cm_definitions *definitions);

/* Measures latencies and throughputs of instructions by the clock of a chain of additions; that clock under arithmetic
 * of each kind on one core to all; and how fast memory is stored to, past the caches and through them. With
 * definitions, what memory moves meanwhile; where that cannot be counted, the figures say why, and the rest is
 * measured. The session lists a socket's events afterwards. Errors as of cm_roofline_measure. */
CM_API cm_status cm_incore_measure(const cm_incore_options *options, cm_incore **incore, cm_error *error);
CM_API void cm_incore_free(cm_incore *incore);
/* JSON has the schema catmint.incore/1; there is no CSV. */
CM_API cm_status cm_incore_write(const cm_incore *incore, const cm_style *style, FILE *stream, cm_error *error);
CM_API cm_status cm_incore_save(const cm_incore *incore, const cm_style *style, const char *path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
