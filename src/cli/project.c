/* catmint project: the speed of programs on other machines. */
#include "cli/options.h"

/* Writes the projection to --output or stdout. */
static cli_exit write_projection(const cm_projection *projection, const cli_options *options)
{
    cm_error error;
    const cm_output_style style = {.format = options->values};
    cm_status status = options->output != NULL ? cm_projection_save(projection, &style, options->output, &error)
                                               : cm_projection_write(projection, &style, stdout, &error);
    return status == CM_OK ? cli_finish_stdout(CLI_DONE) : cli_finish_writing(status, &error);
}

/* Projects the mixes, writes the result, and reports implausible figures. */
static cli_exit project_mixes(const cli_options *options, const cm_memory_choice *memories)
{
    const cm_project_options wanted = {.size = sizeof wanted,
                                       .from = options->from,
                                       .to = options->to_machine,
                                       .mix_count = options->mixes.count,
                                       .mixes = options->mixes.items,
                                       .performance = options->performance,
                                       .vector_bits = options->vector_bits,
                                       .least_share = options->least_share,
                                       .memory_count = options->memories.count,
                                       .memories = memories};
    cm_projection *projection = NULL;
    cm_error error;
    if (cm_projection_create(&wanted, &projection, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = write_projection(projection, options);
    if (code == CLI_DONE && options->plots != NULL &&
        cm_projection_save_plots(projection, options->plots, NULL, &error) != CM_OK)
        code = cli_fail_writing(&error);
    for (size_t i = 0; code == CLI_DONE && i < cm_projection_warning_count(projection); i++)
        cli_write("%s", cm_projection_warning(projection, i));
    if (code == CLI_DONE && cm_projection_is_partial(projection)) {
        cli_write("intervals lack levels: the notes say which");
        code = CLI_PARTLY;
    }
    cm_projection_free(projection);
    return code;
}

/* Splits "21.1" or "DDR4=21.1". The text is the list's own, and is changed. */
static bool read_memory(const char *text, cm_memory_choice *memory)
{
    char *item = (char *)(uintptr_t)text;
    char *equals = strrchr(item, '=');
    *memory = (cm_memory_choice){.name = equals != NULL ? item : ""};
    if (equals != NULL)
        *equals = '\0';
    return cli_read_number(equals != NULL ? equals + 1 : item, &memory->bandwidth) && memory->bandwidth > 0.0 &&
           memory->bandwidth < 1e9;
}

/* Reads the bandwidths and projects with them. */
static cli_exit read_memories(const cli_options *options)
{
    cm_memory_choice *memories = calloc(options->memories.count + 1, sizeof *memories);
    if (memories == NULL)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    cli_exit code = CLI_DONE;
    for (size_t i = 0; code == CLI_DONE && i < options->memories.count; i++)
        if (!read_memory(options->memories.items[i], &memories[i])) {
            cli_write("--memory-bandwidth: expected GB/s above 0, as in DDR4=21.1");
            code = CLI_USAGE;
        }
    CM_THEN(code, project_mixes(options, memories));
    free(memories);
    return code;
}

cli_exit cli_project(const cli_options *options)
{
    if (options->from == NULL || options->to_machine == NULL || options->mixes.count == 0)
        return cli_end(CLI_USAGE,
                       "project needs --from MACHINE, --to MACHINE and --mix FILE; see 'catmint project --help'");
    cli_exit code = cli_check_output(options);
    return code == CLI_DONE ? read_memories(options) : code;
}
