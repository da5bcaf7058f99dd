/* Formulas in JSON files, and where in the text they are. */
#include "formats/format.h"

#include "core/json.h"

cm_status cm_json_formulas_open(cm_formulas *formulas, cm_json_formulas *json, cm_error *error)
{
    size_t size = 0;
    *json = (cm_json_formulas){.formulas = formulas, .error = error};
    cm_status status = cm_file_text_read(formulas->file, &json->text, &size, error);
    if (status != CM_OK)
        return status;
    json->known = json->line_text = json->text;
    json->line = 1;
    return cm_json_parse(formulas->file, json->text, size, 0, NULL, &json->document, error);
}

void cm_json_formulas_free(cm_json_formulas *json)
{
    json_decref(json->document);
    free(json->text);
}

cm_expression_location cm_json_formulas_location(cm_json_formulas *json, const char *at)
{
    if (at == NULL)
        at = json->object;
    if (at < json->known) {
        json->known = json->line_text = json->text;
        json->line = 1;
    }
    for (const char *end = memchr(json->known, '\n', (size_t)(at - json->known)); end != NULL;
         end = memchr(json->line_text, '\n', (size_t)(at - json->line_text))) {
        json->line++;
        json->line_text = end + 1;
    }
    json->known = at;
    return (cm_expression_location){json->line, cm_lines_column(json->line_text, (size_t)(at - json->line_text))};
}

/* The start of the member's value in the text; that of the metric if it has no such member. */
static const char *find_member(const cm_json_formulas *json, const char *key)
{
    const cm_json_step step = {.key = key};
    const char *at = key != NULL ? cm_json_find(json->object, &step) : NULL;
    return at != NULL ? at : json->object;
}

cm_status cm_json_formulas_fault(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                 const char *metric, const char *text)
{
    cm_expression_location location = cm_json_formulas_location(json, find_member(json, key));
    return cm_formulas_add_fault(json->formulas, kind, location.line, location.column, metric, "%s", text);
}

cm_status cm_json_formulas_remark(cm_json_formulas *json, cm_formula_fault_kind kind, const char *key,
                                  const char *metric, const char *text)
{
    cm_expression_location location = cm_json_formulas_location(json, find_member(json, key));
    return cm_formulas_add_remark(json->formulas, kind, location.line, location.column, metric, "%s", text);
}

cm_status cm_json_formulas_text(cm_json_formulas *json, const json_t *object, const char *key, const char **text)
{
    const json_t *member = json_object_get(object, key);
    *text = json_string_value(member);
    if (member == NULL || json_is_null(member) || *text != NULL)
        return CM_OK;
    const char *metric = json_string_value(json_object_get(object, "MetricName"));
    return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, key, metric, "not a string");
}

cm_status cm_json_formulas_texts(cm_json_formulas *json, const json_t *object, const cm_formula_text *texts,
                                 size_t count)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_json_formulas_text(json, object, texts[i].key, texts[i].text);
    return status;
}

cm_status cm_json_formulas_parse(cm_json_formulas *json, size_t formula, const char *key, const char *text,
                                 const cm_formula_fault_kind *kind, const cm_expression_source *source,
                                 cm_expression_resolve resolve, void *data)
{
    const char *begin = find_member(json, key);
    cm_expression_location location = cm_json_formulas_location(json, begin + (*begin == '"'));
    cm_expression_source placed = *source;
    size_t faults = json->formulas->fault_count;
    placed.file = json->formulas->file;
    placed.line = location.line;
    placed.column = location.column;
    json->formulas->formulas[formula].info.line = location.line;
    json->formulas->formulas[formula].info.column = location.column;
    cm_status status = cm_formulas_parse(json->formulas, formula, text, kind, &placed, resolve, data, json->error);
    if (json->formulas->fault_count == faults)
        return status;
    cm_formula_fault *fault = &json->formulas->faults[faults];
    if (fault->line == location.line && fault->column >= location.column && *begin == '"') {
        location = cm_json_formulas_location(json, cm_json_character(begin, fault->column - location.column));
        fault->line = location.line;
        fault->column = location.column;
    }
    return status;
}
