/* An audit for programs: docs/catmint.audit-1.schema.json. */
#include "report/report.h"

/* A text of findings; NULL without memory. */
static json_t *findings_json(const cm_audit_finding *findings, size_t count)
{
    char *text = NULL;
    cm_status status = cm_findings_text(findings, count, &text, NULL);
    json_t *json = status == CM_OK ? json_string(text) : NULL;
    free(text);
    return json;
}

/* The symbols that differ. */
static json_t *off_json(const cm_audited_sum *sum)
{
    json_t *off = json_array();
    for (size_t i = 0; i < sum->symbol_count && sum->off != NULL; i++)
        if (sum->off[i])
            off = cm_json_append(off, json_string(sum->symbols[i]));
    return off;
}

/* The right definition. */
static json_t *definition_json(const cm_audited_sum *sum)
{
    json_t *terms = json_array();
    for (size_t i = 0; i < sum->definition_count; i++)
        terms = cm_json_append(terms, json_pack("{s:o, s:o}", "event", cm_json_text(sum->definition[i].event),
                                                "coefficient", cm_json_number(sum->definition[i].coefficient)));
    return terms;
}

/* A sum as an object; null if the formula has no such sum. */
static json_t *sum_json(const cm_audited_sum *sum)
{
    if (sum == NULL)
        return json_null();
    const size_t symbols = sum->symbol_count;
    const char *events = sum->same_events ? "formula" : "results";
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}",
        "verdict", cm_audit_verdict_text(sum->verdict), "metric", cm_json_name(sum->metric), "benchmark",
        cm_json_name(sum->benchmark), "measures", findings_json(sum->measures, sum->measure_count), "remark",
        findings_json(sum->remarks, sum->remark_count), "by_law", (int)sum->by_law, "valid_above",
        cm_ranges_json(sum->ranges, sum->range_count), "valid_share",
        cm_json_number(sum->range_count > 0 ? sum->range_share : NAN), "confounded_with",
        cm_json_strings(sum->confounded, sum->confounded_count), "also_counts",
        cm_json_strings(sum->also_counts, sum->also_count), "factor", cm_json_number(sum->factor), "misfit",
        cm_json_number(sum->misfit), "amplification", cm_json_number(sum->amplification), "symbols",
        cm_json_strings(sum->symbols, symbols), "signature", cm_json_numbers(sum->signature, symbols), "representation",
        cm_json_numbers(sum->representation, symbols), "off", off_json(sum), "events",
        cm_json_strings(sum->offending_events, sum->offending_event_count), "definition", definition_json(sum),
        "definition_factor", cm_json_number(sum->definition_factor), "definition_from",
        sum->definition_count > 0 ? events : NULL);
}

/* The kernels on which it is off. */
static json_t *kernels_json(const cm_audit_entry *entry)
{
    json_t *kernels = json_array();
    for (size_t i = 0; i < entry->kernel_count; i++) {
        const cm_audit_kernel *kernel = &entry->kernels[i];
        kernels = cm_json_append(kernels, json_pack("{s:s, s:s, s:o, s:o}", "benchmark", kernel->benchmark, "kernel",
                                                    kernel->kernel, "counted", cm_json_number(kernel->counted),
                                                    "expected", cm_json_number(kernel->expected)));
    }
    return kernels;
}

/* One audited formula as an object; numbers that are unknown are null. */
static json_t *entry_json(const cm_audit_entry *entry)
{
    static const char *const shapes[] = {
        [CM_FORMULA_LINEAR] = "linear", [CM_FORMULA_RATIO] = "ratio", [CM_FORMULA_OTHER] = "other"};
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:s, s:o, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "file",
                     cm_json_text(entry->file), "line", cm_json_count(entry->line), "column",
                     cm_json_count(entry->column), "metric", entry->metric, "section", entry->section, "formula",
                     entry->text, "verdict", cm_audit_verdict_text(entry->verdict), "shape", shapes[entry->shape],
                     "rate", cm_json_name(entry->rate), "power", entry->power, "in_range",
                     (int)cm_audit_is_ranged(entry), "partial", (int)cm_audit_is_partial(entry), "programs",
                     cm_json_count(entry->program_count), "program_median", cm_json_number(entry->program_median),
                     "numerator", sum_json(&entry->numerator), "denominator", sum_json(entry->denominator), "off_on",
                     kernels_json(entry));
}

/* The faults of definitions that could not be read. */
static json_t *audit_faults_json(const cm_audit *audit)
{
    json_t *faults = json_array();
    for (size_t i = 0; i < audit->fault_count; i++)
        faults =
            cm_json_append(faults, json_pack("{s:o, s:o, s:o, s:s}", "file", cm_json_text(audit->faults[i].file),
                                             "line", cm_json_count(audit->faults[i].line), "column",
                                             cm_json_count(audit->faults[i].column), "fault", audit->faults[i].text));
    return faults;
}

/* The checkout and the processor whose formulas were audited; null without one. */
static json_t *upstream_json(const cm_audit *audit)
{
    const cm_upstream *upstream = &audit->upstream;
    if (upstream->project == NULL)
        return json_null();
    json_t *object = json_pack("{s:s, s:o, s:s}", "project", upstream->project, "directory",
                               cm_json_text(upstream->directory), "cpu", upstream->cpu);
    return audit->missing != NULL ? cm_json_set(object, "not_executed", json_string(audit->missing)) : object;
}

json_t *cm_audit_json(const void *content)
{
    const cm_audit *audit = content;
    const char *pmu = cm_definitions_pmu(audit->definitions);
    json_t *verdicts = json_object(), *formulas = json_array();
    for (cm_audit_verdict verdict = 0; verdict < CM_VERDICT_COUNT; verdict++)
        verdicts =
            cm_json_set(verdicts, cm_audit_verdict_text(verdict), cm_json_count(cm_audit_verdicts(audit, verdict)));
    for (size_t i = 0; i < audit->entry_count; i++)
        formulas = cm_json_append(formulas, entry_json(&audit->entries[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "schema", "catmint.audit/1", "against",
                     cm_json_text(audit->against), "pmu", pmu != NULL ? cm_json_text(pmu) : json_null(), "pmu_reason",
                     cm_json_name(audit->definitions->pmu_reason), "machine",
                     cm_definitions_machine(audit->definitions), "upstream", upstream_json(audit), "verdicts", verdicts,
                     "formulas", formulas, "faults", audit_faults_json(audit));
}

static const cm_report audit_report = {"the audit", cm_audit_json, .page = cm_audit_write_table};

CM_REPORT_WRITE(cm_audit_write, cm_audit, audit_report)
CM_REPORT_SAVE(cm_audit_save, cm_audit, audit_report)
