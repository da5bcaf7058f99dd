#include "sweep/record/record.h"

/* ---- values as text ---- */

static void write_list(const json_t *list, char *text, size_t size)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        cm_text_append(text, size, i != 0 ? " " : "", "'%s'", item != NULL ? item : "?");
    }
}

/* Writes "" for a missing value. */
static void write_value(const json_t *value, char *text, size_t size)
{
    text[0] = '\0';
    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, "%g", json_real_value(value));
    else if (json_is_array(value))
        write_list(value, text, size);
    else if (json_is_object(value)) /* a shard */
        snprintf(text, size, "%lld/%lld", (long long)json_integer_value(json_object_get(value, "number")),
                 (long long)json_integer_value(json_object_get(value, "of")));
}

/* Whether two values differ; then fills `difference`. null is the same as missing. */
static bool values_differ(const json_t *first, const json_t *second, cm_difference_kind kind, const char *subject,
                          cm_sweep_difference *difference)
{
    static const json_t *const nothing = NULL;
    first = json_is_null(first) ? nothing : first;
    second = json_is_null(second) ? nothing : second;
    if (first == second || (first != NULL && second != NULL && json_equal(first, second)))
        return false;
    difference->kind = kind;
    snprintf(difference->subject, sizeof difference->subject, "%s", subject);
    write_value(first, difference->first, sizeof difference->first);
    write_value(second, difference->second, sizeof difference->second);
    return true;
}

/* ---- comparisons ---- */

struct field {
    const char *key, *subject;
    bool zero_is_none; /* 0 means that the option is not given */
};

static const struct field facts[] = {
    {"schema", "the format of the manifest", false},
    {"catmint", "the version of catmint", false},
    {"pmu", "the PMU", false},
    {"core", "the type of cores", false},
    {"papi_version", "the version of PAPI", false},
};

static const struct field machine_facts[] = {
    {"vendor", "the vendor of the processor", false},
    {"model_name", "the processor", false},
    {"family", "the family of the processor", false},
    {"model", "the model of the processor", false},
    {"stepping", "the stepping of the processor", false},
    {"cores", "the number of cores", false},
    {"processing_units", "the number of processing units", false},
    {"kernel_release", "the release of Linux", false},
    {"gpu", "the GPU", false},
};

static const struct field options[] = {
    {"events", "--events", false},          {"events_file", "--events-file", false},
    {"components", "--component", false},   {"qualifiers", "--qualifiers", false},
    {"repetitions", "--repetitions", true}, {"threads", "--threads", true},
    {"max_buffer", "--max-buffer", true},   {"max_kernel_seconds", "--max-kernel-seconds", false},
};

/* Whether one of these members differs. */
static bool fields_differ(const json_t *first, const json_t *second, const struct field *fields, size_t count,
                          cm_difference_kind kind, cm_sweep_difference *difference)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *values[] = {json_object_get(first, fields[i].key), json_object_get(second, fields[i].key)};
        if (!values_differ(values[0], values[1], kind, fields[i].subject, difference))
            continue;
        if (fields[i].zero_is_none && json_integer_value(values[0]) == 0)
            difference->first[0] = '\0';
        if (fields[i].zero_is_none && json_integer_value(values[1]) == 0)
            difference->second[0] = '\0';
        return true;
    }
    return false;
}

static const char checksum_key[] = "checksum"; /* of a model */

/* Compares all members of objects of any form, except a checksum, which would explain nothing. */
static bool members_differ(const json_t *first, const json_t *second, const char *owner,
                           cm_sweep_difference *difference)
{
    const char *key;
    json_t *value;
    json_t *members = (json_t *)(uintptr_t)(json_is_object(first) ? first : second); /* it is not changed */
    json_object_foreach(members, key, value)
    {
        char noun[256];
        snprintf(noun, sizeof noun, "the value of %.60s of %s", key, owner);
        if (strcmp(key, checksum_key) != 0 && values_differ(json_object_get(first, key), json_object_get(second, key),
                                                            CM_DIFFERENT_FACT, noun, difference))
            return true;
    }
    return false;
}

