/* Options of kernels that are written out. */
#include <stdint.h>
#include <string.h>

#include "cli/options.h"

static bool set_emit(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->emit, name, argument);
}

static bool set_isa(cli_options *options, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "an instruction set, as rv32imc, rv64gc or aarch64");
    options->isa = argument;
    return true;
}

static bool set_target(cli_options *options, const char *name, const char *argument)
{
    options->target = argument;
    return strcmp(argument, "freestanding") == 0 || cli_wrong(name, argument, "freestanding");
}

static bool set_emitted_events(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->events_file, name, argument);
}

static bool set_selection(cli_options *options, const char *name, const char *argument)
{
    static const char *const words[] = {
        [CM_SELECT_INDEX] = "index", [CM_SELECT_ONE_HOT] = "one-hot", [CM_SELECT_MASK] = "mask"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(argument, words[i]) == 0) {
            options->selection = (cm_selection)i;
            return true;
        }
    return cli_wrong(name, argument, "index, one-hot or mask");
}

static bool set_emitted_counters(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, 31, &options->counters) || cli_wrong(name, argument, "a number from 1 to 31");
}

static bool set_turns(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, SIZE_MAX, &options->iterations) ||
           cli_wrong(name, argument, "a power of two, 4 or more");
}

const cli_option cli_kernels_options[] = {
    {"emit", CLI_KERNELS, "DIR",
     "write the kernels' sources there, with a program that runs them without an operating system", set_emit},
    {"isa", CLI_KERNELS, "ISA",
     "with --emit: the instruction set, as compilers name it: rv32imc, rv64gc, aarch64, aarch64+lse", set_isa},
    {"target", CLI_KERNELS, "TARGET", "with --emit: freestanding, the only one and the default", set_target},
    {"events", CLI_KERNELS, "FILE",
     "with --emit: the events to count, code,event (default: those that such an instruction set has anywhere)",
     set_emitted_events},
    {"select", CLI_KERNELS, "WAY",
     "with --emit: index, a code is written into the selector of a counter; one-hot, it is the number of the bit that "
     "is set there; mask, of the bits, as 3+5 (default index)",
     set_selection},
    {"counters", CLI_KERNELS, "N", "with --emit: how many events are counted at once (default 4)",
     set_emitted_counters},
    {"iterations", CLI_KERNELS, "N",
     "with --emit: turns of a kernel, which also runs with twice as many; a power of two (default 64)", set_turns},
};
const size_t cli_kernels_option_count = sizeof cli_kernels_options / sizeof cli_kernels_options[0];
