/* Options for measuring machines. */
#include <string.h>

#include "cli/options.h"

enum { MOST_SECONDS = 3600 };

static bool set_cores(cli_options *options, const char *name, const char *argument)
{
    const bool is_list = argument[0] >= '0' && argument[0] <= '9' && argument[strspn(argument, "0123456789,-")] == '\0';
    options->cores = argument;
    return is_list || cli_wrong(name, argument, "processors, as in '0-3,8'");
}

/* Sets the precisions of a list. */
static bool set_precision(cli_options *options, const char *name, const char *argument)
{
    const char *rest = argument;
    while (*rest != '\0') {
        size_t length = strcspn(rest, ","), i = 0;
        while (i < CM_PRECISIONS && (strlen(cm_precision_name((cm_precision)i)) != length ||
                                     strncmp(cm_precision_name((cm_precision)i), rest, length) != 0))
            i++;
        if (i == CM_PRECISIONS)
            break;
        options->precisions |= 1u << i;
        rest += length + (rest[length] == ',' && rest[length + 1] != '\0');
    }
    return argument[0] != '\0' && *rest == '\0' ? true : cli_wrong(name, argument, "some of double,single,half");
}

static bool set_machine(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->machine, name, argument);
}

static bool set_points(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->points, argument) : cli_wrong(name, argument, "a path");
}

static bool set_load_seconds(cli_options *options, const char *name, const char *argument)
{
    return (cli_read_number(argument, &options->load_seconds) && options->load_seconds > 0.0 &&
            options->load_seconds <= MOST_SECONDS) ||
           cli_wrong(name, argument, "seconds, above 0 and at most 3600");
}

static bool set_kernels(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->kernels = true;
    return true;
}

static bool set_known(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->known, name, argument);
}

const cli_option cli_machine_options[] = {
    {"cores", CLI_ROOFLINE, "LIST",
     "processors to measure on, as in '0-3,8': one core, then all of them (default: all)", set_cores},
    {"precision", CLI_ROOFLINE, "LIST", "some of double,single,half (default: all that this processor has)",
     set_precision},
    {"machine", CLI_ROOFLINE, "FILE", "do not measure: take the figures from this machine.json", set_machine},
    {"machine", CLI_REPORT, "FILE", "also show the rooflines of this machine.json, as 'catmint roofline' writes it",
     set_machine},
    {"points", CLI_ROOFLINE | CLI_REPORT, "FILE",
     "also show these programs: a table with the columns name,flops,l1_bytes,memory_bytes,seconds,cores, or what "
     "'catmint count --format json' wrote; may be repeated",
     set_points},
    {"cores", CLI_INCORE, "LIST", "processors to measure on, as in '0-3,8': one core, two, four, all (default: all)",
     set_cores},
    {"load-seconds", CLI_INCORE, "S", "how long each load lasts under which the clock is measured (default 0.5)",
     set_load_seconds},
    {"kernels", CLI_INCORE, NULL,
     "also hold 13 streaming kernels, as gcc and clang compile them, against what llvm-mca predicts", set_kernels},
    {"known", CLI_INCORE, "FILE",
     "figures to compare with, instead of catmint's own: a table with the columns "
     "vendor,family,model,operation,vectors,latency,throughput,source",
     set_known},
};
const size_t cli_machine_option_count = sizeof cli_machine_options / sizeof cli_machine_options[0];
