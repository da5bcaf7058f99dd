/* The fields of a document. */

#define OF cm_core_type
PLAIN(core)
LATER(SHORT_TEXT, "core", name, .limits = "'minLength': 1", .says = "The kernel's device that counts on them.")
LATER(SHORT_TEXT, "cpus", cpus, .says = "Their processors, as in 0-7,16; empty: unknown.")
LATER(SHORT_TEXT, "pmu", pmu, .says = "libpfm4's name of their PMU; empty: unknown.")
END(core)
#undef OF

#define OF cm_on_core
BEGIN(metric_on_core, const char *core, bool composable)
VALUE(TEXT, "core", core, core)
VALUE(BOOL, "composable", composable, composable)
LATER(ITEMS, "definition", terms, COUNT(term_count), .of = &cm_result_bare_term_fields)
END(metric_on_core)

BEGIN(event_on_core, const char *core, const char *event)
VALUE(TEXT, "core", core, core)
VALUE(TEXT, "event", event, event)
END(event_on_core)
#undef OF

#define OF cm_by_core
BEGIN(by_core, const cm_defined_metric *from, bool same, const cm_on_core *cores, size_t count)
VALUE(TEXT, "benchmark", benchmark, from->benchmark)
VALUE(TEXT, "metric", name, from->metric)
VALUE(BOOL, "same", same, same,
      .says = "The definitions have the same events except for their PMU, or none is composable.")
VALUES(ITEMS, "cores", cores, cores, core_count, count, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
       .of = &metric_on_core_fields)
END(by_core)

BEGIN(different, const cm_core_row *from, const cm_on_core *cores)
VALUE(TEXT, "benchmark", benchmark, from->benchmark)
VALUE(TEXT, "event", name, from->name, .says = "Its name without the PMU.")
VALUES(ITEMS, "cores", cores, cores, core_count, 0, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
       .of = &event_on_core_fields)
END(different)
#undef OF

#define OF cm_counted_set
BEGIN(set, const cm_tried_set *from, const char *const *refusing)
VALUES(NAMES, "events", events, (const char *const *)from->events, count, from->count)
VALUE(WORD, "together", together, from->together, .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES, .words = &together_words,
      .limits = "'enum': ['yes', 'no']")
VALUES(NAMES, "refuse_each_other", refusing, refusing, refusing_count, 0,
       .says = "If \"no\": the events of which no set takes all.")
END(set)
#undef OF

#define OF cm_unavailable
BEGIN(unavailable, const cm_unavailable_event *from)
VALUE(TEXT, "event", event, from->event)
VALUE(TEXT, "reason", reason, from->reason)
END(unavailable)
#undef OF

#define OF cm_read_finding
BEGIN(finding, const json_t *from)
VALUE(TEXT, "finding", finding, text_of(from, "finding", NULL), .rules = CM_OPTIONAL | CM_SCHEMA_REQUIRES,
      .says = "A name that stays the same, such as nmi-watchdog.")
VALUE(TEXT, "severity", severity, text_of(from, "severity", NULL), .limits = "'enum': ['stops', 'disturbs', 'note']")
VALUE(TEXT, "text", text, text_of(from, "text", NULL))
VALUE(TEXT, "advice", advice, text_of(from, "advice", NULL), .says = "May be empty.")
END(finding)
#undef OF

#define OF cm_lack
BEGIN(lack, const json_t *from)
VALUE(TEXT, "benchmark", benchmark, text_of(from, "benchmark", NULL))
VALUE(WHOLE, "counted", counted, count_of(from, "counted"), .noun = "events counted",
      .says = "Events of the benchmark that were counted; 0: it has no results.")
VALUE(WHOLE, "of", of, count_of(from, "of"), .noun = "events")
VALUE(TEXT, "core", core, text_of(from, "core", ""), .rules = CM_OPTIONAL | CM_OMITTED, .text = "",
      .says = "The type of cores, of a hybrid processor.")
END(lack)
#undef OF

#define OF cm_definitions
BEGIN(document, const cm_results *from)
VALUE(TEXT, "schema", schema, "catmint.metrics/1", .limits = "'const': 'catmint.metrics/1'")
VALUE(JSON, "machine", described, from->origin.machine, .noun = "object",
      .says = "The machine that was measured, as the sweep's manifest describes it; empty if a lone measurement "
              "table was analysed.")
