/* A program whose additions are known: counted_program THREADS CHILDREN. Each thread adds 1000 times, each forked child
 * 100 times, one of them killed when it has, the program itself 10 times. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *add(void *times)
{
    volatile double sum = 0;
    for (intptr_t i = 0; i < (intptr_t)times; i++)
        sum = sum + 1;
    return NULL;
}

static int work_in_child(int child)
{
    pid_t process = fork();
    if (process != 0)
        return process > 0 ? 0 : 1;
    add((void *)(intptr_t)100);
    if (child == 0)
        kill(getpid(), SIGKILL);
    _exit(0);
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 0, children = argc > 2 ? atoi(argv[2]) : 0, failed = 0;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        failed |= pthread_create(&thread, NULL, add, (void *)(intptr_t)1000);
        failed |= pthread_join(thread, NULL);
    }
    for (int i = 0; i < children; i++)
        failed |= work_in_child(i);
    while (wait(NULL) > 0)
        continue;
    add((void *)(intptr_t)10);
    return failed != 0;
}