/* Compares checksums of models last, because the other members explain more. Old manifests have none. */
static bool checksums_differ(const json_t *first, const json_t *second, cm_sweep_difference *difference)
{
    const json_t *sums[] = {json_object_get(first, checksum_key), json_object_get(second, checksum_key)};
    if (sums[0] == NULL || sums[1] == NULL || json_equal(sums[0], sums[1]))
        return false;
    *difference = (cm_sweep_difference){.kind = CM_DIFFERENT_FACT, .subject = "events.csv or machine.csv of the model"};
    return true;
}

static void join_names(const json_t *benchmarks, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(benchmarks); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(benchmarks, i), "benchmark"));
        cm_text_append(text, size, i != 0 ? "," : "", "%s", name != NULL ? name : "?");
    }
}

/* Whether the kernels of a benchmark differ, in name or number of iterations. */
static bool kernels_differ(const json_t *first, const json_t *second, const char *benchmark,
                           cm_sweep_difference *difference)
{
    size_t counts[] = {json_array_size(first), json_array_size(second)};
    for (size_t i = 0; i < counts[0] || i < counts[1]; i++) {
        const json_t *kernels[] = {json_array_get(first, i), json_array_get(second, i)};
        const char *name = json_string_value(json_object_get(kernels[0], "kernel"));
        char noun[200];
        snprintf(noun, sizeof noun, "kernel %zu of %.80s", i + 1, benchmark);
        if (values_differ(json_object_get(kernels[0], "kernel"), json_object_get(kernels[1], "kernel"),
                          CM_DIFFERENT_FACT, noun, difference)) {
            char *absent = i >= counts[0] ? difference->first : difference->second;
            if (absent[0] == '\0')
                strcpy(absent, "none");
            return true;
        }
        snprintf(noun, sizeof noun, "kernel %.80s of %.80s", name != NULL ? name : "?", benchmark);
        if (members_differ(kernels[0], kernels[1], noun, difference))
            return true;
    }
    return false;
}

/* Whether the benchmarks differ, in name, threads or kernels. */
static bool benchmarks_differ(const json_t *first, const json_t *second, cm_sweep_difference *difference)
{
    char names[2][sizeof difference->first];
    join_names(first, names[0], sizeof names[0]);
    join_names(second, names[1], sizeof names[1]);
    if (strcmp(names[0], names[1]) != 0) {
        *difference = (cm_sweep_difference){.kind = CM_DIFFERENT_OPTION, .subject = "--benchmark"};
        memcpy(difference->first, names[0], sizeof names[0]);
        memcpy(difference->second, names[1], sizeof names[1]);
        return true;
    }
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *one = json_array_get(first, i), *other = json_array_get(second, i);
        const char *name = json_string_value(json_object_get(one, "benchmark"));
        char noun[160];
        snprintf(noun, sizeof noun, "the number of threads of %.100s", name != NULL ? name : "?");
        if (values_differ(json_object_get(one, "threads"), json_object_get(other, "threads"), CM_DIFFERENT_FACT, noun,
                          difference) ||
            kernels_differ(json_object_get(one, "kernels"), json_object_get(other, "kernels"),
                           name != NULL ? name : "?", difference))
            return true;
    }
    return false;
}

static bool contains_item(const json_t *list, const json_t *item)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), item))
            return true;
    return false;
}

/* Compares lists of events. If one is missing, or only the order differs, no event can be named. */
static bool events_differ(const json_t *first, const json_t *second, cm_difference_kind kind, const char *subject,
                          cm_sweep_difference *difference)
{
    size_t at = 0, count = json_array_size(first), others = json_array_size(second);
    while (at < count && at < others && json_equal(json_array_get(first, at), json_array_get(second, at)))
        at++;
    if (at == count && at == others)
        return json_is_string(first) && values_differ(first, second, CM_DIFFERENT_FACT, subject, difference);
    const json_t *one = json_array_get(first, at), *other = json_array_get(second, at);
    bool missing = one != NULL && !contains_item(second, one), added = other != NULL && !contains_item(first, other);
    const char *name = json_string_value(missing ? one : other);
    bool named = (missing || added) && name != NULL;
    *difference = (cm_sweep_difference){.kind = named ? kind : CM_DIFFERENT_FACT};
    snprintf(difference->subject, sizeof difference->subject, "%s", named ? name : subject);
    if (named)
        strcpy(missing ? difference->first : difference->second, "x");
    return true;
}

