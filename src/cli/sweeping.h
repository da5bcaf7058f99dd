/* What `sweep` and `discover` share. */
#ifndef CM_CLI_SWEEPING_H
#define CM_CLI_SWEEPING_H

#include "cli/command.h"

/* Whether its kernels run on a GPU. */
bool cli_is_of_gpu(const char *benchmark);
/* All that there are, in the registry's order. */
cli_exit cli_list_benchmarks(cli_list *list);
/* Fills the list with those of the processor, or with those of GPUs where the PMU is a GPU's, where none was named;
 * says so where one that was named has none. */
cli_exit cli_choose_benchmarks(const cli_options *options, cli_list *chosen);
void cli_list_free(cli_list *list);

/* Without --shard: what Slurm, Open MPI, MPICH and others that speak PMI say in the environment of the processes that
 * they start. */
cli_exit cli_choose_shard(cli_options *options);

/* Says what is in the way of the sweep in the directory, before anything is counted; a cli_core_work. */
cli_exit cli_check_sweep(const char *directory, const cli_options *options, void *data);

/* Opens the PMU and sweeps into `directory`; says on stderr what failed and, where results will not, which PMU counts
 * and how much. With a budget `benchmarks` keeps those that fit. */
cli_exit cli_sweep_into(const char *directory, const cli_options *options, cli_list *benchmarks, bool results_follow);

#endif
