/* A machine's figures from the output of `catmint roofline`: FILE[@VECTORS][@CORES]. */
#include "machines/projection/projection.h"
#include "machines/roofline.h"

/* The names of vectors in `catmint roofline`, and their widths in a mix. */
static const struct {
    const char *vectors;
    size_t width;
} widths[] = {{"scalar", 0},
              {"SSE", 1},
              {"AVX", 2},
              {"AVX-512", 3},
              {"NEON", 1},
              {"SVE-128", CM_WIDTH_SCALABLE},
              {"SVE-256", CM_WIDTH_SCALABLE},
              {"SVE-512", CM_WIDTH_SCALABLE}};

typedef struct setting {
    char *file;
    const char *vectors; /* NULL: any */
    size_t cores;
} setting;

static cm_project_figure figure_of(const cm_ceiling *ceiling)
{
    if (ceiling == NULL)
        return (cm_project_figure){NAN, NAN, NAN};
    return (cm_project_figure){ceiling->rate.median / 1e9, ceiling->rate.lowest / 1e9, ceiling->rate.highest / 1e9};
}

/* Shared resources vary from round to round: the lowest figure is the one that half of the rounds reached. A single
 * repetition, or the slowest round, may be any figure, if a host or other programs took the cores. */
static cm_project_figure figure_of_rounds(const cm_ceiling *ceiling)
{
    cm_project_figure figure = figure_of(ceiling);
    if (ceiling != NULL && !isnan(ceiling->rounds.median))
        figure.lowest = ceiling->rounds.median / 1e9;
    return figure;
}

/* Streams past the caches do not count: only a program written for them has such stores. */
static bool is_stream(const cm_ceiling *one, const char *operation)
{
    return operation != NULL ? strcmp(one->operation, operation) == 0 : strstr(one->operation, "_nt") == NULL;
}

/* The fastest stream of the level; of any operation if `operation` is NULL. */
static const cm_ceiling *find_stream(const cm_roofline *roofline, const setting *asked, const char *operation,
                                     const char *level)
{
    const cm_ceiling *found = NULL;
    for (size_t i = 0; i < roofline->ceiling_count; i++) {
        const cm_ceiling *one = &roofline->ceilings[i];
        bool fits = one->kind == CM_CEILING_BANDWIDTH && one->cores == asked->cores && is_stream(one, operation) &&
                    strcmp(one->level, level) == 0 &&
                    (asked->vectors == NULL || strcmp(one->vectors, asked->vectors) == 0);
        if (fits && (found == NULL || one->rate.median > found->rate.median))
            found = one;
    }
    return found;
}

static cm_project_figure clock_of(const cm_ceiling *ceiling)
{
    const double all = (double)ceiling->cores / 1e9;
    return (cm_project_figure){all * ceiling->clock.median, all * ceiling->clock.lowest, all * ceiling->clock.highest};
}

static bool has_peak(const cm_roofline *roofline, size_t cores, const char *vectors)
{
    return cm_roofline_peak(roofline, cores, CM_DOUBLE, vectors, true) != NULL ||
           cm_roofline_peak(roofline, cores, CM_DOUBLE, vectors, false) != NULL;
}

/* An error that lists the settings of the file, as they are written behind @. */
static cm_status no_such_setting(const cm_roofline *roofline, const setting *asked, cm_error *error)
{
    char list[256] = "";
    for (size_t team = 0; team < cm_roofline_teams(roofline); team++)
        for (size_t i = 0; i < CM_COUNT_OF(widths); i++) {
            const size_t cores = cm_roofline_team(roofline, team);
            if (has_peak(roofline, cores, widths[i].vectors))
                cm_text_append(list, sizeof list, ", ", "@%s@%zu", widths[i].vectors, cores);
        }
    return cm_error_set(error, CM_BAD_INPUT, asked->file, 0, 0,
                        "it has no peak in double precision of %s on %zu %s that could be projected%s%s",
                        asked->vectors != NULL ? asked->vectors : "any vectors", asked->cores,
                        asked->cores == 1 ? "core" : "cores", list[0] != '\0' ? ": it has " : "", list);
}

/* Takes the peak, clock and vector length of the requested setting. If no vectors are, the performance is that of the
 * matrix product, which stands for LINPACK's, as the paper has it. */
