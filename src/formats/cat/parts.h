/* Shared by reading and writing of an import. */
#ifndef CM_FORMATS_CAT_PARTS_H
#define CM_FORMATS_CAT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/import.h>

#include "formats/cat/file.h"

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

#endif
