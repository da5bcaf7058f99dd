/* What a processor does after a misprediction, until it notices: it goes on decoding and executing where the branch
 * does not lead. Here that path is walked, decoded only, for the machine's window of instructions.
 *
 * On it, conditional branches go as the predictor says, for which what it said before on this path has happened (it
 * learns nothing from them), and direct jumps and calls are followed. It ends at a serializing instruction (lfence,
 * mfence, cpuid, serialize, syscall), at an indirect branch or return, and where there is no code. */
#include "software_pmu/x86_64/pmu.h"

static cm_step *follow(cm_software_pmu *pmu, uint64_t address, cm_step **known)
{
    if (*known == NULL && cm_step_table_find(&pmu->steps, address, known, NULL) != CM_OK)
        return NULL;
    return *known;
}

static cm_step *next_step(cm_software_pmu *pmu, cm_step *step)
{
    bool taken = false;
    switch ((cm_step_kind)step->kind) {
    case CM_STEP_JCC:
    case CM_STEP_JCX:
    case CM_STEP_LOOP:
    case CM_STEP_LOOPE:
    case CM_STEP_LOOPNE:
        pmu->facts[CM_FACT_COND_EXECUTED]++;
        taken = cm_predictor_predict(pmu->predictor, step->address);
        cm_predictor_assume(pmu->predictor, taken);
        if (!taken)
            break;
        pmu->facts[CM_FACT_COND_EXECUTED_TAKEN]++;
        return follow(pmu, step->target, &step->taken);
    case CM_STEP_JUMP: pmu->facts[CM_FACT_UNCOND_EXECUTED]++; /* fall through */
    case CM_STEP_CALL: return follow(pmu, step->target, &step->taken);
    case CM_STEP_PLAIN:
    case CM_STEP_STRING:
        if (step->serializing)
            return NULL;
        break;
    default: return NULL;
    }
    return follow(pmu, step->address + step->length, &step->next);
}

void cm_wrong_path_walk(cm_software_pmu *pmu, uint64_t start, bool predicted)
{
    cm_step *step = NULL;
    cm_predictor_history history = cm_predictor_save(pmu->predictor);
    cm_predictor_assume(pmu->predictor, predicted);
    follow(pmu, start, &step);
    for (unsigned walked = 0; step != NULL && walked < pmu->wrong_path_window; walked++)
        step = next_step(pmu, step);
    cm_predictor_restore(pmu->predictor, &history);
}
