#include "cli/command.h"

/* With --pmu auto the types are those of the hardware: drops them if the chosen PMU does not count these cores. */
static cli_exit keep_if_counted(const cli_options *options, const char *core, size_t *count)
{
    cm_counting *counting = NULL;
    cm_error error;
    cli_options chosen = *options;
    chosen.core = core;
    if (cli_open_pmu(&chosen, false, &counting, &error) != CM_OK)
        return cli_fail(&error);
    if (cm_counting_core(counting) == NULL)
        *count = 0;
    cm_counting_close(counting);
    return CLI_DONE;
}

/* Keeps the type named `core`; CLI_USAGE if there is none. */
static cli_exit keep_named(const char *core, cm_core_type types[CM_CORE_TYPES], size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(types[i].name, core) == 0) {
            types[0] = types[i];
            *count = 1;
            return CLI_DONE;
        }
    if (*count == 0)
        return cli_end(CLI_USAGE, "--core: the cores are all alike here, found '%s'", core);
    return cli_end(CLI_USAGE, "--core: expected a type of cores, such as %s, found '%s'", types[0].name, core);
}

cli_exit cli_find_cores(const cli_options *options, cm_core_type types[CM_CORE_TYPES], size_t *count)
{
    cm_error error;
    cm_pmu_choice choice = options->pmu;
    cli_exit code = CLI_DONE;
    choice.root = options->root;
    if (cm_core_types_find(&choice, types, count, &error) != CM_OK)
        return cli_fail(&error);
    if (*count != 0 && choice.kind == CM_PMU_AUTO)
        code = keep_if_counted(options, types[0].name, count);
    return code == CLI_DONE && options->core != NULL ? keep_named(options->core, types, count) : code;
}

/* Lists the types in the directory, with those of earlier sweeps. */
static cli_exit list_in(const char *directory, const cm_core_type *types, size_t count)
{
    cm_core_type listed[CM_CORE_TYPES];
    size_t listed_count = 0;
    cm_error error;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return cli_end(CLI_IMPOSSIBLE, "%s: the directory cannot be made: %s", directory, strerror(errno));
    if (cm_sweep_cores_read(directory, listed, &listed_count, &error) != CM_OK)
        return cli_fail(&error);
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < listed_count && strcmp(listed[at].name, types[i].name) != 0)
            at++;
        if (at == CM_CORE_TYPES)
            continue;
        listed[at] = types[i];
        listed_count += at == listed_count;
    }
    return cm_sweep_cores_write(directory, listed, listed_count, &error) == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

cli_exit cli_core_directory(const char *directory, const cm_core_type *core, char place[CLI_PATH_SIZE])
{
    int length = snprintf(place, CLI_PATH_SIZE, "%s/%s", directory, core->name);
    if (length > 0 && length < CLI_PATH_SIZE)
        return CLI_DONE;
    return cli_end(CLI_USAGE, "%s: the path is too long", directory);
}

/* Works on one type of cores, in its directory and with its share of the budget. */
static cli_exit work_on(const char *directory, const cm_core_type *type, const cli_options *options, size_t count,
                        cli_core_work work, void *data)
{
    char place[CLI_PATH_SIZE];
    cli_options chosen = *options;
    cli_exit code = cli_core_directory(directory, type, place);
    if (code != CLI_DONE)
        return code;
    chosen.core = type->name;
    chosen.budget = options->budget / (double)count;
    return work(place, &chosen, data);
}

/* Works on all types; the worst exit code. */
static cli_exit work_on_all(const char *directory, const cm_core_type *types, size_t count, const cli_options *options,
                            cli_core_work work, void *data)
{
    cli_exit worst = CLI_DONE;
    for (size_t i = 0; i < count; i++) {
        cli_exit code = work_on(directory, &types[i], options, count, work, data);
        if (code != CLI_DONE && code != CLI_PARTLY)
            return code;
        worst = code == CLI_PARTLY ? CLI_PARTLY : worst;
    }
    return worst;
}

cli_exit cli_on_cores(const char *directory, const cli_options *options, cli_core_work work, void *data)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cli_exit code = cli_find_cores(options, types, &count);
    if (code == CLI_DONE && (count != 0 ? cm_has_manifest(directory) : cm_sweep_has_cores(directory)))
        return cli_end(CLI_USAGE, "%s: it holds a sweep of %s: name another directory", directory,
                       count != 0 ? "a processor whose cores are all alike" : "a hybrid processor");
    if (code == CLI_DONE && count == 0)
        return work(directory, options, data);
    CM_THEN(code, list_in(directory, types, count));
    return code == CLI_DONE ? work_on_all(directory, types, count, options, work, data) : code;
}

cli_exit cli_on_swept_cores(const char *directory, const cli_options *options, cli_core_work work, void *data)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cm_error error;
    if (cm_sweep_cores_read(directory, types, &count, &error) != CM_OK)
        return cli_fail(&error);
    return count == 0 ? work(directory, options, data) : work_on_all(directory, types, count, options, work, data);
}
