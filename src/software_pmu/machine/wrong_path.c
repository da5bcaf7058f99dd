/* Wrong paths: after a misprediction a processor decodes and executes along the predicted path until it notices. Here
 * that path is only decoded, for the machine's window of instructions; with the habits of wrong paths (modelled.h), its
 * code is fetched, and its loads and stores reach the addresses that are expected of them.
 *
 * On it, conditional branches go as predicted, with the path's earlier predictions as outcomes (nothing is learnt from
 * them), and direct jumps and calls are followed. It ends at a serializing instruction (lfence, mfence, cpuid,
 * serialize, syscall), at an indirect branch or return, and at the end of known code. */
#include "software_pmu/machine/modelled.h"

static void pass_code(cm_modelled *modelled, const cm_passed *passed)
{
    const uint64_t last = (passed->address + passed->length - 1) >> modelled->memory.line_shift;
    for (uint64_t line = passed->address >> modelled->memory.line_shift; line <= last; line++)
        if (modelled->decoded[line % CM_DECODED_LINES] != line) {
            modelled->decoded[line % CM_DECODED_LINES] = line;
            cm_memory_wrong_fetch(&modelled->memory, line, modelled->facts);
        }
}

/* Performs the access that a wrong path is expected to reach at this instruction, if there is one. */
static void pass_access(cm_modelled *modelled, uint64_t instruction, bool store)
{
    const cm_expected_access *access = cm_expected_next(modelled->expected, instruction, store);
    if (access == NULL)
        return;
    const uint64_t address = access->address + (uint64_t)access->step * access->ahead;
    if (store)
        cm_memory_wrong_store(&modelled->memory, address, access->bytes, modelled->facts);
    else
        cm_memory_wrong_load(&modelled->memory, address, access->bytes, modelled->facts);
}

void cm_modelled_pass(cm_modelled *modelled, const cm_passed *passed)
{
    modelled->facts[CM_FACT_WRONG_PATH_INSTRUCTIONS]++;
    modelled->facts[CM_FACT_WRONG_PATH_LOADS] += passed->loads;
    modelled->facts[CM_FACT_WRONG_PATH_STORES] += passed->stores;
    if (modelled->wrong_fetches && modelled->memory.l1i.lines != NULL)
        pass_code(modelled, passed);
    if (modelled->operates && modelled->wrong_fetches)
        cm_modelled_pass_operations(modelled, passed);
    if (modelled->expected != NULL && passed->loads)
        pass_access(modelled, passed->address, false);
    if (modelled->expected != NULL && passed->stores)
        pass_access(modelled, passed->address, true);
}

/* Decodes the next step of the path, counting a branch; false: the path ends. */
static bool next_step(cm_modelled *modelled, const cm_path *path, cm_path_step *step, unsigned *left)
{
    bool taken = false;
    if (step->kind != CM_PATH_END && cm_modelled_watches_paths(modelled))
        cm_modelled_pass(modelled, &step->passed);
    switch (step->kind) {
    case CM_PATH_CONDITIONAL:
        modelled->facts[CM_FACT_COND_EXECUTED]++;
        taken = cm_predictor_predict(modelled->predictor, step->address);
        cm_predictor_assume(modelled->predictor, taken);
        modelled->facts[taken ? CM_FACT_COND_EXECUTED_TAKEN : CM_FACT_WRONG_PATH_COND_NTAKEN]++;
        break;
    case CM_PATH_JUMP: modelled->facts[CM_FACT_UNCOND_EXECUTED]++; /* fall through */
    case CM_PATH_CALL: taken = true; break;
    case CM_PATH_END: return false;
    }
    return path->follow(path->engine, step, taken, left);
}

void cm_wrong_path_walk(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool predicted)
{
    cm_path_step step = *branch;
    cm_predictor_history history = cm_predictor_save(modelled->predictor);
    cm_predictor_assume(modelled->predictor, predicted);
    unsigned left = modelled->wrong_path_window;
    if (modelled->expected != NULL)
        modelled->expected->path++;
    bool found = path->follow(path->engine, &step, predicted, &left);
    while (found && left > 0) {
        left--;
        found = next_step(modelled, path, &step, &left);
    }
    cm_predictor_restore(modelled->predictor, &history);
}
