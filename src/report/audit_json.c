/* An audit for programs: docs/catmint.audit-1.schema.json. */
#include <stdlib.h>

#include <catmint/report.h>

#include "core/base.h"
#include "core/json.h"
#include "report/audit.h"
#include "result/result.h"

static void write_text(cm_json_writer *writer, const char *key, const char *text)
{
    cm_json_key(writer, key);
    cm_json_write_text(writer, text);
}

static void write_name(cm_json_writer *writer, const char *key, const char *name)
{
    write_text(writer, key, name[0] != '\0' ? name : NULL);
}

static void write_count(cm_json_writer *writer, const char *key, size_t value)
{
    cm_json_write_new(writer, key, json_integer((json_int_t)value));
}

static void write_reals(cm_json_writer *writer, const char *key, const double *values, size_t count)
{
    cm_json_key(writer, key);
    cm_json_write_reals(writer, values, count);
}

/* Writes the side's symbols, its signature and representation, and the symbols that differ. */
static void write_symbols(cm_json_writer *writer, const cm_audited_sum *side)
{
    cm_json_key(writer, "symbols");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < side->symbol_count; i++)
        cm_json_write_text(writer, side->symbols[i]);
    cm_json_end(writer);
    write_reals(writer, "signature", side->signature, side->symbol_count);
    write_reals(writer, "representation", side->representation, side->symbol_count);
    cm_json_key(writer, "off");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < side->symbol_count && side->off != NULL; i++)
        if (side->off[i])
            cm_json_write_text(writer, side->symbols[i]);
    cm_json_end(writer);
}

/* Writes the right definition, and whether its events are the formula's or others of the results. */
static void write_definition(cm_json_writer *writer, const cm_audited_sum *side)
{
    cm_json_key(writer, "definition");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < side->definition_count; i++) {
        cm_json_begin_object(writer);
        write_text(writer, "event", side->definition[i].event);
        cm_json_write_member_real(writer, "coefficient", side->definition[i].coefficient);
        cm_json_end(writer);
    }
    cm_json_end(writer);
    cm_json_write_member_real(writer, "definition_factor", side->definition_factor);
    write_text(writer, "definition_from",
               side->definition_count == 0 ? NULL
               : side->same_events         ? "formula"
                                           : "results");
}

static void write_findings(cm_json_writer *writer, const char *key, const cm_audit_finding *findings, size_t count)
{
    char *text = NULL;
    if (cm_findings_text(findings, count, &text, NULL) == CM_OK)
        write_text(writer, key, text);
    else
        cm_json_write_new(writer, key, NULL); /* memory ran out */
    free(text);
}

/* Writes whether the law judged the side, its range (null: all), and the facts that no kernel separates from it. */
static void write_law(cm_json_writer *writer, const cm_audited_sum *side)
{
    json_t *untold = json_array();
    for (size_t i = 0; i < side->confounded_count && untold != NULL; i++)
        untold = cm_json_append(untold, json_string(side->confounded[i]));
    cm_json_write_new(writer, "by_law", json_boolean(side->by_law));
    cm_json_write_new(writer, "valid_above", cm_ranges_json(side->ranges, side->range_count));
    cm_json_write_member_real(writer, "valid_share", side->range_count > 0 ? side->range_share : NAN);
    cm_json_write_new(writer, "confounded_with", untold);
}

/* Writes a side as an object; null if the formula has no such side. */
static void write_side(cm_json_writer *writer, const char *key, const cm_audited_sum *side)
{
    cm_json_key(writer, key);
    if (side == NULL) {
        cm_json_write_text(writer, NULL);
        return;
    }
    cm_json_begin_object(writer);
    write_text(writer, "verdict", cm_audit_verdict_text(side->verdict));
    write_name(writer, "metric", side->metric);
    write_name(writer, "benchmark", side->benchmark);
    write_findings(writer, "measures", side->measures, side->measure_count);
    write_findings(writer, "remark", side->remarks, side->remark_count);
    write_law(writer, side);
    cm_json_write_member_real(writer, "factor", side->factor);
    cm_json_write_member_real(writer, "misfit", side->misfit);
    cm_json_write_member_real(writer, "amplification", side->amplification);
    write_symbols(writer, side);
    cm_json_key(writer, "events");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < side->offending_event_count; i++)
        cm_json_write_text(writer, side->offending_events[i]);
    cm_json_end(writer);
    write_definition(writer, side);
    cm_json_end(writer);
}

