/* catmint kernels: the kernels of benchmarks and what they execute. */
#include "cli/sweeping.h"

/* Prints the launches; wrong or refused kernels make the command succeed in part. */
static cli_exit print_launches(const cm_launches *launches)
{
    const cm_output_style style = {.format = CM_FORMAT_TABLE, .width = cli_width(stdout)};
    const size_t wrong = launches->counts[CM_LAUNCH_WRONG], refused = launches->counts[CM_LAUNCH_REFUSED];
    cm_error error;
    cli_exit code = cli_finish_writing(cm_launches_write(launches, &style, stdout, &error), &error);
    if (code != CLI_DONE || wrong + refused == 0)
        return code;
    cli_write("kernels with wrong results: %zu; refused by the driver, or failed: %zu", wrong, refused);
    return CLI_PARTLY;
}

/* Refuses benchmarks that are not of GPUs. */
static cli_exit check_benchmarks(const cli_options *options)
{
    for (size_t i = 0; i < options->benchmarks.count; i++)
        if (!cli_is_of_gpu(options->benchmarks.items[i]))
            return cli_end(
                CLI_USAGE,
                "--run and --plan are for kernels of GPUs, found '%s', expected some of gpu-flops, gpu-matrix, "
                "gpu-memory, gpu-instructions",
                options->benchmarks.items[i]);
    return CLI_DONE;
}

/* The model of --pmu software:MODEL, with its default; NULL: the PMU is hardware. */
static const char *find_model(const cli_options *options)
{
    if (options->pmu.kind != CM_PMU_SOFTWARE)
        return NULL;
    return options->pmu.model != NULL ? options->pmu.model : "hopper";
}

/* Runs the kernels on a GPU, or on the software GPU of a model. */
static cli_exit launch_kernels(const cli_options *options)
{
    cm_launches *launches = NULL;
    cm_error error;
    if (cm_launches_create(find_model(options), options->benchmarks.items, options->benchmarks.count,
                           (uint32_t)options->iterations, cli_interrupt_flag(), &launches, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = print_launches(launches);
    cm_launches_free(launches);
    return code;
}

static cli_exit print_plan(const cli_options *options)
{
    const cm_profiler profiler = options->planned_for == CLI_PLAN_NCU ? CM_PROFILER_NCU : CM_PROFILER_ROCPROFV3;
    const char *model = options->pmu_text != NULL ? find_model(options) : NULL;
    cm_error error;
    return cli_finish_writing(
        cm_profiler_plan_write(profiler, model, options->benchmarks.items, options->benchmarks.count, stdout, &error),
        &error);
}

/* Refuses options of other ways to use kernels, and those that the chosen way does not take. */
static cli_exit check_launch_options(const cli_options *options)
{
    const char *way = options->launch ? "--run" : "--plan";
    const struct {
        bool given;
        const char *name;
    } others[] = {{options->launch && options->planned_for != CLI_NO_PLAN, "--plan"},
                  {options->verify, "--verify"},
                  {options->confounded, "--confounded"},
                  {options->emit != NULL, "--emit"},
                  {options->trace != NULL, "--trace"}};
    cli_options rest = *options;
    rest.iterations = 0;
    for (size_t i = 0; i < CM_COUNT_OF(others); i++)
        if (others[i].given)
            return cli_end(CLI_USAGE, "%s and %s exclude each other", way, others[i].name);
    if (cli_has_emit_options(&rest))
        return cli_end(CLI_USAGE, "--isa, --target, --events, --select and --counters need --emit");
    if (options->iterations > (options->launch ? UINT32_MAX : 0))
        return cli_end(CLI_USAGE, options->launch ? "--iterations: with --run expected at most 4294967295 turns"
                                                  : "--iterations needs --run or --emit");
    return check_benchmarks(options);
}

/* Prints the facts that the kernels of all benchmarks cannot distinguish; CLI_PARTLY if any of them must be
 * distinguished. */
static cli_exit list_confounded(void)
{
    cm_error error;
    cm_confounded_facts *found = NULL;
    if (cm_confounded_facts_create(NULL, &found, &error) != CM_OK)
        return cli_fail(&error);
    const cm_output_style style = {.format = CM_FORMAT_TABLE, .width = cli_width(stdout)};
    size_t failures = found->failures;
    cli_exit code = cli_finish_writing(cm_confounded_facts_write(found, &style, stdout, &error), &error);
    cm_confounded_facts_free(found);
    if (code != CLI_DONE || failures == 0)
        return code;
    cli_write("facts that must be separate and are not: %zu", failures);
    return CLI_PARTLY;
}

cli_exit cli_kernels(const cli_options *options)
{
    if (options->launch || options->planned_for != CLI_NO_PLAN) {
        cli_exit code = check_launch_options(options);
        CM_THEN(code, options->launch ? launch_kernels(options) : print_plan(options));
        return cli_finish_stdout(code);
    }
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
    if (options->verify || options->confounded)
        return cli_finish_stdout(options->verify ? cli_verify_kernels(options) : list_confounded());
    cm_error error;
    const cm_status status = cm_kernels_write(&(cm_output_style){.format = CM_FORMAT_TABLE}, stdout, &error);
    return cli_finish_stdout(cli_finish_writing(status, &error));
}
