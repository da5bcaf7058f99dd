/* Counts a whole program into a file that others read (software_pmu/qemu/program_facts.h): each thread has a
 * machine of its own, in a slot of the file, and so has each forked child. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "software_pmu/qemu/program_facts.h"
#include "software_pmu/qemu/plugin.h"

/* The facts stand first, and stay when the slot gets another owner. */
typedef struct slot {
    cm_modelled modelled;
    _Atomic uint64_t owner; /* process << 32 | thread; 0: none */
} slot;
_Static_assert(sizeof(slot) <= CM_PROGRAM_SLOT_SIZE, "a slot has room");
_Static_assert(offsetof(cm_modelled, facts) == 0, "as the header says");

static cm_program_header *program; /* NULL: none is counted */
static bool wants_all;
static pthread_key_t leaving;
static __thread slot *own;
static __thread cm_run *own_runs;
static __thread bool refused;

static slot *slot_at(size_t index)
{
    return (slot *)(void *)((char *)program + CM_PROGRAM_SLOTS_AT + index * CM_PROGRAM_SLOT_SIZE);
}

/* Whether the owner was killed before it could leave its slot. */
static bool is_gone(uint64_t owner)
{
    return syscall(SYS_tgkill, (pid_t)(owner >> 32), (pid_t)(owner & UINT32_MAX), 0) != 0 && errno == ESRCH;
}

/* The first free slot, now this thread's, or one of a thread that is gone; NULL if all are taken. */
static slot *take_slot(bool from_the_dead)
{
    for (size_t i = 0; i < CM_PROGRAM_SLOTS; i++) {
        uint64_t owner = slot_at(i)->owner;
        if (owner != 0 && !(from_the_dead && is_gone(owner)))
            continue;
        if (atomic_compare_exchange_strong(&slot_at(i)->owner, &owner, (uint64_t)getpid() << 32 | (uint64_t)gettid()))
            return slot_at(i);
    }
    return NULL;
}

static slot *find_slot(void)
{
    slot *found = take_slot(false);
    if (found == NULL)
        found = take_slot(true);
    atomic_fetch_add(found != NULL ? &program->threads : &program->uncounted, 1);
    refused = found == NULL;
    return found;
}

/* Makes a new machine in the slot, whose facts are kept. */
static bool prepare_slot(slot *taken)
{
    cm_modelled fresh;
    if (cm_modelled_init(&fresh, &program->machine, NULL) != CM_OK) {
        cm_modelled_clear(&fresh);
        return false;
    }
    if (!cm_program_wants(CM_FACT_LOADS_FORWARDED) && !cm_program_wants(CM_FACT_LOADS_BLOCKED) &&
        !cm_program_wants(CM_FACT_LOADS_ALIASED)) {
        /* Loads are no longer held against the store buffer: the facts about that stay as they are. */
        fresh.forwarding.stores = 0;
        fresh.watches = fresh.expected != NULL;
    }
    cm_modelled_take_facts(&fresh, taken->modelled.facts);
    taken->modelled = fresh;
    return true;
}

/* Keeps the thread's facts, and frees its machine and slot. */
static void leave_slot(void *taken)
{
    cm_counted.modelled = NULL;
    free(own_runs);
    own_runs = NULL;
    free(cm_counted.flows);
    cm_counted.flows = NULL;
    if (cm_counted.time != NULL)
        cm_time_begin(cm_counted.time, NULL, 0, false, ((slot *)taken)->modelled.facts);
    free(cm_counted.time);
    cm_counted.time = NULL;
    refused = true;
    own = NULL;
    cm_modelled *modelled = &((slot *)taken)->modelled;
    cm_memory_settle(&modelled->memory, modelled->facts);
    cm_modelled_clear(modelled);
    ((slot *)taken)->owner = 0;
}

/* Takes a slot for the calling thread and prepares its counters. */
static void join_program(void)
{
    slot *taken = find_slot();
    if (taken == NULL)
        return;
    own_runs = calloc(CM_RUNS, sizeof *own_runs);
    if (own_runs == NULL || !prepare_slot(taken)) {
        free(own_runs);
        taken->owner = 0;
        refused = true;
        return;
    }
    own = taken;
    pthread_setspecific(leaving, own);
    if ((program->dependences & CM_PROGRAM_IN_CORE) != 0)
        cm_counted.flows = malloc(sizeof *cm_counted.flows);
    if (cm_counted.flows != NULL)
        cm_flows_init(cm_counted.flows, &program->machine);
    if ((program->dependences & CM_PROGRAM_TIME) != 0)
        cm_counted.time = malloc(sizeof *cm_counted.time);
    if (cm_counted.time != NULL)
        cm_time_init(cm_counted.time, &program->machine);
    cm_counted.vectors = (cm_vectors){.bits = (uint16_t)program->vector_bits};
}

