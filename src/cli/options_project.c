/* Options for projections, and for counting the mixes they need. */
#include "cli/options.h"

enum { LEAST_BITS = 128, MOST_BITS = 2048 };

static bool set_vector_bits(cli_options *options, const char *name, const char *argument)
{
    size_t bits = 0;
    if (!cli_read_count(argument, LEAST_BITS, MOST_BITS, &bits) || (bits & (bits - 1)) != 0)
        return cli_wrong(name, argument, "128, 256, 512, 1024 or 2048");
    options->vector_bits = bits;
    return true;
}

static bool set_mix(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->mix = true;
    return true;
}

static bool set_mixes(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->mixes, argument) : cli_wrong(name, argument, "a path");
}

static bool set_from(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->from, name, argument);
}

static bool set_to(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->to_machine, name, argument);
}

static bool set_memory(cli_options *options, const char *name, const char *argument)
{
    return cli_split(&options->memories, name, argument, "GB/s, with a name or without, as in 'DDR4=21.1,HBM2=65.5'");
}

static bool set_performance(cli_options *options, const char *name, const char *argument)
{
    return (cli_read_number(argument, &options->performance) && options->performance > 0.0 &&
            options->performance < 1e12) ||
           cli_wrong(name, argument, "GFLOP/s");
}

static bool set_least_share(cli_options *options, const char *name, const char *argument)
{
    return (cli_read_number(argument, &options->least_share) && options->least_share >= 0.0 &&
            options->least_share <= 1.0) ||
           cli_wrong(name, argument, "a number from 0 to 1");
}

const cli_option cli_project_options[] = {
    {"from", CLI_PROJECT, "MACHINE", "the machine that the program was measured on, CSV or JSON", set_from},
    {"to", CLI_PROJECT, "MACHINE", "the machine that its speed is projected to", set_to},
    {"mix", CLI_PROJECT, "FILE",
     "what the program does, as 'catmint count --mix --format json' writes it, or a table; may be "
     "repeated: the first is of the program on --from, the others of those on --to",
     set_mixes},
    {"performance", CLI_PROJECT, "GFLOPS", "the program's speed on --from (default: what the first mix says)",
     set_performance},
    {"memory-bandwidth", CLI_PROJECT, "LIST", "GB/s of the memory of --to, as in DDR4=21.1,HBM2=65.5", set_memory},
    {"least-share", CLI_PROJECT, "X",
     "leave out rooflines of levels that answer a smaller part of the bytes (default 0: all levels)", set_least_share},
    {"mix", CLI_COUNT, NULL, "also count what 'catmint project' takes, under the emulated PMU", set_mix},
    {"vector-bits", CLI_PROJECT, "N",
     "the length of the scalable vectors of --to (default: the mix's, or the machine's)", set_vector_bits},
    {"vector-bits", CLI_COUNT, "N", "the length of the scalable vectors of the emulated processor, SVE's or RVV's",
     set_vector_bits},
};
const size_t cli_project_option_count = sizeof cli_project_options / sizeof cli_project_options[0];
