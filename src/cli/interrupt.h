/* Work that is interrupted, and the progress of measurements. */
#ifndef CM_CLI_INTERRUPT_H
#define CM_CLI_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- interrupt.c: ctrl-C: the first sets a flag that running work polls, the second ends the program ---- */

void cli_interrupt_catch(void);
/* A write beyond the shell's limit (ulimit -f) fails from now on, as on a full disk. The signal is caught, not ignored,
 * so that programs started later have the default again. */
void cli_catch_file_limit(void);
/* Non-zero after SIGINT, SIGTERM or SIGHUP. */
const volatile int *cli_interrupt_flag(void);

/* Sets the flag after so many seconds from now on, by SIGALRM, and clears it if an earlier time had set it. */
void cli_interrupt_after(double seconds);
/* A flag that is non-zero if the time has set the interrupt flag. */
const volatile int *cli_interrupt_expiry(void);
bool cli_interrupt_expired(void);
/* Stops the timer, and clears the flag if the time had set it, because the remaining work is short. */
void cli_interrupt_forget(void);

/* ---- measuring.c: progress of a measurement of this machine ---- */

typedef struct cli_measuring {
    bool terminal; /* a line is redrawn; otherwise one is written each minute */
    size_t percent;
    double began, last; /* seconds on the clock: the beginning, and the last line */
} cli_measuring;

cli_measuring cli_measuring_begin(void);
/* `data` is a cli_measuring. */
void cli_measuring_show(size_t done, size_t all, void *data);
void cli_measuring_end(const cli_measuring *measuring);

#endif
