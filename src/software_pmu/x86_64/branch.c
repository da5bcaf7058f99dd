#include "software_pmu/x86_64/pmu.h"

enum { CARRY = 1 << 0, PARITY = 1 << 2, ZERO = 1 << 6, SIGN = 1 << 7, OVERFLOW = 1 << 11 };

/* Intel's manual, volume 1, appendix B: the low bit of a condition negates it. */
static bool condition_holds(uint64_t flags, unsigned condition)
{
    bool sign_differs = ((flags & SIGN) != 0) != ((flags & OVERFLOW) != 0);
    bool holds = false;
    switch (condition >> 1) {
    case 0: holds = (flags & OVERFLOW) != 0; break;
    case 1: holds = (flags & CARRY) != 0; break;
    case 2: holds = (flags & ZERO) != 0; break;
    case 3: holds = (flags & (CARRY | ZERO)) != 0; break;
    case 4: holds = (flags & SIGN) != 0; break;
    case 5: holds = (flags & PARITY) != 0; break;
    case 6: holds = sign_differs; break;
    default: holds = sign_differs || (flags & ZERO) != 0; break;
    }
    return holds != ((condition & 1) != 0);
}

bool cm_branch_taken(cm_context *context, const cm_step *step)
{
    uint64_t *counter = &context->gpr[CM_RCX];
    if (step->kind == CM_STEP_JCC)
        return condition_holds(context->flags, step->condition);
    if (step->kind == CM_STEP_JCX)
        return step->counter_32 ? (uint32_t)*counter == 0 : *counter == 0;
    *counter = step->counter_32 ? (uint32_t)(*counter - 1) : *counter - 1;
    bool zero = (context->flags & ZERO) != 0;
    if (step->kind == CM_STEP_LOOPE && !zero)
        return false;
    if (step->kind == CM_STEP_LOOPNE && zero)
        return false;
    return *counter != 0;
}

/* Memory of the stepped code: it may be unaligned, and sanitizers must not check it. */
__attribute__((no_sanitize("address"))) static uint64_t read_word(uint64_t address)
{
    uint64_t value;
    memcpy(&value, (const void *)(uintptr_t)address, sizeof value);
    return value;
}

__attribute__((no_sanitize("address"))) static void write_word(uint64_t address, uint64_t value)
{
    memcpy((void *)(uintptr_t)address, &value, sizeof value);
}

static uint64_t indirect_target(const cm_stepper *pmu, const cm_step *step)
{
    if (step->target_register != CM_NO_REGISTER)
        return pmu->context.gpr[step->target_register];
    return read_word(cm_access_address(pmu, &step->accesses[0]));
}

static void push_return_address(cm_stepper *pmu, const cm_step *step)
{
    uint64_t return_address = step->address + step->length;
    pmu->context.gpr[CM_RSP] -= sizeof return_address;
    write_word(pmu->context.gpr[CM_RSP], return_address);
    cm_predictor_call(pmu->modelled.predictor, return_address);
}

static uint64_t pop_return_address(cm_stepper *pmu, const cm_step *step)
{
    uint64_t target = read_word(pmu->context.gpr[CM_RSP]);
    pmu->context.gpr[CM_RSP] += sizeof target + step->stack_release;
    cm_modelled_return(&pmu->modelled, target);
    return target;
}

uint64_t cm_branch_follow(cm_stepper *pmu, const cm_step *step)
{
    uint64_t target = step->target;
    if (step->kind == CM_STEP_RETURN)
        return pop_return_address(pmu, step);
    if (step->kind == CM_STEP_JUMP_INDIRECT || step->kind == CM_STEP_CALL_INDIRECT) {
        target = indirect_target(pmu, step);
        cm_modelled_indirect(&pmu->modelled, step->address, target);
    }
    if (step->kind == CM_STEP_CALL || step->kind == CM_STEP_CALL_INDIRECT)
        push_return_address(pmu, step);
    return target;
}
