/* Options for the layout of a foreign table. */
#include <stdint.h>
#include <string.h>

#include "cli/options.h"

static bool set_column(const char **column, const char *name, const char *argument)
{
    if (argument[0] == '\0')
        return cli_wrong(name, argument, "the heading of a column, or its number from 1 on");
    *column = argument;
    return true;
}

static bool set_events_column(cli_options *options, const char *name, const char *argument)
{
    return set_column(&options->events_column, name, argument);
}

static bool set_kernels_column(cli_options *options, const char *name, const char *argument)
{
    return set_column(&options->kernels_column, name, argument);
}

static bool set_repetition_column(cli_options *options, const char *name, const char *argument)
{
    return set_column(&options->repetition_column, name, argument);
}

static bool set_counts_column(cli_options *options, const char *name, const char *argument)
{
    return set_column(&options->counts_column, name, argument);
}

static bool set_kernel_names(cli_options *options, const char *name, const char *argument)
{
    return cli_split(&options->kernel_names, name, argument, "names of kernels, as in 'b1,b2,b3'");
}

static bool set_kernels_row(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, 1000000000, &options->kernels_row) ||
           cli_wrong(name, argument, "the number of a line, from 1 on");
}

static bool set_separator(cli_options *options, const char *name, const char *argument)
{
    bool tab = strcmp(argument, "tab") == 0, blank = strcmp(argument, "blank") == 0;
    if (!tab && !blank && strlen(argument) != 1)
        return cli_wrong(name, argument, "one character, tab or blank");
    options->separator = (char)(tab ? '\t' : blank ? ' ' : argument[0]);
    return true;
}

static bool set_console(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->console = true;
    return true;
}

static bool set_name(cli_options *options, const char *name, const char *argument)
{
    options->name = argument;
    return argument[0] != '\0' || cli_wrong(name, argument, "a name, as in 'my-core r2'");
}

static bool set_decimal_comma(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->decimal_comma = true;
    return true;
}

static bool set_iterations(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, SIZE_MAX, &options->iterations) ||
           cli_wrong(name, argument, "a whole number from 1 on");
}

const cli_option cli_import_options[] = {
    {"console", CLI_IMPORT, NULL,
     "what is named are logs of consoles, on which emitted kernels printed counts: several are joined", set_console},
    {"name", CLI_IMPORT, "NAME", "with --console: what results call the PMU (default: the instruction set)", set_name},
    {"events-column", CLI_IMPORT, "NAME", "events are rows: the heading or the number of the column with their names",
     set_events_column},
    {"kernels-column", CLI_IMPORT, "NAME", "events are columns: the heading or the number of the column with kernels",
     set_kernels_column},
    {"counts-column", CLI_IMPORT, "NAME", "each row is one count of an event and a kernel: the column with the counts",
     set_counts_column},
    {"kernels", CLI_IMPORT, "LIST", "what the kernels are called, in the order of the table, separated by commas",
     set_kernel_names},
    {"repetition-column", CLI_IMPORT, "NAME", "the heading or the number of the column that numbers repetitions",
     set_repetition_column},
    {"kernels-row", CLI_IMPORT, "N", "the line with the headings (default: the first that is not blank)",
     set_kernels_row},
    {"separator", CLI_IMPORT, "C", "what parts cells: a character, tab or blank (default: found out)", set_separator},
    {"decimal-comma", CLI_IMPORT, NULL, "a comma is a decimal sign, points part thousands", set_decimal_comma},
    {"iterations", CLI_IMPORT_NCU, "N", "how often each thread ran the loop of its kernel: what counts are divided by",
     set_iterations},
};
const size_t cli_import_option_count = sizeof cli_import_options / sizeof cli_import_options[0];
