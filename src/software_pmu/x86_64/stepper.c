#include "software_pmu/x86_64/pmu.h"

#include <sys/syscall.h>

#include <linux/sched.h>

#include "core/base.h"

static cm_status refuse_step(const cm_step *step, const char *reason, cm_error *error)
{
    char bytes[3 * CM_INSTRUCTION_SIZE + 1] = "";
    for (size_t i = 0; i < step->length; i++)
        snprintf(bytes + 3 * i, sizeof bytes - 3 * i, " %02x", step->bytes[i]);
    return CM_FAIL(error, CM_UNSUPPORTED, "cannot step the instruction at 0x%llx, bytes%s: %s",
                   (unsigned long long)step->address, bytes, reason);
}

/* The reason to refuse a system call that would start a second thread in these registers, move thread-local storage, or
 * return elsewhere; NULL: none. */
static const char *refuse_system_call(const cm_stepper *pmu)
{
    const cm_context *context = &pmu->context;
    const uint64_t *flags = &context->gpr[CM_RDI];
    switch (context->gpr[CM_RAX]) {
    case SYS_clone3:
        flags = (const uint64_t *)*flags; /* NOLINT(performance-no-int-to-ptr): the first field */
    /* FALLTHROUGH */
    case SYS_clone:
        if ((*flags & CLONE_THREAD) != 0)
            return "it starts a thread";
        return (*flags & CLONE_VM) != 0 && (pmu->calls == NULL || (*flags & CLONE_VFORK) == 0)
                   ? "it starts a process in this memory"
                   : NULL;
    case SYS_vfork: return pmu->calls == NULL ? "it starts a process in this memory" : NULL;
    case SYS_arch_prctl: return "it may move thread-local storage";
    case SYS_rt_sigreturn: return "it returns from a signal handler";
    default: return NULL;
    }
}

static cm_status place_step(cm_stepper *pmu, cm_step *step, cm_error *error)
{
    cm_code code = {.address = step->address,
                    .bytes = step->bytes,
                    .length = step->length,
                    .displacement_offset = step->displacement_offset,
                    .displacement_end = step->length,
                    .target = step->displacement_target};
    return cm_code_caches_place(&pmu->caches, &code, &step->slot, error);
}

/* Refuses an instruction, if at all, before it runs and is counted. */
static cm_status prepare_step(cm_stepper *pmu, cm_step *step, cm_error *error)
{
    cm_step_table_refresh(&pmu->steps, step);
    const char *reason = step->kind == CM_STEP_SYSCALL ? refuse_system_call(pmu) : step->refusal;
    if (reason != NULL)
        return refuse_step(step, reason, error);
    if (step->kind == CM_STEP_PLAIN)
        return cm_blocks_make(&pmu->blocks, &pmu->steps, &pmu->caches, step, error);
    return step->kind > CM_STEP_SYSCALL || step->slot.code != NULL ? CM_OK : place_step(pmu, step, error);
}

static void count_operations(cm_stepper *pmu, const cm_step *step, bool fused)
{
    cm_code_part parts[CM_CODE_PARTS];
    cm_modelled_operate(&pmu->modelled, parts, cm_code_add(parts, 0, step->address, &step->operations), fused);
}

/* Counts an instruction: its fetch, its facts, its operations and its accesses. */
static void count_step(cm_stepper *pmu, cm_step *step)
{
    cm_modelled_fetch(&pmu->modelled, step->address, step->length);
    pmu->modelled.facts[CM_FACT_INSTRUCTIONS]++;
    for (size_t i = 0; i < step->fact_count; i++)
        pmu->modelled.facts[step->facts[i]]++;
    const bool fused = step->fusible.condition != CM_CONDITION_NONE &&
                       cm_modelled_pair(&pmu->modelled, cm_fusion_rules(&pmu->before, &step->fusible));
    if (pmu->modelled.operates)
        count_operations(pmu, step, fused);
    pmu->before = (cm_fusible){0};
    if (step->kind != CM_STEP_STRING)
        cm_observe_accesses(pmu, step);
    if (pmu->passes != NULL)
        pmu->passes(pmu, step, step->length);
}

