/* Audits: reads everything, and tries one formula after another. */
#include "audit/audit.h"

#include <fnmatch.h>

const char *cm_audit_verdict_text(cm_audit_verdict verdict)
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
        [CM_VERDICT_NOT_TRIED] = "not tried",
        [CM_VERDICT_NOT_MODELLED] = "not modelled",
    };
    return texts[verdict];
}

static cm_status take_results(cm_audit *audit, const char *path, const cm_results *results, cm_error *error)
{
    cm_status status = cm_definitions_from_results_create(results, &audit->definitions, error);
    if (status == CM_BAD_INPUT)
        snprintf(error->file, sizeof error->file, "%s", path);
    return status;
}

/* Loads the results that formulas are held against: given, in a file, or analysed from a directory. */
static cm_status load_against(cm_audit *audit, const cm_audit_options *options, cm_error *error)
{
    struct stat found;
    const char *path = options->against;
    if (options->results != NULL)
        return take_results(audit, path, options->results, error);
    if (stat(path, &found) != 0)
        return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "%s: expected a sweep directory or results in JSON",
                            strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return cm_definitions_load(path, &audit->definitions, error);
    cm_analyze_options analyze;
    cm_results *results = NULL;
    cm_analyze_options_default(&analyze);
    cm_status status = cm_results_analyze_create(path, &analyze, &results, error);
    CM_THEN(status, take_results(audit, path, results, error));
    cm_results_free(results);
    return status;
}

static cm_status load_our_pairs(const char *name, const char *const columns[2], cm_pairs **pairs, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, cm_pairs_load(path, columns, pairs, error));
    free(path);
    return status;
}

static const struct {
    const char *format, *file;
} shipped[CM_SHIPPED_MAPS] = {
    {"likwid", "data/maps/likwid.csv"},     {"papi", "data/maps/papi.csv"},
    {"perf", "data/maps/perf.csv"},         {"arm", "data/maps/perf.csv"}, /* the names that perf has from there */
    {"perfmon", "data/maps/perfmon.csv"},   {"rocprof-compute", "data/maps/rocprof-compute.csv"},
    {"rocprof", "data/maps/rocprofv3.csv"}, {"rocprofv3", "data/maps/rocprofv3.csv"}};

/* Makes the names of the spelled events searchable. */
static cm_status index_spellings(cm_audit *audit, cm_error *error)
{
    const char **names = calloc(audit->spellings->count + 1, sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < audit->spellings->count; i++)
        names[i] = audit->spellings->items[i].first;
    cm_status status = cm_event_names_create(names, audit->spellings->count, &audit->spelled, error);
    free(names);
    return status;
}

/* Loads names of events and the maps from other projects' metrics to ours. */
static cm_status load_tables(cm_audit *audit, const char *map, cm_error *error)
{
    static const char *const mapped[] = {"metric", "signature"}, *const aliased[] = {"alias", "event"};
    cm_status status = load_our_pairs("data/event-aliases.csv", aliased, &audit->aliases, error);
    CM_THEN(status, load_our_pairs("data/amd-events/names.csv", aliased, &audit->spellings, error));
    CM_THEN(status, index_spellings(audit, error));
    for (size_t i = 0; i < CM_SHIPPED_MAPS && status == CM_OK; i++) {
        audit->shipped[i].format = shipped[i].format;
        status = load_our_pairs(shipped[i].file, mapped, &audit->shipped[i].pairs, error);
    }
    if (status == CM_OK && map != NULL)
        status = cm_pairs_load(map, mapped, &audit->map, error);
    return status;
}

/* A fault has no section: it may be in that of the formula before it or behind it, or in any if there are none. */
static bool is_near_section(const cm_formulas *formulas, size_t line, const char *pattern)
{
    const char *before = NULL, *behind = NULL;
    for (size_t i = 0; i < cm_formulas_count(formulas) && behind == NULL; i++) {
        const cm_formula_info *info = cm_formulas_info(formulas, i);
        *(info->line < line ? &before : &behind) = info->section;
    }
    return (before == NULL && behind == NULL) || (before != NULL && cm_section_fits(before, pattern)) ||
           (behind != NULL && cm_section_fits(behind, pattern));
}

