/* Ctrl-C: the first raises a flag that work in progress looks at, the second ends the program. */
#ifndef CM_CLI_INTERRUPT_H
#define CM_CLI_INTERRUPT_H

#include <stdbool.h>

void cli_interrupt_catch(void);
/* A file that would grow beyond the limit of the shell (ulimit -f) cannot be written from then on, as on a full disk.
 * It is caught, not ignored, so that programs that are started have the default again. */
void cli_catch_file_limit(void);
/* Non-zero after SIGINT, SIGTERM or SIGHUP. */
const volatile int *cli_interrupt_flag(void);

/* Raises the flag after so many seconds from now on, by SIGALRM; what an earlier time raised is down again. */
void cli_interrupt_after(double seconds);
/* Whether that is what raised it, as a flag that is non-zero then, and as it is now. */
const volatile int *cli_interrupt_expiry(void);
bool cli_interrupt_expired(void);
/* What is left to do is short: no time ends it, and what the time raised is down again. */
void cli_interrupt_forget(void);

#endif
