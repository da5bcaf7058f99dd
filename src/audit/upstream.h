/* Checkouts of projects that have formulas: which of their files are a processor's. */
#ifndef CM_AUDIT_UPSTREAM_H
#define CM_AUDIT_UPSTREAM_H

#include <stdbool.h>

#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/formulas.h>

#include "core/arena.h"

typedef struct cm_upstream {
    const char *directory;
    const char *project; /* "perf", "perfmon", "LIKWID" or "PAPI" */
    const char *cpu;     /* libpfm4's name of the processor */
    const char *section; /* of PAPI's table; NULL: all */
    cm_formula_files files;
} cm_upstream;

/* Whether one of the names in the section, which commas part, fits the pattern (fnmatch); NULL: any. */
bool cm_section_fits(const char *section, const char *pattern);

/* libpfm4's name of the processor `cpu`, NULL: the one that the definitions are of, and of its model, in the arena;
 * an unknown one stays as it is. Either may be NULL. */
cm_status cm_upstream_find_names(const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                                 const char **found, const char **model, cm_error *error);

/* The files of the processor `cpu`, libpfm4's name; NULL: the one that the definitions are of. CM_BAD_INPUT if that
 * is not known, or the directory is none of these projects or has nothing for it. Texts belong to the arena. Clear the
 * files in any case. */
cm_status cm_upstream_find(const char *directory, const char *cpu, const cm_definitions *definitions, cm_arena *arena,
                           cm_upstream *upstream, cm_error *error);

#endif
