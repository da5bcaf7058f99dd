/* Counts a whole program by stepping it in its own process, for instructions that QEMU does not execute: AVX-512. The
 * dynamic linker loads this library before all others (LD_PRELOAD), and main runs in the stepping machine. Facts go to
 * the file that QEMU's plugin writes (software_pmu/qemu/program_facts.h): those of the first thread, from main to the
 * end, and of forked children. Each process leaves them in a slot of its own when it ends. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "software_pmu/qemu/decoded.h"
#include "software_pmu/qemu/program_facts.h"
#include "software_pmu/x86_64/pmu.h"

enum { FLOWS = 1 << 14, FAILED = 125 };

typedef int program_main(int count, char **words, char **environment);
typedef int start_main(program_main *function, int count, char **words, void (*begin)(void), void (*end)(void),
                       void (*leave)(void), void *stack);

/* The flow of the instruction at an address; others at the same place take its place. */
typedef struct known_flow {
    uint64_t address;
    cm_flow flow;
} known_flow;

static cm_program_header *file; /* NULL: nothing is counted */
static cm_stepper *stepper;
static cm_flows flows;
static known_flow known[FLOWS];
static uint64_t of_parent[CM_FACT_COUNT];
static bool ended;
static struct {
    program_main *function;
    int count, exit;
    char **words, **environment;
} program;

/* ---- instructions that wait for others ---- */

static const cm_flow *flow_of(const cm_step *step)
{
    known_flow *one = &known[step->address % FLOWS];
    if (one->address != step->address) {
        one->address = step->address;
        cm_decode_flow(step->bytes, &one->flow);
    }
    return &one->flow;
}

/* Adds the instructions of `length` bytes from `step` on. */
static void add_flows(cm_stepper *pmu, cm_step *step, size_t length)
{
    const uint64_t end = step->address + length;
    do {
        pmu->modelled.facts[CM_FACT_IN_CORE_CYCLES] += cm_flows_add(&flows, flow_of(step), 1);
    } while (step->address + step->length < end &&
             cm_step_table_find(&pmu->steps, step->address + step->length, &step, NULL) == CM_OK);
}

/* ---- the end of a process, stepped or not ---- */

__attribute__((destructor)) static void leave_facts(void)
{
    if (stepper == NULL || ended)
        return;
    ended = true;
    cm_memory_settle(&stepper->modelled.memory, stepper->modelled.facts);
    const uint64_t index = atomic_fetch_add(&file->threads, 1);
    uint64_t *slot = (void *)((char *)file + CM_PROGRAM_SLOTS_AT + index % CM_PROGRAM_SLOTS * CM_PROGRAM_SLOT_SIZE);
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
        __atomic_fetch_add(&slot[fact], stepper->modelled.facts[fact] - of_parent[fact], __ATOMIC_RELAXED);
}

static void begin_child(void)
{
    memcpy(of_parent, stepper->modelled.facts, sizeof of_parent);
}

/* ---- the beginning ---- */

static bool map_file(const char *path)
{
    const size_t size = CM_PROGRAM_SLOTS_AT + (size_t)CM_PROGRAM_SLOTS * CM_PROGRAM_SLOT_SIZE;
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    void *mapped = descriptor < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0)
        close(descriptor);
    if (mapped == MAP_FAILED || !cm_program_is_ours(mapped))
        return false;
    file = mapped;
    return true;
}

/* Programs that this one starts are not stepped. */
static void restore_environment(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    const char *rest = preloaded != NULL ? strchr(preloaded, ':') : NULL;
    unsetenv(CM_PROGRAM_STEPPED);
    if (rest != NULL)
        setenv("LD_PRELOAD", rest + 1, 1);
    else
        unsetenv("LD_PRELOAD");
}

/* Whether there is a file to count to, and a machine that counts. */
static bool prepare(cm_error *error)
{
    const char *path = getenv(CM_PROGRAM_STEPPED);
    void *machine = NULL;
    if (path == NULL || !map_file(path))
        return false;
    restore_environment();
    if (cm_stepper_engine.create(&file->machine, &machine, error) != CM_OK)
        return false;
    stepper = machine;
    cm_flows_init(&flows, &file->machine);
    if ((file->dependences & CM_PROGRAM_IN_CORE) != 0)
        stepper->passes = add_flows;
    return pthread_atfork(NULL, NULL, begin_child) == 0;
}

static void call_main(void *unused)
{
    (void)unused;
    program.exit = program.function(program.count, program.words, program.environment);
}

static int step_main(int count, char **words, char **environment)
{
    cm_error error;
    program.count = count;
    program.words = words;
    program.environment = environment;
    if (cm_stepper_engine.run(stepper, call_main, NULL, &error) == CM_OK)
        return program.exit;
    fprintf(stderr, "catmint: the program cannot be counted by stepping: %s\n", error.text);
    _exit(FAILED);
}

__attribute__((visibility("default"))) start_main __libc_start_main;

/* Called by the program's first instructions, in the place of the C library's. */
int __libc_start_main(program_main *function, int count, char **words, void (*begin)(void), void (*end)(void),
                      void (*leave)(void), void *stack)
{
    start_main *original = NULL;
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    cm_error error;
    memcpy(&original, &found, sizeof original);
    program.function = function;
    return original(prepare(&error) ? step_main : function, count, words, begin, end, leave, stack);
}
