#include "cat-kernels/registry.h"
#include "sweep/plan/plan.h"

/* The architecture of the model; NULL if it is that of the kernels, or unknown. */
static const char *other_architecture(const cm_sweep_state *state)
{
    return cm_pmu_model_other_architecture(cm_counting_model(state->counting), cm_kernel_architecture);
}

cm_status cm_sweep_check_architecture(const cm_sweep_state *state, cm_error *error)
{
    const char *other = other_architecture(state);
    if (other == NULL || state->options->anyway || state->extension != NULL)
        return CM_OK;
    char place[CM_PLACE_SIZE];
    cm_architecture_place(other, place);
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "%.100s models a processor of %s, and the kernels here are of %s, expected %s; --anyway counts "
                   "these, for experiments, and marks the results as not comparable",
                   cm_counting_pmu(state->counting), other, cm_kernel_architecture, place);
}

json_t *cm_sweep_describe_foreign(const cm_sweep_state *state)
{
    const char *other = other_architecture(state);
    return other == NULL ? NULL
                         : json_sprintf("%s models a processor of %s, and the kernels that it counted are of %s",
                                        cm_counting_pmu(state->counting), other, cm_kernel_architecture);
}
