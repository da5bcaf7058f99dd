/* Finds the shard of this process if an engine has started several. */
#include "cli/sweeping.h"

enum { MOST = 1000000 };

/* Reads a variable; one that is not set leaves *value. False if it is no number. */
static bool read_variable(const char *name, long *value)
{
    const char *text = getenv(name);
    size_t number = 0;
    if (text == NULL || text[0] == '\0')
        return true;
    if (cm_number_parse_size(text, &number, NULL) == CM_OK && number <= MOST) {
        *value = (long)number;
        return true;
    }
    cli_write("the variable %s is '%s', expected a number; or give --shard K/N", name, text);
    return false;
}

/* Reads rank and size. If one engine starts another, as a Slurm job runs mpirun, the inner one is asked first. */
static bool read_launcher(long *rank, long *size)
{
    static const struct {
        const char *rank, *size;
    } launchers[] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
        {"PMI_RANK", "PMI_SIZE"},
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}, /* the latter is set only by srun */
    };
    for (size_t i = 0; i < CM_COUNT_OF(launchers); i++) {
        if (getenv(launchers[i].rank) == NULL || getenv(launchers[i].size) == NULL)
            continue;
        return read_variable(launchers[i].rank, rank) && read_variable(launchers[i].size, size);
    }
    return true;
}

/* Reads the array task; tasks are numbered from the lowest, in steps. */
static bool read_array(long *rank, long *size)
{
    long task = -1, least = 0, step = 1, count = 0;
    if (!read_variable("SLURM_ARRAY_TASK_ID", &task) || !read_variable("SLURM_ARRAY_TASK_MIN", &least) ||
        !read_variable("SLURM_ARRAY_TASK_STEP", &step) || !read_variable("SLURM_ARRAY_TASK_COUNT", &count))
        return false;
    if (task < 0 || count == 0)
        return true;
    *size = count;
    *rank = step > 0 ? (task - least) / step : task - least;
    return true;
}

/* Chooses the shard by launcher and array task. */
static cli_exit choose_by_environment(cli_options *options)
{
    long rank = 0, size = 1, array_rank = 0, array_size = 1;
    if (!read_launcher(&rank, &size) || !read_array(&array_rank, &array_size))
        return CLI_USAGE;
    if (size < 1 || rank >= size || array_rank < 0 || array_rank >= array_size)
        return cli_end(
            CLI_USAGE,
            "the environment says process %ld of %ld in array task %ld of %ld, which is impossible; give --shard "
            "K/N instead",
            rank, size, array_rank, array_size);
    if (size * array_size == 1)
        return CLI_DONE;
    options->shard = (size_t)(array_rank * size + rank + 1);
    options->shards = (size_t)(array_size * size);
    cli_write("this is shard %zu of %zu, from the environment", options->shard, options->shards);
    return CLI_DONE;
}

cli_exit cli_choose_shard(cli_options *options)
{
    if (options->shard == 0)
        return choose_by_environment(options);
    if (options->shards == 1)
        options->shard = options->shards = 0; /* 1/1 is the whole sweep, whatever the environment says */
    return CLI_DONE;
}
