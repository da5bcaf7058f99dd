/* Regions, inside the program that names them. Its threads count for themselves and add their counts under a lock; the
 * lists belong to the process, since a call has only a name. */
#include <pthread.h>
#include <stdatomic.h>

#include "core/system.h"
#include "count/count.h"

typedef struct region {
    char name[CM_REGION_NAME];
    unsigned long long calls;
    double seconds; /* over all threads and calls */
    double *counts;
} region;

typedef struct thread_regions {
    cm_gauge *gauge;
    uint64_t *now;
    uint64_t *begun[CM_REGIONS_MOST]; /* NULL: not in that region */
    double entered[CM_REGIONS_MOST];  /* seconds */
} thread_regions;

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static atomic_bool active;
static bool timed; /* not under emulation: its time means nothing, and reading it would be counted */
static const char *directory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static region regions[CM_REGIONS_MOST];
static size_t region_count;
static pthread_key_t of_thread;
static cm_gauge_plan *plan;

static void write_region(FILE *file, const region *one)
{
    fprintf(file, "%s\t%llu", one->name, one->calls);
    for (size_t i = 0; i < cm_gauge_width(plan); i++)
        fprintf(file, "\t%.17g", one->counts[i]);
    if (timed)
        fprintf(file, "\t%.17g", one->seconds);
    fputc('\n', file);
}

/* Writes the file of regions at the end of the process. */
static void leave_results(void)
{
    char path[4096];
    if (!active)
        return;
    active = false;
    snprintf(path, sizeof path, "%s/%ld", directory, (long)getpid());
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < region_count; i++)
        write_region(file, &regions[i]);
    pthread_mutex_unlock(&lock);
    fclose(file);
}

static void free_thread(void *data)
{
    thread_regions *mine = data;
    for (size_t i = 0; i < CM_REGIONS_MOST; i++)
        free(mine->begun[i]);
    cm_gauge_free(mine->gauge);
    CM_FREE(mine->now, mine);
}

static void stop_in_child(void)
{
    active = false;
}

static void load_plan(void)
{
    directory = getenv(CM_REGIONS_VARIABLE);
    if (directory == NULL || cm_gauge_plan_load(directory, &plan, NULL) != CM_OK)
        return;
    timed = getenv(CM_REGIONS_EMULATED) == NULL;
    if (pthread_key_create(&of_thread, free_thread) == 0 && pthread_atfork(NULL, NULL, stop_in_child) == 0 &&
        atexit(leave_results) == 0)
        active = true;
}

/* The calling thread's regions, made at its first call; NULL without memory or counters. */
static thread_regions *this_thread(void)
{
    thread_regions *mine = pthread_getspecific(of_thread);
    if (mine != NULL)
        return mine;
    if (!CM_ALLOCATE(mine, 1))
        return NULL;
    mine->now = calloc(cm_gauge_width(plan) + 1, sizeof *mine->now);
    if (mine->now != NULL && cm_gauge_create(plan, &mine->gauge, NULL) == CM_OK &&
        pthread_setspecific(of_thread, mine) == 0)
        return mine;
    free_thread(mine);
    return NULL;
}

/* Replaces the characters that end a line or a field. */
static void write_name(const char *name, char written[CM_REGION_NAME])
{
    snprintf(written, CM_REGION_NAME, "%s", name);
    for (char *c = written; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
}

/* The index of the region, which is made if it is new; CM_REGIONS_MOST: there are too many. */
static size_t find_region(const char *name)
{
    char written[CM_REGION_NAME];
    write_name(name, written);
    pthread_mutex_lock(&lock);
    size_t at = 0;
    while (at < region_count && strcmp(regions[at].name, written) != 0)
        at++;
    if (at == region_count && at < CM_REGIONS_MOST) {
        regions[at].counts = calloc(cm_gauge_width(plan) + 1, sizeof(double));
        memcpy(regions[at].name, written, sizeof written);
        if (regions[at].counts != NULL)
            region_count++;
        else
            at = CM_REGIONS_MOST;
    }
    pthread_mutex_unlock(&lock);
    return at;
}

static double now_seconds(void)
{
    return timed ? cm_clock_seconds() : 0.0;
}

/* The clock is read outside the counted part. */
void cm_count_start(const char *name)
{
    pthread_once(&asked, load_plan);
    thread_regions *mine = active ? this_thread() : NULL;
    size_t at = mine != NULL ? find_region(name) : CM_REGIONS_MOST;
    if (at == CM_REGIONS_MOST)
        return;
    if (mine->begun[at] == NULL)
        mine->begun[at] = calloc(cm_gauge_width(plan) + 1, sizeof *mine->now);
    mine->entered[at] = now_seconds();
    if (mine->begun[at] != NULL)
        cm_gauge_read(mine->gauge, mine->begun[at]);
}

static void add_counts(region *one, double seconds, const uint64_t *begun, const uint64_t *now)
{
    pthread_mutex_lock(&lock);
    one->calls++;
    one->seconds += seconds;
    for (size_t i = 0; i < cm_gauge_width(plan); i++)
        one->counts[i] += (double)(now[i] - begun[i]);
    pthread_mutex_unlock(&lock);
}

void cm_count_stop(const char *name)
{
    thread_regions *mine = active ? pthread_getspecific(of_thread) : NULL;
    if (mine == NULL || !cm_gauge_read(mine->gauge, mine->now))
        return;
    const double left = now_seconds();
    size_t at = find_region(name);
    if (at == CM_REGIONS_MOST || mine->begun[at] == NULL)
        return;
    add_counts(&regions[at], left - mine->entered[at], mine->begun[at], mine->now);
    free(mine->begun[at]);
    mine->begun[at] = NULL;
}
