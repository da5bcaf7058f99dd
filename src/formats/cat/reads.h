/* The lines of a .data.reads file, and their kernels of dcache. */
#ifndef CM_FORMATS_CAT_READS_H
#define CM_FORMATS_CAT_READS_H

#include "formats/cat/file.h"

enum { CM_CAT_LEVELS = 3 };

typedef struct cm_cat_read {
    double stride, pages; /* bytes between elements; pages a block */
    double size;          /* bytes of the buffer */
    size_t first;         /* index of its first count */
} cm_cat_read;

/* Zero-initialised: nothing read. */
typedef struct cm_cat_reads {
    double levels[CM_CAT_LEVELS]; /* bytes of the caches, 0: unknown */
    double stride, pages;         /* of the section, 0: none yet */
    size_t threads;
    size_t count, capacity;
    cm_cat_read *lines;
    size_t value_count, value_capacity;
    double *values;
} cm_cat_reads;

/* Reads "# L1:49152 L2:..." and "# PTRN=3, STRIDE=64, PPB=512.0, ThreadCount=2". */
cm_status cm_cat_reads_comment(cm_cat_reads *reads, const char *line, cm_error *error);
cm_status cm_cat_reads_add(cm_cat_reads *reads, double size, size_t threads, const double *counts, cm_error *error);
/* Fills `file` from the lines read. */
cm_status cm_cat_reads_place(const cm_cat_reads *reads, cm_cat_file *file, cm_error *error);
void cm_cat_reads_clear(cm_cat_reads *reads);

#endif
