#include "sweep/run/run.h"

cm_status cm_sweep_blame(cm_sweep_state *state, size_t event, const cm_team_loss *loss, const cm_error *failure,
                         cm_error *error)
{
    char outcome[CM_LOSS_TEXT_SIZE];
    cm_team_loss_text(loss, failure->text, outcome, sizeof outcome);
    state->progress.failures++;
    cm_sweep_write_message(state, "%s: %s", cm_sweep_spelling(state, event), outcome);
    cm_status status = cm_event_failed(state->counting, event, outcome, failure->text, error);
    if (status == CM_OK)
        cm_sweep_record_failure(state, event);
    return status;
}

cm_status cm_sweep_plan(cm_sweep_state *state, cm_error *error)
{
    static const cm_plan_findings findings = {cm_sweep_blame, cm_sweep_remember};
    return cm_sweep_make_plans(state, &findings, error);
}
