/* Units of AMD's formulas: peaks, which are of the whole GPU in a second, against the work of one compute unit in a
 * clock (data/gpu-peaks.csv); and cycles of each die against properties of the whole GPU. */
#include "formats/rocm/rocm.h"

enum { TARGET = 16 };

/* The GPU of a panel is its directory's name; GPUs of one generation have the same peaks. "": none is named. */
static void find_target(const char *file, char *target)
{
    const char *at = strstr(file, "/gfx");
    size_t length = at != NULL ? strcspn(at + 1, "/") : 0;
    target[0] = '\0';
    if (length == 0 || length >= TARGET)
        return;
    memcpy(target, at + 1, length);
    target[length] = '\0';
    if (strcmp(target, "gfx940") == 0 || strcmp(target, "gfx941") == 0)
        strcpy(target, "gfx942");
}

/* ---- peaks ---- */

typedef struct peak {
    double factor;
    int clocks, units; /* how often the factor has the GPU's clock, and its number of compute units */
} peak;

/* Takes one number or name of a product. False: it is another name. */
static bool take_factor(char **at, bool divides, peak *found)
{
    static const char clock[] = "$max_sclk", units[] = "$cu_per_gpu";
    const int sign = divides ? -1 : 1;
    char *end = NULL;
    double value = strtod(*at, &end);
    if (end != *at) {
        found->factor = divides ? found->factor / value : found->factor * value;
        *at = end;
    } else if (strncmp(*at, clock, strlen(clock)) == 0) {
        found->clocks += sign;
        *at += strlen(clock);
    } else if (strncmp(*at, units, strlen(units)) == 0) {
        found->units += sign;
        *at += strlen(units);
    } else {
        return false;
    }
    return true;
}

/* Reads products and quotients of numbers, the clock and the units. False: it is something else. */
static bool read_peak(const char *text, peak *found)
{
    bool divides = false;
    char *at = (char *)(uintptr_t)text;
    *found = (peak){1.0, 0, 0};
    while (*at != '\0') {
        bool blank = isspace((unsigned char)*at) || *at == ')' || (*at == '(' && !divides);
        if (blank || *at == '*' || *at == '/')
            divides = *at == '/' || (blank && divides), at++;
        else if (!take_factor(&at, divides, found))
            return false;
        else
            divides = false;
    }
    return true;
}

typedef struct search {
    const char *target, *label;
    char unit[64];
    double per_clock;
} search;

static cm_status take_label(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    search *wanted = data;
    (void)csv;
    (void)error;
    if (strcmp(row->fields[0], wanted->label) == 0)
        snprintf(wanted->unit, sizeof wanted->unit, "%s", row->fields[1]);
    return CM_OK;
}

static cm_status take_peak(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    enum { OF_TARGET, WHAT, PER_CLOCK };
    search *wanted = data;
    double value = 0.0;
    cm_status status = cm_csv_number(csv, row, PER_CLOCK, &value, error);
    if (strcmp(row->fields[OF_TARGET], wanted->target) == 0 && strcmp(row->fields[WHAT], wanted->unit) == 0)
        wanted->per_clock = value;
    return status;
}

/* The clock is in MHz and peaks are in 10^9, so that one of `1` a clock and unit has the factor 1/1000. */
static cm_status compare_peak(cm_rocm_reader *reader, const cm_yaml_entry *entry, const peak *found,
                              const search *wanted)
{
    const double kilo = 1e3, per_clock = found->factor * kilo;
    cm_formulas *formulas = reader->formulas;
    if (found->clocks != 1 || found->units != 1)
        return cm_formulas_add_remark(
            formulas, CM_FAULT_QUANTITY, entry->line, entry->column, reader->name,
            "the peak is of %s, expected one of the whole GPU in a second: the clock times its compute units",
            found->clocks != 1 ? "no second" : "one compute unit");
    if (fabs(per_clock - wanted->per_clock) <= wanted->per_clock * 1e-9)
        return CM_OK;
    return cm_formulas_add_remark(formulas, CM_FAULT_QUANTITY, entry->line, entry->column, reader->name,
                                  "the peak is %g a clock and compute unit, %g times what %s does: %g "
                                  "(gpu-peaks.csv, %s)",
                                  per_clock, per_clock / wanted->per_clock, wanted->target, wanted->per_clock,
                                  wanted->unit);
}

cm_status cm_rocm_check_peak(cm_rocm_reader *reader, const cm_yaml_entry *entry)
{
    static const char *const labels[] = {"label", "what"};
    static const char *const columns[] = {"target", "what", "per_clock", "source"};
    char target[TARGET];
    search wanted = {.target = target, .label = reader->name, .per_clock = NAN};
    peak found;
    find_target(entry->file, target);
    if (target[0] == '\0' || !read_peak(entry->value, &found))
        return CM_OK;
    cm_status status = cm_csv_each_data("data/maps/rocprof-compute-peaks.csv", CM_COUNT_OF(labels), labels, take_label,
                                        &wanted, reader->error);
    if (status == CM_OK && wanted.unit[0] != '\0')
        status =
            cm_csv_each_data("data/gpu-peaks.csv", CM_COUNT_OF(columns), columns, take_peak, &wanted, reader->error);
    return status == CM_OK && !isnan(wanted.per_clock) ? compare_peak(reader, entry, &found, &wanted) : status;
}

/* ---- dies ---- */

/* Whether the text has the cycles of all dies: the counter outside of a function. */
static bool adds_cycles(const char *text, const char *counter)
{
    for (const char *at = text; (at = strstr(at, counter)) != NULL; at += strlen(counter)) {
        const bool whole = (at == text || !cm_name_is_word(at[-1])) && !cm_name_is_word(at[strlen(counter)]);
        if (whole && (at < text + 2 || at[-1] != '(' || !cm_name_is_word(at[-2])))
            return true;
    }
    return false;
}

cm_status cm_rocm_check_dies(cm_rocm_reader *reader, const cm_formula_info *info)
{
    static const char counter[] = "GRBM_GUI_ACTIVE";
    static const char *const of_gpu[] = {"CU_NUM", "SIMD_NUM", "SE_NUM", "$cu_per_gpu"};
    const char *property = NULL;
    for (size_t i = 0; property == NULL && i < CM_COUNT_OF(of_gpu); i++)
        property = strstr(info->text, of_gpu[i]) != NULL ? of_gpu[i] : NULL;
    if (property == NULL || (strstr(info->section, "gfx94") == NULL && strstr(info->section, "gfx95") == NULL) ||
        !adds_cycles(info->text, counter) || strstr(info->text, "XCC_NUM") != NULL)
        return CM_OK;
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_QUANTITY, info->line, info->column, info->metric,
                                  "%s adds up the cycles of all dies, and %s is of all dies together: too small by the "
                                  "number of dies",
                                  counter, property);
}
