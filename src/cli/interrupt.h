/* Ctrl-C: the first raises a flag that work in progress looks at, the second ends the program. */
#ifndef CM_CLI_INTERRUPT_H
#define CM_CLI_INTERRUPT_H

void cli_interrupt_catch(void);
/* Non-zero after SIGINT, SIGTERM or SIGHUP. */
const volatile int *cli_interrupt_flag(void);

#endif
