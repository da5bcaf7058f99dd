/* Reads JSON that holds formulas, with the locations of members. */
#ifndef CM_FORMATS_JSON_FORMULAS_H
#define CM_FORMATS_JSON_FORMULAS_H

#include <jansson.h>

#include "formulas/formulas.h"

typedef struct cm_json_formulas {
    cm_formulas *formulas;
    cm_error *error;
    json_t *document;
    char *text;
    const char *object;    /* start of the current metric in the text */
    const char *known;     /* a location in the text whose line is known: */
    const char *line_text; /* the start of that line */
    size_t line;           /* and its number */
} cm_json_formulas;

/* Reads and parses formulas->file. CM_BAD_INPUT, with the location, if it is no JSON. Free it in any case. */
cm_status cm_json_formulas_open(cm_formulas *formulas, cm_json_formulas *json, cm_error *error);
void cm_json_formulas_free(cm_json_formulas *json);

/* Line and column of a location in the text; NULL: of the current metric. Fastest in the order of the text. */
cm_expression_location cm_json_formulas_location(cm_json_formulas *json, const char *at);

/* The member of the metric as text; NULL if it is missing or null, or, recorded as a fault, no text. */
cm_status cm_json_formulas_text(cm_json_formulas *json, const json_t *object, const char *key, const char **text);
cm_status cm_json_formulas_fault(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                 const char *metric, const char *text);
cm_status cm_json_formulas_remark(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                  const char *metric, const char *text);

/* Parses `text`, the member `key` of the metric, as the expression of the formula. */
cm_status cm_json_formulas_parse(cm_json_formulas *json, size_t formula, const char *key, const char *text,
                                 const cm_formula_fault_kind *kind, const cm_expression_source *source,
                                 cm_expression_resolve resolve, void *data);

#endif
