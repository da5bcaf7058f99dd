#include "core/system.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };

void cm_on_all_cores(void *(*work)(void *), void *context)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[MOST_THREADS];
    int started = 0;
    while (started + 1 < cores && started < MOST_THREADS && pthread_create(&threads[started], NULL, work, context) == 0)
        started++;
    (void)work(context);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
