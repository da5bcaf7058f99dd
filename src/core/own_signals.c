#include "core/system.h"

#include <signal.h>
#include <unistd.h>

/* FAULTS: the first so many signals are the processor's, which are noted even if the program handles them. */
enum { FAULTS = 7, STACK_SIZE = 1 << 16 };
static const int ending[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGABRT, SIGTRAP, SIGSYS,  SIGTERM,
                             SIGQUIT, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO};

/* State of the signal handler; each process has its own. */
static atomic_int *noted_in;
static char handler_stack[STACK_SIZE]; /* the process's own stack may be exhausted */

static void note_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
    atomic_store(noted_in, sent && info->si_pid != getpid() ? -signal : signal);
    raise(signal); /* the handler has been reset to the default */
}

void cm_own_signals_note(atomic_int *noted)
{
    noted_in = noted;
    sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL);
    struct sigaction action = {.sa_sigaction = note_signal, .sa_flags = (int)SA_RESETHAND | SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CM_COUNT_OF(ending); i++) {
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
