/* The style of a document: results, explanations, audits and values share it. */
#ifndef CATMINT_STYLE_H
#define CATMINT_STYLE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_output_format {
    CM_FORMAT_TABLE,  /* for people */
    CM_FORMAT_JSON,   /* for programs; docs/ has the schema of each document */
    CM_FORMAT_CSV,    /* for spreadsheets: values of formulas only, CM_BAD_ARGUMENT elsewhere */
    CM_FORMAT_SVG,    /* for hierarchies of formulas and ports of cores only, CM_BAD_ARGUMENT elsewhere */
    CM_FORMAT_GITHUB, /* annotations of GitHub's workflows: faults of formulas only, CM_BAD_ARGUMENT elsewhere */
    CM_FORMAT_SARIF,  /* SARIF 2.1.0, for reviews: faults of formulas only, CM_BAD_ARGUMENT elsewhere */
} cm_output_format;

/* All zero is a table of the usual width without colours. Width and colour are for tables only. */
typedef struct cm_output_style {
    cm_output_format format;
    size_t width; /* columns; 0: 100, but no limit for values of formulas. Text takes at least 60 */
    bool colour;  /* with ANSI colours */
} cm_output_style;

#ifdef __cplusplus
}
#endif
#endif