/* Appends a fault to the list if it may be in the audited section. */
static cm_status add_fault(const cm_formulas *formulas, const cm_formula_fault *fault, const char *section,
                           cm_error **list, size_t *count, cm_error *error)
{
    if (!is_near_section(formulas, fault->line, section))
        return CM_OK;
    if (!CM_GROW_BY_ONE(*list, *count))
        return cm_error_no_memory(error);
    const bool named = fault->kind == CM_FAULT_QUANTITY && fault->metric != NULL;
    cm_error_set(&(*list)[(*count)++], CM_BAD_INPUT, cm_formulas_file(formulas), fault->line, fault->column, "%s%s%s",
                 named ? fault->metric : "", named ? ": " : "", fault->text);
    return CM_OK;
}

/* Keeps the faults of formulas that may be in the audited section, and wrong units that a reader found. */
static cm_status add_faults(cm_audit *audit, const cm_formulas *formulas, const char *section, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < formulas->fault_count; i++)
        status = add_fault(formulas, &formulas->faults[i], section, &audit->faults, &audit->fault_count, error);
    for (size_t i = 0; status == CM_OK && i < formulas->remark_count; i++)
        if (formulas->remarks[i].kind == CM_FAULT_QUANTITY)
            status = add_fault(formulas, &formulas->remarks[i], section, &audit->wrong_units, &audit->wrong_unit_count,
                               error);
    return status;
}

