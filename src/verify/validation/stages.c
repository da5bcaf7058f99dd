/* The stages of a validation: their directories, and the stages that belong together. */
#include "verify/validation/validation.h"

static const struct {
    const char *directory;
    unsigned fresh; /* number of fresh seeds before its programs */
} stages[CM_VALIDATION_STAGES] = {
    [CM_STAGE_PROGRAMS] = {"validation", 0},     [CM_STAGE_CONTROLS] = {"validation-controls", 0},
    [CM_STAGE_PROGRAMS_2] = {"validation-2", 1}, [CM_STAGE_CONTROLS_2] = {"validation-2-controls", 1},
    [CM_STAGE_PROGRAMS_3] = {"validation-3", 2}, [CM_STAGE_WORKLOADS] = {"validation-workloads", 0},
};

const char *cm_validation_directory(cm_validation_stage stage)
{
    return stages[stage].directory;
}

uint64_t cm_validation_seed(cm_validation_stage stage, uint64_t seed)
{
    uint64_t state = ~seed;
    for (unsigned i = 0; i < stages[stage].fresh; i++)
        seed = cm_random_next(&state) % CM_VALIDATION_MOST_SEED;
    return seed;
}

char *cm_validation_path(const char *directory, cm_validation_stage stage)
{
    return cm_path_join(directory, cm_validation_directory(stage), "");
}

const char *cm_validation_benchmark(cm_validation_stage stage)
{
    return stage == CM_STAGE_WORKLOADS ? CM_WORKLOADS_BENCHMARK : CM_PROGRAMS_BENCHMARK;
}
