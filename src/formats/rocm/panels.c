/* Writes a panel for an analysis configuration of rocprof-compute: a table of metrics over the launches of a kernel. */
#include "formats/rocm/rocm.h"

enum { PANEL = 9000, TABLE = 9001 }; /* higher than the profiler's own */

static void write_value(const cm_writing_item *item, const char *key, const char *function, FILE *stream)
{
    fprintf(stream, "            %s: %s((", key, function);
    cm_writing_sum(item, item->events, true, stream);
    fputs("))\n", stream);
}

/* Writes a metric. */
static void write_metric(const cm_writing_item *item, FILE *stream)
{
    fputs("          ", stream);
    cm_rocm_write_quoted(item->name, stream);
    fputs(":\n            # ", stream);
    cm_writing_write(item->trust, SIZE_MAX, false, stream);
    fputc('\n', stream);
    write_value(item, "avg", "AVG", stream);
    write_value(item, "min", "MIN", stream);
    write_value(item, "max", "MAX", stream);
    fputs("            unit: \"per launch\"\n            tips: ", stream);
    cm_rocm_write_quoted(item->description, stream);
    fputc('\n', stream);
}

cm_status cm_rocm_write_panel(cm_writing *writing, FILE *stream, cm_error *error)
{
    (void)error;
    fprintf(
        stream,
        "---\n# %s\n# rocprof-compute reads this file from the directory that --config-dir names, beside its own.\n"
        "Panel Config:\n  id: %d\n  title: catmint\n  data source:\n    - metric_table:\n        id: %d\n"
        "        title: Metrics\n        header:\n          metric: Metric\n          avg: Avg\n          min: Min\n"
        "          max: Max\n          unit: Unit\n          tips: Tips\n        metric:%s\n",
        writing->origin, PANEL, TABLE, writing->count == 0 ? " {}" : "");
    for (size_t i = 0; i < writing->count; i++) {
        write_metric(&writing->items[i], stream);
        writing->written++;
    }
    return CM_OK;
}
