/* Counts of a program: scopes, their values, and the end of the program. */
#include "count/counts.h"

const char *cm_counts_text(cm_program_counts *counts, const char *text)
{
    return cm_arena_text(&counts->arena, text);
}

void cm_program_counts_free(cm_program_counts *counts)
{
    if (counts == NULL)
        return;
    CM_FREE(counts->seconds, counts->events, counts->metrics, counts->scopes);
    cm_arena_clear(&counts->arena);
    free(counts);
}

int cm_program_counts_exit(const cm_program_counts *counts, const char **reason)
{
    *reason = counts->exit_reason;
    return counts->exit;
}

CM_GETTER(const char *cm_program_counts_note(const cm_program_counts *counts), counts->note)

void cm_program_counts_set_values(cm_program_counts *counts, const cm_evaluation *values)
{
    counts->values = values;
}

/* Allocates the arrays of a scope, filled with NaN; false without memory. */
static bool fill_scope(cm_program_counts *counts, cm_scope *scope, const char *name)
{
    size_t count = counts->repetitions * counts->event_count;
    scope->name = cm_counts_text(counts, name);
    scope->counts = cm_arena_allocate(&counts->arena, (count + 1) * sizeof *scope->counts);
    scope->seconds = cm_arena_allocate(&counts->arena, (counts->repetitions + 1) * sizeof *scope->seconds);
    for (size_t i = 0; scope->counts != NULL && i < count; i++)
        scope->counts[i] = NAN;
    for (size_t i = 0; scope->seconds != NULL && i < counts->repetitions; i++)
        scope->seconds[i] = NAN;
    return scope->name != NULL && scope->counts != NULL && scope->seconds != NULL;
}

cm_scope *cm_counts_scope(cm_program_counts *counts, cm_scope_kind kind, size_t number, const char *name)
{
    for (size_t i = 0; i < counts->scope_count; i++) {
        cm_scope *scope = &counts->scopes[i];
        if (scope->kind == kind && scope->number == number && strcmp(scope->name, name) == 0)
            return scope;
    }
    if (!CM_GROW_BY_ONE(counts->scopes, counts->scope_count))
        return NULL;
    cm_scope *made = &counts->scopes[counts->scope_count];
    *made = (cm_scope){.kind = kind, .number = number, .calls = NAN};
    if (!fill_scope(counts, made, name))
        return NULL;
    counts->scope_count++;
    return made;
}

void cm_scope_add(const cm_program_counts *counts, cm_scope *scope, size_t repetition, size_t event, double count)
{
    double *place = &scope->counts[repetition * counts->event_count + event];
    *place = isnan(*place) ? count : *place + count;
}

void cm_scope_add_seconds(cm_scope *scope, size_t repetition, double seconds)
{
    double *place = &scope->seconds[repetition];
    *place = isnan(*place) ? seconds : *place + seconds;
}

cm_status cm_scope_add_facts(cm_program_counts *counts, cm_scope *scope, const uint64_t *facts,
                             bool (*is_known)(size_t fact), cm_error *error)
{
    const bool first = scope->facts == NULL;
    if (first)
        scope->facts = cm_arena_allocate(&counts->arena, cm_fact_count() * sizeof *scope->facts);
    if (scope->facts == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < cm_fact_count(); i++)
        scope->facts[i] = is_known(i) ? (first ? 0.0 : scope->facts[i]) + (double)facts[i] : NAN;
    return CM_OK;
}

cm_status cm_counts_add_run(cm_program_counts *counts, double seconds, cm_error *error)
{
    return CM_APPEND(counts->seconds, counts->run_count, seconds) ? CM_OK : cm_error_no_memory(error);
}
