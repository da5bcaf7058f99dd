/* Foreign formats: a directory for each, and a row in the table of formats.c. */
#ifndef CM_FORMATS_FORMAT_H
#define CM_FORMATS_FORMAT_H

#include "formats/writer.h"
#include "formulas/formulas.h"

typedef struct cm_foreign_format {
    const char *name; /* "papi", as users name it */

    /* For reading; `read` NULL: it is only written. */
    cm_formula_rules rules;
    const char *looks; /* "a PAPI table (CPU and PRESET lines)": used in messages when a file has no known format */
    const char *const *beginning; /* first words of lines that only such files have, the last one NULL; behind
                                     punctuation any text may follow */
    bool at_top;                  /* the file's first line that is no comment begins so */
    const char *mark;             /* a text in every such file, for formats whose beginning does not tell; else NULL */
    /* Fills an empty list. CM_BAD_INPUT if nothing in the file can be understood. */
    cm_status (*read)(cm_formulas *formulas, cm_error *error);

    /* For writing; neither `write` nor `save`: it is only read. */
    const char *content; /* "presets", if the name does not tell, else "" */
    bool takes_cpus;     /* it names the processors it is for, as libpfm4 does */
    bool takes_counters; /* its definitions share counters */
    bool one_set;        /* all events of a definition are counted at the same time */
    bool respells;       /* its names of events may differ from the results', and must lead back to them */
    bool renames;        /* it has names of its own; each may mean only one event of the results */
    /* Writes the format's name of a metric to `name`, `size` bytes; NULL, or the reason why there is none. */
    const char *(*name_metric)(const cm_writing_item *item, char *name, size_t size);
    /* Writes the format's name of an event; NULL, or the reason why there is none. */
    const char *(*name_event)(const char *event, char *name, size_t size);
    /* Changes the name of an event to that of the device which counts on cores of one type, in `size` bytes; NULL: the
     * format's names do not tell the device. */
    void (*name_on_core)(const char *core, char *name, size_t size);
    /* Write one file, or files of the directory `path`; with both, `save` is for all definitions, `write` for one. */
    cm_status (*write)(cm_writing *writing, FILE *stream, cm_error *error);
    cm_status (*save)(cm_writing *writing, const char *path, cm_error *error);
} cm_foreign_format;

/* All formats, in the order in which they are listed; NULL behind the last. */
const cm_foreign_format *cm_foreign_format_get(size_t index);
/* The format of that name, if it can be read; else NULL. */
const cm_foreign_format *cm_foreign_format_find(const char *name);
/* Finds the format by the contents of the file; CM_BAD_INPUT if none fits. */
cm_status cm_foreign_format_recognise(const char *path, const cm_foreign_format **format, cm_error *error);
/* How readers begin a message of CM_BAD_INPUT about a file that is well-formed but holds no formulas. */
#define CM_NO_METRICS "no metrics here"
/* Whether the file is meant to hold formulas, even faulty ones; true if it cannot be read, so that this is reported. */
cm_status cm_foreign_format_is_meant(const char *path, bool *meant, cm_error *error);

#endif
