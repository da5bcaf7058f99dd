/* Reads arguments of options that are no plain text, number or choice, and lists those to complete. */
#include "cli/options.h"

#include "cli/sweeping.h"

enum { MOST_SHARDS = 1000000, LEAST_MS = 10, MOST_MS = 86400000, LEAST_BITS = 128, MOST_BITS = 2048 };

/* Adds benchmarks, none of them twice. */
bool cli_set_benchmarks(cli_options *options, const char *name, const char *argument)
{
    const cli_list *list = &options->benchmarks;
    if (!cli_split(&options->benchmarks, name, argument, "names separated by commas, as in 'cpu-flops,branch'"))
        return false;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(list->items[i], list->items[k]) == 0)
                return cli_wrong(name, argument, "each benchmark once");
    return true;
}

/* The PMU as --pmu has it, of one as outputs have it ("emulated:golden-cove") or with another word before the model. */
static const char *spell_pmu(const char *argument, char *text, size_t size)
{
    static const char emulated[] = "emulated";
    const char *model = strchr(argument, ':');
    if (model == NULL && strcmp(argument, emulated) != 0)
        return argument;
    snprintf(text, size, "software%s", model != NULL ? model : "");
    return text;
}

/* Whether --pmu takes the text, and knows its model. */
static bool is_pmu(const char *text)
{
    cm_pmu_choice choice;
    bool gpu = false;
    return cm_pmu_choice_parse(text, &choice, NULL) == CM_OK && cm_pmu_choice_is_gpu(&choice, &gpu, NULL) == CM_OK;
}

bool cli_set_pmu(cli_options *options, const char *name, const char *argument)
{
    static const char expected[] = "auto, hardware, software, software:MODEL or software:DIR";
    cm_error error;
    if (cm_pmu_choice_parse(argument, &options->pmu, &error) == CM_OK) {
        options->pmu_text = argument;
        return true;
    }
    char text[CM_NEAR_NAME], model[CM_NEAR_NAME];
    const char *wanted = spell_pmu(argument, text, sizeof text);
    snprintf(model, sizeof model, "software:%s", argument);
    const char *meant = is_pmu(wanted) ? wanted : is_pmu(model) ? model : NULL;
    if (meant == NULL)
        return cli_wrong_near(name, argument, expected, wanted);
    cli_write("--%s: expected %s, found '%s'; did you mean '%s'?", name, expected, argument, meant);
    return false;
}

bool cli_set_event_pattern(cli_options *options, const char *name, const char *argument)
{
    if (strpbrk(argument, "{}") != NULL)
        return cli_wrong(name, argument, "a pattern of names without perf's groups and braces, as in 'BR_*'");
    if (argument[0] == '\0' || strcmp(argument, "!") == 0)
        return cli_wrong(name, argument, "a pattern, as in 'BR_*', or one to exclude, as in '!perf::*'");
    return cli_append(&options->events, argument);
}

bool cli_set_events(cli_options *options, const char *name, const char *argument)
{
    if (strpbrk(argument, "{}") != NULL)
        return cli_wrong(name, argument, "names of events without perf's groups, as in 'instructions,loads'");
    char *event = (char *)(uintptr_t)argument; /* a word of the command line, which is the program's own */
    for (char *comma = event; event != NULL; event = comma) {
        bool device = false; /* within the slashes of cpu/event=0xc2,umask=0x3/ */
        for (comma = event; *comma != '\0' && (*comma != ',' || device); comma++)
            device ^= *comma == '/';
        comma = *comma == ',' ? comma : NULL;
        if (comma != NULL)
            *comma++ = '\0';
        if (event[0] == '\0')
            return cli_wrong(name, event, "names of events, as in 'instructions,loads'");
        if (!cli_append(&options->events, event))
            return false;
    }
    return true;
}

/* The separator of a table of values, in which as in perf's "\\t" is a tab. */
bool cli_set_field_separator(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0' || argument[strcspn(argument, "\"\r\n")] != '\0')
        return cli_wrong(name, argument, "a separator of fields, as in ',' or ';', without quotes and ends of lines");
    options->separators = strcmp(argument, "\\t") == 0 ? "\t" : argument;
    options->values = CM_FORMAT_CSV;
    return true;
}

