/* Asks catmint's plugin, where catmint runs under qemu-user, to count. */
#include <catmint/software_pmu.h>

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/plugin_protocol.h"
#include "software_pmu/qemu/guest.h"

struct cm_software_pmu {
    uint64_t facts[CM_FACT_COUNT];
    uint64_t ticks; /* of the processor's timer, over all calls */
    cm_qemu_machine asked;
    bool running;
};

static void ask(uint64_t operation, uint64_t first, uint64_t second)
{
    syscall(SYS_prctl, (long)CM_QEMU_MAGIC, operation, first, second, 0L);
}

static cm_status judge(const cm_qemu_machine *asked, cm_error *error)
{
    switch ((cm_qemu_answer)asked->answer) {
    case CM_QEMU_OK: return CM_OK;
    case CM_QEMU_IMPOSSIBLE: return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "%s", asked->text);
    case CM_QEMU_NO_MEMORY: return cm_error_no_memory(error);
    case CM_QEMU_SILENCE: break;
    }
    return cm_error_set(
        error, CM_UNSUPPORTED, NULL, 0, 0,
        "the software PMU counts %s code under qemu-%s with catmint's plugin only: on an x86-64 machine, "
        "run scripts/foreign %s catmint ...",
        cm_guest_architecture, cm_guest_architecture, cm_guest_architecture);
}

cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error)
{
    cm_software_pmu *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->asked = (cm_qemu_machine){.machine = *machine,
                                       .begin = (uintptr_t)cm_counted_call,
                                       .end = (uintptr_t)cm_counted_call_end,
                                       .return_to = (uintptr_t)cm_counted_call_return,
                                       .vector_bits = cm_guest_vector_bits(),
                                       .fact_count = CM_FACT_COUNT};
    ask(CM_QEMU_CREATE, (uintptr_t)&created->asked, 0);
    cm_status status = judge(&created->asked, error);
    if (status == CM_OK)
        *pmu = created;
    else
        free(created);
    return status;
}

void cm_software_pmu_free(cm_software_pmu *pmu)
{
    if (pmu == NULL)
        return;
    ask(CM_QEMU_FREE, pmu->asked.number, 0);
    free(pmu);
}

cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument, cm_error *error)
{
    if (pmu->running)
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "the counted code cannot count code itself");
    pmu->running = true;
    uint64_t begin = cm_guest_timer();
    cm_counted_call(function, argument, pmu->asked.number, pmu->facts);
    pmu->ticks += cm_guest_timer() - begin;
    pmu->facts[CM_FACT_TSC_CYCLES] = pmu->ticks;
    pmu->running = false;
    return CM_OK;
}

const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu)
{
    return pmu->facts;
}

void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed)
{
    ask(CM_QEMU_SEED, pmu->asked.number, seed);
}
