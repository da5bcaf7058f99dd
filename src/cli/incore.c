/* catmint incore: latencies, throughputs and predictions of one core. */
#include "cli/command.h"

/* Counting beside the timing. */
struct counts {
    cm_definitions *definitions; /* NULL: nothing is counted */
    cm_counting *counting;       /* NULL: counting is impossible, for the reason in `why` */
    cm_error why;
};

/* Chooses the PMU: that of --pmu, else that of the results, else this machine's. */
static cm_status choose_pmu(const cm_definitions *definitions, cm_pmu_choice *choice, cm_error *error)
{
    static const char software[] = "software:";
    const char *pmu = cm_definitions_pmu(definitions) != NULL ? cm_definitions_pmu(definitions) : "hardware";
    const bool of_model = strncmp(pmu, software, strlen(software)) == 0;
    if (choice->kind == CM_PMU_AUTO || (choice->kind == CM_PMU_SOFTWARE && choice->model == NULL && of_model))
        return cm_pmu_choice_parse(pmu, choice, error);
    return CM_OK;
}

static cm_status open_pmu(const cli_options *options, struct counts *counts, cm_error *error)
{
    cli_options chosen = *options;
    cm_status status = choose_pmu(counts->definitions, &chosen.pmu, error);
    CM_THEN(status, cli_open_pmu(&chosen, true, &counts->counting, error));
    counts->why = *error;
    return status == CM_UNSUPPORTED ? CM_OK : status;
}

static cm_status open_counts(const cli_options *options, struct counts *counts, cm_error *error)
{
    *error = (cm_error){0};
    if (options->results == NULL)
        return CM_OK;
    cm_status status = cm_definitions_load(options->results, &counts->definitions, error);
    return status == CM_OK && cm_incore_can_count(counts->definitions) ? open_pmu(options, counts, error) : status;
}

/* Measures the in-core figures and writes them. */
static cli_exit measure_with(const cli_options *options, const char *directory, const struct counts *counts)
{
    cm_incore *incore = NULL;
    cm_error error;
    cli_measuring measuring = cli_measuring_begin();
    const cm_incore_options wanted = {.size = sizeof wanted,
                                      .processors = options->cores,
                                      .rounds = options->rounds,
                                      .repetitions = options->repetitions,
                                      .load_seconds = options->load_seconds,
                                      .known = options->known,
                                      .kernels_directory = directory,
                                      .definitions = counts->definitions,
                                      .counting = counts->counting,
                                      .no_counting = counts->why.text,
                                      .stop = cli_interrupt_flag(),
                                      .progress = cli_measuring_show,
                                      .data = &measuring};
    cm_status status = cm_incore_measure(&wanted, &incore, &error);
    cli_measuring_end(&measuring);
    cli_exit code =
        status == CM_OK
            ? cli_finish_writing(CLI_WRITE(cm_incore, incore, options->format, options, stdout, &error), &error)
            : cli_fail(&error);
    cm_incore_free(incore);
    return code;
}

static cli_exit measure_kernels(const cli_options *options, const char *directory)
{
    struct counts counts = {0};
    cm_error error;
    cm_status status = open_counts(options, &counts, &error);
    cli_exit code = status == CM_OK ? measure_with(options, directory, &counts) : cli_fail(&error);
    cm_counting_close(counts.counting);
    cm_definitions_free(counts.definitions);
    return code;
}

/* Writes the loops; CLI_PARTLY if instructions are not known. */
static cli_exit write_ports(const cm_ports *ports, const cli_options *options)
{
    cm_error error;
    cm_status status = CLI_WRITE(cm_ports, ports, options->format, options, stdout, &error);
    cli_exit code = cli_finish_writing(status, &error);
    const size_t unknown = cm_ports_unknown(ports);
    if (code != CLI_DONE || unknown == 0)
        return code;
    cli_write("%zu instruction%s not in the table of ports, and left out: marked with a question mark", unknown,
              unknown == 1 ? " is" : "s are");
    return CLI_PARTLY;
}

/* Predicts loops of assembly from the ports alone, without running them. */
static cli_exit analyse_loops(const cli_options *options)
{
    cm_ports *ports = NULL;
    cm_error error;
    const cm_ports_options wanted = {.size = sizeof wanted,
                                     .assembly = options->assembly,
                                     .function = options->function,
                                     .machine = options->machine,
                                     .stop = cli_interrupt_flag()};
    cli_exit code = cm_ports_create(&wanted, &ports, &error) == CM_OK ? write_ports(ports, options) : cli_fail(&error);
    cm_ports_free(ports);
    return code;
}

/* Writes the ports of a core. */
static cli_exit show_ports(const cli_options *options)
{
    cm_core *core = NULL;
    cm_error error;
    if (cm_core_create(options->machine, &core, &error) != CM_OK)
        return cli_fail(&error);
    cm_status status = CLI_WRITE(cm_core, core, options->format, options, stdout, &error);
    cm_core_free(core);
    return cli_finish_writing(status, &error);
}

/* Whether the options fit together; says which do not. */
static bool check_incore_options(const cli_options *options)
{
    const bool loops = options->assembly != NULL || options->function != NULL;
    const bool measures = options->kernels || options->results != NULL || options->cores != NULL ||
                          options->known != NULL || options->repetitions != 0 || options->rounds != 0 ||
                          options->load_seconds > 0.0;
    const char *said = NULL;
    if (options->machine != NULL && !loops && !options->ports)
        said = "--machine needs --ports, or --assembly FILE or --function BINARY:SYMBOL, whose loops are analysed";
    else if (options->ports && loops)
        said = "--ports shows the ports alone: expected no --assembly or --function with it";
    else if ((loops || options->ports) && measures)
        said = "--assembly, --function and --ports measure nothing: expected no --kernels, --results, --cores, "
               "--known, --repetitions, --rounds or --load-seconds with them";
    else if (options->format == CM_FORMAT_SVG && !options->ports)
        said = "--format svg needs --ports, which is all that incore draws";
    else if (options->pmu_text != NULL && options->results == NULL)
        said = "--pmu needs --results FILE, whose definitions it counts";
    if (said != NULL)
        cli_write("%s", said);
    return said == NULL;
}

cli_exit cli_incore(const cli_options *options)
{
    char directory[CLI_PATH_SIZE];
    if (!check_incore_options(options))
        return CLI_USAGE;
    if (cli_check_output(options) != CLI_DONE)
        return CLI_IMPOSSIBLE;
    if (options->ports)
        return show_ports(options);
    if (options->assembly != NULL || options->function != NULL)
        return analyse_loops(options);
    if (!options->kernels)
        return measure_kernels(options, NULL);
    cli_exit code = cli_make_temporary(directory);
    if (code != CLI_DONE)
        return code;
    code = measure_kernels(options, directory);
    cli_remove_temporary(directory);
    return code;
}