bool cli_set_raw(cli_options *options, const char *name, const char *argument)
{
    if (strchr(argument, '=') == NULL)
        return cli_wrong(name, argument, "fields with values, as in 'event=0x00-0xff,umask=0x00-0xff'");
    options->raw = argument;
    return true;
}

/* Reads "1/4" as a shard. */
bool cli_set_shard(cli_options *options, const char *name, const char *argument)
{
    double number = 0.0;
    size_t count = 0, length = cm_number_prefix(argument, &number);
    if (argument[length] != '/' || !cli_read_count(argument + length + 1, 1, MOST_SHARDS, &count) || number < 1.0 ||
        number > (double)count || number != floor(number))
        return cli_wrong(name, argument, "K/N, the K-th part of N, as in '1/4'");
    options->shard = (size_t)number;
    options->shards = count;
    return true;
}

/* Reads bytes, or with K, M or G after the number KiB, MiB or GiB. */
bool cli_set_max_buffer(cli_options *options, const char *name, const char *argument)
{
    static const char units[] = "KMG";
    static const char expected[] = "bytes, or a number with K, M or G after it, as in 512M";
    double value = 0.0;
    const char *end = argument + cm_number_prefix(argument, &value);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        value *= pow(1024.0, (double)(unit - units + 1));
        end++;
    }
    if (*end != '\0' || value < 1.0 || value > 0x1p60)
        return cli_wrong(name, argument, expected);
    options->max_buffer = (size_t)value;
    return true;
}

bool cli_set_budget(cli_options *options, const char *name, const char *argument)
{
    if (cli_read_duration(argument, &options->budget))
        return true;
    return cli_wrong(name, argument, "a time above 0, as in 90s, 10m or 1h");
}

bool cli_set_seed(cli_options *options, const char *name, const char *argument)
{
    size_t seed = 0;
    if (!cli_read_count(argument, 0, (double)(CM_VALIDATION_MOST_SEED - 1), &seed))
        return cli_wrong(name, argument, "a whole number from 0 to 2^53 - 1");
    options->seed = seed;
    return true;
}

bool cli_set_tau(cli_options *options, const char *name, const char *argument)
{
    options->tau_auto = strcmp(argument, "auto") == 0;
    if (strcmp(argument, "inf") == 0)
        options->tau = INFINITY;
    else if (!options->tau_auto && !(cli_read_number(argument, &options->tau) && options->tau >= 0.0))
        return cli_wrong(name, argument, "0 or more, inf to keep every event, or auto to choose it from the data");
    return true;
}

bool cli_set_alpha(cli_options *options, const char *name, const char *argument)
{
    options->alpha_auto = strcmp(argument, "auto") == 0;
    if (options->alpha_auto ||
        (cli_read_number(argument, &options->alpha) && options->alpha > 0.0 && options->alpha < 1.0))
        return true;
    return cli_wrong(name, argument, "more than 0 and less than 1, or auto to choose it from the data");
}

bool cli_set_export_format(cli_options *options, const char *name, const char *argument)
{
    char names[256];
    cli_list_formats(false, names, sizeof names);
    return cm_export_format_find(argument, &options->to) || cli_wrong(name, argument, names);
}

/* Reads milliseconds. */
static bool read_seconds(const char *name, const char *argument, double *seconds)
{
    size_t milliseconds = 0;
    if (!cli_read_count(argument, LEAST_MS, MOST_MS, &milliseconds))
        return cli_wrong(name, argument, "milliseconds, 10 or more, at most a day");
    *seconds = (double)milliseconds / 1000.0;
    return true;
}

bool cli_set_interval(cli_options *options, const char *name, const char *argument)
{
    return read_seconds(name, argument, &options->interval);
}

bool cli_set_timeout(cli_options *options, const char *name, const char *argument)
{
    return read_seconds(name, argument, &options->timeout);
}

