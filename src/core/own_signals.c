#include "core/own_signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* FAULTS: the first so many are faults of a program, which are noted even where the program handles them. */
enum { FAULTS = 7, STACK_SIZE = 1 << 16 };
static const int ending[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGABRT, SIGTRAP, SIGSYS,  SIGTERM,
                             SIGQUIT, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO};

/* What a signal handler needs; each process has its own. */
static atomic_int *noted_in;
static char handler_stack[STACK_SIZE]; /* the process's own may be what is used up */

static void note(int signal, siginfo_t *info, void *context)
{
    (void)context;
    bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
    atomic_store(noted_in, sent && info->si_pid != getpid() ? -signal : signal);
    raise(signal); /* its disposition is the default again */
}

void cm_own_signals_note(atomic_int *noted)
{
    noted_in = noted;
    sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL);
    struct sigaction action = {.sa_sigaction = note, .sa_flags = (int)SA_RESETHAND | SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        struct sigaction before;
        if (i < FAULTS || (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL))
            sigaction(ending[i], &action, NULL);
    }
}

bool cm_own_signal(int signal, int noted)
{
    if (noted == signal || noted == -signal)
        return noted > 0;
    for (size_t i = 0; i < FAULTS; i++)
        if (ending[i] == signal)
            return true;
    return false;
}