bool cm_sweeps_differ(const json_t *first, const json_t *second, cm_sweep_difference *difference)
{
    const json_t *models[] = {json_object_get(first, "model"), json_object_get(second, "model")};
    const json_t *chosen[] = {json_object_get(first, "options"), json_object_get(second, "options")};
    const json_t *machines[] = {json_object_get(first, "machine"), json_object_get(second, "machine")};
    return fields_differ(first, second, facts, CM_COUNT_OF(facts), CM_DIFFERENT_FACT, difference) ||
           benchmarks_differ(json_object_get(first, "benchmarks"), json_object_get(second, "benchmarks"), difference) ||
           values_differ(json_object_get(first, "repetitions"), json_object_get(second, "repetitions"),
                         CM_DIFFERENT_OPTION, "--repetitions", difference) ||
           fields_differ(chosen[0], chosen[1], options, CM_COUNT_OF(options), CM_DIFFERENT_OPTION, difference) ||
           members_differ(chosen[0], chosen[1], "the options", difference) ||
           values_differ(json_object_get(first, "shard"), json_object_get(second, "shard"), CM_DIFFERENT_OPTION,
                         "--shard", difference) ||
           members_differ(models[0], models[1], "the model", difference) ||
           fields_differ(machines[0], machines[1], machine_facts, CM_COUNT_OF(machine_facts), CM_DIFFERENT_FACT,
                         difference) ||
           events_differ(json_object_get(first, "selected events"), json_object_get(second, "selected events"),
                         CM_DIFFERENT_EVENT, "the order of the events", difference) ||
           events_differ(json_object_get(first, "prefixed_events"), json_object_get(second, "prefixed_events"),
                         CM_DIFFERENT_PREFIX, "the order of the events", difference) ||
           checksums_differ(models[0], models[1], difference) ||
           values_differ(json_object_get(first, "max_buffer"), json_object_get(second, "max_buffer"), CM_DIFFERENT_FACT,
                         "the most bytes of one chain", difference);
}

/* ---- messages ---- */

static const char *or_unknown(const char *value)
{
    return value[0] != '\0' ? value : "unknown";
}

/* Writes how this sweep differs from the one in the directory. */
static void explain_change(const cm_sweep_difference *difference, const char *directory, char *text, size_t size)
{
    const char *subject = difference->subject, *then = difference->first, *now = difference->second;
    bool nothing = then[0] == '\0' && now[0] == '\0';
    if (difference->kind == CM_DIFFERENT_EVENT)
        snprintf(text, size, "the events differ: the sweep in %s %s %s, this one %s", directory,
                 then[0] != '\0' ? "counts" : "does not count", subject, then[0] != '\0' ? "does not" : "does");
    else if (difference->kind == CM_DIFFERENT_PREFIX)
        snprintf(text, size, "tables of the sweep in %s %s %s with its component, those of this one %s", directory,
                 then[0] != '\0' ? "name" : "do not name", subject, then[0] != '\0' ? "do not" : "do");
    else if (difference->kind == CM_DIFFERENT_FACT && nothing)
        snprintf(text, size, "%s differs from that of the sweep in %s", subject, directory);
    else if (difference->kind == CM_DIFFERENT_FACT)
        snprintf(text, size, "%s was %s for the sweep in %s, and is %s now", subject, or_unknown(then), directory,
                 or_unknown(now));
    else if (then[0] == '\0')
        snprintf(text, size, "the sweep in %s used no %s, this one uses %s %s", directory, subject, subject, now);
    else
        snprintf(text, size, "the sweep in %s used %s %s, this one uses %s", directory, subject, then,
                 now[0] != '\0' ? now : "none");
}

