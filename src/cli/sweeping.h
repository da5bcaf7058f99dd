/* Shared by `sweep` and `discover`. */
#ifndef CM_CLI_SWEEPING_H
#define CM_CLI_SWEEPING_H

#include "cli/command.h"

/* Whether the benchmark's kernels run on a GPU. */
bool cli_is_of_gpu(const char *benchmark);
/* Lists all benchmarks, in the registry's order. */
cli_exit cli_list_benchmarks(cli_list *list);
/* Fills the list with the benchmarks named; without any, with the processor's, or with those of GPUs if the PMU is a
 * GPU's. Reports a named benchmark without kernels. */
cli_exit cli_choose_benchmarks(const cli_options *options, cli_list *chosen);
void cli_list_free(cli_list *list);

/* Without --shard: chooses the shard by the variables that Slurm, Open MPI, MPICH and other PMI launchers set for their
 * processes. */
cli_exit cli_choose_shard(cli_options *options);

/* Reports obstacles to the sweep in the directory before anything is counted; a cli_core_work. */
cli_exit cli_check_sweep(const char *directory, const cli_options *options, void *data);

/* Opens the PMU and sweeps into `directory`; reports on stderr failures and, unless results follow, the PMU and the
 * number of events. With a budget `benchmarks` keeps those that fit. */
cli_exit cli_sweep_into(const char *directory, const cli_options *options, cli_list *benchmarks, bool results_follow);

#endif
