/* One output file of cat_collect. */
#ifndef CM_FORMATS_CAT_FILE_H
#define CM_FORMATS_CAT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef enum cm_cat_kind {
    CM_CAT_BRANCH,
    CM_CAT_VEC,
    CM_CAT_READS,
    CM_CAT_WRITES,
    CM_CAT_ICACHE,
    CM_CAT_INSTR,
    CM_CAT_FLOPS,
    CM_CAT_KINDS
} cm_cat_kind;

enum { CM_CAT_KERNELS = 256, CM_CAT_RUNS = 8, CM_CAT_THREADS = 1024, CM_CAT_NAME_SIZE = 24 };

/* The counts of a file, by kernel. */
typedef struct cm_cat_file {
    bool present[CM_CAT_KERNELS];
    size_t threads; /* 0: the file has no counts */
    double *counts; /* [kernel][thread] */
    size_t unused;  /* lines with counts that belong to no kernel */
} cm_cat_file;

const char *cm_cat_suffix(cm_cat_kind kind); /* ".branch" */
/* The name of the table: "branch", or "cat-flops" if no benchmark of catmint has such kernels. */
const char *cm_cat_benchmark(cm_cat_kind kind);
size_t cm_cat_kernel_count(cm_cat_kind kind);
/* For .instr: the group whose name in cat_collect is `length` bytes at `name`, CM_CAT_KERNELS if there is none; its
 * first kernel is the group's number times eight. */
size_t cm_cat_instr_group(const char *name, size_t length);
/* The same by the heading that later versions write above the lines of a group. */
size_t cm_cat_instr_section(const char *heading);
/* For .icache: the kernel of a line. Older versions write 96 lines; later ones flush nothing and write 48. False for
 * any other number of lines. */
bool cm_cat_fetch_kernel(size_t line, size_t lines, size_t *kernel);
/* For .flops: the kernel of a precision ('H', 'S', 'D'), algorithm and size, CM_CAT_KERNELS if there is none. */
size_t cm_cat_flops_kernel(char precision, const char *algorithm, double size);
/* The name of a kernel in the benchmark's basis. */
const char *cm_cat_kernel(cm_cat_kind kind, size_t kernel, char name[CM_CAT_NAME_SIZE]);
bool cm_cat_is_half_precision(cm_cat_kind kind, size_t kernel);

/* CM_BAD_INPUT, with the line, if a line is not of this kind. Clear also after a failure. */
cm_status cm_cat_file_read(const char *path, cm_cat_kind kind, cm_cat_file *file, cm_error *error);
void cm_cat_file_clear(cm_cat_file *file);

#endif
