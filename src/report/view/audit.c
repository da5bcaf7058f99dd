/* Audits that are shown beside results: documents catmint.audit/1. */
#include "report/view/view.h"

/* The side that is shown: the denominator if the numerator is right, else the numerator. */
static const json_t *side_of(const json_t *item)
{
    const json_t *numerator = json_object_get(item, "numerator"), *denominator = json_object_get(item, "denominator");
    const char *verdict = json_string_value(json_object_get(numerator, "verdict"));
    bool second = json_is_object(denominator) && verdict != NULL && strcmp(verdict, "right") == 0;
    return second ? denominator : numerator;
}

/* Reads the metric, the findings and the remarks of the side that is shown. */
static cm_status read_side(cm_json_reader *reader, const json_t *item, cm_view_formula *formula)
{
    const json_t *side = side_of(item);
    bool second = side == json_object_get(item, "denominator");
    cm_json_enter(reader, second ? "denominator" : "numerator", 0);
    cm_status status = json_is_object(side) ? CM_OK : cm_json_fault(reader, "is no object");
    CM_THEN(status, cm_json_read_text(reader, side, "metric", CM_JSON_OR_NULL, &formula->judged_as));
    CM_THEN(status, cm_json_read_text(reader, side, "measures", CM_JSON_NOT_NULL, &formula->measures));
    CM_THEN(status, cm_json_read_text(reader, side, "remark", CM_JSON_NOT_NULL, &formula->remark));
    cm_json_leave(reader);
    return status;
}

/* Reads a formula of the audit. */
static cm_status read_formula(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_formula *formula = &((cm_view_formula *)items)[index];
    const struct {
        const char *key, **text;
    } texts[] = {{"file", &formula->file},
                 {"metric", &formula->metric},
                 {"formula", &formula->formula},
                 {"verdict", &formula->verdict}};
    cm_status status = CM_OK;
    for (size_t i = 0; i < CM_COUNT_OF(texts) && status == CM_OK; i++)
        status = cm_json_read_text(reader, item, texts[i].key, CM_JSON_NOT_NULL, texts[i].text);
    CM_THEN(status, cm_json_read_figure(reader, item, "line", CM_JSON_NOT_NULL, &formula->line));
    return status == CM_OK ? read_side(reader, item, formula) : status;
}

/* Reads the number of formulas of each verdict. */
static cm_status read_verdicts(cm_json_reader *reader, const json_t *document, cm_view_audit *audit)
{
    json_t *verdicts = json_object_get(document, "verdicts");
    cm_status status = CM_OK;
    audit->verdicts = cm_arena_allocate(reader->arena, json_object_size(verdicts) * sizeof *audit->verdicts);
    if (audit->verdicts == NULL)
        return cm_error_no_memory(reader->error);
    cm_json_enter(reader, "verdicts", 0);
    if (!json_is_object(verdicts))
        status = cm_json_fault(reader, "is no object");
    for (void *at = json_object_iter(verdicts); at != NULL && status == CM_OK;
         at = json_object_iter_next(verdicts, at)) {
        char text[CM_NUMBER_TEXT_SIZE];
        double count = 0.0;
        cm_view_pair *pair = &audit->verdicts[audit->verdict_count++];
        status = cm_json_read_figure(reader, verdicts, json_object_iter_key(at), CM_JSON_NOT_NULL, &count);
        if (status != CM_OK)
            break;
        cm_number_write(count, text);
        *pair =
            (cm_view_pair){cm_arena_text(reader->arena, json_object_iter_key(at)), cm_arena_text(reader->arena, text)};
        if (pair->name == NULL || pair->text == NULL)
            status = cm_error_no_memory(reader->error);
    }
    cm_json_leave(reader);
    return status;
}

/* Reads the audit's formulas and verdicts. */
static cm_status read_audit(cm_json_reader *reader, const json_t *document, cm_view_audit *audit)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    if (schema == NULL || strcmp(schema, "catmint.audit/1") != 0)
        return cm_json_fault(reader,
                             "is no audit, expected the schema \"catmint.audit/1\", which catmint audit writes");
    void *formulas = NULL;
    *audit = (cm_view_audit){.path = cm_arena_text(reader->arena, reader->file)};
    cm_status status = audit->path != NULL ? CM_OK : cm_error_no_memory(reader->error);
    CM_THEN(status, read_verdicts(reader, document, audit));
    CM_THEN(status, cm_json_read_items(reader, document, "formulas", sizeof *audit->formulas, read_formula,
                                       &audit->formula_count, &formulas));
    audit->formulas = formulas;
    return status;
}

/* Adds the audit to the view. Memory comes first, so that nothing can fail once it has been read. */
static cm_status add_audit(cm_json_reader *reader, const json_t *document, void *made)
{
    cm_results_view *view = made;
    if (!CM_GROW_BY_ONE(view->audits, view->audit_count))
        return cm_error_no_memory(reader->error);
    cm_status status = read_audit(reader, document, &view->audits[view->audit_count]);
    view->audit_count += status == CM_OK;
    return status;
}

cm_status cm_results_view_add_audit(cm_results_view *view, const char *path, cm_error *error)
{
    return cm_json_read_file(path, JSON_REJECT_DUPLICATES, "the JSON that catmint audit writes", &view->arena,
                             add_audit, view, error);
}
