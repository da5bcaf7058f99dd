/* --budget: what is counted within a time. */
#ifndef CM_CLI_BUDGET_H
#define CM_CLI_BUDGET_H

#include "cli/command.h"

/* "90", "90s", "10m" or "1.5h" as seconds, above 0. */
bool cli_read_duration(const char *text, double *seconds);
/* "90 s", "10 minutes" */
const char *cli_show_duration(double seconds, char *text, size_t size);

/* Keeps of `benchmarks` those that fit the budget, the most metrics for their time first, and one more that is begun
 * where time is left; says how long they take and what is left out. Where a sweep is resumed, or nothing limits it, all
 * stay; a terminal is told how long all of it takes. `sweep` is of all benchmarks, and gets those that are left.
 * `more_follows`: counting them is not all that the budget is for. */
cli_exit cli_keep_budget(cm_counting *counting, const cli_options *options, bool more_follows, cli_list *benchmarks,
                         cm_sweep_options *sweep);

/* cm_sweep, ended when its share of the budget is used up; what counting leaves of that is the time of what follows. */
cm_status cli_sweep_in_time(cm_counting *counting, const cli_options *options, bool more_follows,
                            const cm_sweep_options *sweep, cm_sweep_summary *summary, cm_error *error);
/* That time is over, and which command counts the rest: the benchmarks that were chosen, whose times may come out
 * otherwise. */
void cli_say_expired(const cm_sweep_options *sweep, const cli_options *options);

#endif