static cm_status take_peak(const cm_roofline *roofline, const setting *asked, cm_project_machine *machine,
                           cm_error *error)
{
    const cm_ceiling *peak = cm_roofline_peak(roofline, asked->cores, CM_DOUBLE, asked->vectors, true);
    if (peak == NULL)
        peak = cm_roofline_peak(roofline, asked->cores, CM_DOUBLE, asked->vectors, false);
    machine->performance = figure_of(peak);
    if (peak != NULL)
        machine->clock = clock_of(peak);
    if (peak != NULL && cm_vector_bits(peak->vectors) > 0.0)
        machine->vector_bits = cm_vector_bits(peak->vectors);
    const cm_ceiling *product = cm_roofline_product(roofline, asked->cores, CM_DOUBLE);
    if (asked->vectors == NULL && product != NULL) {
        machine->peak = machine->performance.value;
        machine->performance = figure_of(product);
    }
    return machine->vector_bits > 0.0 ? CM_OK : no_such_setting(roofline, asked, error);
}

/* Removes the part after the last @ from the file's name and takes it as vectors or cores. */
static void take_part(setting *asked)
{
    char *at = strrchr(asked->file, '@');
    size_t cores = 0;
    if (at == NULL || strchr(at, '/') != NULL)
        return;
    *at = '\0';
    if (cm_number_parse_size(at + 1, &cores, NULL) == CM_OK && cores > 0)
        asked->cores = cores;
    else
        asked->vectors = at + 1;
}

bool cm_project_is_measured(const char *path)
{
    setting asked = {.file = strdup(path)};
    if (asked.file == NULL)
        return false;
    bool is = cm_is_json(asked.file);
    for (int part = 0; part < 2 && !is; part++) {
        take_part(&asked);
        is = cm_is_json(asked.file);
    }
    free(asked.file);
    return is;
}

/* in the order of cm_stream_shares; none writes past the caches */
static const char *const shares[CM_STREAM_SHARES] = {"load", "schoenauer", "triad", "copy", "store"};
const double cm_stream_shares[CM_STREAM_SHARES] = {0.0, 1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 1.0};

static cm_project_figure instructions_of(const cm_ceiling *ceiling, double operations)
{
    const cm_project_figure rate = figure_of_rounds(ceiling);
    return (cm_project_figure){rate.value / operations, rate.lowest / operations, rate.highest / operations};
}

/* Takes the rates of all widths, as programs may use others; a machine has one kind of vectors for each width. */
static void take_rates(const cm_roofline *roofline, size_t cores, size_t row, cm_project_machine *machine)
{
    enum { DOUBLE_BITS = 64 };
    const double lanes = cm_vector_bits(widths[row].vectors) / DOUBLE_BITS;
    const cm_ceiling *any = cm_roofline_peak(roofline, cores, CM_DOUBLE, widths[row].vectors, false);
    const cm_ceiling *fused = cm_roofline_peak(roofline, cores, CM_DOUBLE, widths[row].vectors, true);
    const cm_ceiling *divided = cm_roofline_of(roofline, cores, CM_DOUBLE, widths[row].vectors, "div");
    const cm_ceiling *rooted = cm_roofline_of(roofline, cores, CM_DOUBLE, widths[row].vectors, "sqrt");
    cm_width_rates *rates = &machine->rates[widths[row].width];
    if (any != NULL)
        rates->any = instructions_of(any, lanes);
    if (fused != NULL)
        rates->fused = instructions_of(fused, 2.0 * lanes);
    if (divided != NULL)
        rates->divided = instructions_of(divided, lanes);
    if (rooted != NULL)
        rates->rooted = instructions_of(rooted, lanes);
}

/* Reads peak, bandwidths and rates of a roofline into the machine. */
static cm_status read_setting(const setting *asked, cm_project_machine *machine, cm_error *error)
{
    cm_roofline *roofline = NULL;
    cm_status status = cm_roofline_load(asked->file, &roofline, error);
    CM_THEN(status, take_peak(roofline, asked, machine, error));
    for (size_t level = 0; status == CM_OK && level < CM_LEVELS; level++) {
        machine->bandwidth[level] = figure_of(find_stream(roofline, asked, "triad", cm_level_name(level)));
        machine->streams[level] = figure_of_rounds(find_stream(roofline, asked, NULL, cm_level_name(level)));
        for (size_t i = 0; i < CM_STREAM_SHARES; i++)
            machine->shares[level][i] = figure_of_rounds(find_stream(roofline, asked, shares[i], cm_level_name(level)));
    }
    for (size_t i = 0; status == CM_OK && i < CM_COUNT_OF(widths); i++)
        take_rates(roofline, asked->cores, i, machine);
    cm_roofline_free(roofline);
    return status;
}

cm_status cm_project_measured_read(const char *path, cm_project_machine *machine, cm_error *error)
{
    setting asked = {.file = strdup(path), .cores = 1};
    if (asked.file == NULL)
        return cm_error_no_memory(error);
    for (int part = 0; part < 2 && !cm_is_json(asked.file); part++)
        take_part(&asked);
    cm_status status = read_setting(&asked, machine, error);
    free(asked.file);
    return status;
}
