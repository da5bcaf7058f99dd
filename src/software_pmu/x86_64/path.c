/* Wrong paths, decoded along instructions that were stepped before. */
#include "software_pmu/x86_64/pmu.h"

static bool is_plain(const cm_step *step)
{
    return step->kind <= CM_STEP_STRING && !step->serializing;
}

static cm_path_kind find_path_kind(const cm_step *step)
{
    if (cm_step_is_conditional((cm_step_kind)step->kind))
        return CM_PATH_CONDITIONAL;
    return step->kind == CM_STEP_JUMP ? CM_PATH_JUMP : step->kind == CM_STEP_CALL ? CM_PATH_CALL : CM_PATH_END;
}

static cm_passed passed_by(const cm_step *step)
{
    cm_passed passed = {.address = step->address, .length = step->length, .operations = step->operations};
    for (size_t i = 0; i < step->access_count; i++) {
        passed.loads = passed.loads || step->accesses[i].load;
        passed.stores = passed.stores || step->accesses[i].store;
    }
    return passed;
}

static cm_step *look_up(cm_stepper *pmu, uint64_t address, cm_step **known)
{
    if (*known == NULL && cm_step_table_find(&pmu->steps, address, known, NULL) != CM_OK)
        return NULL;
    return *known;
}

/* Follows a path to the next step that is not plain; false: it ends. */
static bool follow_path(void *engine, cm_path_step *path_step, bool taken, unsigned *left)
{
    cm_stepper *pmu = engine;
    cm_step *step = path_step->known;
    if (taken)
        step = look_up(pmu, step->target, &step->taken);
    else
        step = look_up(pmu, step->address + step->length, &step->next);
    const bool watches = cm_modelled_watches_paths(&pmu->modelled);
    for (; step != NULL && is_plain(step) && *left > 0; --*left) {
        if (watches) {
            const cm_passed passed = passed_by(step);
            cm_modelled_pass(&pmu->modelled, &passed);
        }
        step = look_up(pmu, step->address + step->length, &step->next);
    }
    if (step == NULL || *left == 0)
        return false;
    *path_step = (cm_path_step){.kind = find_path_kind(step), .address = step->address, .known = step};
    if (watches)
        path_step->passed = passed_by(step);
    return true;
}

void cm_path_resolve(cm_stepper *pmu, cm_step *step, bool taken)
{
    const cm_path path = {pmu, follow_path};
    const cm_path_step branch = {.kind = CM_PATH_CONDITIONAL, .address = step->address, .known = step};
    cm_modelled_conditional(&pmu->modelled, &path, &branch, taken);
}
