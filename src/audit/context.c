/* The benchmarks of the results, made ready to judge formulas in. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit.h"
#include "core/error.h"
#include "tables/find_tables.h"

static cm_status gather_names(const cm_audit *audit, cm_audit_context *context, cm_error *error)
{
    size_t count = context->benchmark->event_count;
    const char **events = calloc(count + 1, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        events[i] = cm_definitions_event(audit->definitions, context->index, i)->event;
    cm_status status = cm_event_names_create(events, count, &context->names, error);
    free(events);
    return status;
}

static cm_status gather_metrics(const cm_audit *audit, cm_audit_context *context, cm_error *error)
{
    size_t count = cm_definitions_count(audit->definitions);
    context->known = calloc(count + 1, sizeof *context->known);
    if (context->known == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const cm_defined_metric *metric = cm_definitions_get(audit->definitions, i);
        if (metric->measurable && strcmp(metric->benchmark, context->benchmark->benchmark) == 0)
            context->known[context->known_count++] = (cm_known_metric){metric->metric, metric->signature};
    }
    return CM_OK;
}

/* All symbols of the benchmark, also those whose kernels were not run. */
static cm_status gather_whole(cm_audit_context *context, const char *parts_file, cm_error *error)
{
    char *path = NULL;
    cm_error none;
    const cm_defined_benchmark *benchmark = context->benchmark;
    cm_status status =
        cm_find_tables(benchmark->benchmark, benchmark->kernel_count, benchmark->kernels, NULL, &path, &none);
    bool ours = status == CM_OK;
    if (ours)
        status = cm_signatures_load(path, &context->whole, error);
    else
        status = status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    if (status == CM_OK && ours) {
        context->flags = calloc(2 * context->whole->symbol_count + 1, sizeof *context->flags);
        status = context->flags != NULL ? CM_OK : cm_error_no_memory(error);
    }
    if (status == CM_OK && ours)
        status = cm_symbol_parts_load(parts_file, context->benchmark->benchmark, context->whole->symbol_count,
                                      (const char *const *)context->whole->symbols, &context->whole_parts, error);
    free(path);
    return status;
}

cm_status cm_audit_contexts_open(cm_audit *audit, cm_error *error)
{
    char *parts_file = NULL;
    size_t count = cm_definitions_benchmark_count(audit->definitions);
    cm_status status = cm_data_path("bases/symbol-parts.csv", &parts_file, error);
    audit->contexts = calloc(count + 1, sizeof *audit->contexts);
    if (status == CM_OK && audit->contexts == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        cm_audit_context *context = &audit->contexts[audit->context_count++];
        context->index = i;
        context->benchmark = cm_definitions_benchmark(audit->definitions, i);
        status = gather_names(audit, context, error);
        if (status == CM_OK)
            status = gather_metrics(audit, context, error);
        if (status == CM_OK)
            status = cm_symbol_parts_load(parts_file, context->benchmark->benchmark, context->benchmark->symbol_count,
                                          context->benchmark->symbols, &context->parts, error);
        if (status == CM_OK)
            status = gather_whole(context, parts_file, error);
    }
    free(parts_file);
    return status;
}

void cm_audit_contexts_close(cm_audit *audit)
{
    for (size_t i = 0; i < audit->context_count; i++) {
        cm_event_names_free(audit->contexts[i].names);
        cm_symbol_parts_free(audit->contexts[i].parts);
        cm_symbol_parts_free(audit->contexts[i].whole_parts);
        cm_signatures_free(audit->contexts[i].whole);
        free(audit->contexts[i].flags);
        free(audit->contexts[i].known);
    }
    free(audit->contexts);
}

/* Separators are as good as each other, letter case does not matter: "fp_arith.scalar" begins with "FP_ARITH". Gives
 * where the rest begins, NULL where the alias does not fit. */
static const char *behind_alias(const char *name, const char *alias)
{
    for (; *alias != '\0'; alias++, name++) {
        bool separators = !isalnum((unsigned char)*alias) && ispunct((unsigned char)*name);
        if (!separators && toupper((unsigned char)*alias) != toupper((unsigned char)*name))
            return NULL;
    }
    return isalnum((unsigned char)*name) ? NULL : name;
}

cm_name_match cm_audit_context_find(const cm_audit *audit, const cm_audit_context *context, const char *name,
                                    size_t *indices, size_t capacity, size_t *count, const cm_pair **alias)
{
    cm_name_match match = cm_event_names_find(context->names, name, indices, capacity, count);
    *alias = NULL;
    const char *core = name; /* an alias is one of the name behind component and PMU */
    for (const char *at = strstr(name, "::"); at != NULL; at = strstr(at + 1, "::"))
        core = at + 2;
    for (size_t i = 0; i < audit->aliases->count && match == CM_NAME_UNKNOWN; i++) {
        const cm_pair *tried = &audit->aliases->items[i];
        const char *rest = behind_alias(core, tried->first);
        char *other = NULL;
        if (rest == NULL || asprintf(&other, "%.*s%s%s", (int)(core - name), name, tried->second, rest) < 0)
            continue;
        *alias = tried;
        match = cm_event_names_find(context->names, other, indices, capacity, count);
        free(other);
    }
    return match;
}
