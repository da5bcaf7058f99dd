/* Programs of validation as rows for audits: formulas that kernels call right, held against them. */
#include "audit/values.h"

/* ---- rows ---- */

/* Facts and counts are those of a whole run, less its overhead. */
static cm_status fill_rows(cm_audit_programs *programs, cm_error *error)
{
    const struct cm_program_table *table = programs->table;
    size_t count = table->program_count, facts = cm_fact_count();
    cm_kernel_facts *known = cm_arena_allocate(&programs->arena, count * sizeof *known);
    double *chances = cm_arena_allocate(&programs->arena, facts * sizeof *chances);
    cm_row_group *rows = &programs->rows;
    rows->facts = cm_arena_allocate(&programs->arena, count * sizeof *rows->facts);
    rows->counted = cm_arena_allocate(&programs->arena, table->event_count * sizeof *rows->counted);
    if (known == NULL || chances == NULL || rows->facts == NULL || rows->counted == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < facts; i++)
        chances[i] = 0.0;
    for (size_t i = 0; i < count; i++) {
        known[i] = (cm_kernel_facts){
            .values = table->facts + i * facts, .ranges = table->ranges + i * facts, .chances = chances};
        rows->facts[i] = &known[i];
    }
    for (size_t i = 0; i < table->event_count; i++)
        rows->counted[i] = (cm_row_event){.status = CM_EVENT_SELECTED, .counts = table->counts + i * count};
    return CM_OK;
}

/* Makes the rows of programs, with facts instead of symbols; takes the table. */
static cm_status make_programs(struct cm_program_table *table, const cm_fact_table *facts, cm_audit_programs **programs,
                               cm_error *error)
{
    cm_audit_programs *made = calloc(1, sizeof *made);
    if (made == NULL) {
        cm_program_table_free(table);
        return cm_error_no_memory(error);
    }
    made->table = table;
    cm_status status =
        cm_event_names_create((const char *const *)table->events, table->event_count, &made->names, error);
    made->rows = (cm_row_group){.name = "programs",
                                .names = made->names,
                                .event_count = table->event_count,
                                .events = (const char *const *)table->events,
                                .row_count = table->program_count,
                                .control = table->program_count,
                                .rows = (const char *const *)table->programs,
                                .iterations = 1.0};
    CM_THEN(status, fill_rows(made, error));
    CM_THEN(status, cm_row_group_skip(&made->rows, facts, &made->arena, error));
    CM_HAND_OVER(status, programs, made, cm_audit_programs_free);
    return status;
}

cm_status cm_audit_programs_load(const char *against, const cm_fact_table *facts, cm_audit_programs **programs,
                                 cm_error *error)
{
    struct cm_program_table *table = NULL;
    if (!cm_path_is_directory(against))
        return CM_OK;
    cm_status status = cm_program_table_load(against, CM_STAGE_PROGRAMS, &table, error);
    return status == CM_OK && table != NULL ? make_programs(table, facts, programs, error) : status;
}

void cm_audit_programs_free(cm_audit_programs *programs)
{
    if (programs == NULL)
        return;
    cm_event_names_free(programs->names);
    cm_program_table_free(programs->table);
    cm_arena_clear(&programs->arena);
    free(programs);
}

/* ---- judgement ---- */

/* Programs with facts that no kernel has judge more of a formula than the kernels do. */
static const size_t enough = 8;

double cm_audit_residual(const cm_audit *audit, const char *benchmark)
{
    double largest = 0.0;
    for (size_t i = 0; i < audit->context_count; i++) {
        const cm_defined_benchmark *defined = audit->contexts[i].benchmark;
        if (strcmp(defined->benchmark, benchmark) == 0)
            return defined->residual;
        largest = fmax(largest, defined->residual);
    }
    return largest;
}

bool cm_audit_counts_in_programs(const cm_audit *audit, const char *name)
{
    const cm_row_group *rows = audit->programs != NULL ? &audit->programs->rows : NULL;
    size_t parts[CM_MOST_PARTS], count = rows != NULL ? cm_audit_find_parts(audit, rows->names, name, parts) : 0;
    bool found = false;
    for (size_t part = 0; part < count; part++)
        found = found || cm_row_group_counts(rows, parts[part], 0, CM_HALF_A_COUNT);
    return found;
}

/* Gives both sums of a ratio the verdict, as programs cannot distinguish them; the kernels' verdicts are withdrawn. */
static cm_status conclude_entry(cm_audit *audit, cm_audit_verdict verdict, cm_audit_entry *entry, cm_error *error)
{
    entry->verdict = entry->numerator.verdict = verdict;
    if (entry->denominator == NULL || entry->denominator->metric[0] == '\0')
        return CM_OK;
    cm_audited_sum *below = cm_arena_allocate(&audit->arena, sizeof *below);
    if (below == NULL)
        return cm_error_no_memory(error);
    *below = cm_audited_sum_of(verdict, entry->denominator->metric, entry->denominator->benchmark);
    entry->denominator = below;
    cm_audited_sum above = cm_audited_sum_of(verdict, entry->numerator.metric, entry->numerator.benchmark);
    above.definition_factor = entry->numerator.definition_factor;
    above.remark_count = entry->numerator.remark_count;
    above.remarks = entry->numerator.remarks;
    entry->numerator = above;
    return CM_OK;
}

/* Makes a formula wrong because it is off in programs, with their number and its deviation. */
static cm_status describe_refuted(cm_audit *audit, cm_audit_entry *entry, cm_error *error)
{
    cm_finding_list list = {.arena = &audit->arena};
    cm_finding_list_add(&list, &(cm_audit_finding){.kind = CM_FINDING_IN_PROGRAMS,
                                                   .count = entry->program_count,
                                                   .value = entry->program_median});
    cm_status status = conclude_entry(audit, CM_VERDICT_WRONG, entry, error);
    entry->numerator.measures = list.items;
    entry->numerator.measure_count = list.count;
    return status == CM_OK && list.short_of_memory ? cm_error_no_memory(error) : status;
}

cm_status cm_audit_try_programs(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                                cm_error *error)
{
    cm_samples samples = {0};
    entry->program_median = NAN;
    bool untried = entry->verdict == CM_VERDICT_NOT_TRIED;
    if (audit->programs == NULL || (entry->verdict != CM_VERDICT_RIGHT && !untried))
        return CM_OK;
    const cm_row_group *const groups[] = {&audit->programs->rows};
    cm_status status = cm_samples_gather(audit, formulas, formula, claim, groups, 1, false, &samples, error);
    CM_THEN(status, cm_judge_programs(formulas, formula, &samples, claim->denominator.name != NULL, factor,
                                      &entry->program_count, &entry->program_median, error));
    cm_samples_clear(&samples);
    if (status != CM_OK || entry->program_count == 0)
        return status;
    bool off = entry->program_median > CM_VALIDATION_FACTOR * cm_audit_residual(audit, entry->numerator.benchmark);
    if (!untried)
        return off ? describe_refuted(audit, entry, error) : CM_OK;
    return !off && entry->program_count >= enough ? conclude_entry(audit, CM_VERDICT_RIGHT, entry, error) : CM_OK;
}