bool cli_set_vector_bits(cli_options *options, const char *name, const char *argument)
{
    size_t bits = 0;
    if (!cli_read_count(argument, LEAST_BITS, MOST_BITS, &bits) || (bits & (bits - 1)) != 0)
        return cli_wrong(name, argument, "128, 256, 512, 1024 or 2048");
    options->vector_bits = bits;
    return true;
}

bool cli_set_basis_row(cli_options *options, const char *name, const char *argument)
{
    char expected[256] = "a benchmark: ";
    const char *benchmark;
    for (size_t i = 0; (benchmark = cli_benchmark_at(i)) != NULL; i++) {
        if (strcmp(benchmark, argument) == 0)
            options->basis_row = benchmark;
        cm_text_append(expected, sizeof expected, i > 0 ? ", " : "", "%s", benchmark);
    }
    return options->basis_row != NULL || cli_wrong(name, argument, expected);
}

bool cli_set_cores(cli_options *options, const char *name, const char *argument)
{
    const bool is_list = argument[0] >= '0' && argument[0] <= '9' && argument[strspn(argument, "0123456789,-")] == '\0';
    options->cores = argument;
    return is_list || cli_wrong(name, argument, "processors, as in '0-3,8'");
}

/* Sets the precisions of a list. */
bool cli_set_precisions(cli_options *options, const char *name, const char *argument)
{
    const char *rest = argument;
    while (*rest != '\0') {
        size_t length = strcspn(rest, ","), i = 0;
        while (i < CM_PRECISIONS && (strlen(cm_float_precision_name((cm_float_precision)i)) != length ||
                                     strncmp(cm_float_precision_name((cm_float_precision)i), rest, length) != 0))
            i++;
        if (i == CM_PRECISIONS)
            break;
        options->precisions |= 1u << i;
        rest += length + (rest[length] == ',' && rest[length + 1] != '\0');
    }
    return argument[0] != '\0' && *rest == '\0' ? true : cli_wrong(name, argument, "some of double,single,half");
}

bool cli_set_separator(cli_options *options, const char *name, const char *argument)
{
    bool tab = strcmp(argument, "tab") == 0, blank = strcmp(argument, "blank") == 0;
    if (!tab && !blank && strlen(argument) != 1)
        return cli_wrong(name, argument, "one character, tab or blank");
    options->separator = (char)(tab ? '\t' : blank ? ' ' : argument[0]);
    return true;
}

const char *cli_benchmark_at(size_t index)
{
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const char *name = cm_kernel_get(i)->benchmark;
        if ((i == 0 || strcmp(name, cm_kernel_get(i - 1)->benchmark) != 0) && index-- == 0)
            return name;
    }
    return NULL;
}

const char *cli_export_format_at(size_t index)
{
    cm_export_format format;
    return cm_export_format_get(index, &format) ? format.name : NULL;
}

/* Appends copies of the presets of a benchmark's metrics; none if they cannot be read. */
static void add_presets(const char *benchmark, cli_list *presets)
{
    char name[128], *path = NULL;
    cm_signatures *signatures = NULL;
    snprintf(name, sizeof name, "signatures/%s.csv", benchmark);
    if (cm_data_path(name, &path, NULL) == CM_OK)
        cm_signatures_load(path, &signatures, NULL);
    for (size_t i = 0; signatures != NULL && i < signatures->metric_count; i++) {
        char *preset = signatures->metrics[i].preset[0] != '\0' ? strdup(signatures->metrics[i].preset) : NULL;
        if (preset != NULL)
            cli_append(presets, preset);
    }
    cm_signatures_free(signatures);
    free(path);
}

const char *cli_preset_at(size_t index)
{
    static cli_list presets; /* as the kernels, the same for the whole process */
    const char *benchmark = presets.count == 0 ? cli_benchmark_at(0) : NULL;
    for (size_t i = 1; benchmark != NULL; i++) {
        add_presets(benchmark, &presets);
        benchmark = cli_benchmark_at(i);
    }
    return index < presets.count ? presets.items[index] : NULL;
}
