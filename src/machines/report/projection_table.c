/* Intervals for people: a row for each program and memory, and the derivation of the first. */
#include "machines/report/report.h"

enum { MOST_NAME = 40, USUAL_WIDTH = 100 };

static void pad_column(FILE *stream, const char *text, size_t width)
{
    const size_t used = cm_text_width(text);
    cm_text_write(text, stream);
    fprintf(stream, "%*s", used < width ? (int)(width - used) : 0, "");
}

static const char *number(double value, char text[32])
{
    snprintf(text, 32, isnan(value) ? "-" : "%.4g", value);
    return text;
}

static void write_machine(const char *title, const cm_project_machine *machine, FILE *stream)
{
    fprintf(stream, "%-13s ", title);
    cm_text_write(machine->name, stream);
    fprintf(stream, ": %.4g GFLOP/s, vectors of %g bits; GB/s:", machine->performance.value, machine->vector_bits);
    for (int i = 0; i < CM_LEVELS; i++)
        if (!isnan(machine->bandwidth[i].value))
            fprintf(stream, " %s %.4g", cm_level_names[i], machine->bandwidth[i].value);
    fputc('\n', stream);
}

static size_t name_width(const cm_projection *made)
{
    size_t width = strlen("Program");
    for (size_t i = 0; i < made->case_count; i++) {
        size_t wanted = cm_text_width(made->cases[i].result.program);
        width = wanted > width ? wanted : width;
    }
    return width > MOST_NAME ? MOST_NAME : width;
}

/* Writes an interval a row. */
static void write_cases(const cm_projection *made, FILE *stream)
{
    const size_t width = name_width(made);
    char texts[6][32];
    pad_column(stream, "Program", width);
    fputs("  Memory      GB/s   Bits   GFLOP/s: lowest  highest  with spread\n", stream);
    for (size_t i = 0; i < made->case_count; i++) {
        const cm_projected_speed *result = &made->cases[i].result;
        pad_column(stream, result->program, width);
        fputs("  ", stream);
        pad_column(stream, result->memory[0] != '\0' ? result->memory : "-", 8);
        fprintf(stream, "%8s  %5g  %15s %8s  %s to %s\n", number(result->bandwidth, texts[0]), result->vector_bits,
                number(result->lowest, texts[1]), number(result->highest, texts[2]),
                number(result->spread_lowest, texts[3]), number(result->spread_highest, texts[4]));
    }
}

/* If arithmetic limits the roofline of a level, all levels have the same figure. */
static void write_pairs(const cm_projected_case *one, FILE *stream)
{
    char texts[5][32];
    fputs(
        "\nThe first row, by level:\nIntensity of  Roofline of  FLOP/byte: source   target  GFLOP/s: source   target  "
        "projected\n",
        stream);
    for (size_t i = 0; i < one->pair_count; i++) {
        const cm_projected_pair *pair = &one->pairs[i];
        fprintf(stream, "%-12s  %-11s  %17s %8s  %12s %-3s %7s %-3s  %9s\n", cm_level_names[pair->intensity],
                cm_level_names[pair->roofline], number(pair->intensities[0], texts[0]),
                number(pair->intensities[1], texts[1]), number(pair->rooflines[0].value, texts[2]),
                pair->computes[0] ? "ari" : "mem", number(pair->rooflines[1].value, texts[3]),
                pair->computes[1] ? "ari" : "mem", number(pair->projected.value, texts[4]));
    }
    fputs("mem: limited by memory; ari: by arithmetic, weighted by the mix\n", stream);
}

/* Writes nothing if lines are unknown for all. */
static void write_bounds(const cm_projection *made, FILE *stream)
{
    const size_t width = name_width(made);
    char texts[6][32];
    bool any = false;
    for (size_t i = 0; i < made->case_count; i++)
        any = any || made->cases[i].bounded;
    if (!any)
        return;
    fputs("\nBy the tightest roofline of each machine, and how long the program waits beyond it:\n", stream);
    pad_column(stream, "Program", width);
    fputs("  Memory    Source      GFLOP/s  Target      GFLOP/s   lowest  highest  with spread\n", stream);
    for (size_t i = 0; i < made->case_count; i++) {
        const cm_projected_case *one = &made->cases[i];
        const cm_projected_speed *result = &one->result;
        pad_column(stream, result->program, width);
        fputs("  ", stream);
        pad_column(stream, result->memory[0] != '\0' ? result->memory : "-", 10);
        for (int side = 0; side < 2 && one->bounded; side++) {
            const cm_bound *bound = &one->bounds[side];
            fprintf(stream, "%-10s %8s  ", cm_limit_name(bound->limit), number(bound->reachable.value, texts[0]));
        }
        if (one->bounded)
            fprintf(stream, "%7s %8s  %s to %s\n", number(result->bound_lowest, texts[2]),
                    number(result->bound_highest, texts[3]), number(result->bound_spread_lowest, texts[4]),
                    number(result->bound_spread_highest, texts[5]));
        else
            fputs("not known: its mix has no lines\n", stream);
    }
}

/* The notes, one a line of `notes`, wrapped to the page. */
static void write_notes(const char *notes, size_t width, FILE *stream)
{
    char line[512];
    fputs(notes[0] != '\0' ? "\n" : "", stream);
    for (const char *from = notes; *from != '\0';) {
        const size_t length = strcspn(from, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, from);
        cm_text_wrap(line, 0, 2, width, stream);
        fputc('\n', stream);
        from += length + (from[length] == '\n');
    }
}

static void write_projection_warnings(const cm_projection *made, size_t width, FILE *stream)
{
    char line[600];
    fputs(made->warning_count > 0 ? "\n" : "", stream);
    for (size_t i = 0; i < made->warning_count; i++) {
        snprintf(line, sizeof line, "Doubtful: %s", made->warnings[i]);
        cm_text_wrap(line, 0, 2, width, stream);
        fputc('\n', stream);
    }
}

cm_status cm_projection_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)error;
    const cm_projection *made = content;
    write_machine("From", &made->machines[0], stream);
    write_machine("To", &made->machines[1], stream);
    fputs("Measured      ", stream);
    cm_text_write(made->mixes.items[0].name, stream);
    fprintf(stream, " on %s: %.4g GFLOP/s\n\n", made->machines[0].name, made->measured.value);
    write_cases(made, stream);
    write_pairs(&made->cases[0], stream);
    write_bounds(made, stream);
    const size_t width = style->width != 0 ? style->width : USUAL_WIDTH;
    write_notes(made->notes, width, stream);
    write_projection_warnings(made, width, stream);
    return CM_OK;
}
