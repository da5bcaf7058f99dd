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

/* The counts of a file, by the kernels to which they correspond. */
typedef struct cm_cat_file {
    bool present[CM_CAT_KERNELS];
    size_t threads; /* 0: there is no count in the file */
    double *counts; /* [kernel][thread] */
    size_t unused;  /* counted lines that correspond to no kernel */
} cm_cat_file;

const char *cm_cat_suffix(cm_cat_kind kind); /* ".branch" */
/* What the table is called: "branch", and "cat-flops" where no benchmark of ours has such kernels. */
const char *cm_cat_benchmark(cm_cat_kind kind);
size_t cm_cat_kernel_count(cm_cat_kind kind);
/* Of .instr: the group of kernels of which cat_collect writes so many bytes of name, CM_CAT_KERNELS where there is
 * none; its kernels are the group's number times eight, and so on. */
size_t cm_cat_instr_group(const char *name, size_t length);
/* The same, by the heading that later versions write above the lines of a group. */
size_t cm_cat_instr_section(const char *heading);
/* Of .icache: the kernel of a line. Older versions write 96 lines, later ones flush nothing and write 48. False where
 * there are other numbers of lines. */
bool cm_cat_fetch_kernel(size_t line, size_t lines, size_t *kernel);
/* Of .flops: the kernel of that precision ('H', 'S', 'D'), algorithm and size, CM_CAT_KERNELS where there is none. */
size_t cm_cat_flops_kernel(char precision, const char *algorithm, double size);
/* As in the benchmark's basis. */
const char *cm_cat_kernel(cm_cat_kind kind, size_t kernel, char name[CM_CAT_NAME_SIZE]);
bool cm_cat_is_half_precision(cm_cat_kind kind, size_t kernel);

/* CM_BAD_INPUT with the line where a line is not of this kind. Clear also after a failure. */
cm_status cm_cat_file_read(const char *path, cm_cat_kind kind, cm_cat_file *file, cm_error *error);
void cm_cat_file_clear(cm_cat_file *file);

#endif
