/* The figures of a machine for people. */
#include "machines/report/report.h"

enum { ROOFLINE_NAME = 16, ROOFLINE_FIGURE = 12, MOST_COLUMNS = 8, ROOFLINE_TEXT = 64 };

/* The names of a table's columns or rows, in the order of the measurements. */
struct names {
    size_t count;
    const char *list[MOST_COLUMNS];
};

static void add_name(struct names *names, const char *name)
{
    if (CM_FIND(name, names->list, names->count) == names->count && names->count < MOST_COLUMNS)
        names->list[names->count++] = name;
}

static void write_heading(const cm_page *page, const char *title, const struct names *columns)
{
    cm_page_mark(page, CM_MARK_BOLD);
    cm_page_write(page, title, 2 * ROOFLINE_NAME);
    for (size_t i = 0; i < columns->count; i++)
        fprintf(page->stream, "%*s", ROOFLINE_FIGURE, columns->list[i]);
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
}

/* Writes a figure in 10^9 a second, marked if its cores were never free, or other figures contradict it. */
static void write_ceiling_figure(const cm_page *page, const cm_roofline *roofline, const cm_ceiling *ceiling)
{
    char text[ROOFLINE_TEXT] = "-";
    if (ceiling != NULL)
        snprintf(text, sizeof text, "%.4g%s%s", ceiling->rate.median / 1e9, ceiling->undisturbed == 0 ? "*" : "",
                 cm_ceiling_contradicted_by(roofline, ceiling) != NULL ? "?" : "");
    fprintf(page->stream, "%*s", ROOFLINE_FIGURE, text);
}

/* The ceiling that differs from `like` in nothing but its bytes and readings, or NULL. */
static const cm_ceiling *find_ceiling(const cm_roofline *roofline, const cm_ceiling *like)
{
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind == like->kind && ceiling->cores == like->cores && ceiling->precision == like->precision &&
            strcmp(ceiling->operation, like->operation) == 0 && strcmp(ceiling->vectors, like->vectors) == 0 &&
            strcmp(ceiling->level, like->level) == 0)
            return ceiling;
    }
    return NULL;
}

static const char *cores_text(size_t cores, char text[ROOFLINE_TEXT])
{
    snprintf(text, ROOFLINE_TEXT, "%zu core%s", cores, cores == 1 ? "" : "s");
    return text;
}

/* Writes the peaks of a precision on so many cores: rows are operations, columns vectors. */
static void write_flops(const cm_page *page, const cm_roofline *roofline, size_t cores, cm_float_precision precision)
{
    struct names columns = {0}, rows = {0};
    char title[2 * ROOFLINE_TEXT], number[ROOFLINE_TEXT];
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        if (ceiling->kind != CM_CEILING_FLOPS || ceiling->cores != cores || ceiling->precision != precision)
            continue;
        add_name(&columns, ceiling->vectors);
        add_name(&rows, ceiling->operation);
    }
    if (rows.count == 0)
        return;
    snprintf(title, sizeof title, "Gflop/s, %s, %s", cm_float_precision_name(precision), cores_text(cores, number));
    write_heading(page, title, &columns);
    for (size_t r = 0; r < rows.count; r++) {
        cm_page_write(page, cm_timed_words(rows.list[r]), 2 * ROOFLINE_NAME);
        for (size_t c = 0; c < columns.count; c++)
            write_ceiling_figure(page, roofline,
                                 find_ceiling(roofline, &(cm_ceiling){.kind = CM_CEILING_FLOPS,
                                                                      .operation = rows.list[r],
                                                                      .vectors = columns.list[c],
                                                                      .precision = precision,
                                                                      .level = "",
                                                                      .cores = cores}));
        fputc('\n', page->stream);
    }
    fputc('\n', page->stream);
}

/* Writes bandwidths on so many cores: rows are streams, columns levels. */
static void write_streams(const cm_page *page, const cm_roofline *roofline, size_t cores)
{
    struct names columns = {0};
    char title[2 * ROOFLINE_TEXT], number[ROOFLINE_TEXT];
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        if (roofline->ceilings[i].kind == CM_CEILING_BANDWIDTH)
            add_name(&columns, roofline->ceilings[i].level);
    snprintf(title, sizeof title, "GB/s, %s", cores_text(cores, number));
    write_heading(page, title, &columns);
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        cm_ceiling row = roofline->ceilings[i];
        if (row.kind != CM_CEILING_BANDWIDTH || row.cores != cores || strcmp(row.level, columns.list[0]) != 0)
            continue;
        cm_page_write(page, cm_timed_words(row.operation), ROOFLINE_NAME + 4);
        cm_page_write(page, row.vectors, ROOFLINE_NAME - 4);
        for (size_t c = 0; c < columns.count; c++) {
            row.level = columns.list[c];
            write_ceiling_figure(page, roofline, find_ceiling(roofline, &row));
        }
        fputc('\n', page->stream);
    }
    fputc('\n', page->stream);
}

