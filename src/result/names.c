/* Metrics by their names in other programs' spelling. */
#include "result/result.h"

static bool is_separator(char c)
{
    return c == '_' || c == '.' || c == '-' || c == ' ' || c == '\t';
}

/* The next letter of a name as a capital; a run of separators is one blank, none at the end. 0: the end. */
static int next_letter(const char **name)
{
    bool separated = false;
    for (; is_separator(**name); (*name)++)
        separated = true;
    if (**name == '\0')
        return 0;
    return separated ? ' ' : toupper((unsigned char)*(*name)++);
}

/* Whether two names are the same except for letter case and separators. */
static bool same_words(const char *left, const char *right)
{
    while (is_separator(*left))
        left++;
    while (is_separator(*right))
        right++;
    for (;;) {
        int a = next_letter(&left), b = next_letter(&right);
        if (a != b)
            return false;
        if (a == 0)
            return true;
    }
}

bool cm_metric_is_called(const char *metric, const char *preset, const char *name)
{
    static const char papi[] = "PAPI_";
    if (same_words(metric, name))
        return true;
    if (preset[0] == '\0')
        return false;
    bool prefixed = strncmp(preset, papi, strlen(papi)) == 0;
    return same_words(preset, name) || (prefixed && same_words(preset + strlen(papi), name));
}

/* The error for a name that several metrics have; it lists them. */
static cm_status refuse_name(const cm_definitions *definitions, const char *name, cm_error *error)
{
    char *text = NULL;
    const char *between = "";
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i);
        if (!cm_metric_is_called(metric->metric, metric->preset, name))
            continue;
        fprintf(stream, "%s%s of %s", between, metric->metric, metric->benchmark);
        between = " or ";
    }
    cm_status status = fclose(stream) != 0
                           ? cm_error_no_memory(error)
                           : CM_FAIL(error, CM_BAD_INPUT, "metric '%.100s' is ambiguous: it may be %s", name, text);
    free(text);
    return status;
}

/* Whether both are the same metric of a hybrid processor on different types of cores. */
static bool is_of_other_cores(const cm_defined_metric *left, const cm_defined_metric *right)
{
    return strcmp(left->metric, right->metric) == 0 && strcmp(left->core, right->core) != 0;
}

cm_status cm_definitions_resolve(const cm_definitions *definitions, const char *name, const cm_defined_metric **metric,
                                 cm_error *error)
{
    const cm_defined_metric *found = cm_definitions_find(definitions, name);
    bool several = false;
    for (size_t i = 0, count = found != NULL ? 0 : cm_definitions_count(definitions); i < count; i++) {
        const cm_defined_metric *other = cm_definitions_get(definitions, i);
        if (cm_metric_is_called(other->metric, other->preset, name)) {
            several = several || (found != NULL && !is_of_other_cores(found, other));
            found = found != NULL ? found : other;
        }
    }
    if (several)
        return refuse_name(definitions, name, error);
    *metric = found;
    return CM_OK;
}

bool cm_definitions_knows_pmu(const char *pmu)
{
    static const char software[] = "software:";
    return strcmp(pmu, "hardware") == 0 ||
           (strncmp(pmu, software, strlen(software)) == 0 && pmu[strlen(software)] != '\0');
}