bool cm_program_wants(size_t fact)
{
    return program == NULL || wants_all || program->wanted[fact];
}

void cm_program_want_all(void)
{
    wants_all = true;
}

bool cm_program_is_bare(void)
{
    return program != NULL && !wants_all && program->dependences == CM_PROGRAM_BARE;
}

bool cm_program_wants_flows(void)
{
    return program != NULL && (program->dependences & (CM_PROGRAM_IN_CORE | CM_PROGRAM_TIME)) != 0;
}

cm_modelled *cm_program_join(void)
{
    if (program == NULL)
        return NULL;
    if (own == NULL && !refused)
        join_program();
    cm_counted.runs = own_runs;
    return own != NULL ? &own->modelled : NULL;
}

/* The child continues with a copy of its parent's machine, and with the facts of its own slot. */
static void go_on_in_child(void)
{
    slot *parents = own;
    if (parents == NULL)
        return;
    own = find_slot();
    if (own != NULL) {
        cm_modelled copy = parents->modelled;
        cm_modelled_take_facts(&copy, own->modelled.facts);
        copy.memory.evasion.count = 0; /* the parent counts its partly written lines */
        own->modelled = copy;
    }
    pthread_setspecific(leaving, own);
    if (cm_counted.modelled == &parents->modelled)
        cm_counted.modelled = own != NULL ? &own->modelled : NULL;
}

/* ---- the end of a process, and programs started by exec ---- */

typedef struct system_calls {
    const char *target;
    int64_t execve, execveat, exit_group;
} system_calls;

static const system_calls system_call_rows[] = {{"x86_64", 59, 322, 231},
                                                {"aarch64", 221, 281, 94},
                                                {"riscv64", 221, 281, 94},
                                                {"ppc64le", 11, 362, 234},
                                                {NULL, -1, -1, -1}};

/* The system calls of the processor that QEMU emulates. */
static const system_calls *calls(void)
{
    const system_calls *row = system_call_rows;
    while (row->target != NULL && strcmp(row->target, CM_QEMU_TARGET) != 0)
        row++;
    return row;
}

static bool is_exec(int64_t call)
{
    return call == calls()->execve || call == calls()->execveat;
}

void cm_program_system_call(int64_t call)
{
    if (program == NULL)
        return;
    if (is_exec(call))
        atomic_fetch_add(&program->other_programs, 1);
    if (call == calls()->exit_group && own != NULL)
        leave_slot(own);
}

static void on_result(qemu_plugin_id_t id, unsigned vcpu, int64_t call, int64_t result)
{
    (void)id, (void)vcpu;
    cm_registers_answer(&cm_counted.registers, (uint64_t)result);
    if (is_exec(call)) /* exec failed: on success it does not return */
        atomic_fetch_sub(&program->other_programs, 1);
}

/* ---- the file ---- */

/* Maps the file; returns an error's text, NULL: none. */
static const char *map_file(const char *file)
{
    size_t size = CM_PROGRAM_SLOTS_AT + (size_t)CM_PROGRAM_SLOTS * CM_PROGRAM_SLOT_SIZE;
    int descriptor = open(file, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0)
        return strerror(errno);
    if (fstat(descriptor, &status) != 0 || (size_t)status.st_size != size) {
        close(descriptor);
        return "it is no file of facts of this version of catmint";
    }
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED)
        return strerror(errno);
    program = mapped;
    return cm_program_is_ours(program) ? NULL : "it is no file of facts of this version of catmint";
}

bool cm_program_begin(qemu_plugin_id_t id, const char *file)
{
    const char *fault = map_file(file);
    if (fault != NULL) {
        fprintf(stderr, "catmint's plugin: %s: %s\n", file, fault);
        return false;
    }
    if ((program->machine.prefetch_instructions != 0 || program->vector_bits != 0) && !cm_program_is_bare())
        cm_translate_registers((unsigned)program->vector_bits);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_result);
    return pthread_key_create(&leaving, leave_slot) == 0 && pthread_atfork(NULL, NULL, go_on_in_child) == 0;
}
