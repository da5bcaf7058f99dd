/* Audits: reads everything, and tries one formula after another. */
#include "audit/audit.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"

const char *cm_verdict_text(cm_verdict verdict)
{
    static const char *const texts[CM_VERDICT_COUNT] = {
        [CM_VERDICT_RIGHT] = "right",
        [CM_VERDICT_WRONG] = "wrong",
        [CM_VERDICT_EVENT_MISSING] = "event missing",
        [CM_VERDICT_EVENT_NOT_LISTED] = "event not told",
        [CM_VERDICT_EVENT_NOISY] = "event noisy",
        [CM_VERDICT_UNREPRESENTABLE_EVENT] = "unrepresentable event",
        [CM_VERDICT_NOT_LINEAR] = "not linear",
        [CM_VERDICT_NO_SIGNATURE] = "no signature",
    };
    return texts[verdict];
}

static cm_status load_against(cm_audit *audit, const char *path, cm_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "%s: expected a sweep directory or results in JSON",
                            strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return cm_definitions_load(path, &audit->definitions, error);
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_analyze_options_default(&analyze);
    cm_status status = cm_results_analyze_create(path, &analyze, &results, error);
    if (status == CM_OK)
        status = cm_definitions_from_results_create(results, &audit->definitions, error);
    cm_results_free(results);
    return status;
}

static cm_status load_our_pairs(const char *name, const char *const columns[2], cm_pairs **pairs, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path(name, &path, error);
    if (status == CM_OK)
        status = cm_pairs_load(path, columns, pairs, error);
    free(path);
    return status;
}

static cm_status load_tables(cm_audit *audit, const char *map, cm_error *error)
{
    static const char *const mapped[] = {"metric", "signature"}, *const aliased[] = {"alias", "event"};
    cm_status status = load_our_pairs("data/event-aliases.csv", aliased, &audit->aliases, error);
    if (status == CM_OK)
        status = load_our_pairs("data/maps/likwid.csv", mapped, &audit->likwid, error);
    if (status == CM_OK && map != NULL)
        status = cm_pairs_load(map, mapped, &audit->map, error);
    return status;
}

/* One of the names in the section, which commas part, fits the pattern. */
static bool is_in_section(const char *section, const char *pattern)
{
    if (pattern == NULL)
        return true;
    char *copy = strdup(section);
    bool found = false;
    for (char *rest = copy, *name; !found && (name = strsep(&rest, ",")) != NULL;) {
        name += strspn(name, " ");
        found = fnmatch(pattern, name, 0) == 0;
    }
    free(copy);
    return found;
}

/* A fault has no section; those of the formulas around it tell, and either is enough. Where there are none it may be in
 * any. */
static bool is_near_section(const cm_formulas *formulas, size_t line, const char *pattern)
{
    const char *before = NULL, *behind = NULL;
    for (size_t i = 0; i < cm_formulas_count(formulas) && behind == NULL; i++) {
        const cm_formula_info *info = cm_formulas_info(formulas, i);
        *(info->line < line ? &before : &behind) = info->section;
    }
    return (before == NULL && behind == NULL) || (before != NULL && is_in_section(before, pattern)) ||
           (behind != NULL && is_in_section(behind, pattern));
}

static cm_status add_faults(cm_audit *audit, const cm_formulas *formulas, const char *section, cm_error *error)
{
    size_t count = cm_formulas_fault_count(formulas);
    if (count == 0)
        return CM_OK;
    cm_error *grown = realloc(audit->faults, (audit->fault_count + count) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    audit->faults = grown;
    for (size_t i = 0; i < count; i++) {
        const cm_formula_fault *fault = cm_formulas_fault(formulas, i);
        if (!is_near_section(formulas, fault->line, section))
            continue;
        cm_error_set(&grown[audit->fault_count++], CM_BAD_INPUT, cm_formulas_file(formulas), fault->line, fault->column,
                     "%s", fault->text);
    }
    return CM_OK;
}

static cm_status try_all(cm_audit *audit, const cm_formulas *formulas, const char *section, cm_error *error)
{
    size_t count = cm_formulas_count(formulas);
    cm_audit_entry *grown = realloc(audit->entries, (audit->entry_count + count + 1) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    audit->entries = grown;
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const cm_formula_info *info = cm_formulas_info(formulas, i);
        if (!is_in_section(info->section, section))
            continue;
        cm_audit_entry *entry = &grown[audit->entry_count++];
        *entry = (cm_audit_entry){.file = cm_formulas_file(formulas),
                                  .metric = info->metric,
                                  .section = info->section,
                                  .text = info->text,
                                  .line = info->line,
                                  .column = info->column};
        status = cm_audit_try(audit, formulas, i, entry, error);
    }
    return status;
}

static cm_status run(cm_audit *audit, const cm_audit_options *options, cm_error *error)
{
    cm_status status = load_tables(audit, options->map, error);
    audit->formulas = calloc(options->formula_count + 1, sizeof(cm_formulas *));
    audit->against = cm_arena_text(&audit->arena, options->against);
    if (status == CM_OK && (audit->formulas == NULL || audit->against == NULL))
        status = cm_error_no_memory(error);
    for (size_t i = 0; i < options->formula_count && status == CM_OK; i++) {
        status = cm_formulas_load(options->formulas[i], NULL, &audit->formulas[i], error);
        audit->formulas_count += status == CM_OK;
    }
    if (status == CM_OK)
        status = load_against(audit, options->against, error);
    if (status == CM_OK)
        status = cm_audit_contexts_open(audit, error);
    for (size_t i = 0; i < audit->formulas_count && status == CM_OK; i++) {
        status = add_faults(audit, audit->formulas[i], options->section, error);
        if (status == CM_OK)
            status = try_all(audit, audit->formulas[i], options->section, error);
    }
    return status;
}

cm_status cm_audit_create(const cm_audit_options *options, cm_audit **audit, cm_error *error)
{
    if (options->formula_count == 0 || options->against == NULL)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "formulas and results must be given");
    cm_audit *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    cm_status status = run(created, options, error);
    if (status == CM_OK)
        *audit = created;
    else
        cm_audit_free(created);
    return status;
}

void cm_audit_free(cm_audit *audit)
{
    if (audit == NULL)
        return;
    cm_audit_contexts_close(audit);
    cm_definitions_free(audit->definitions);
    cm_pairs_free(audit->map);
    cm_pairs_free(audit->likwid);
    cm_pairs_free(audit->aliases);
    for (size_t i = 0; i < audit->formulas_count; i++)
        cm_formulas_free(audit->formulas[i]);
    free(audit->formulas);
    free(audit->entries);
    free(audit->faults);
    cm_arena_clear(&audit->arena);
    free(audit);
}

size_t cm_audit_count(const cm_audit *audit)
{
    return audit->entry_count;
}

const cm_audit_entry *cm_audit_get(const cm_audit *audit, size_t index)
{
    return &audit->entries[index];
}

size_t cm_audit_verdicts(const cm_audit *audit, cm_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < audit->entry_count; i++)
        count += audit->entries[i].verdict == verdict;
    return count;
}

size_t cm_audit_fault_count(const cm_audit *audit)
{
    return audit->fault_count;
}

const cm_error *cm_audit_fault(const cm_audit *audit, size_t index)
{
    return &audit->faults[index];
}
