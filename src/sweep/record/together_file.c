/* together.json beside a sweep's tables: which definitions were tried as one event set on the machine that counted. */
#include "sweep/record/record.h"

#define TOGETHER_SCHEMA "catmint.together/1"

static const char name[] = "together.json";

/* ---- reading ---- */

static cm_status report_fault(const char *path, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                        "is no record of events that were tried together: remove it, and validate the sweep again");
}

static bool marks_refusing(const json_t *refusing, const char *event)
{
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)refusing, i,
                       one) if (json_is_string(one) && strcmp(json_string_value(one), event) == 0) return true;
    return false;
}

/* Reads the events of a set that `tried` owns already: a failure leaves nothing else to be freed. */
static cm_status read_events(const char *path, const json_t *json, cm_tried_set *set, cm_error *error)
{
    const json_t *events = json_object_get(json, "events"), *refusing = json_object_get(json, "refuse");
    size_t count = json_array_size(events), marked = 0;
    if (!CM_ALLOCATE(set->events, count + 1) || !CM_ALLOCATE(set->refusing, count + 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const char *event = json_string_value(json_array_get(events, i));
        if (event == NULL)
            return report_fault(path, error);
        set->events[set->count] = strdup(event);
        if (set->events[set->count] == NULL)
            return cm_error_no_memory(error);
        set->refusing[set->count++] = marks_refusing(refusing, event);
        marked += set->refusing[i];
    }
    return count > 0 && (set->together == CM_TOGETHER_NO) == (marked > 1) ? CM_OK : report_fault(path, error);
}

static cm_status read_set(const char *path, const json_t *json, cm_tried_sets *tried, cm_error *error)
{
    const char *together = json_string_value(json_object_get(json, "together"));
    bool yes = together != NULL && strcmp(together, "yes") == 0, no = together != NULL && strcmp(together, "no") == 0;
    if (!CM_GROW(tried->sets, tried->count + 1, &tried->capacity))
        return cm_error_no_memory(error);
    cm_tried_set *set = &tried->sets[tried->count++];
    *set = (cm_tried_set){.together = yes ? CM_TOGETHER_YES : CM_TOGETHER_NO};
    return yes || no ? read_events(path, json, set, error) : report_fault(path, error);
}

static cm_status read_sets(const char *path, const json_t *document, cm_tried_sets *tried, cm_error *error)
{
    const json_t *sets = json_object_get(document, "sets");
    cm_status status = json_is_array(sets) ? CM_OK : report_fault(path, error);
    for (size_t i = 0; status == CM_OK && i < json_array_size(sets); i++)
        status = read_set(path, json_array_get(sets, i), tried, error);
    return status;
}

/* Whether the document has this catmint's schema and belongs to the sweep that is there now. */
static bool is_of_sweep(const json_t *document, const json_t *origin)
{
    const char *schema = json_string_value(json_object_get(document, "schema"));
    return schema != NULL && strcmp(schema, TOGETHER_SCHEMA) == 0 &&
           json_equal(json_object_get(document, "sweep"), origin);
}

cm_status cm_tried_sets_read(cm_tried_sets *tried, cm_error *error)
{
    char *path = cm_path_join(tried->directory, name, "");
    json_t *document = NULL, *origin = NULL;
    cm_status status = path != NULL ? CM_OK : cm_error_no_memory(error);
    bool there = status == CM_OK && access(path, F_OK) == 0;
    if (there)
        status = cm_json_load(path, JSON_REJECT_DUPLICATES, "the events tried together", &document, error);
    if (status == CM_OK && there)
        status = cm_sweep_checksum(tried->directory, &origin, error);
    if (status == CM_OK && there && is_of_sweep(document, origin))
        status = read_sets(path, document, tried, error);
    json_decref(document);
    json_decref(origin);
    free(path);
    return status;
}

/* ---- writing ---- */

static json_t *names_json(const cm_tried_set *set, bool refusing)
{
    json_t *array = json_array();
    for (size_t i = 0; i < set->count && array != NULL; i++)
        if (!refusing || set->refusing[i])
            array = cm_json_append(array, json_string(set->events[i]));
    return array;
}

static json_t *set_json(const cm_tried_set *set)
{
    json_t *json =
        json_pack("{s:o, s:s}", "events", names_json(set, false), "together", cm_together_text(set->together));
    return set->together == CM_TOGETHER_NO ? cm_json_set(json, "refuse", names_json(set, true)) : json;
}

static json_t *document_of(const cm_tried_sets *tried, json_t *origin)
{
    json_t *sets = json_array();
    for (size_t i = 0; i < tried->count && sets != NULL; i++)
        sets = cm_json_append(sets, set_json(&tried->sets[i]));
    return json_pack("{s:s, s:O, s:o}", "schema", TOGETHER_SCHEMA, "sweep", origin, "sets", sets);
}

static const cm_directory_kind kind = {name, ".together-", "a trial of events"};

cm_status cm_tried_sets_check(const char *directory, cm_error *error)
{
    cm_directory *opened = NULL;
    cm_status status = CM_OK;
    if (access(directory, F_OK) == 0)
        status = cm_directory_open(directory, &kind, NULL, 0, &opened, error);
    cm_directory_free(opened);
    return status;
}

/* Replaces the file whole, so that no reader finds a part of it. */
static cm_status write_document(const char *directory, json_t *document, cm_error *error)
{
    cm_directory *opened = NULL;
    cm_status status = cm_directory_open(directory, &kind, NULL, 0, &opened, error);
    if (status == CM_OK) {
        cm_directory_clean(opened);
        status = cm_directory_commit(opened, document, error);
    }
    cm_directory_free(opened);
    return status;
}

cm_status cm_tried_sets_save(cm_tried_sets *tried, cm_error *error)
{
    json_t *origin = NULL, *document = NULL;
    if (!tried->grown)
        return CM_OK;
    cm_status status = cm_sweep_checksum(tried->directory, &origin, error);
    if (status == CM_OK && (document = document_of(tried, origin)) == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, write_document(tried->directory, document, error));
    tried->grown = status != CM_OK;
    json_decref(document);
    json_decref(origin);
    return status;
}

cm_status cm_tried_sets_finish(cm_tried_sets *tried, cm_error *error)
{
    tried->counting = NULL;
    return cm_tried_sets_save(tried, error);
}

const char *cm_together_text(cm_counted_together together)
{
    static const char *const texts[] = {
        [CM_TOGETHER_UNKNOWN] = "unknown", [CM_TOGETHER_YES] = "yes", [CM_TOGETHER_NO] = "no"};
    return texts[together];
}
