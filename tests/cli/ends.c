/* A program that works a million turns of a loop, and ends as its argument says. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sum;
static jmp_buf before;

static void work(void)
{
    for (long turn = 0; turn < 1000000; turn++)
        sum += turn;
}

/* Fills the stack. */
static long overflow(long depth)
{
    volatile char page[4096];
    page[0] = (char)depth;
    return overflow(depth + 1) + page[0];
}

static void jump_out(int signal)
{
    longjmp(before, signal);
}

static void end_as(const char *way)
{
    if (strcmp(way, "at_exit") == 0)
        exit(atexit(work));
    if (strcmp(way, "at_quick_exit") == 0)
        quick_exit(at_quick_exit(work));
    if (strcmp(way, "jump") == 0 && signal(SIGUSR1, jump_out) != SIG_ERR && setjmp(before) == 0)
        raise(SIGUSR1);
    work();
    if (strcmp(way, "_exit") == 0)
        _exit(0);
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "fault") == 0)
        *(volatile char *)(size_t)strlen("") = 0;
    if (strcmp(way, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(way, "overflow") == 0)
        sum += overflow(0);
    if (strcmp(way, "exec") == 0)
        execlp("true", "true", (char *)NULL);
    exit(strcmp(way, "system") == 0 ? system("true") : 0);
}

int main(int count, char **words)
{
    if (count == 2)
        end_as(words[1]);
    if (fork() == 0)
        end_as(words[1]);
    return wait(NULL) < 0;
}
