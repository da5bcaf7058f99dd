/* Counts a whole program by stepping it in its own process, for instructions that QEMU does not execute: AVX-512. The
 * dynamic linker loads this library before all others (LD_PRELOAD), and the C library's start runs in the stepping
 * machine: constructors of the program, main, functions at exit, and forked children. Facts go to the file that QEMU's
 * plugin writes (software_pmu/qemu/program_facts.h). Each process has a slot of its own, and brings it up to date
 * before each system call; one that has begun and not ended left the stepping machine by a signal. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/sched.h>

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
static uint64_t *slot; /* of this process; NULL: there is none left */
static struct {
    program_main *function;
    start_main *start;
    int count;
    char **words;
    void (*begin)(void), (*end)(void), (*leave)(void);
    void *stack;
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

/* ---- processes begin and end ---- */

static void begin_process(void)
{
    const uint64_t index = atomic_fetch_add(&file->threads, 1);
    memcpy(of_parent, stepper->modelled.facts, sizeof of_parent);
    slot =
        index < CM_PROGRAM_SLOTS ? (void *)((char *)file + CM_PROGRAM_SLOTS_AT + index * CM_PROGRAM_SLOT_SIZE) : NULL;
    if (slot == NULL)
        atomic_fetch_add(&file->uncounted, 1);
    atomic_fetch_add(&file->unfinished, 1);
}

static void publish_facts(void)
{
    for (size_t fact = 0; slot != NULL && fact < CM_FACT_COUNT; fact++)
        slot[fact] = stepper->modelled.facts[fact] - of_parent[fact];
}

/* Takes the place of a signal's default action, which ends the process. */
static void end_by_signal(int signal)
{
    publish_facts();
    atomic_fetch_sub(&file->unfinished, 1);
    raise(signal);
}

/* The program's own handlers, if it has any, take the place of this one. */
static void watch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,  SIGTRAP, SIGTERM,
                                SIGINT,  SIGQUIT, SIGHUP, SIGPIPE, SIGALRM};
    const struct sigaction watched = {.sa_handler = end_by_signal, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    struct sigaction before;
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal[i], &watched, NULL);
}

/* Whether a signal of this number ends the process. */
static bool is_fatal(uint64_t signal)
{
    struct sigaction action;
    return signal > 0 && signal < NSIG && signal != SIGCHLD && signal != SIGCONT && signal != SIGURG &&
           sigaction((int)signal, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

/* Whether the system call may be the last one of the process. */
static bool may_end(const cm_context *context)
{
    switch (context->gpr[CM_RAX]) {
    case SYS_exit:
    case SYS_exit_group:
    case SYS_execve:
    case SYS_execveat: return true;
    case SYS_kill:
    case SYS_tgkill:
        return (pid_t)context->gpr[CM_RDI] == getpid() &&
               is_fatal(context->gpr[context->gpr[CM_RAX] == SYS_kill ? CM_RSI : CM_RDX]);
    default: return false;
    }
}

static bool begins_other(uint64_t call)
{
    return call == SYS_execve || call == SYS_execveat;
}

/* Gives a child that shares the memory until it starts another program a copy of the memory instead: the child is
 * stepped, too. `flags`: of clone3, which are in memory. */
static uint64_t part_memory(cm_context *context, __u64 **flags)
{
    *flags = NULL;
    if (context->gpr[CM_RAX] == SYS_vfork)
        context->gpr[CM_RAX] = SYS_fork;
    if (context->gpr[CM_RAX] == SYS_clone)
        context->gpr[CM_RDI] &= ~(uint64_t)CLONE_VM;
    if (context->gpr[CM_RAX] != SYS_clone3)
        return 0;
    *flags = &((struct clone_args *)context->gpr[CM_RDI])->flags; /* NOLINT(performance-no-int-to-ptr) */
    const uint64_t before = **flags;
    **flags &= ~(uint64_t)CLONE_VM;
    return before;
}

static void note_handler(const cm_context *context)
{
    if (context->gpr[CM_RAX] != SYS_rt_sigaction || context->gpr[CM_RSI] == 0)
        return;
    const uint64_t handler = *(const uint64_t *)context->gpr[CM_RSI]; /* NOLINT(performance-no-int-to-ptr) */
    if (handler > (uintptr_t)SIG_IGN && handler != (uintptr_t)end_by_signal)
        file->handlers = true;
}

/* Executes a system call in `run`, and keeps account of the process. */
static void follow_call(cm_stepper *pmu, const cm_step *step, void (*run)(cm_stepper *pmu, const cm_step *step))
{
    cm_context *context = &pmu->context;
    __u64 *flags = NULL;
    const uint64_t flags_before = part_memory(context, &flags);
    const uint64_t call = context->gpr[CM_RAX];
    const bool last = may_end(context);
    if (last)
        cm_memory_settle(&pmu->modelled.memory, pmu->modelled.facts);
    publish_facts();
    note_handler(context);
    atomic_fetch_sub(&file->unfinished, last ? 1 : 0);
    atomic_fetch_add(&file->other_programs, begins_other(call) ? 1 : 0);
    run(pmu, step);
    atomic_fetch_sub(&file->other_programs, begins_other(call) ? 1 : 0); /* it failed */
    atomic_fetch_add(&file->unfinished, last ? 1 : 0);
    if (flags != NULL)
        *flags = flags_before;
    if ((call == SYS_fork || call == SYS_clone || call == SYS_clone3) && context->gpr[CM_RAX] == 0)
        begin_process();
}

/* ---- the beginning ---- */

/* Maps the file of facts that catmint made; false if there is none of this version. */
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
static bool prepare_program(cm_error *error)
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
    stepper->calls = follow_call;
    begin_process();
    watch_signals();
    return true;
}

static void call_start(void *unused)
{
    (void)unused;
    program.start(program.function, program.count, program.words, program.begin, program.end, program.leave,
                  program.stack);
}

__attribute__((visibility("default"))) start_main __libc_start_main;

/* Called by the program's first instructions, in the place of the C library's. */
int __libc_start_main(program_main *function, int count, char **words, void (*begin)(void), void (*end)(void),
                      void (*leave)(void), void *stack)
{
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    cm_error error;
    memcpy(&program.start, &found, sizeof program.start);
    program.function = function;
    program.count = count;
    program.words = words;
    program.begin = begin;
    program.end = end;
    program.leave = leave;
    program.stack = stack;
    if (prepare_program(&error)) {
        if (cm_stepper_engine.run(stepper, call_start, NULL, &error) != CM_OK)
            fprintf(stderr, "catmint: the program cannot be counted by stepping: %s\n", error.text);
        _exit(FAILED);
    }
    return program.start(function, count, words, begin, end, leave, stack);
}