static void execute_step(cm_stepper *pmu, const cm_step *step)
{
    step->slot.enter(&pmu->context, step->slot.code);
}

static void execute_string(cm_stepper *pmu, const cm_step *step)
{
    uint64_t before[CM_GPR_COUNT];
    memcpy(before, pmu->context.gpr, sizeof before);
    execute_step(pmu, step);
    cm_observe_string(pmu, step, before);
}

static bool resolve_conditional(cm_stepper *pmu, cm_step *step)
{
    bool taken = cm_branch_taken(&pmu->context, step);
    cm_path_resolve(pmu, step, taken);
    return taken;
}

static cm_status go_to_step(cm_stepper *pmu, uint64_t address, cm_step **known, cm_step **step, cm_error *error)
{
    cm_status status = CM_OK;
    if (*known == NULL)
        status = cm_step_table_find(&pmu->steps, address, known, error);
    if (status == CM_OK)
        *step = *known;
    return status;
}

/* Runs the block that begins with `step`, which becomes the step after it. */
static cm_status run_block(cm_stepper *pmu, cm_step **step, cm_error *error)
{
    cm_block *block = (*step)->block;
    cm_modelled_fetch(&pmu->modelled, (*step)->address, block->length);
    for (size_t i = 0; i < block->fact_count; i++)
        pmu->modelled.facts[block->facts[i].fact] += block->facts[i].times;
    if (pmu->modelled.operates)
        cm_modelled_operate(&pmu->modelled, block->parts, block->part_count, false);
    cm_observe_accesses(pmu, *step);
    pmu->before = block->last;
    if (pmu->passes != NULL)
        pmu->passes(pmu, *step, block->length);
    block->slot.enter(&pmu->context, block->slot.code);
    return go_to_step(pmu, (*step)->address + block->length, &block->next, step, error);
}

/* Runs one instruction outside blocks; `step` becomes the next one. */
static cm_status run_alone(cm_stepper *pmu, cm_step **step, cm_error *error)
{
    cm_step *now = *step;
    cm_step *elsewhere = NULL;
    count_step(pmu, now);
    switch ((cm_step_kind)now->kind) {
    case CM_STEP_STRING: execute_string(pmu, now); break;
    case CM_STEP_SYSCALL:
        if (pmu->calls != NULL)
            pmu->calls(pmu, now, execute_step);
        else
            execute_step(pmu, now);
        pmu->context.gpr[CM_RCX] = now->address + now->length; /* the system left the slot's address */
        break;
    case CM_STEP_JCC:
    case CM_STEP_JCX:
    case CM_STEP_LOOP:
    case CM_STEP_LOOPE:
    case CM_STEP_LOOPNE:
        if (resolve_conditional(pmu, now))
            return go_to_step(pmu, now->target, &now->taken, step, error);
        break;
    case CM_STEP_JUMP:
    case CM_STEP_CALL: return go_to_step(pmu, cm_branch_follow(pmu, now), &now->taken, step, error);
    case CM_STEP_JUMP_INDIRECT:
    case CM_STEP_CALL_INDIRECT:
    case CM_STEP_RETURN: return go_to_step(pmu, cm_branch_follow(pmu, now), &elsewhere, step, error);
    case CM_STEP_PLAIN: /* runs in blocks */
    case CM_STEP_REFUSED:
    case CM_STEP_END: break; /* does not run */
    }
    return go_to_step(pmu, now->address + now->length, &now->next, step, error);
}

cm_status cm_stepper_run(cm_stepper *pmu, uint64_t address, cm_error *error)
{
    cm_step *step = NULL;
    pmu->before = (cm_fusible){0};
    cm_status status = cm_step_table_find(&pmu->steps, address, &step, error);
    while (status == CM_OK && step->kind != CM_STEP_END) {
        if (step->block == NULL || !cm_block_is_current(step->block, step->address))
            status = prepare_step(pmu, step, error);
        if (status == CM_OK && step->block != NULL)
            status = run_block(pmu, &step, error);
        else if (status == CM_OK) {
            status = run_alone(pmu, &step, error);
            cm_modelled_go_on(&pmu->modelled);
        }
    }
    return status;
}
