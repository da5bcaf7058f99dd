#include "cli/emit.h"

bool cli_has_emit_options(const cli_options *options)
{
    return options->isa != NULL || options->target != CLI_NO_TARGET || options->events_file != NULL ||
           options->selection != CM_SELECT_INDEX || options->counters != 0 || options->iterations != 0;
}

cli_exit cli_emit_kernels(const cli_options *options)
{
    if (options->isa == NULL) {
        cli_say("--emit needs --isa, as in '--isa rv32imc'");
        return CLI_USAGE;
    }
    const cm_emit_options emit = {.directory = options->emit,
                                  .isa = options->isa,
                                  .benchmark_count = options->benchmarks.count,
                                  .benchmarks = options->benchmarks.items,
                                  .events_file = options->events_file,
                                  .selection = options->selection,
                                  .counters = options->counters,
                                  .turns = options->iterations};
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
