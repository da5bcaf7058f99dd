/* One output file of cat_collect. */
#ifndef CM_FORMATS_CAT_FILE_H
#define CM_FORMATS_CAT_FILE_H

#include <stdbool.h>

#include <catmint/import.h>

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

/* ---- parts: shared by reading and writing of an import ---- */

/* One event in one benchmark. */
struct cm_import_entry {
    char *event;
    cm_cat_kind kind;
    cm_cat_file *files; /* one a source */
    char *reason;       /* why it cannot be used; NULL: it can */
};

struct cm_import_work {
    const cm_import_options *options;
    size_t source_count;
    const char **sources; /* sources of the options that hold outputs: the repetitions */
    cm_import_summary summary;
    size_t count, capacity;
    struct cm_import_entry *entries;
    size_t unnamed;                          /* files whose names cannot be an event's */
    bool kept[CM_CAT_KINDS][CM_CAT_KERNELS]; /* kernels of the tables */
};

/* Writes everything into the options' directory, in one commit. */
cm_status cm_import_write(struct cm_import_work *import, cm_error *error);

/* ---- reads.c: the lines of a .data.reads file, and their kernels of dcache ---- */

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
    size_t threads, count, capacity;
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
