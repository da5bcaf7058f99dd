#include "software_pmu/qemu/decoded.h"

#include "software_pmu/machine/facts.h"

static const uint16_t branch_facts[] = {
    [CM_DECODED_CONDITIONAL] = CM_FACT_BRANCHES_COND,
    [CM_DECODED_JUMP] = CM_FACT_BRANCHES_UNCOND,
    [CM_DECODED_JUMP_INDIRECT] = CM_FACT_BRANCHES_INDIRECT,
    [CM_DECODED_CALL] = CM_FACT_CALLS,
    [CM_DECODED_CALL_INDIRECT] = CM_FACT_CALLS,
    [CM_DECODED_RETURN] = CM_FACT_RETURNS,
};

void cm_decoded_branch(cm_decoded *decoded, cm_decoded_kind kind)
{
    decoded->kind = kind;
    if (kind == CM_DECODED_WALL || kind == CM_DECODED_PLAIN)
        return;
    cm_decoded_add(decoded, branch_facts[kind]);
    if (kind == CM_DECODED_CONDITIONAL)
        cm_decoded_add(decoded, CM_FACT_COND_EXECUTED);
    if (kind == CM_DECODED_JUMP)
        cm_decoded_add(decoded, CM_FACT_UNCOND_EXECUTED);
    if (kind == CM_DECODED_CALL_INDIRECT)
        cm_decoded_add(decoded, CM_FACT_CALLS_INDIRECT);
}
