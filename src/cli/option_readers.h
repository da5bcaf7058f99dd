/* Arguments of options that are read in a way of their own, and words to complete. */
#ifndef CM_CLI_OPTION_READERS_H
#define CM_CLI_OPTION_READERS_H

#include "cli/options.h"

/* Stores an argument, or reports that it is wrong. */
typedef bool cli_reader(cli_options *options, const char *name, const char *argument);

cli_reader cli_set_benchmarks, cli_set_pmu, cli_set_event_pattern, cli_set_raw, cli_set_shard, cli_set_max_buffer,
    cli_set_budget, cli_set_seed, cli_set_tau, cli_set_alpha, cli_set_export_format, cli_set_interval,
    cli_set_vector_bits, cli_set_cores, cli_set_precisions, cli_set_separator;

/* Words by index from 0 on, NULL behind the last one: the benchmarks of this processor's kernels, the formats of
 * exports, PAPI's presets of catmint's metrics. */
const char *cli_benchmark_at(size_t index);
const char *cli_export_format_at(size_t index);
const char *cli_preset_at(size_t index);

#endif