static void write_intensity_column(const cm_page *page, double flops, double bytes)
{
    char text[ROOFLINE_TEXT] = "-";
    if (!isnan(bytes))
        snprintf(text, sizeof text, "%.3g", flops / bytes);
    fprintf(page->stream, "%*s", ROOFLINE_FIGURE, text);
}

/* Writes the programs with their speed and intensities. */
static void write_points_table(const cm_page *page, const cm_roofline *roofline)
{
    const struct names columns = {4, {"cores", "Gflop/s", "by L1", "by memory"}};
    if (roofline->point_count > 0)
        write_heading(page, "Programs, flop/byte", &columns);
    for (size_t i = 0; i < roofline->point_count; i++) {
        const cm_point *point = &roofline->points[i];
        cm_page_write(page, point->name, 2 * ROOFLINE_NAME);
        fprintf(page->stream, "%*zu%*.4g", ROOFLINE_FIGURE, point->cores, ROOFLINE_FIGURE,
                point->flops / point->seconds / 1e9);
        write_intensity_column(page, point->flops, point->l1_bytes);
        write_intensity_column(page, point->flops, point->memory_bytes);
        fputc('\n', page->stream);
    }
}

static void write_roofline_warnings(const cm_page *page, const cm_roofline *roofline)
{
    char text[4 * ROOFLINE_TEXT + CM_POINT_WARNING_SIZE];
    for (size_t i = 0, count = cm_roofline_warning_count(roofline); i < count; i++) {
        const char *label = i == roofline->left_out_count ? "Doubtful" : i == 0 ? "Left out" : "";
        fputs(i == 0 ? "\n" : "", page->stream);
        cm_page_labelled(page, label, cm_roofline_warning(roofline, i, text, sizeof text));
    }
}

/* How many figures others contradict; nothing if none. */
static void write_contradicted(const cm_page *page, const cm_roofline *roofline)
{
    size_t count = 0;
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        count += cm_ceiling_contradicted_by(roofline, &roofline->ceilings[i]) != NULL;
    if (count > 0)
        cm_page_write_labelled(page, "Contradicted",
                               "%zu of %zu figures, marked ?: others contradict them, see Doubtful", count,
                               roofline->ceiling_count);
}

static bool has_double(const cm_roofline *roofline)
{
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        if (roofline->ceilings[i].kind == CM_CEILING_FLOPS && roofline->ceilings[i].precision == CM_DOUBLE)
            return true;
    return false;
}

/* Writes the clock of every measurement, and the spread of its repetitions. */
static void write_roofline_head(const cm_page *page, const cm_roofline *roofline)
{
    char text[2 * ROOFLINE_TEXT];
    double lowest = INFINITY, highest = 0.0, spread = 0.0;
    size_t disturbed = 0;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *ceiling = &roofline->ceilings[i];
        disturbed += ceiling->undisturbed == 0;
        if (ceiling->undisturbed == 0)
            continue;
        lowest = fmin(lowest, ceiling->clock.median);
        highest = fmax(highest, ceiling->clock.median);
        spread += cm_reading_spread(&ceiling->rate);
    }
    size_t good = roofline->ceiling_count - disturbed;
    cm_page_labelled(page, "Processor", roofline->processor[0] != '\0' ? roofline->processor : "unknown");
    snprintf(text, sizeof text, "%.3g to %.3g GHz, by a chain of additions beside each measurement", lowest / 1e9,
             highest / 1e9);
    cm_page_labelled(page, "Clock", good > 0 ? text : "unknown");
    cm_page_write_labelled(
        page, "Figures",
        "medians of %zu repetition%s in the fastest of %zu round%s; they lie within %.2g %% of it on average",
        roofline->repetitions, roofline->repetitions == 1 ? "" : "s", roofline->rounds,
        roofline->rounds == 1 ? "" : "s", good > 0 ? 100.0 * spread / (double)good : NAN);
    if (has_double(roofline) && cm_roofline_product(roofline, 1, CM_DOUBLE) == NULL)
        cm_page_labelled(page, "Left out", "the matrix product: it was measured without OpenBLAS");
    if (disturbed > 0) {
        cm_page_write_labelled(page, "Disturbed",
                               "%zu of %zu figures, marked *: other programs needed the cores all the time", disturbed,
                               roofline->ceiling_count);
    }
    write_contradicted(page, roofline);
    fputc('\n', page->stream);
}

/* Writes the peaks and streams of one core and of all, and the programs. */
static void write_roofline_table(const void *content, const cm_page *page)
{
    const cm_roofline *roofline = content;
    write_roofline_head(page, roofline);
    for (size_t i = 0; i < cm_roofline_teams(roofline); i++) {
        size_t cores = cm_roofline_team(roofline, i);
        for (cm_float_precision precision = CM_DOUBLE; precision < CM_PRECISIONS; precision++)
            write_flops(page, roofline, cores, precision);
        write_streams(page, roofline, cores);
    }
    write_points_table(page, roofline);
    write_roofline_warnings(page, roofline);
}

static const cm_report roofline_report = {"figures", cm_roofline_json, .page = write_roofline_table};

CM_REPORT_WRITE(cm_roofline_write, cm_roofline, roofline_report)
