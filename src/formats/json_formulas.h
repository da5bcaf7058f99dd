/* JSON that holds formulas: members, and where they stand. */
#ifndef CM_FORMATS_JSON_FORMULAS_H
#define CM_FORMATS_JSON_FORMULAS_H

#include <jansson.h>

#include "formulas/formulas.h"

typedef struct cm_json_formulas {
    cm_formulas *formulas;
    cm_error *error;
    json_t *document;
    char *text;
    const char *object;    /* where in the text the metric that is being read begins */
    const char *known;     /* a location in the text of which this is known: */
    const char *line_text; /* where its line begins, */
    size_t line;           /* and which it is */
} cm_json_formulas;

/* Reads and parses formulas->file. CM_BAD_INPUT, with its location, where it is no JSON. Free it in any case. */
cm_status cm_json_formulas_open(cm_formulas *formulas, cm_json_formulas *json, cm_error *error);
void cm_json_formulas_free(cm_json_formulas *json);

/* Line and column of a location in the text; the object's own where it is NULL. Locations are best asked for in order.
 */
cm_expression_location cm_json_formulas_location(cm_json_formulas *json, const char *at);

/* The member of the metric as text; NULL where it is not there, is null, or, which is a fault that is kept, no text. */
cm_status cm_json_formulas_text(cm_json_formulas *json, const json_t *object, const char *key, const char **text);
cm_status cm_json_formulas_fault(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                 const char *metric, const char *text);
cm_status cm_json_formulas_remark(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                  const char *metric, const char *text);

/* Parses the member `key` of the metric, which is `text`, as the expression of the formula. */
cm_status cm_json_formulas_parse(cm_json_formulas *json, size_t formula, const char *key, const char *text,
                                 const cm_formula_fault_kind *kind, const cm_expression_source *source,
                                 cm_expression_resolve resolve, void *data);

#endif
