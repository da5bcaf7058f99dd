/* The foreign formats: a folder each, and a row in the table of formats.c. */
#ifndef CM_FORMATS_FORMAT_H
#define CM_FORMATS_FORMAT_H

#include "formats/writer.h"
#include "formulas/formulas.h"

typedef struct cm_foreign_format {
    const char *name; /* "papi", as it is asked for */

    /* Where it is read; `read` NULL: it is only written. */
    cm_formula_rules rules;
    const char *looks;            /* "a PAPI table (CPU and PRESET lines)": what was expected where a file is of none */
    const char *const *beginning; /* words that begin a line of such files and of no others, the last one NULL; a word
                                     of punctuation may have anything behind it */
    const char *mark;             /* what every such file has somewhere, where its beginning does not tell; else NULL */
    /* Fills what is empty. CM_BAD_INPUT where nothing in the file can be told apart. */
    cm_status (*read)(cm_formulas *formulas, cm_error *error);

    /* Where it is written; neither `write` nor `save`: it is only read. */
    const char *content; /* "presets", where the name does not tell, else "" */
    bool takes_cpus;     /* it says for which processors it is, as libpfm4 calls them */
    bool takes_counters; /* its definitions share counters */
    bool one_set;        /* a definition's events are counted at the same time */
    bool respells;       /* its names of events may be others than the results', and must lead back to them */
    bool renames;        /* it has names of its own; none may be that of several events of the results */
    /* The name of a metric there, `size` bytes at `name`; NULL, or why there is none. */
    const char *(*name_metric)(const cm_writing_item *item, char *name, size_t size);
    /* The name of an event there; NULL, or why there is none. */
    const char *(*name_event)(const char *event, char *name, size_t size);
    /* Makes the name of an event that of the device which counts on cores of one type, in `size` bytes; NULL: names do
     * not say it. */
    void (*name_on_core)(const char *core, char *name, size_t size);
    /* Into one file, or into files of the directory `path`; where both are there, `save` is for all definitions, and
     * `write` for one. */
    cm_status (*write)(cm_writing *writing, FILE *stream, cm_error *error);
    cm_status (*save)(cm_writing *writing, const char *path, cm_error *error);
} cm_foreign_format;

/* All of them, in the order in which they are listed; NULL past the last. */
const cm_foreign_format *cm_foreign_format_get(size_t index);
/* The one of that name that is read; NULL where there is none. */
const cm_foreign_format *cm_foreign_format_find(const char *name);
/* By the contents of the file; CM_BAD_INPUT where it is of none. */
cm_status cm_foreign_format_recognise(const char *path, const cm_foreign_format **format, cm_error *error);
/* Whether the file is meant to hold formulas, well-formed or not; so is one that cannot be read, which will be said. */
cm_status cm_foreign_format_is_meant(const char *path, bool *meant, cm_error *error);

#endif
