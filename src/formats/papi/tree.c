/* A table beside others: in the tree that says how many terms PAPI takes, and its sections beside each other. */
#include "core/files.h"
#include "formats/papi/papi.h"

cm_status cm_papi_read_most_terms(cm_formulas *formulas, bool *told, cm_error *error)
{
    static const char header[] = "papi_internal.h", name[] = "#define PAPI_EVENTS_IN_DERIVED_EVENT";
    const char *file = formulas->place, *slash = strrchr(file, '/');
    size_t most = CM_PAPI_OLD_TERMS, size = 0;
    char *path = NULL, *text = NULL;
    cm_error none;
    if (asprintf(&path, "%.*s%s", slash != NULL ? (int)(slash + 1 - file) : 0, file, header) < 0)
        return cm_error_no_memory(error);
    cm_status status = cm_file_text_read(path, &text, &size, &none);
    const char *at = status == CM_OK ? strstr(text, name) : NULL;
    unsigned long number = at != NULL ? strtoul(at + strlen(name), NULL, 10) : 0;
    *told = number > 0;
    if (*told)
        most = number < CM_PAPI_TERMS ? number : CM_PAPI_TERMS;
    formulas->most_events = most;
    CM_FREE(path, text);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK;
}

/* Whether two lists of processors, separated by commas, have one in common. */
static bool share_cpu(const char *one, const char *other)
{
    for (const char *at = one; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        size_t length = strcspn(at, ",");
        for (const char *in = other; *in != '\0'; in += strcspn(in, ",") + (in[strcspn(in, ",")] == ','))
            if (strcspn(in, ",") == length && strncmp(at, in, length) == 0)
                return true;
    }
    return false;
}

cm_status cm_papi_check_sections(cm_formulas *formulas, size_t first, size_t formula, size_t column)
{
    const cm_formula_info *info = &formulas->formulas[formula].info;
    for (size_t i = first; i-- > 0;) {
        const cm_formula_info *other = &formulas->formulas[i].info;
        if (strcasecmp(other->metric, info->metric) != 0 || !share_cpu(other->section, info->section))
            continue;
        return cm_formulas_add_remark(formulas, CM_FAULT_DUPLICATE, info->line, column, info->metric,
                                      strcmp(other->text, info->text) == 0
                                          ? "line %zu says the same for these processors"
                                          : "line %zu says otherwise for some of these processors; PAPI takes the last",
                                      other->line);
    }
    return CM_OK;
}
