/* The stages of a validation: their directories, and the stages that belong together. */
#include <catmint/validation.h>

#include "core/system.h"

static const struct {
    const char *folder;
    unsigned fresh; /* number of fresh seeds before its programs */
} stages[CM_VALIDATION_STAGES] = {
    [CM_STAGE_PROGRAMS] = {"validation", 0},     [CM_STAGE_CONTROLS] = {"validation-controls", 0},
    [CM_STAGE_PROGRAMS_2] = {"validation-2", 1}, [CM_STAGE_CONTROLS_2] = {"validation-2-controls", 1},
    [CM_STAGE_PROGRAMS_3] = {"validation-3", 2}, [CM_STAGE_WORKLOADS] = {"validation-workloads", 0},
};

const char *cm_validation_folder(cm_validation_stage stage)
{
    return stages[stage].folder;
}

uint64_t cm_validation_seed(cm_validation_stage stage, uint64_t seed)
{
    uint64_t state = ~seed;
    for (unsigned i = 0; i < stages[stage].fresh; i++)
        seed = cm_random_next(&state) % CM_VALIDATION_MOST_SEED;
    return seed;
}

static bool follows(const cm_program_table *table, cm_validation_stage stage, const cm_program_table *first)
{
    return stage == CM_STAGE_WORKLOADS || (first != NULL && table->seed == cm_validation_seed(stage, first->seed) &&
                                           table->program_count == first->program_count);
}

cm_status cm_program_tables_load(const char *directory, cm_program_tables *tables, cm_error *error)
{
    cm_status status = CM_OK;
    *tables = (cm_program_tables){{NULL}};
    for (int i = 0; status == CM_OK && i < CM_VALIDATION_STAGES; i++) {
        cm_validation_stage stage = (cm_validation_stage)i;
        cm_program_table **table = &tables->stages[stage];
        status = cm_program_table_load(directory, stage, table, error);
        if (status == CM_OK && *table != NULL && !follows(*table, stage, tables->stages[CM_STAGE_PROGRAMS])) {
            cm_program_table_free(*table);
            *table = NULL;
        }
    }
    if (status != CM_OK)
        cm_program_tables_clear(tables);
    return status;
}

void cm_program_tables_clear(cm_program_tables *tables)
{
    for (size_t i = 0; i < CM_VALIDATION_STAGES; i++)
        cm_program_table_free(tables->stages[i]);
    *tables = (cm_program_tables){{NULL}};
}
