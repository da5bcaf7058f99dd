/* catmint events: the events that can be counted. */
#include "cli/command.h"

/* Opens the PMU and prints its events. */
static cli_exit list_events(const cli_options *options)
{
    cm_counting *counting = NULL;
    cm_error error;
    if (cli_open_pmu(options, true, &counting, &error) != CM_OK)
        return cli_fail(&error);
    const cm_output_style style = {options->format, cli_width(stdout), false};
    const char *pattern = options->operands.count > 0 ? options->operands.items[0] : "";
    cm_status status = pattern[0] != '\0' || options->describe
                           ? cm_events_list(counting, pattern, options->describe, &style, stdout, &error)
                           : cm_events_write(counting, &style, stdout, &error);
    cm_counting_close(counting);
    return cli_finish_writing(status, &error);
}

/* A model has the events of one type of cores; PAPI lists those of all types together. */
cli_exit cli_events(const cli_options *options)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    if (options->list_facts)
        return cli_list_facts(options);
    if (options->core != NULL || options->pmu.kind != CM_PMU_SOFTWARE)
        return list_events(options);
    cli_exit code = cli_find_cores(options, types, &count);
    if (code == CLI_DONE && count == 0)
        return list_events(options);
    for (size_t i = 0; i < count && code == CLI_DONE; i++) {
        cli_options chosen = *options;
        chosen.core = types[i].name;
        if (options->format == CM_FORMAT_TABLE)
            printf("%sCores of the type %s\n\n", i > 0 ? "\n" : "", types[i].name);
        code = list_events(&chosen);
    }
    return code;
}
