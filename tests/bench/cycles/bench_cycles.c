/* catmint's own kernels that need no chain, and its workloads, in cycles of an iteration by the clock. usage:
 * bench_cycles BENCHMARK/NAME ITERATIONS REPETITIONS; without arguments it lists what this processor executes. Built by
 * the target `bench`; tests/bench/cycles.py runs it. */
#include <string.h>

#include <catmint/kernels.h>

#include "clock.h"
#include "programs/workloads/workloads.h"

static const size_t caches[CM_WORKLOAD_LEVELS] = {32 << 10, 1 << 20, 0}; /* what leaves L2 takes too long to model */

typedef struct item {
    const cm_kernel *kernel;
    void *buffer;
} item;

static void run_iterations(const void *what, long turns)
{
    static cm_kernel_data data = {.generator = 88172645463325252u};
    const item *one = what;
    data.buffer = one->buffer;
    one->kernel->body((uint64_t)turns, &data);
}

/* Lists the item, or measures it if it has the name. Returns whether it has. */
static bool handle(const item *one, int count, char **words)
{
    char name[256];
    if (one->kernel->level != 0 || cm_kernel_is_of_gpu(one->kernel) || !cm_kernel_available(one->kernel))
        return false;
    snprintf(name, sizeof name, "%s/%s", one->kernel->benchmark, one->kernel->name);
    if (count == 1)
        puts(name);
    if (count != 4 || strcmp(name, words[1]) != 0)
        return false;
    print_cycles(run_iterations, one, atol(words[2]), atol(words[3]));
    return true;
}

int main(int count, char **words)
{
    cm_workloads *workloads;
    cm_error error;
    bool found = count == 1;
    if (cm_workloads_create(caches, &workloads, &error) != CM_OK) {
        fprintf(stderr, "bench_cycles: %s\n", error.text);
        return 1;
    }
    for (size_t i = 0; i < cm_kernel_count() && (count == 1 || !found); i++)
        found |= handle(&(item){cm_kernel_get(i), NULL}, count, words);
    for (size_t i = 1; i <= cm_workloads_count(workloads) && (count == 1 || !found); i++)
        found |= handle(&(item){cm_workloads_kernel(workloads, i), cm_workloads_buffer(workloads, i)}, count, words);
    cm_workloads_free(workloads);
    return found ? 0 : 2;
}
