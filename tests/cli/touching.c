/* For tests: touches as many new pages as are asked for, in two threads, in the first one and in a child, and once
 * more; each is one page fault. With a second argument it prints a line before that and waits until it has read one, or
 * its input ends. Exit status 5. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, THREADS = 2 };

static void *touch(void *argument)
{
    size_t size = *(const size_t *)argument * PAGE;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    madvise(memory, size, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < size; i += PAGE)
        memory[i] = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    size_t pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    size_t counts[THREADS] = {pages, 2 * pages};
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, touch, &counts[i]);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pid_t child = fork();
    touch(&pages);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    if (argc > 2) {
        puts("waiting");
        fflush(stdout);
        getchar();
    }
    touch(&pages);
    return 5;
}
