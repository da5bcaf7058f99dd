/* The in-core figures of a processor for people. */
#include "machines/report/report.h"

enum { INCORE_NAME = 18, VECTORS = 10, INCORE_FIGURE = 12, MOVED = 18, INCORE_TEXT = 128 };

/* A figure that differs from the documented one by more is marked. */
static const double difference = 0.05;
/* Tolerance for counted bytes, relative to the bytes moved. */
static const double check = 0.1;

static void write_columns(const cm_page *page, const char *first, const char *const *columns, size_t count)
{
    cm_page_mark(page, CM_MARK_BOLD);
    cm_page_write(page, first, INCORE_NAME + VECTORS);
    for (size_t i = 0; i < count; i++)
        fprintf(page->stream, "%*s", INCORE_FIGURE, columns[i]);
    fputc('\n', page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
}

static void write_incore_figure(const cm_page *page, double value)
{
    char text[INCORE_TEXT] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.*f", fabs(value) < 1.0 ? 3 : 2, value);
    fprintf(page->stream, "%*s", INCORE_FIGURE, text);
}

static void write_spread(const cm_page *page, const cm_reading *reading)
{
    char text[INCORE_TEXT] = "-";
    if (!isnan(reading->median))
        snprintf(text, sizeof text, "%.2g %%", 100.0 * cm_reading_spread(reading));
    fprintf(page->stream, "%*s", INCORE_FIGURE, text);
}

/* Writes latencies and throughputs, a row an instruction. */
static void write_instructions(const cm_page *page, const cm_incore *incore)
{
    static const char *const columns[] = {"latency", "range +-", "per cycle", "range +-", "numbers", ""};
    write_columns(page, "Double precision", columns, 5);
    for (size_t i = 0; i < incore->instruction_count; i++) {
        const cm_instruction *row = &incore->instructions[i];
        cm_page_write(page, cm_timed_words(row->operation), INCORE_NAME);
        cm_page_write(page, row->vectors, VECTORS);
        write_incore_figure(page, row->latency.median);
        write_spread(page, &row->latency);
        write_incore_figure(page, row->throughput.median);
        write_spread(page, &row->throughput);
        write_incore_figure(page, row->throughput.median * row->bytes / cm_precision_bytes(CM_DOUBLE));
        fputs(row->undisturbed == 0 ? " *\n" : "\n", page->stream);
    }
    fputc('\n', page->stream);
}

static void write_difference(const cm_page *page, const cm_instruction *row, const char *quantity, double measured,
                             double said)
{
    char text[2 * INCORE_TEXT];
    if (isnan(measured) || isnan(said) || fabs(measured - said) <= difference * said)
        return;
    snprintf(text, sizeof text, "%s of %s %s: %.3g here, %.3g there", quantity, row->vectors,
             cm_timed_words(row->operation), measured, said);
    cm_page_labelled(page, "Differs", text);
}

/* Writes the differences from published figures. */
static void write_known(const cm_page *page, const cm_incore *incore)
{
    char text[INCORE_TEXT];
    size_t compared = 0;
    const char *source = "";
    for (size_t i = 0; i < incore->instruction_count; i++) {
        const cm_instruction *row = &incore->instructions[i];
        if (row->known == NULL)
            continue;
        compared += (!isnan(row->known->latency) && !isnan(row->latency.median)) + !isnan(row->known->throughput);
        if (strcmp(source, row->known->source) != 0)
            cm_page_labelled(page, "Others say", row->known->source);
        source = row->known->source;
        write_difference(page, row, "latency", row->latency.median, row->known->latency);
        write_difference(page, row, "throughput", row->throughput.median, row->known->throughput);
    }
    snprintf(text, sizeof text,
             compared > 0 ? "%zu figures; those that differ by more than 5 %% are listed"
                          : "nothing: no figures of this processor are known",
             compared);
    cm_page_labelled(page, "Compared", text);
    fputc('\n', page->stream);
}

/* Writes the clock under load for each width of vectors and number of cores. */
static void write_clocks(const cm_page *page, const cm_incore *incore)
{
    static const char *const columns[] = {"cores", "lowest", "median", "highest"};
    write_columns(page, "Clock under load, GHz", columns, 4);
    for (size_t i = 0; i < incore->clock_count; i++) {
        const cm_load_clock *row = &incore->clocks[i];
        cm_page_write(page, "multiply-add", INCORE_NAME);
        cm_page_write(page, row->vectors, VECTORS);
        fprintf(page->stream, "%*zu", INCORE_FIGURE, row->cores);
        write_incore_figure(page, row->clock.lowest / 1e9);
        write_incore_figure(page, row->clock.median / 1e9);
        write_incore_figure(page, row->clock.highest / 1e9);
        fputs(row->undisturbed == 0 ? " *\n" : "\n", page->stream);
    }
    fputc('\n', page->stream);
}

static void write_moved(const cm_page *page, const cm_reading *reading)
{
    char text[INCORE_TEXT] = "-";
    if (!isnan(reading->median))
        snprintf(text, sizeof text, "%.2f +- %.3f", fabs(reading->median) < 0.005 ? 0.0 : reading->median,
                 0.5 * (reading->highest - reading->lowest));
    fprintf(page->stream, "%*s", MOVED, text);
}

/* Writes the counted memory traffic of one stream; nothing if it was not counted. */
static void write_counted(const cm_page *page, const cm_store_rates *row, cm_store_stream stream)
{
    static const char *const names[CM_STORE_STREAMS] = {"load", "store", "store past caches"};
    const cm_reading *bytes = row->moved[stream].bytes;
    if (isnan(bytes[CM_TRAFFIC_READ].median) && isnan(bytes[CM_TRAFFIC_WRITTEN].median) &&
        isnan(bytes[CM_TRAFFIC_BOTH].median))
        return;
    cm_page_write(page, names[stream], INCORE_NAME);
    cm_page_write(page, row->vectors, VECTORS);
    fprintf(page->stream, "%*zu", INCORE_FIGURE, row->cores);
    for (size_t kind = 0; kind < CM_TRAFFIC_KINDS; kind++)
        write_moved(page, &bytes[kind]);
    write_incore_figure(page, stream == CM_STREAM_LOAD ? NAN : cm_store_traffic(row, stream == CM_STREAM_STORE_NT));
    fputc('\n', page->stream);
}

static double known_or_0(double value)
{
    return isnan(value) ? 0.0 : value;
}

/* Warns if memory reads differ from the bytes that were loaded. */
static void write_warning(const cm_page *page, const cm_store_rates *row)
{
    char text[2 * INCORE_TEXT];
    const cm_reading *bytes = row->moved[CM_STREAM_LOAD].bytes;
    const double read = bytes[isnan(bytes[CM_TRAFFIC_READ].median) ? CM_TRAFFIC_BOTH : CM_TRAFFIC_READ].median;
    if (isnan(read) || fabs(read - 1.0) <= check)
        return;
    snprintf(text, sizeof text,
             "%.2f bytes read for a byte loaded (%s, cores: %zu), expected about 1: other programs used memory, or the "
             "definition does not hold here",
             read, row->vectors, row->cores);
    cm_page_labelled(page, "Doubtful", text);
}

/* Whether events count stores past the caches, compared with `they_do`; false if the row was not counted. */
static bool counts_stores(const cm_store_rates *row, bool they_do)
{
    const cm_reading *bytes = row->moved[CM_STREAM_STORE_NT].bytes;
    const double both = bytes[CM_TRAFFIC_BOTH].median, written = bytes[CM_TRAFFIC_WRITTEN].median;
    return (!isnan(both) || !isnan(written)) && (fmax(known_or_0(both), known_or_0(written)) >= check) == they_do;
}

/* Writes the events that counted the traffic, and warnings about its figures. */
static void write_counted_by(const cm_page *page, const cm_incore *incore)
{
    char text[4 * INCORE_TEXT];
    const bool of_model = strncmp(incore->counted_on, "software:", strlen("software:")) == 0;
    bool seen = false, unseen = false;
    snprintf(text, sizeof text,
             "by %.100s: bytes that %s memory reads and writes for each byte that is loaded or stored, less the "
             "count of the same time without them; medians of %zu repetition%s +- half the range",
             incore->counted_on, of_model ? "the model's" : "the socket's", incore->counted,
             incore->counted == 1 ? "" : "s");
    cm_page_labelled(page, "Counted", text);
    for (size_t i = 0; i < incore->store_count; i++) {
        write_warning(page, &incore->stores[i]);
        seen |= counts_stores(&incore->stores[i], true);
        unseen |= counts_stores(&incore->stores[i], false);
    }
    if (unseen && !seen)
        cm_page_labelled(page, "Not seen", "stores past the caches: these events count none of them");
}

/* Writes the counted memory traffic, or why there is none. */
static void write_counts(const cm_page *page, const cm_incore *incore)
{
    if (incore->counted_on != NULL) {
        fputc('\n', page->stream);
        cm_page_mark(page, CM_MARK_BOLD);
        cm_page_write(page, "Memory, bytes for a byte", INCORE_NAME + VECTORS);
        fprintf(page->stream, "%*s%*s%*s%*s%*s\n", INCORE_FIGURE, "cores", MOVED, "read", MOVED, "written", MOVED,
                "both", INCORE_FIGURE, "by times");
        cm_page_mark(page, CM_MARK_PLAIN);
        for (size_t i = 0; i < incore->store_count * CM_STORE_STREAMS; i++)
            write_counted(page, &incore->stores[i / CM_STORE_STREAMS], (cm_store_stream)(i % CM_STORE_STREAMS));
        write_counted_by(page, incore);
    }
    if (incore->uncounted != NULL)
        cm_page_labelled(page, "Not counted", incore->uncounted);
}

/* Writes the speeds of loads and stores, and their memory traffic by times and by counts. */
static void write_stores(const cm_page *page, const cm_incore *incore)
{
    const bool asked = incore->counted_on != NULL || incore->uncounted != NULL;
    char text[4 * INCORE_TEXT];
    static const char *const columns[] = {"cores", "load", "store", "past caches", "moved", "past caches"};
    write_columns(page, "Memory, GB/s", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < incore->store_count; i++) {
        const cm_store_rates *row = &incore->stores[i];
        cm_page_write(page, "", INCORE_NAME);
        cm_page_write(page, row->vectors, VECTORS);
        fprintf(page->stream, "%*zu", INCORE_FIGURE, row->cores);
        write_incore_figure(page, row->load.median / 1e9);
        write_incore_figure(page, row->store.median / 1e9);
        write_incore_figure(page, row->store_nt.median / 1e9);
        write_incore_figure(page, cm_store_traffic(row, false));
        write_incore_figure(page, cm_store_traffic(row, true));
        fputs(row->undisturbed == 0 ? " *\n" : "\n", page->stream);
    }
    snprintf(text, sizeof text,
             "bytes that memory moves for each byte stored, if stores and loads move equally many per second: 2 if a "
             "line is read before it is written, else 1. Derived from times, not counted%s",
             asked ? "" : ": --results FILE counts them, by definitions of 'catmint discover --uncore'");
    cm_page_labelled(page, "Moved", text);
    write_counts(page, incore);
}

/* Writes a histogram in steps of a tenth (the paper's Figure 3), all below -1 as one; above 0: predicted faster. */
static void write_histogram(const cm_page *page, const cm_incore *incore, const char *compiler, bool by_ports)
{
    enum { BUCKETS = 21, LOWEST = -11 };
    size_t counts[BUCKETS] = {0}, all = 0;
    double sum = 0.0;
    for (size_t i = 0; i < incore->kernel_count; i++) {
        const cm_compiled_kernel *row = &incore->kernels[i];
        const double error = cm_prediction_error(row, by_ports ? row->by_ports : row->predicted);
        if (strcmp(row->compiler, compiler) != 0 || isnan(error))
            continue;
        counts[(size_t)(fmin(fmax(floor(10.0 * error), LOWEST), BUCKETS + LOWEST - 1) - LOWEST)]++;
        sum += fabs(error);
        all++;
    }
    if (all > 0)
        fprintf(page->stream, "%s by %s: mean of magnitudes %.1f %%\n", compiler, by_ports ? "ports" : "llvm-mca",
                100.0 * sum / (double)all);
    for (size_t i = 0; i < BUCKETS && all > 0; i++) {
        if (counts[i] == 0)
            continue;
        cm_page_write(page, compiler, VECTORS);
        if (i == 0)
            fputs("   below -1.0 ", page->stream);
        else
            fprintf(page->stream, "%5.1f to %4.1f ", 0.1 * ((int)i + LOWEST), 0.1 * ((int)i + LOWEST + 1));
        for (size_t k = 0; k < counts[i]; k++)
            fputc('#', page->stream);
        fprintf(page->stream, " %zu\n", counts[i]);
    }
}

/* Writes the measured and predicted cycles of compiled kernels. */
static void write_kernels(const cm_page *page, const cm_incore *incore)
{
    static const char *const columns[] = {"", "cycles", "range +-", "ports", "error", "llvm-mca", "error"};
    if (incore->kernels_note != NULL)
        cm_page_labelled(page, "Kernels", incore->kernels_note);
    if (incore->kernel_count == 0)
        return;
    fputc('\n', page->stream);
    write_columns(page, "Main loop of a kernel", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < incore->kernel_count; i++) {
        const cm_compiled_kernel *row = &incore->kernels[i];
        cm_page_write(page, row->kernel, INCORE_NAME);
        cm_page_write(page, row->compiler, VECTORS);
        fprintf(page->stream, "%*s", INCORE_FIGURE, row->level);
        write_incore_figure(page, row->measured.median);
        write_spread(page, &row->measured);
        write_incore_figure(page, row->by_ports);
        write_incore_figure(page, cm_prediction_error(row, row->by_ports));
        write_incore_figure(page, row->predicted);
        write_incore_figure(page, cm_prediction_error(row, row->predicted));
        fputs(row->undisturbed == 0 ? " *\n" : "\n", page->stream);
    }
    fputc('\n', page->stream);
    for (size_t i = 0; i < 4; i++)
        write_histogram(page, incore, i % 2 == 0 ? "gcc" : "clang", i < 2);
    cm_page_labelled(page, "Error", "(measured - predicted) / measured: above 0 if the prediction is the faster one");
}

/* Writes the processor and the method of measurement. */
static void write_incore_head(const cm_page *page, const cm_incore *incore)
{
    char text[INCORE_TEXT];
    size_t disturbed = 0;
    for (size_t i = 0; i < incore->instruction_count; i++)
        disturbed += incore->instructions[i].undisturbed == 0;
    cm_page_labelled(page, "Processor", incore->processor[0] != '\0' ? incore->processor : "unknown");
    snprintf(text, sizeof text,
             "medians of %zu repetition%s in the fastest of %zu round%s, in cycles of a chain of additions beside each",
             incore->repetitions, incore->repetitions == 1 ? "" : "s", incore->rounds, incore->rounds == 1 ? "" : "s");
    cm_page_labelled(page, "Figures", text);
    if (disturbed > 0)
        cm_page_labelled(page, "Disturbed", "rows marked *: other programs needed the cores all the time");
    fputc('\n', page->stream);
}

void cm_incore_write_table(const void *content, const cm_page *page)
{
    const cm_incore *incore = content;
    write_incore_head(page, incore);
    write_instructions(page, incore);
    write_known(page, incore);
    write_clocks(page, incore);
    write_stores(page, incore);
    write_kernels(page, incore);
}
