#include "cli/sweeping.h"

static cli_exit list_kernels(void)
{
    cm_error error;
    return cli_finish_writing(cm_kernels_write(&(cm_output_style){.format = CM_FORMAT_TABLE}, stdout, &error), &error);
}

cli_exit cli_kernels(const cli_options *options)
{
    if (options->launch || options->planned_for != CLI_NO_PLAN)
        return cli_finish_stdout(cli_launch_kernels(options));
    if (options->verify && options->confounded)
        return cli_end(CLI_USAGE, "--verify and --confounded exclude each other");
    if (options->emit != NULL && (options->verify || options->confounded || options->pmu_text != NULL))
        return cli_end(CLI_USAGE, "--emit and %s exclude each other",
                       options->verify       ? "--verify"
                       : options->confounded ? "--confounded"
                                             : "--pmu");
    if (options->emit != NULL && options->trace != NULL)
        return cli_end(CLI_USAGE, "--emit and --trace exclude each other");
    if (options->emit == NULL && cli_has_emit_options(options))
        return cli_end(
            CLI_USAGE,
            "--target, --events, --select and --counters need --emit; --isa and --iterations that, or --trace");
    if (options->emit != NULL)
        return cli_emit_kernels(options);
    if (options->trace != NULL && !options->confounded && options->pmu_text == NULL)
        return cli_verify_trace(options);
    if (options->trace != NULL)
        return cli_end(CLI_USAGE, "--trace and %s exclude each other", options->confounded ? "--confounded" : "--pmu");
    if ((options->pmu_text != NULL || options->benchmarks.count != 0) && !options->verify)
        return cli_end(CLI_USAGE, "%s needs --verify, --run or --plan",
                       options->pmu_text != NULL ? "--pmu" : "--benchmark");
    if (options->benchmarks.count != 0 && options->pmu.kind == CM_PMU_HARDWARE)
        return cli_end(CLI_USAGE,
                       "--benchmark and --pmu hardware exclude each other: machine code is that of gpu-flops alone");
    return cli_finish_stdout(options->verify       ? cli_verify_kernels(options)
                             : options->confounded ? cli_list_confounded()
                                                   : list_kernels());
}
