#include "machines/report/report.h"

static json_t *figure_json(const cm_project_figure *figure)
{
    if (isnan(figure->value))
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "value", cm_json_number(figure->value), "lowest",
                     cm_json_number(figure->lowest), "highest", cm_json_number(figure->highest));
}

static json_t *machine_json(const cm_project_machine *machine)
{
    json_t *bandwidth = json_object();
    for (int i = 0; i < CM_LEVELS; i++)
        bandwidth = cm_json_set(bandwidth, cm_level_names[i], figure_json(&machine->bandwidth[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", cm_json_text(machine->name), "file",
                     cm_json_text(machine->file), "performance", figure_json(&machine->performance), "vector_bits",
                     cm_json_number(machine->vector_bits), "bandwidth", bandwidth, "clock",
                     figure_json(&machine->clock));
}

/* A mix with its figures, and its bytes by level. */
static json_t *mix_json(const cm_mix *mix)
{
    json_t *bytes = json_object(), *moved = json_object(), *intensity = json_object();
    for (int i = 0; i < CM_LEVELS; i++) {
        bytes = cm_json_set(bytes, cm_level_names[i], cm_json_number(mix->bytes[i]));
        moved = cm_json_set(moved, cm_level_names[i], cm_json_number(mix->moved[i]));
        intensity = cm_json_set(intensity, cm_level_names[i], cm_json_number(cm_intensity(mix, (cm_memory_level)i)));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program", cm_json_text(mix->name),
                     "file", cm_json_text(mix->file), "model",
                     mix->model[0] != '\0' ? cm_json_text(mix->model) : json_null(), "operations",
                     cm_json_number(mix->operations), "fp_instructions", cm_json_number(mix->instructions),
                     "vector_bits", cm_json_number(mix->vector_bits), "bytes", bytes, "intensity", intensity, "moved",
                     moved, "split_bytes", cm_json_number(mix->split_bytes), "in_core_cycles",
                     cm_json_number(mix->in_core_cycles), "store_share", cm_json_number(mix->store_share));
}

/* A pair of rooflines: its projection, and its intensity and limit on both machines. */
static json_t *pair_json(const cm_projected_pair *pair)
{
    static const char *const sides[] = {"source", "target"};
    json_t *object = json_pack("{s:s, s:s, s:o}", "intensity_of", cm_level_names[pair->intensity], "roofline_of",
                               cm_level_names[pair->roofline], "projected", figure_json(&pair->projected));
    for (int side = 0; side < 2; side++)
        object = cm_json_set(object, sides[side],
                             json_pack("{s:o, s:o, s:s}", "intensity", cm_json_number(pair->intensities[side]),
                                       "roofline", figure_json(&pair->rooflines[side]), "limited_by",
                                       pair->computes[side] ? "arithmetic" : "memory"));
    return object;
}

/* null if the number of lines is unknown. */
static json_t *bound_json(const cm_projected_case *one)
{
    static const char *const sides[] = {"source", "target"};
    const cm_projected_speed *result = &one->result;
    if (!one->bounded)
        return json_null();
    json_t *object =
        json_pack("{s:[o, o], s:[o, o]}", "interval", cm_json_number(result->bound_lowest),
                  cm_json_number(result->bound_highest), "interval_with_spread",
                  cm_json_number(result->bound_spread_lowest), cm_json_number(result->bound_spread_highest));
    for (int side = 0; side < 2; side++) {
        const cm_bound *bound = &one->bounds[side];
        object = cm_json_set(object, sides[side],
                             json_pack("{s:o, s:s}", "roofline", figure_json(&bound->reachable), "limited_by",
                                       cm_limit_name(bound->limit)));
    }
    return object;
}

/* A projection with its interval and the pairs of levels from which it follows. */
static json_t *case_json(const cm_projected_case *one)
{
    const cm_projected_speed *result = &one->result;
    json_t *pairs = json_array();
    for (size_t i = 0; i < one->pair_count; i++)
        pairs = cm_json_append(pairs, pair_json(&one->pairs[i]));
    json_t *memory =
        json_pack("{s:o, s:o}", "name", result->memory[0] != '\0' ? cm_json_text(result->memory) : json_null(),
                  "bandwidth", cm_json_number(result->bandwidth));
    json_t *weighted =
        json_pack("{s:o, s:o}", "source", figure_json(&one->weighted[0]), "target", figure_json(&one->weighted[1]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:[o, o], s:[o, o], s:o, s:o}", "program",
                     cm_json_text(result->program), "memory", memory, "vector_bits",
                     cm_json_number(result->vector_bits), "performance", cm_json_number(one->performance),
                     "weighted_performance", weighted, "interval", cm_json_number(result->lowest),
                     cm_json_number(result->highest), "interval_with_spread", cm_json_number(result->spread_lowest),
                     cm_json_number(result->spread_highest), "projections", pairs, "bound", bound_json(one));
}

/* The document catmint.project/1. */
static json_t *projection_json(const void *content)
{
    const cm_projection *made = content;
    json_t *mixes = json_array(), *cases = json_array();
    for (size_t i = 0; i < made->mixes.count; i++)
        mixes = cm_json_append(mixes, mix_json(&made->mixes.items[i]));
    for (size_t i = 0; i < made->case_count; i++)
        cases = cm_json_append(cases, case_json(&made->cases[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:s, s:o}", "schema", "catmint.project/1", "from",
                     machine_json(&made->machines[0]), "to", machine_json(&made->machines[1]), "measured",
                     figure_json(&made->measured), "mixes", mixes, "intervals", cases, "partial", (int)made->partial,
                     "notes", made->notes, "doubts", cm_json_strings(made->warnings, made->warning_count));
}

/* Intervals for spreadsheets: a row for each program and memory. */
static cm_status projection_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_projection *made = content;
    fputs("program,memory,memory_bandwidth,vector_bits,lowest,highest,spread_lowest,spread_highest,"
          "bound_lowest,bound_highest,bound_spread_lowest,bound_spread_highest\n",
          stream);
    for (size_t i = 0; i < made->case_count; i++) {
        const cm_projected_speed *result = &made->cases[i].result;
        const double values[] = {
            result->bandwidth,           result->vector_bits,         result->lowest,       result->highest,
            result->spread_lowest,       result->spread_highest,      result->bound_lowest, result->bound_highest,
            result->bound_spread_lowest, result->bound_spread_highest};
        cm_csv_write_cell(stream, result->program);
        fputc(',', stream);
        cm_csv_write_cell(stream, result->memory);
        for (size_t k = 0; k < CM_COUNT_OF(values); k++) {
            char text[CM_NUMBER_TEXT_SIZE] = "";
            if (!isnan(values[k]))
                cm_number_write(values[k], text);
            fprintf(stream, ",%s", text);
        }
        fputc('\n', stream);
    }
    return CM_OK;
}

static const cm_report projection_report = {
    "projection", projection_json,
    .forms = {[CM_FORMAT_TABLE] = cm_projection_write_table, [CM_FORMAT_CSV] = projection_write_csv}};

CM_REPORT_WRITE(cm_projection_write, cm_projection, projection_report)
CM_REPORT_SAVE(cm_projection_save, cm_projection, projection_report)