cm_status cm_sweep_resumes(const json_t *before, const json_t *now, const char *directory, cm_error *error)
{
    cm_sweep_difference difference;
    char text[CM_ERROR_TEXT_SIZE];
    if (!cm_sweeps_differ(before, now, &difference))
        return CM_OK;
    explain_change(&difference, directory, text, sizeof text);
    return CM_FAIL(error, CM_BAD_ARGUMENT, "cannot resume: %s", text);
}

cm_status cm_sweep_repeats(const json_t *before, const json_t *now, const char *directory, cm_error *error)
{
    json_t *first = cm_sweep_request(before), *second = cm_sweep_request(now);
    cm_status status =
        first != NULL && second != NULL ? cm_sweep_resumes(first, second, directory, error) : cm_error_no_memory(error);
    json_decref(first);
    json_decref(second);
    return status;
}

cm_status cm_sweep_joins(const json_t *before, const json_t *now, const char *directory, const char *table,
                         cm_error *error)
{
    cm_sweep_difference difference;
    char text[CM_ERROR_TEXT_SIZE];
    json_t *first = cm_sweep_ground(before), *second = cm_sweep_ground(now);
    bool complete = first != NULL && second != NULL, other = complete && cm_sweeps_differ(first, second, &difference);
    json_decref(first);
    json_decref(second);
    if (!complete)
        return cm_error_no_memory(error);
    if (!other)
        return CM_OK;
    explain_change(&difference, directory, text, sizeof text);
    return CM_FAIL(error, CM_BAD_ARGUMENT, "cannot keep %s of %s: %s: --replace removes it, or name another directory",
                   table, directory, text);
}

/* Writes why two sweeps cannot be merged. */
static void explain_merge(const cm_sweep_difference *difference, const char *first, const char *second, char *text,
                          size_t size)
{
    const char *subject = difference->subject, *here = difference->first, *there = difference->second;
    bool nothing = here[0] == '\0' && there[0] == '\0';
    int length = snprintf(text, size, "cannot merge %s with %s: ", second, first);
    if (length < 0 || (size_t)length >= size)
        return;
    text += length;
    size -= (size_t)length;
    if (difference->kind == CM_DIFFERENT_EVENT)
        snprintf(text, size, "only %s counts %s", here[0] != '\0' ? first : second, subject);
    else if (difference->kind == CM_DIFFERENT_PREFIX)
        snprintf(text, size, "only the tables of %s name %s with its component", here[0] != '\0' ? first : second,
                 subject);
    else if (difference->kind == CM_DIFFERENT_FACT && nothing)
        snprintf(text, size, "%s differs", subject);
    else if (difference->kind == CM_DIFFERENT_FACT)
        snprintf(text, size, "%s is %s in %s, and %s in %s", subject, or_unknown(here), first, or_unknown(there),
                 second);
    else
        snprintf(text, size, "%s used %s%s%s%s, %s used %s", first, here[0] != '\0' ? "" : "no ", subject,
                 here[0] != '\0' ? " " : "", here, second, there[0] != '\0' ? there : "none");
}

cm_status cm_sweeps_compatible(const json_t *first, const char *first_path, const json_t *second,
                               const char *second_path, cm_error *error)
{
    cm_sweep_difference difference;
    json_t *ours = cm_sweep_identity(first), *theirs = cm_sweep_identity(second);
    bool complete = ours != NULL && theirs != NULL;
    bool other = complete && cm_sweeps_differ(ours, theirs, &difference);
    json_decref(ours);
    json_decref(theirs);
    if (!complete)
        return cm_error_no_memory(error);
    if (!other)
        return CM_OK;
    char text[CM_ERROR_TEXT_SIZE];
    explain_merge(&difference, first_path, second_path, text, sizeof text);
    return CM_FAIL(error, CM_BAD_INPUT, "%s", text);
}