/* The kernels on which it is off. */
static void write_kernels(cm_json_writer *writer, const cm_audit_entry *entry)
{
    cm_json_key(writer, "off_on");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < entry->kernel_count; i++) {
        cm_json_begin_object(writer);
        write_text(writer, "benchmark", entry->kernels[i].benchmark);
        write_text(writer, "kernel", entry->kernels[i].kernel);
        cm_json_write_member_real(writer, "counted", entry->kernels[i].counted);
        cm_json_write_member_real(writer, "expected", entry->kernels[i].expected);
        cm_json_end(writer);
    }
    cm_json_end(writer);
}

static void write_entry(cm_json_writer *writer, const cm_audit_entry *entry)
{
    static const char *const shapes[] = {
        [CM_FORMULA_LINEAR] = "linear", [CM_FORMULA_RATIO] = "ratio", [CM_FORMULA_OTHER] = "other"};
    cm_json_begin_object(writer);
    cm_json_write_new(writer, "file", cm_json_text(entry->file));
    write_count(writer, "line", entry->line);
    write_count(writer, "column", entry->column);
    write_text(writer, "metric", entry->metric);
    write_text(writer, "section", entry->section);
    write_text(writer, "formula", entry->text);
    write_text(writer, "verdict", cm_audit_verdict_text(entry->verdict));
    write_text(writer, "shape", shapes[entry->shape]);
    write_name(writer, "rate", entry->rate);
    cm_json_write_new(writer, "power", json_integer(entry->power));
    cm_json_write_new(writer, "in_range", json_boolean(cm_audit_is_ranged(entry)));
    cm_json_write_new(writer, "partial", json_boolean(cm_audit_is_partial(entry)));
    write_count(writer, "programs", entry->program_count);
    cm_json_write_member_real(writer, "program_median", entry->program_median);
    write_side(writer, "numerator", &entry->numerator);
    write_side(writer, "denominator", entry->denominator);
    write_kernels(writer, entry);
    cm_json_end(writer);
}

/* Writes the faults of definitions that could not be read. */
static void write_faults(cm_json_writer *writer, const cm_audit *audit)
{
    cm_json_key(writer, "faults");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < audit->fault_count; i++) {
        cm_json_begin_object(writer);
        cm_json_write_new(writer, "file", cm_json_text(audit->faults[i].file));
        write_count(writer, "line", audit->faults[i].line);
        write_count(writer, "column", audit->faults[i].column);
        write_text(writer, "fault", audit->faults[i].text);
        cm_json_end(writer);
    }
    cm_json_end(writer);
}

/* Writes the checkout and the processor whose formulas were audited; null without one. */
static void write_upstream(cm_json_writer *writer, const cm_audit *audit)
{
    const cm_upstream *upstream = &audit->upstream;
    cm_json_key(writer, "upstream");
    if (upstream->project == NULL) {
        cm_json_write_text(writer, NULL);
        return;
    }
    cm_json_begin_object(writer);
    write_text(writer, "project", upstream->project);
    cm_json_write_new(writer, "directory", cm_json_text(upstream->directory));
    write_text(writer, "cpu", upstream->cpu);
    if (audit->missing != NULL)
        write_text(writer, "not_executed", audit->missing);
    cm_json_end(writer);
}

cm_status cm_audit_write_json(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_audit *audit = content;
    cm_json_writer *writer = cm_json_writer_create(stream);
    cm_json_begin_object(writer);
    write_text(writer, "schema", "catmint.audit/1");
    cm_json_write_new(writer, "against", cm_json_text(audit->against));
    write_text(writer, "pmu", cm_definitions_pmu(audit->definitions));
    write_name(writer, "pmu_reason", audit->definitions->pmu_reason);
    write_text(writer, "machine", cm_definitions_machine(audit->definitions));
    write_upstream(writer, audit);
    cm_json_key(writer, "verdicts");
    cm_json_begin_object(writer);
    for (cm_audit_verdict verdict = 0; verdict < CM_VERDICT_COUNT; verdict++)
        write_count(writer, cm_audit_verdict_text(verdict), cm_audit_verdicts(audit, verdict));
    cm_json_end(writer);
    cm_json_key(writer, "formulas");
    cm_json_begin_array(writer);
    for (size_t i = 0; i < audit->entry_count; i++)
        write_entry(writer, &audit->entries[i]);
    cm_json_end(writer);
    write_faults(writer, audit);
    cm_json_end(writer);
    return cm_json_writer_finish(writer) ? CM_OK : cm_error_no_memory(error);
}
