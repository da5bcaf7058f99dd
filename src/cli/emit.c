/* --emit of catmint kernels and validate, and --trace: sources for machines without a system, and their traces. */
#include "cli/sweeping.h"

bool cli_has_emit_options(const cli_options *options)
{
    return (options->trace == NULL && (options->isa != NULL || options->iterations != 0)) ||
           options->target != CLI_NO_TARGET || options->events_file != NULL || options->selection != CM_SELECT_INDEX ||
           options->counters != 0;
}

/* The library's options of an emission, from those of the command line. */
static cm_emit_options emit_options(const cli_options *options)
{
    return (cm_emit_options){.size = sizeof(cm_emit_options),
                             .directory = options->emit,
                             .isa = options->isa,
                             .benchmark_count = options->benchmarks.count,
                             .benchmarks = options->benchmarks.items,
                             .events_file = options->events_file,
                             .selection = options->selection,
                             .counters = options->counters,
                             .turns = options->iterations,
                             .seed = options->seed};
}

/* Holds the facts of kernels, or of so many programs, against a trace. */
static cli_exit verify_trace(const cli_options *options, size_t programs)
{
    cm_emit_options emitted = emit_options(options);
    cm_verification *verifications[CM_EMITTED_BENCHMARKS];
    size_t count = 0;
    cm_error error;
    emitted.programs = programs;
    if (cm_verifications_of_trace_create(options->trace, &emitted, verifications, &count, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_print_verifications(verifications, count);
    for (size_t i = 0; i < count; i++)
        cm_verification_free(verifications[i]);
    return code;
}

cli_exit cli_verify_trace(const cli_options *options)
{
    if (options->verify && options->isa != NULL)
        return verify_trace(options, 0);
    return cli_end(CLI_USAGE, "--trace needs --verify and --isa, as in '--verify --trace trace.csv --isa rv32imc'");
}

/* Whether nothing was given that programs that are written out do not have. */
static bool is_of_programs(const cli_options *options, const char *option)
{
    if (options->operands.count > 0 || options->benchmarks.count > 0)
        cli_write("%s takes no %s", option, options->operands.count > 0 ? "directory of a sweep" : "--benchmark");
    return options->operands.count == 0 && options->benchmarks.count == 0;
}

cli_exit cli_verify_program_trace(const cli_options *options)
{
    if (!is_of_programs(options, "--trace"))
        return CLI_USAGE;
    if (options->isa != NULL && options->emit == NULL && !cli_has_emit_options(options))
        return cli_finish_stdout(verify_trace(options, cli_program_count(options)));
    return cli_end(CLI_USAGE, "--trace needs --isa, and takes --seed, --programs and --iterations alone");
}

/* Writes kernels out, or so many programs. */
static cli_exit emit_kernels(const cli_options *options, size_t programs)
{
    if (options->isa == NULL)
        return cli_end(CLI_USAGE, "--emit needs --isa, as in '--isa rv32imc'");
    cm_emit_options emitted = emit_options(options);
    cm_emit_summary summary;
    cm_error error;
    emitted.programs = programs;
    if (cm_emit_kernels(&emitted, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    char quoted[CLI_QUOTED_SIZE];
    cli_write("%zu %s and %zu event%s of %s are in %s: build them with 'make -C %s'",
              programs > 0 ? programs : summary.kernels, programs > 0 ? "programs" : "kernels", summary.events,
              summary.events == 1 ? "" : "s", options->isa, options->emit, cli_quote(options->emit, quoted));
    return CLI_DONE;
}

cli_exit cli_emit_kernels(const cli_options *options)
{
    return emit_kernels(options, 0);
}

cli_exit cli_emit_programs(const cli_options *options)
{
    return is_of_programs(options, "--emit") ? emit_kernels(options, cli_program_count(options)) : CLI_USAGE;
}
