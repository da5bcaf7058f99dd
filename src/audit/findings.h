/* The list of findings of an audit, in the order in which they are made. */
#ifndef CM_AUDIT_FINDINGS_H
#define CM_AUDIT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/audit.h>
#include <catmint/error.h>

#include "core/base.h"

/* ---- Parts of symbols' names, and the symbols that belong together by them ---- */

/* The parts of one benchmark's symbols. A part is a row of the table of words that some symbols have. */
typedef struct cm_symbol_parts {
    size_t symbol_count;
    const char *const *symbols; /* the caller's */
    size_t part_count;
    char **words; /* one a part, in the order of the table */
    bool *has;    /* parts x symbols */
    bool *left;   /* scratch, one a symbol */
} cm_symbol_parts;

enum { CM_NO_SYMBOL = -1 };

/* Reads the table, `benchmark,part,words`. `symbols` must live as long as the parts. */
cm_status cm_symbol_parts_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                               cm_symbol_parts **parts, cm_error *error);
void cm_symbol_parts_free(cm_symbol_parts *parts);

/* Makes the finding one about the symbols of `wanted`, not empty: their names, and as few groups as distinguish them
 * from the others of `universe`, which holds them. False if memory is short. */
bool cm_symbol_parts_group(const cm_symbol_parts *parts, const bool *wanted, const bool *universe, cm_arena *arena,
                           cm_audit_finding *finding);

/* The symbol that has the same parts, but `to` instead of `from`, or `from` instead of `to`; the symbol itself if it
 * has neither or both. `to` may be parts->part_count: the symbol without `from`. CM_NO_SYMBOL if there is none. */
ptrdiff_t cm_symbol_parts_counterpart(const cm_symbol_parts *parts, size_t symbol, size_t from, size_t to);

/* ---- findings ---- */

/* All zero but for the arena, which keeps the findings: an empty list. */
typedef struct cm_finding_list {
    cm_arena *arena;
    size_t count;
    cm_audit_finding *items;
    bool short_of_memory; /* some could not be added */
} cm_finding_list;

/* The texts of the finding must live as long as the list. */
void cm_finding_list_add(cm_finding_list *list, const cm_audit_finding *finding);
/* The same about the symbols of `set`, not empty, named as those among the `universe`. */
void cm_finding_list_add_symbols(cm_finding_list *list, const cm_audit_finding *finding, const cm_symbol_parts *parts,
                                 const bool *set, const bool *universe);

/* ---- Findings about wrong forms: the thing that each measures instead ---- */

/* A metric that the form might be instead. */
typedef struct cm_known_metric {
    const char *metric;
    const double *signature; /* one a symbol, not all zero */
    const cm_defined_metric *defined;
} cm_known_metric;

typedef struct cm_deviation {
    const cm_symbol_parts *parts;
    const double *representation; /* of the form, one a symbol */
    const double *signature;      /* of the metric, not all zero */
    const double *tolerance;      /* by how much an element may be off */
    size_t known_count;
    const cm_known_metric *known; /* all metrics of the benchmark, the form's own may be among them */
} cm_deviation;

/* Adds the metric that the form measures; nothing if every element is within its tolerance. CM_NO_MEMORY. */
cm_status cm_deviation_explain(const cm_deviation *deviation, cm_finding_list *findings, cm_error *error);

#endif
