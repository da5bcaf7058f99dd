#include "cli/sweeping.h"
#include "formulas/events/events.h"

enum { STREAMS = 2 };

static const int streams[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};

/* Sends stdout and stderr to /dev/null; `kept` gets copies of their descriptors. */
static void silence_streams(int kept[STREAMS])
{
    fflush(stdout);
    fflush(stderr);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (size_t i = 0; i < STREAMS; i++) {
        kept[i] = nowhere >= 0 ? fcntl(streams[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
        if (kept[i] >= 0)
            dup2(nowhere, streams[i]);
    }
    if (nowhere >= 0)
        close(nowhere);
}

/* Restores the streams from the copies. */
static void give_voice(const int kept[STREAMS])
{
    fflush(stdout);
    fflush(stderr);
    for (size_t i = 0; i < STREAMS; i++) {
        if (kept[i] < 0)
            continue;
        dup2(kept[i], streams[i]);
        close(kept[i]);
    }
}

/* Whether the user chooses events, beyond excluding some. */
static bool names_events(const cli_options *options)
{
    for (size_t i = 0; i < options->events.count; i++)
        if (options->events.items[i][0] != '!')
            return true;
    return options->events_file != NULL || options->components.count > 0;
}

cm_status cli_open_pmu(const cli_options *options, bool to_list, cm_counting **counting, cm_error *error)
{
    int kept[STREAMS];
    silence_streams(kept);
    cm_pmu_choice choice = options->pmu;
    choice.component_seconds = options->component_seconds;
    choice.any_event = to_list || names_events(options);
    /* All benchmarks that are named are of one kind (cli_choose_benchmarks). */
    choice.gpu = options->on_gpu || (options->benchmarks.count != 0 && cli_is_of_gpu(options->benchmarks.items[0]));
    choice.gpu_events = options->events.items;
    choice.gpu_event_count = options->events.count;
    choice.core = options->core;
    choice.root = options->root;
    cm_status status = cm_counting_open(&choice, counting, error);
    give_voice(kept);
    return status;
}

cli_exit cli_check_cpus(const cli_options *options)
{
    cm_error error;
    for (size_t i = 0; i < options->cpus.count; i++)
        if (cm_processor_check(options->cpus.items[i], &error) != CM_OK)
            return cli_fail(&error);
    return CLI_DONE;
}

const char *cli_software_model(const cli_options *options)
{
    static const char software[] = "software:";
    const char *text = options->pmu_text;
    return text != NULL && strncmp(text, software, strlen(software)) == 0 ? text + strlen(software) : NULL;
}

cli_exit cli_take_facts(const char *model, const cli_options *options, const char *directory)
{
    cm_error error;
    const bool kept = options->facts == NULL || strcmp(options->facts, "kept") == 0;
    cm_status status = cm_sweep_from_facts(model, kept ? NULL : options->facts, directory, &error);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}
