/* Names of codes. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"
#include "definitions/definitions.h"
#include "discovery/benchmark_result.h"

static const char *join(cm_arena *arena, const json_t *names)
{
    char *text = cm_code_names_text(names);
    const char *kept = text != NULL ? cm_arena_text(arena, text) : NULL;
    free(text);
    return kept;
}

cm_status cm_definitions_take_code_names(cm_arena *arena, const json_t *code_names, cm_read_benchmark *benchmark,
                                         cm_error *error)
{
    const char *event;
    json_t *names;
    benchmark->codes = cm_arena_allocate(arena, json_object_size(code_names) * sizeof *benchmark->codes);
    if (benchmark->codes == NULL)
        return cm_error_no_memory(error);
    json_object_foreach((json_t *)code_names, event, names)
    {
        cm_named_code *code = &benchmark->codes[benchmark->code_count++];
        *code = (cm_named_code){cm_arena_text(arena, event), join(arena, names)};
        if (code->event == NULL || code->names == NULL)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

static bool are_names(const json_t *names)
{
    size_t index;
    json_t *name;
    bool sound = json_is_array(names);
    json_array_foreach((json_t *)names, index, name) sound = sound && json_is_string(name);
    return sound;
}

/* Documents of older versions have none. */
cm_status cm_definitions_read_code_names(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark)
{
    const char *event;
    json_t *code_names = json_object_get(item, "code_names"), *names;
    if (code_names == NULL)
        return CM_OK;
    cm_json_enter(reader, "code_names", 0);
    cm_status status = json_is_object(code_names) ? CM_OK : cm_json_fault(reader, "is no object, expected one");
    json_object_foreach(code_names, event, names)
    {
        cm_json_enter(reader, event, 0);
        if (status == CM_OK && !are_names(names))
            status = cm_json_fault(reader, "is no list of names, expected one");
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status == CM_OK ? cm_definitions_take_code_names(reader->arena, code_names, benchmark, reader->error)
                           : status;
}

const char *cm_definitions_code_names(const cm_definitions *definitions, const char *event)
{
    for (size_t i = 0; i < definitions->benchmark_count; i++) {
        const cm_read_benchmark *benchmark = &definitions->benchmarks[i];
        for (size_t k = 0; k < benchmark->code_count; k++)
            if (strcmp(benchmark->codes[k].event, event) == 0)
                return benchmark->codes[k].names;
    }
    return "";
}
