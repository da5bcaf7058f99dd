/* The table of formats. */
#include "formats/format.h"

#include <string.h>

#include "formats/arm/arm.h"
#include "formats/csv/csv.h"
#include "formats/likwid/likwid.h"
#include "formats/ncu/ncu.h"
#include "formats/papi/papi.h"
#include "formats/perf/perf.h"
#include "formats/perfmon/perfmon.h"
#include "formats/rocm/rocm.h"

#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

static const cm_foreign_format formats[] = {
    {.name = "papi",
     .rules = {.title = "PAPI", .divides_unchecked = true},
     .looks = "a PAPI table (CPU and PRESET lines)",
     .beginning = WORDS("CPU,", "PRESET,", "EVENT,"),
     .read = cm_papi_read,
     .content = "presets",
     .takes_cpus = true,
     .one_set = true,
     .respells = true,
     .name_metric = cm_papi_preset,
     .name_event = cm_papi_event,
     .write = cm_papi_write},
    {.name = "papi-user",
     .content = "user events",
     .takes_cpus = true,
     .one_set = true,
     .respells = true,
     .name_metric = cm_name_identifier,
     .name_event = cm_papi_event,
     .write = cm_papi_write_user},
    {.name = "likwid",
     .rules = {.title = "LIKWID", .joins_exponents = true, .names_are_unique = true},
     .looks = "a LIKWID group (EVENTSET, METRICS)",
     .beginning = WORDS("SHORT", "EVENTSET", "METRICS", "LONG", "REQUIRE_NOHT"),
     .read = cm_likwid_read,
     .content = "",
     .takes_counters = true,
     .one_set = true,
     .respells = true,
     .name_metric = cm_name_plain_metric,
     .name_event = cm_likwid_event,
     .write = cm_likwid_write,
     .save = cm_likwid_save},
    {.name = "perf",
     .rules = {.title = "perf"},
     .looks = "metrics of perf (JSON, an array)",
     .beginning = WORDS("["),
     .at_top = true,
     .mark = "\"MetricExpr\"",
     .read = cm_perf_read,
     .content = "",
     .respells = true,
     .name_metric = cm_name_identifier,
     .name_event = cm_perf_event,
     .name_on_core = cm_perf_event_on_core,
     .write = cm_perf_write},
    {.name = "perf-python",
     .rules = {.title = "perf"},
     .looks = "metrics of perf (Python, of its metric.py)",
     .beginning = WORDS("import", "from", "def", "\"\"\""),
     .mark = "from metric import",
     .read = cm_perf_read_python},
    {.name = "perfmon",
     .rules = {.title = "perfmon"},
     .looks = "metrics of perfmon (JSON, an object)",
     .beginning = WORDS("{"),
     .at_top = true,
     .mark = "\"Formula\"",
     .read = cm_perfmon_read},
    {.name = "arm",
     .rules = {.title = "Arm"},
     .looks = "a telemetry specification of Arm's (JSON, an object)",
     .beginning = WORDS("{"),
     .at_top = true,
     .mark = "\"product_configuration\"",
     .read = cm_arm_read},
    {.name = "rocprofv3",
     .rules = {.title = "rocprofv3"},
     .looks = "counters of rocprofv3 (YAML with architectures)",
     .beginning = WORDS("rocprofiler-sdk", "architectures"),
     .read = cm_rocm_read_counters,
     .content = "",
     .takes_cpus = true,
     .renames = true,
     .name_metric = cm_name_identifier,
     .name_event = cm_rocm_event,
     .write = cm_rocm_write_counters},
    {.name = "rocprof",
     .rules = {.title = "rocprof"},
     .looks = "counters of rocprof (XML with <metric>)",
     .beginning = WORDS("<"),
     .at_top = true,
     .mark = "expr=",
     .read = cm_rocm_read_xml},
    {.name = "rocprof-compute",
     .rules = {.title = "rocprof-compute"},
     .looks = "a panel of rocprof-compute (YAML with Panel Config)",
     .beginning = WORDS("Panel Config", "Metric Description"),
     .mark = "metric_table",
     .read = cm_rocm_read_panel,
     .content = "",
     .renames = true,
     .name_metric = cm_name_plain_metric,
     .name_event = cm_rocm_event,
     .write = cm_rocm_write_panel},
    {.name = "ncu-section",
     .content = "",
     .renames = true,
     .name_metric = cm_ncu_metric_name,
     .name_event = cm_ncu_metric,
     .write = cm_ncu_write_section},
    {.name = "csv",
     .rules = {.title = "csv"},
     .looks = "a CSV file with the columns metric,formula",
     .beginning = WORDS("metric", "\"metric\""),
     .at_top = true,
     .read = cm_csv_read_formulas,
     .content = "",
     .name_metric = cm_name_plain_metric,
     .name_event = cm_csv_event,
     .write = cm_csv_write_formulas},
};

const cm_foreign_format *cm_foreign_format_get(size_t index)
{
    return index < sizeof formats / sizeof formats[0] ? &formats[index] : NULL;
}

const cm_foreign_format *cm_foreign_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].read != NULL && strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}
