#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile int raised; /* what a signal handler needs */

static void on_signal(int signal_number)
{
    (void)signal_number;
    raised = 1;
}

void cli_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction before;
        /* What the parent ignores (nohup) stays ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

const volatile int *cli_interrupt_flag(void)
{
    return &raised;
}
