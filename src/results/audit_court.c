/* The benchmarks of the results, made ready to judge formulas in. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "results/audit.h"

static cm_status gather_names(const cm_audit *audit, cm_court *court, cm_error *error)
{
    size_t count = court->benchmark->event_count;
    const char **events = calloc(count + 1, sizeof *events);
    if (events == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        events[i] = cm_definitions_event(audit->definitions, court->index, i)->event;
    cm_status status = cm_event_names_create(events, count, &court->names, error);
    free(events);
    return status;
}

static cm_status gather_metrics(const cm_audit *audit, cm_court *court, cm_error *error)
{
    size_t count = cm_definitions_count(audit->definitions);
    court->known = calloc(count + 1, sizeof *court->known);
    if (court->known == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const cm_defined_metric *metric = cm_definitions_get(audit->definitions, i);
        if (metric->measurable && strcmp(metric->benchmark, court->benchmark->benchmark) == 0)
            court->known[court->known_count++] = (cm_known_metric){metric->metric, metric->signature};
    }
    return CM_OK;
}

/* All symbols of the benchmark, also those whose kernels were not run. */
static cm_status gather_whole(cm_court *court, const char *words, cm_error *error)
{
    char *name = NULL, *path = NULL;
    cm_error none;
    if (asprintf(&name, "signatures/%s.csv", court->benchmark->benchmark) < 0)
        return cm_error_no_memory(error);
    cm_status status = cm_data_path(name, &path, &none);
    bool ours = status == CM_OK;
    if (ours)
        status = cm_signatures_load(path, &court->whole, error);
    else
        status = status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
    if (status == CM_OK && ours) {
        court->flags = calloc(2 * court->whole->symbol_count + 1, sizeof *court->flags);
        status = court->flags != NULL ? CM_OK : cm_error_no_memory(error);
    }
    if (status == CM_OK && ours)
        status = cm_words_load(words, court->benchmark->benchmark, court->whole->symbol_count,
                               (const char *const *)court->whole->symbols, &court->whole_words, error);
    free(path);
    free(name);
    return status;
}

cm_status cm_audit_open_courts(cm_audit *audit, cm_error *error)
{
    char *words = NULL;
    size_t count = cm_definitions_benchmark_count(audit->definitions);
    cm_status status = cm_data_path("bases/symbol-parts.csv", &words, error);
    audit->courts = calloc(count + 1, sizeof *audit->courts);
    if (status == CM_OK && audit->courts == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        cm_court *court = &audit->courts[audit->court_count++];
        court->index = i;
        court->benchmark = cm_definitions_benchmark(audit->definitions, i);
        status = gather_names(audit, court, error);
        if (status == CM_OK)
            status = gather_metrics(audit, court, error);
        if (status == CM_OK)
            status = cm_words_load(words, court->benchmark->benchmark, court->benchmark->symbol_count,
                                   court->benchmark->symbols, &court->words, error);
        if (status == CM_OK)
            status = gather_whole(court, words, error);
    }
    free(words);
    return status;
}

void cm_audit_close_courts(cm_audit *audit)
{
    for (size_t i = 0; i < audit->court_count; i++) {
        cm_event_names_free(audit->courts[i].names);
        cm_words_free(audit->courts[i].words);
        cm_words_free(audit->courts[i].whole_words);
        cm_signatures_free(audit->courts[i].whole);
        free(audit->courts[i].flags);
        free(audit->courts[i].known);
    }
    free(audit->courts);
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

cm_name_match cm_court_find(const cm_audit *audit, const cm_court *court, const char *name, size_t *places,
                            size_t capacity, size_t *count, const cm_pair **alias)
{
    cm_name_match match = cm_event_names_find(court->names, name, places, capacity, count);
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
        match = cm_event_names_find(court->names, other, places, capacity, count);
        free(other);
    }
    return match;
}
