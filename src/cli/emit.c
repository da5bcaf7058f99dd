#include "cli/emit.h"

bool cli_has_emit_options(const cli_options *options)
{
    return (options->trace == NULL && (options->isa != NULL || options->iterations != 0)) ||
           options->target != CLI_NO_TARGET || options->events_file != NULL || options->selection != CM_SELECT_INDEX ||
           options->counters != 0;
}

static cm_emit_options emit_options(const cli_options *options)
{
    return (cm_emit_options){.directory = options->emit,
                             .isa = options->isa,
                             .benchmark_count = options->benchmarks.count,
                             .benchmarks = options->benchmarks.items,
                             .events_file = options->events_file,
                             .selection = options->selection,
                             .counters = options->counters,
                             .turns = options->iterations};
}

cli_exit cli_verify_trace(const cli_options *options)
{
    const cm_emit_options emitted = emit_options(options);
    cm_verification *verifications[CM_EMITTED_BENCHMARKS];
    size_t count = 0;
    cm_error error;
    if (!options->verify || options->isa == NULL) {
        cli_say("--trace needs --verify and --isa, as in '--verify --trace trace.csv --isa rv32imc'");
        return CLI_USAGE;
    }
    if (cm_verifications_of_trace_create(options->trace, &emitted, verifications, &count, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cli_print_verifications(verifications, count);
    for (size_t i = 0; i < count; i++)
        cm_verification_free(verifications[i]);
    return code;
}

cli_exit cli_emit_kernels(const cli_options *options)
{
    if (options->isa == NULL) {
        cli_say("--emit needs --isa, as in '--isa rv32imc'");
        return CLI_USAGE;
    }
    const cm_emit_options emit = emit_options(options);
    cm_emit_summary summary;
    cm_error error;
    if (cm_emit_kernels(&emit, &summary, &error) != CM_OK)
        return cli_fail_writing(&error);
    char quoted[CLI_QUOTED_SIZE];
    cli_say("%zu kernels and %zu event%s of %s are in %s: build them with 'make -C %s'", summary.kernels,
            summary.events, summary.events == 1 ? "" : "s", options->isa, options->emit,
            cli_quote(options->emit, quoted));
    return CLI_DONE;
}
