/* The types of cores that a document is of. */
#include <string.h>

#include "definitions/definitions.h"

cm_status cm_definitions_read_core(cm_json_reader *reader, const json_t *item, const char **core)
{
    *core = "";
    return json_object_get(item, "core") != NULL ? cm_json_read_text(reader, item, "core", CM_JSON_NOT_NULL, core)
                                                 : CM_OK;
}

static cm_status read_core(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_core_type *core = &((cm_core_type *)items)[index];
    const struct {
        const char *key;
        char *text;
    } texts[] = {{"core", core->name}, {"cpus", core->cpus}, {"pmu", core->pmu}};
    cm_status status = CM_OK;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == CM_OK; i++) {
        const char *text = "";
        status = cm_json_read_text(reader, item, texts[i].key, CM_JSON_NOT_NULL, &text);
        if (status == CM_OK && strlen(text) >= CM_CORE_TEXT)
            status = cm_json_fault(reader, "has a %s of more than %d characters", texts[i].key, CM_CORE_TEXT - 1);
        if (status == CM_OK)
            strcpy(texts[i].text, text);
    }
    return status;
}

cm_status cm_definitions_read_cores(cm_json_reader *reader, const json_t *document, cm_definitions *definitions)
{
    void *cores = NULL;
    cm_status status = CM_OK;
    if (json_object_get(document, "cores") != NULL)
        status = cm_json_read_items(reader, document, "cores", sizeof(cm_core_type), read_core,
                                    &definitions->core_count, &cores);
    definitions->cores = cores;
    for (size_t i = 0; i < definitions->benchmark_count && status == CM_OK; i++) {
        const cm_defined_benchmark *listed = &definitions->benchmarks[i].listed;
        size_t at = 0;
        while (at < definitions->core_count && strcmp(definitions->cores[at].name, listed->core) != 0)
            at++;
        if (listed->core[0] != '\0' && at == definitions->core_count)
            status = cm_json_fault(reader, "lists no cores of the type '%.100s', which the benchmark '%.100s' is of",
                                   listed->core, listed->benchmark);
    }
    return status;
}