/* Makes an entry for each formula of the section, and judges it. */
static cm_status try_formulas(cm_audit *audit, const cm_formulas *formulas, const char *section, cm_error *error)
{
    size_t count = cm_formulas_count(formulas);
    cm_audit_entry *grown = realloc(audit->entries, (audit->entry_count + count + 1) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    audit->entries = grown;
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const cm_formula_info *info = cm_formulas_info(formulas, i);
        if (!cm_section_fits(info->section, section))
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

/* A file that is none of formulas is a fault among others. */
static cm_status load_formulas(cm_audit *audit, const char *path, const cm_formula_columns *columns, bool among_others,
                               cm_error *error)
{
    cm_error fault;
    cm_formulas **loaded = &audit->formulas[audit->formulas_count];
    cm_status status = columns != NULL ? cm_formulas_load_table(path, columns, loaded, &fault)
                                       : cm_formulas_load(path, NULL, loaded, &fault);
    audit->formulas_count += status == CM_OK;
    if (status == CM_OK)
        return CM_OK;
    if (status != CM_BAD_INPUT || !among_others) {
        if (error != NULL)
            *error = fault;
        return status;
    }
    return CM_APPEND(audit->faults, audit->fault_count, fault) ? CM_OK : cm_error_no_memory(error);
}

static cm_status load_all(cm_audit *audit, const char *const *files, size_t count, const cm_formula_columns *columns,
                          cm_error *error)
{
    audit->formulas = calloc(count + 1, sizeof(cm_formulas *));
    cm_status status = audit->formulas != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = load_formulas(audit, files[i], columns, count > 1, error);
    return status;
}

/* The files of a checkout are those of the results' processor, so that results come first. */
static cm_status load_upstream(cm_audit *audit, const cm_audit_options *options, cm_error *error)
{
    cm_upstream *upstream = &audit->upstream;
    cm_status status =
        cm_upstream_find(options->upstream, options->cpu, audit->definitions, &audit->arena, upstream, error);
    CM_THEN(status, load_all(audit, (const char *const *)upstream->files.items, upstream->files.count, NULL, error));
    return status;
}

/* Loads the formulas, given or found in a checkout, and the results. */
static cm_status load_inputs(cm_audit *audit, const cm_audit_options *options, cm_error *error)
{
    cm_status status = CM_OK;
    if (options->upstream == NULL)
        status = load_all(audit, options->formulas, options->formula_count, options->columns, error);
    CM_THEN(status, load_against(audit, options, error));
    audit->upstream.cpu = options->cpu != NULL ? cm_arena_text(&audit->arena, options->cpu) : NULL;
    if (status == CM_OK && options->cpu != NULL && audit->upstream.cpu == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK && options->upstream != NULL)
        status = load_upstream(audit, options, error);
    return status;
}

/* Loads everything, and judges the formulas of all files. */
static cm_status run_audit(cm_audit *audit, const cm_audit_options *options, cm_error *error)
{
    cm_status status = load_tables(audit, options->map, error);
    audit->against = cm_arena_text(&audit->arena, options->against);
    if (status == CM_OK && audit->against == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, load_inputs(audit, options, error));
    CM_THEN(status, cm_event_codes_load(audit->definitions, &audit->codes, error));
    CM_THEN(status, cm_audit_index_unmodelled(audit, error));
    CM_THEN(status, cm_audit_contexts_open(audit, (cm_own_tables){options->basis, options->controls}, error));
    CM_THEN(status, cm_audit_programs_load(options->against, audit->facts, &audit->programs, error));
    /* The processor's own pattern of the sections, if it fits the options. */
    const char *own = audit->upstream.section;
    const char *section =
        own != NULL && (options->section == NULL || fnmatch(options->section, own, 0) == 0) ? own : options->section;
    for (size_t i = 0; i < audit->formulas_count && status == CM_OK; i++) {
        status = add_faults(audit, audit->formulas[i], section, error);
        CM_THEN(status, try_formulas(audit, audit->formulas[i], section, error));
    }
    for (size_t i = 0; i < audit->context_count; i++)
        cm_defined_law_settle(audit->contexts[i].law); /* an audit of a checkout keeps those of all its processors */
    return status;
}

cm_status cm_audit_create(const cm_audit_options *options, cm_audit **audit, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_audit_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if ((options->formula_count == 0) != (options->upstream != NULL) || options->against == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "formulas and results must be given");
    cm_audit *created = calloc(1, sizeof *created);
    cm_status status = created != NULL ? run_audit(created, options, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, audit, created, cm_audit_free);
    return status;
}

void cm_audit_free(cm_audit *audit)
{
    if (audit == NULL)
        return;
    cm_audit_contexts_close(audit);
    cm_audit_programs_free(audit->programs);
    cm_definitions_free(audit->definitions);
    cm_formula_files_clear(&audit->upstream.files);
    cm_pairs_free(audit->map);
    for (size_t i = 0; i < CM_SHIPPED_MAPS; i++)
        cm_pairs_free(audit->shipped[i].pairs);
    cm_pairs_free(audit->aliases);
    cm_pairs_free(audit->spellings);
    cm_event_names_free(audit->spelled);
    cm_event_codes_clear(&audit->codes);
    cm_event_names_free(audit->unmodelled);
    for (size_t i = 0; i < audit->formulas_count; i++)
        cm_formulas_free(audit->formulas[i]);
    CM_FREE(audit->formulas, audit->entries, audit->faults, audit->wrong_units, audit->equal_events);
    cm_arena_clear(&audit->arena);
    free(audit);
}

bool cm_audit_by_paper(const cm_audit *audit)
{
    return cm_definitions_by_paper(audit->definitions);
}

CM_GETTER(size_t cm_audit_count(const cm_audit *audit), audit->entry_count)
CM_GETTER(const cm_audit_entry *cm_audit_get(const cm_audit *audit, size_t index), &audit->entries[index])

size_t cm_audit_verdicts(const cm_audit *audit, cm_audit_verdict verdict)
{
    size_t count = 0;
    for (size_t i = 0; i < audit->entry_count; i++)
        count += audit->entries[i].verdict == verdict;
    return count;
}

CM_GETTER(size_t cm_audit_fault_count(const cm_audit *audit), audit->fault_count)
CM_GETTER(const cm_error *cm_audit_fault(const cm_audit *audit, size_t index), &audit->faults[index])
CM_GETTER(size_t cm_audit_wrong_unit_count(const cm_audit *audit), audit->wrong_unit_count)
CM_GETTER(const cm_error *cm_audit_wrong_unit(const cm_audit *audit, size_t index), &audit->wrong_units[index])
