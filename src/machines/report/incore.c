/* In-core figures, the work of a core in a cycle, for programs, and the ways to write them. */
#include "machines/report/report.h"

static json_t *moved_json(const cm_moved *moved)
{
    return json_pack("{s:o, s:o, s:o}", "read", cm_reading_json(&moved->bytes[CM_TRAFFIC_READ]), "written",
                     cm_reading_json(&moved->bytes[CM_TRAFFIC_WRITTEN]), "both",
                     cm_reading_json(&moved->bytes[CM_TRAFFIC_BOTH]));
}

/* Rates of stores, with the traffic that was counted, if it was. */
static json_t *store_json(const cm_incore *incore, const cm_store_rates *row)
{
    json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "vectors", row->vectors, "cores",
                               cm_json_count(row->cores), "undisturbed", cm_json_count(row->undisturbed), "load",
                               cm_reading_json(&row->load), "store", cm_reading_json(&row->store), "store_nt",
                               cm_reading_json(&row->store_nt), "traffic", cm_json_number(cm_store_traffic(row, false)),
                               "traffic_nt", cm_json_number(cm_store_traffic(row, true)));
    if (incore->counted_on == NULL)
        return object;
    json_t *counted =
        json_pack("{s:o, s:o, s:o}", "load", moved_json(&row->moved[CM_STREAM_LOAD]), "store",
                  moved_json(&row->moved[CM_STREAM_STORE]), "store_nt", moved_json(&row->moved[CM_STREAM_STORE_NT]));
    return cm_json_set(object, "counted", counted);
}

static json_t *kernel_json(const cm_compiled_kernel *row)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel", row->kernel, "compiler", row->compiler,
                     "level", row->level, "undisturbed", cm_json_count(row->undisturbed), "measured",
                     cm_reading_json(&row->measured), "predicted", cm_json_number(row->predicted), "error",
                     cm_json_number(cm_prediction_error(row, row->predicted)), "by_ports",
                     cm_json_number(row->by_ports), "error_by_ports",
                     cm_json_number(cm_prediction_error(row, row->by_ports)));
}

/* All figures as one document. */
static json_t *incore_json(const void *content)
{
    const cm_incore *incore = content;
    json_t *instructions = json_array(), *clocks = json_array(), *stores = json_array(), *kernels = json_array();
    for (size_t i = 0; i < incore->instruction_count; i++) {
        const cm_instruction *row = &incore->instructions[i];
        json_t *known =
            row->known == NULL
                ? json_null()
                : json_pack("{s:o, s:o, s:o}", "latency", cm_json_number(row->known->latency), "throughput",
                            cm_json_number(row->known->throughput), "source", cm_json_text(row->known->source));
        json_t *json = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "operation", row->operation, "vectors",
                                 row->vectors, "bytes", cm_json_count(row->bytes), "latency",
                                 cm_reading_json(&row->latency), "throughput", cm_reading_json(&row->throughput),
                                 "undisturbed", cm_json_count(row->undisturbed), "known", known);
        instructions = cm_json_append(instructions, json);
    }
    for (size_t i = 0; i < incore->clock_count; i++) {
        const cm_load_clock *row = &incore->clocks[i];
        json_t *json = json_pack("{s:s, s:o, s:o, s:o}", "vectors", row->vectors, "cores", cm_json_count(row->cores),
                                 "undisturbed", cm_json_count(row->undisturbed), "clock", cm_reading_json(&row->clock));
        clocks = cm_json_append(clocks, json);
    }
    for (size_t i = 0; i < incore->store_count; i++)
        stores = cm_json_append(stores, store_json(incore, &incore->stores[i]));
    for (size_t i = 0; i < incore->kernel_count; i++)
        kernels = cm_json_append(kernels, kernel_json(&incore->kernels[i]));
    json_t *document =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:s?}", "schema", "catmint.incore/1",
                  "processor", cm_json_text(incore->processor), "rounds", cm_json_count(incore->rounds), "repetitions",
                  cm_json_count(incore->repetitions), "load_seconds", cm_json_number(incore->load_seconds),
                  "instructions", instructions, "clocks", clocks, "stores", stores, "kernels", kernels, "predictor",
                  incore->predictor, "ports", incore->ports);
    if (incore->counted_on != NULL)
        document = cm_json_set(
            document, "counts",
            json_pack("{s:s, s:o}", "pmu", incore->counted_on, "repetitions", cm_json_count(incore->counted)));
    if (incore->uncounted != NULL)
        document = cm_json_set(document, "uncounted", cm_json_text(incore->uncounted));
    if (incore->kernels_note != NULL)
        document = cm_json_set(document, "kernels_note", cm_json_text(incore->kernels_note));
    return document;
}

static const cm_report incore_report = {"figures", incore_json, .page = cm_incore_write_table};

CM_REPORT_WRITE(cm_incore_write, cm_incore, incore_report)
CM_REPORT_SAVE(cm_incore_save, cm_incore, incore_report)
