/* Rooflines: the peaks of a machine, measured by time alone, without counters (floating-point operations a second,
 * bytes a second of each cache and of memory), and programs beside them by their operations, bytes and time. */
#ifndef CATMINT_ROOFLINE_H
#define CATMINT_ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/style.h>
#include <catmint/view.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CM_PRECISIONS: their number. */
typedef enum cm_float_precision { CM_DOUBLE, CM_SINGLE, CM_HALF, CM_PRECISIONS } cm_float_precision;
/* "double", "single", "half". */
CM_API const char *cm_float_precision_name(cm_float_precision precision);

typedef struct cm_roofline_options {
    size_t size;            /* of this structure */
    const char *processors; /* processors to choose cores from, as in "0-3,8"; NULL: all that this process may use */
    unsigned precisions;    /* bits, 1 << CM_DOUBLE and so on; 0: all in which the processor computes */
    size_t rounds;          /* each round measures everything once, one after the other; 0: 4 */
    size_t repetitions;     /* in each round; 0: 9 */
    double budget; /* seconds after which no figure is measured again, which each is once at least; 0: no limit */
    const volatile int *stop; /* ends the measurement with CM_INTERRUPTED when it becomes 1; may be NULL */
    void (*progress)(size_t done, size_t all, void *data); /* called now and then; may be NULL */
    void *data;
} cm_roofline_options;
CM_OPTIONS_DEFAULT(cm_roofline_options)

typedef struct cm_roofline cm_roofline;

/* Measures on one core, and on all of them at once. CM_BAD_ARGUMENT if one of `processors` may not be used, or it is no
 * list; CM_UNSUPPORTED if catmint has no timed kernels for the architecture, or processes cannot be bound. */
CM_API cm_status cm_roofline_measure(const cm_roofline_options *options, cm_roofline **roofline, cm_error *error);
/* Reads JSON that cm_roofline_save or cm_roofline_write wrote, on any machine. */
CM_API cm_status cm_roofline_load(const char *path, cm_roofline **roofline, cm_error *error);
CM_API void cm_roofline_free(cm_roofline *roofline);

/* Adds programs as points. The file is a table with the columns name, flops, l1_bytes, memory_bytes, seconds and cores,
 * in which l1_bytes or memory_bytes may be blank; or the document catmint.count/1, whose whole program and regions
 * count as run on one core, with FP Ops., or SP Ops. and DP Ops., and with Load Bytes and Store Bytes, or Memory Bytes;
 * or a table event,<run>... with such rows and `seconds`. CM_BAD_INPUT if a figure is not above 0, or a needed one was
 * not counted for the program, or for any region or run. */
CM_API cm_status cm_roofline_add_points(cm_roofline *roofline, const char *path, cm_error *error);

/* Warnings: sentences about figures that cannot be right, or that are missing. First the regions and runs that are no
 * points, with the figure that they lack. Then points beyond the machine: faster than any peak, or moving more bytes a
 * second than L1 or memory on so many cores, by more than repeated measurements differ; or of a number of cores that
 * was not measured, so that no plot shows them. Last the figures of the machine that contradict others. All points are
 * kept and drawn; cm_roofline_write writes the warnings, too. */
CM_API size_t cm_roofline_warning_count(const cm_roofline *roofline);
/* Writes the sentence, with the point's name or with the file and the region, into `text`, cut off at `size` bytes;
 * returns `text`. */
CM_API const char *cm_roofline_warning(const cm_roofline *roofline, size_t index, char *text, size_t size);

/* JSON has the schema catmint.machine/1; there is no CSV. */
CM_API cm_status cm_roofline_write(const cm_roofline *roofline, const cm_output_style *style, FILE *stream,
                                   cm_error *error);
/* Writes machine.json, a page for a browser and the plots as SVG into a directory of their own; *files (may be NULL)
 * becomes their number. */
CM_API cm_status cm_roofline_save(const cm_roofline *roofline, const char *directory, size_t *files, cm_error *error);
/* Whether these files could be written there; call it before a measurement. Changes nothing. */
CM_API cm_status cm_roofline_check_directory(const char *directory, cm_error *error);

/* The roofline as a part of a page of results (<catmint/view.h>): the same plots, and a table of the programs. It
 * belongs to the roofline; NULL for NULL. */
CM_API const cm_page_part *cm_roofline_page_part(cm_roofline *roofline);

#ifdef __cplusplus
}
#endif
#endif
