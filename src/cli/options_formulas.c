/* Options about formulas of other programs. */
#include "cli/options.h"

#include <stdio.h>

void cli_list_formats(bool contents, char *text, size_t size)
{
    cm_export_format format, next;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; cm_export_format_get(i, &format) && length < size; i++) {
        bool last = !cm_export_format_get(i + 1, &next), shown = contents && format.content[0] != '\0';
        length += (size_t)snprintf(text + length, size - length, "%s%s%s%s%s",
                                   i == 0 ? ""
                                   : last ? " or "
                                          : ", ",
                                   format.name, shown ? " (" : "", shown ? format.content : "", shown ? ")" : "");
    }
}

cm_status cli_find_formulas(const cli_options *options, cm_formula_files *files, cm_error *error)
{
    cm_status status = cm_formula_files_find(options->operands.items, options->operands.count, files, error);
    if (status == CM_OK && files->other_count > 0)
        cli_say("%zu other file%s hold%s no formulas", files->other_count, files->other_count == 1 ? "" : "s",
                files->other_count == 1 ? "s" : "");
    return status;
}

static bool set_to(cli_options *options, const char *name, const char *argument)
{
    char names[256];
    cli_list_formats(false, names, sizeof names);
    return cm_export_format_find(argument, &options->to) || cli_wrong(name, argument, names);
}

static bool set_cpu(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->cpus, argument)
                               : cli_wrong(name, argument, "a name, as in 'skx'");
}

static bool set_counters(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, CM_EXPORT_MOST_COUNTERS, &options->counters) ||
           cli_wrong(name, argument, "a number from 1 to 64");
}

static bool set_known_events(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->known_events, name, argument);
}

static bool set_most_events(cli_options *options, const char *name, const char *argument)
{
    return cli_read_count(argument, 1, 10000, &options->max_events) || cli_wrong(name, argument, "a number from 1 on");
}

static bool set_all(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->all = true;
    return true;
}

static bool set_sign(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->sign, name, argument);
}

static bool set_signature(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->signature, name, argument);
}

static bool set_signers(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->signers, name, argument);
}

static bool set_check(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->check = true;
    return true;
}

static bool set_patch(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->patch, name, argument);
}

static bool set_install(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->install = true;
    return true;
}

static bool set_multiplex(cli_options *options, const char *name, const char *argument)
{
    (void)name;
    (void)argument;
    options->multiplex = true;
    return true;
}

static bool set_plots(cli_options *options, const char *name, const char *argument)
{
    return cli_set_path(&options->plots, name, argument);
}

static bool set_audit(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->audits, argument) : cli_wrong(name, argument, "a path");
}

static bool set_shown(cli_options *options, const char *name, const char *argument)
{
    return argument[0] != '\0' ? cli_append(&options->shown, argument) : cli_wrong(name, argument, "a path");
}

const cli_option cli_formulas_options[] = {
    {"to", CLI_EXPORT, "FORMAT", "", set_to},
    {"output", CLI_EXPORT, "FILE", "write into a file instead of stdout; likwid: into a directory, one file per group",
     cli_set_output},
    {"output", CLI_REPORT, "FILE", "write the page into this file; required", cli_set_output},
    {"output", CLI_BUNDLE, "FILE", "write the bundle into this file; required without --check", cli_set_output},
    {"check", CLI_BUNDLE, NULL, "check a bundle instead of making one", set_check},
    {"sign", CLI_BUNDLE, "KEY", "sign the bundle with this key of OpenSSH, into FILE.sig", set_sign},
    {"signature", CLI_BUNDLE, "FILE", "with --check and --signers: the bundle's signature", set_signature},
    {"signers", CLI_BUNDLE, "FILE",
     "with --signature: who may have signed, in the format of ssh-keygen's allowed signers", set_signers},
    {"plots", CLI_REPORT, "DIR", "also write each plot as SVG into this directory", set_plots},
    {"audit", CLI_REPORT, "FILE", "also show this audit, as 'catmint audit --format json' writes it; may be repeated",
     set_audit},
    {"values", CLI_REPORT, "FILE",
     "also show these values of formulas, as 'catmint evaluate --format json' writes them; may be repeated", set_shown},
    {"cpu", CLI_REPORT, "PMU",
     "libpfm4's name of the processor's PMU, for what is copied into tables of PAPI, as in 'skx'; may be repeated",
     set_cpu},
    {"cpu", CLI_BUNDLE | CLI_DISCOVER, "PMU",
     "libpfm4's name of the processor's PMU, for a table of PAPI, as in 'skx'; may be repeated", set_cpu},
    {"cpu", CLI_EXPORT, "PMU",
     "papi, papi-user: libpfm4's name of the processor's PMU, as in 'skx'; "
     "rocprofv3: the GPU, as in 'gfx90a'; may be repeated",
     set_cpu},
    {"cpu", CLI_AUDIT, "PMU", "with --upstream: libpfm4's name of the processor (default: that of the results)",
     set_cpu},
    {"cpu", CLI_LINT, "PMU",
     "libpfm4's name of the processor that all formulas are for: those of its events that libpfm4 does not have are "
     "faults (default: by sections, and by the lists in the tree that a file is in)",
     set_cpu},
    {"counters", CLI_EXPORT, "N", "likwid: general-purpose counters per group (default 4)", set_counters},
    {"known-events", CLI_EXPORT, "PATH",
     "refuse events that are not in this list of the program's: a file, or a folder of perf's or perfmon's JSON, or of "
     "LIKWID's lists (papi: libpfm4's own by default)",
     set_known_events},
    {"known-events", CLI_LINT, "PATH",
     "events that are not in this list are faults: a file, or a folder of perf's or perfmon's JSON, or of LIKWID's "
     "lists",
     set_known_events},
    {"patch", CLI_EXPORT, "FILE",
     "papi with --cpu: write what changes in PAPI's own table, papi_events.csv, as a unified diff", set_patch},
    {"install", CLI_EXPORT, NULL,
     "papi: put the presets into --output, a file or a directory, or else into the file that PAPI_CSV_EVENT_FILE "
     "names, and let papi_avail look at them",
     set_install},
    {"replace", CLI_EXPORT, NULL,
     "with --install: also write over a file that catmint did not install, or that was changed since", cli_set_replace},
    {"max-events", CLI_EXPORT, "K", "refuse definitions with more than K events", set_most_events},
    {"multiplex", CLI_EXPORT, NULL,
     "papi, papi-user, likwid: also export definitions whose events cannot be counted at the same time", set_multiplex},
    {"all", CLI_EXPORT, NULL, "also export definitions that are not composable", set_all},
};
const size_t cli_formulas_option_count = sizeof cli_formulas_options / sizeof cli_formulas_options[0];
