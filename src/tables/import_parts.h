/* What the reading and the writing half of an import share. */
#ifndef CM_TABLES_IMPORT_PARTS_H
#define CM_TABLES_IMPORT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/import.h>

#include "tables/cat_file.h"

/* What is there of one event in one benchmark. */
struct cm_import_entry {
    char *event;
    cm_cat_kind kind;
    cm_cat_file *files; /* one a source */
    char *reason;       /* why it cannot be used, NULL where it can */
};

struct cm_import_work {
    const cm_import_options *options;
    size_t source_count;
    const char **sources; /* of options', those that hold outputs: the repetitions */
    cm_import_summary summary;
    size_t count, capacity;
    struct cm_import_entry *entries;
    size_t unnamed;                          /* files whose names can be no event's */
    bool kept[CM_CAT_KINDS][CM_CAT_KERNELS]; /* the kernels of the tables */
};

/* Writes all of it into the options' directory, at once. */
cm_status cm_import_write(struct cm_import_work *import, cm_error *error);

#endif
