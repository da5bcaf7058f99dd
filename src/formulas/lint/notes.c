/* Holds formulas against notes of vendors and projects on events, beyond their names: data/event-notes.csv. */
#include <fnmatch.h>

#include "formulas/lint/lint.h"

enum { PROCESSORS, EVENT, METRICS, UNLESS, NOTE, SOURCE, COLUMN_COUNT };

typedef struct note_check {
    cm_lint *lint;
    const cm_formulas *formulas;
    const char *cpu; /* the name that the user gave, or NULL */
} note_check;

/* Whether one of the patterns, which bars part, fits the name. */
static bool fits_one(const char *patterns, const char *name)
{
    char pattern[CM_LINT_NAME_SIZE];
    for (const char *at = patterns; *at != '\0'; at += strspn(at, "|")) {
        size_t length = strcspn(at, "|");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        if (fnmatch(pattern, name, FNM_CASEFOLD) == 0)
            return true;
        at += length;
    }
    return false;
}

/* Whether a part of the text, between separators, is a processor of the row's. */
static bool names_processor(const char *patterns, const char *text, const char *separators)
{
    char part[CM_LINT_NAME_SIZE];
    for (const char *at = text; *at != '\0'; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        if (fits_one(patterns, part))
            return true;
        at += length;
    }
    return false;
}

static bool is_for_formula(const note_check *noting, const cm_formula *formula, const char *patterns)
{
    if (noting->cpu != NULL)
        return fits_one(patterns, noting->cpu);
    return strcmp(noting->formulas->format, "papi") == 0 ? names_processor(patterns, formula->info.section, ",")
                                                         : names_processor(patterns, noting->formulas->place, "/");
}

/* An event of the formula that fits the patterns, without the processor before it; NULL: it has none. */
static const char *find_event(const note_check *noting, const cm_formula *formula, const char *patterns,
                              char name[CM_LINT_NAME_SIZE])
{
    for (size_t i = 0; i < formula->need_count; i++) {
        const cm_quantity *quantity = &noting->formulas->quantities[formula->needs[i]];
        if (quantity->kind != CM_QUANTITY_EVENT ||
            !cm_lint_event_name(noting->formulas, quantity->name, name, CM_LINT_NAME_SIZE))
            continue;
        const char *behind = strstr(name, "::"), *bare = behind != NULL ? behind + 2 : name;
        if (fits_one(patterns, bare))
            return bare;
    }
    return NULL;
}

/* Adds the note to a formula that has the event, and none that makes up for it. */
static cm_status check_note(const note_check *noting, const cm_formula *formula, const char *const *fields)
{
    char name[CM_LINT_NAME_SIZE], other[CM_LINT_NAME_SIZE];
    const char *event = find_event(noting, formula, fields[EVENT], name);
    if (event == NULL || find_event(noting, formula, fields[UNLESS], other) != NULL)
        return CM_OK;
    return cm_lint_add(noting->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                       "%.100s %s (%s)", event, fields[NOTE], fields[SOURCE]);
}

/* Checks all formulas against a row of notes. */
static cm_status take_note(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const note_check *noting = data;
    cm_status status = CM_OK;
    (void)csv;
    (void)error;
    for (size_t i = 0; i < noting->formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &noting->formulas->formulas[i];
        if (fits_one(row->fields[METRICS], formula->info.metric) &&
            is_for_formula(noting, formula, row->fields[PROCESSORS]))
            status = check_note(noting, formula, row->fields);
    }
    return status;
}

cm_status cm_lint_check_notes(cm_lint *lint, const cm_formulas *formulas, const cm_lint_options *options,
                              cm_error *error)
{
    static const char *const columns[COLUMN_COUNT] = {"processors", "event", "metrics", "unless", "note", "source"};
    note_check noting = {lint, formulas, options->cpu};
    cm_status status = cm_csv_each_data("data/event-notes.csv", COLUMN_COUNT, columns, take_note, &noting, error);
    return status == CM_IO ? CM_OK : status; /* the user's own data */
}
