/* --budget: chooses benchmarks by the time they take. */
#ifndef CM_CLI_BUDGET_H
#define CM_CLI_BUDGET_H

#include "cli/command.h"

/* Reads "90", "90s", "10m" or "1.5h" as seconds, above 0. */
bool cli_read_duration(const char *text, double *seconds);
/* Writes "90 s" or "10 minutes". */
const char *cli_show_duration(double seconds, char *text, size_t size);

/* Keeps in `benchmarks` those that fit the budget, the ones with the most metrics for their time first, and one more
 * that is begun if time is left; says how long they take and which are left out. A sweep that is resumed, or has no
 * budget, keeps all; on a terminal the total time is shown. `sweep` has all benchmarks at first, then those that are
 * kept. `more_follows`: part of the budget is for work after counting. */
cli_exit cli_keep_budget(cm_counting *counting, const cli_options *options, bool more_follows, cli_list *benchmarks,
                         cm_sweep_options *sweep);

/* Runs cm_sweep and ends it when its share of the budget is used up. The rest of the budget is for the work that
 * follows. */
cm_status cli_sweep_in_time(cm_counting *counting, const cli_options *options, bool more_follows,
                            const cm_sweep_options *sweep, cm_sweep_summary *summary, cm_error *error);
/* Says that the time is used up, and which command counts the rest of the chosen benchmarks. */
void cli_say_expired(const cm_sweep_options *sweep, const cli_options *options);

#endif
