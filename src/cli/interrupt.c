#include "cli/command.h"

#include <signal.h>
#include <sys/time.h>

static volatile int raised, signalled, expired; /* state of the signal handler */

static void on_signal(int signal_number)
{
    (void)signal_number;
    signalled = 1;
    raised = 1;
}

void cli_interrupt_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CM_COUNT_OF(signals); i++) {
        struct sigaction before;
        /* Signals that the parent ignores (nohup) stay ignored. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

static void on_file_limit(int signal_number)
{
    (void)signal_number;
}

void cli_catch_file_limit(void)
{
    struct sigaction action = {.sa_handler = on_file_limit}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &action, NULL);
}

const volatile int *cli_interrupt_flag(void)
{
    return &raised;
}

static void on_alarm(int signal_number)
{
    (void)signal_number;
    expired = 1;
    raised = 1;
}

void cli_interrupt_after(double seconds)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - floor(seconds)) * 1e6)}};
    cli_interrupt_forget();
    expired = 0;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

const volatile int *cli_interrupt_expiry(void)
{
    return &expired;
}

bool cli_interrupt_expired(void)
{
    return expired != 0;
}

void cli_interrupt_forget(void)
{
    static const struct itimerval never;
    setitimer(ITIMER_REAL, &never, NULL);
    raised = signalled;
}
