/* Asks catmint's plugin to count, if catmint runs under qemu-user. */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base.h"
#include "software_pmu/engine.h"
#include "software_pmu/plugin_protocol.h"
#include "software_pmu/qemu/decoded.h"

typedef struct plugin_pmu {
    uint64_t facts[CM_FACT_COUNT];
    uint64_t ticks; /* of the processor's timer, over all calls */
    cm_qemu_machine asked;
    bool running;
} plugin_pmu;

static void ask_plugin(uint64_t operation, uint64_t first, uint64_t second)
{
    syscall(SYS_prctl, (long)CM_QEMU_MAGIC, operation, first, second, 0L);
}

/* The status of the plugin's answer. */
static cm_status judge_answer(const cm_qemu_machine *asked, cm_error *error)
{
    switch ((cm_qemu_answer)asked->answer) {
    case CM_QEMU_OK: return CM_OK;
    case CM_QEMU_IMPOSSIBLE: return CM_FAIL(error, CM_BAD_ARGUMENT, "%s", asked->text);
    case CM_QEMU_NO_MEMORY: return cm_error_no_memory(error);
    case CM_QEMU_SILENCE: break;
    }
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "the software PMU counts %s code under qemu-%s with catmint's plugin only: on an x86-64 machine, "
                   "run scripts/foreign %s catmint ...",
                   cm_guest_architecture, cm_guest_architecture, cm_guest_architecture);
}

/* Asks the plugin for a machine. */
static cm_status create_engine(const cm_pmu_machine *machine, void **state, cm_error *error)
{
    plugin_pmu *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->asked = (cm_qemu_machine){.machine = *machine,
                                       .begin = (uintptr_t)cm_counted_call,
                                       .end = (uintptr_t)cm_counted_call_end,
                                       .return_to = (uintptr_t)cm_counted_call_return,
                                       .vector_bits = cm_guest_vector_bits(),
                                       .fact_count = CM_FACT_COUNT};
    ask_plugin(CM_QEMU_CREATE, (uintptr_t)&created->asked, 0);
    cm_status status = judge_answer(&created->asked, error);
    CM_HAND_OVER(status, state, created, free);
    return status;
}

static void destroy_engine(void *state)
{
    plugin_pmu *pmu = state;
    if (pmu == NULL)
        return;
    ask_plugin(CM_QEMU_FREE, pmu->asked.number, 0);
    free(pmu);
}

/* Runs the function as counted code, and adds its facts. */
static cm_status run_function(void *state, void (*function)(void *argument), void *argument, cm_error *error)
{
    plugin_pmu *pmu = state;
    if (pmu->running)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "the counted code cannot count code itself");
    pmu->running = true;
    uint64_t begin = cm_guest_timer();
    cm_counted_call(function, argument, pmu->asked.number, pmu->facts);
    pmu->ticks += cm_guest_timer() - begin;
    pmu->facts[CM_FACT_TSC_CYCLES] = pmu->ticks;
    pmu->running = false;
    return CM_OK;
}

static const uint64_t *facts_of(const void *state)
{
    return ((const plugin_pmu *)state)->facts;
}

static void set_seed(void *state, uint64_t seed)
{
    ask_plugin(CM_QEMU_SEED, ((const plugin_pmu *)state)->asked.number, seed);
}

const cm_engine cm_plugin_engine = {create_engine, destroy_engine, run_function, facts_of, set_seed, NULL};