VALUE(TEXT, "pmu", pmu, from->origin.pmu, .rules = CM_NULLABLE, .limits = "'pattern': '^(hardware|software:.+)$'",
      .says = "The PMU that counted; null: a lone measurement table was analysed.")
VALUE(TEXT, "pmu_reason", pmu_reason, from->origin.pmu_reason, .rules = CM_OPTIONAL, .text = "",
      .says = "The reason for this PMU, a sentence; may be empty.")
LATER(ITEMS, "findings", findings, COUNT(finding_count), .rules = CM_OPTIONAL | CM_NULLABLE, .of = &finding_fields,
      .says = "Obstacles and disturbances of counting when the sweep began, as `catmint doctor` finds them; null: "
              "unknown. They do no harm to the software PMU.")
VALUE(BOOL, "uncore", uncore, from->origin.uncore, .rules = CM_OPTIONAL | CM_OMITTED, .limits = "'const': true",
      .says = "Events count for a whole socket. No program moves enough memory to judge their definitions: "
              "`validation` of each metric is null.")
VALUE(TEXT, "not_comparable", not_comparable, json_string_value(from->origin.not_comparable),
      .rules = CM_OPTIONAL | CM_OMITTED,
      .says = "The reason why no formula can be compared with these results, and nothing is exported from them: a "
              "model of another architecture's processor counted (--anyway).")
VALUE(TEXT, "method", method, is_by_paper(from) ? "paper" : NULL, .rules = CM_OPTIONAL | CM_OMITTED,
      .limits = "'const': 'paper'",
      .says = "The definitions were found by the paper's method (--method paper), without control kernels.")
VALUE(WHOLE, "cache_levels", cache_levels, from->origin.cache_levels, .rules = CM_OPTIONAL | CM_OMITTED,
      .noun = "levels of caches", .limits = "'minimum': 1",
      .says = "Levels of data caches of the machine that was measured; missing if unknown. Facts of further levels "
              "are neither tried nor confounded.")
VALUE(WHOLE, "line_size", line_size, from->origin.line, .rules = CM_OPTIONAL | CM_OMITTED,
      .noun = "bytes of a cache line", .limits = "'minimum': 1",
      .says = "Bytes of a cache line of the machine that was measured; missing if unknown.")
LATER(ITEMS, "incomplete", incomplete, COUNT(lack_count), .rules = CM_OPTIONAL | CM_OMITTED, .of = &lack_fields,
      .says = "The events that each benchmark lacks because the sweep was ended early.")
LATER(ITEMS, "benchmarks", benchmarks, COUNT(benchmark_count), .of = &benchmark_fields,
      .says = "One object a benchmark, in the order of bases/benchmarks.csv.")
LATER(ITEMS, "cores", cores, COUNT(core_count), .rules = CM_OPTIONAL | CM_OMITTED, .of = &core_fields,
      .limits = "'minItems': 1, 'maxItems': 8",
      .says = "Types of cores of a hybrid processor; missing if all cores are alike. Each benchmark then has a "
              "`core`, and several have the same name.")
LATER(ITEMS, "by_core", by_core, COUNT(by_core_count), .rules = CM_OPTIONAL, .of = &by_core_fields, .when = has_cores,
      .says = "Of a hybrid processor: each metric on each type of cores.")
LATER(ITEMS, "different_events", different, COUNT(different_count), .rules = CM_OPTIONAL, .of = &different_fields,
      .when = has_cores,
      .says = "Of a hybrid processor: events of one name that do not count the same on all types of cores.")
LATER(ITEMS, "tried_together", sets, COUNT(set_count), .rules = CM_OPTIONAL, .of = &set_fields,
      .says = "Event sets that were tried on the machine that counted: definitions, alternatives, and definitions "
              "side by side.")
LATER(ITEMS, "unavailable", unavailable, COUNT(unavailable_count), .rules = CM_OPTIONAL, .of = &unavailable_fields,
      .says = "Events that were not counted, and the reasons.")
UNWRITTEN(program_count, from->program_count)
UNWRITTEN(program_seed, from->program_seed)
UNWRITTEN(workload_count, from->workload_count)
SHARED(document, .finish = cm_finish_document, .check = cm_check_document)
#undef OF
