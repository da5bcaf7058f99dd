/* Tries whether events can be counted as one set, in a forked process, which they may crash or hang. */
#include "core/system.h"
#include "counting/counting.h"

/* Shared with the forked process. */
struct attempt {
    cm_counting *counting;
    const size_t *events;
    size_t count;
    struct answer {
        cm_counted_together together;
        bool member[]; /* one an event: it is in the smallest refused group found */
    } * answer;
};

static cm_status start_and_stop(cm_event_set *set, size_t size, cm_error *error)
{
    long long *counts = calloc(size + 1, sizeof *counts);
    cm_status status = counts != NULL ? cm_event_set_start(set, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_event_set_stop(set, counts, error));
    free(counts);
    return status;
}

/* Tries the member events as one set. CM_UNSUPPORTED: refused. */
static cm_status try_members(const struct attempt *attempt, const bool *member, cm_error *error)
{
    cm_event_set *set = NULL;
    size_t size = 0;
    size_t component = cm_counting_event(attempt->counting, attempt->events[0]).component;
    cm_status status = cm_event_set_create(attempt->counting, component, &set, error);
    for (size_t i = 0; status == CM_OK && i < attempt->count; i++)
        if (member[i]) {
            status = cm_event_set_add(set, attempt->events[i], error);
            size++;
        }
    CM_THEN(status, start_and_stop(set, size, error));
    status = cm_event_set_judge(set, status, error);
    cm_event_set_free(set);
    return status;
}

/* Removes from a refused group the events that it is refused without, too. */
static cm_status find_smallest(const struct attempt *attempt, cm_team_member *member, cm_error *error)
{
    bool *in = attempt->answer->member;
    size_t left = attempt->count;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < attempt->count && left > 1; i++) {
        in[i] = false;
        cm_team_alive(member, false);
        cm_status without = try_members(attempt, in, error);
        in[i] = without == CM_OK;
        left -= without == CM_UNSUPPORTED;
        status = without == CM_UNSUPPORTED ? CM_OK : without;
    }
    if (status == CM_OK && left > 1)
        attempt->answer->together = CM_TOGETHER_NO;
    return status;
}

/* The work of the process: tries all events, and on refusal finds a smallest group. */
static cm_status try_group(cm_team_member *member, void *data, cm_error *error)
{
    const struct attempt *attempt = data;
    memset(attempt->answer->member, true, attempt->count * sizeof *attempt->answer->member);
    cm_status status = try_members(attempt, attempt->answer->member, error);
    if (status == CM_UNSUPPORTED)
        return find_smallest(attempt, member, error);
    if (status == CM_OK)
        attempt->answer->together = CM_TOGETHER_YES;
    return status;
}

/* Whether all events are of one component, as in an event set. */
static bool is_of_one(const cm_counting *counting, const size_t *events, size_t count, bool *refusing)
{
    size_t first = count > 0 ? cm_counting_event(counting, events[0]).component : 0;
    for (size_t i = 1; i < count; i++)
        if (cm_counting_event(counting, events[i]).component != first) {
            memset(refusing, false, count * sizeof *refusing);
            refusing[0] = refusing[i] = true;
            return false;
        }
    return true;
}

/* Runs the process; if it is lost, the answer stays unknown. */
static cm_status run_attempt(struct attempt *attempt, cm_error *error)
{
    cm_team_loss loss = {0};
    cm_error failure = {0};
    const cm_team_job job = {.size = 1,
                             .work = try_group,
                             .data = attempt,
                             .timeout = CM_TRIAL_SECONDS,
                             .here = cm_counting_stays(attempt->counting),
                             .loss = &loss};
    cm_status status = cm_team_run(&job, NULL, &failure);
    if (status == CM_OK || (cm_team_lost(&loss) && !cm_team_blameless(&loss)))
        return CM_OK;
    if (error != NULL)
        *error = failure;
    return status;
}

cm_status cm_counting_try_together(cm_counting *counting, const size_t *events, size_t count,
                                   cm_counted_together *together, bool *refusing, cm_error *error)
{
    *together = CM_TOGETHER_NO;
    if (!is_of_one(counting, events, count, refusing))
        return CM_OK;
    *together = CM_TOGETHER_UNKNOWN;
    if (count == 0)
        return CM_OK;
    size_t size = sizeof(struct answer) + count * sizeof(bool);
    struct attempt attempt = {counting, events, count, cm_team_memory_create(size)};
    cm_status status = attempt.answer != NULL ? run_attempt(&attempt, error) : cm_error_no_memory(error);
    if (status == CM_OK) {
        *together = attempt.answer->together;
        for (size_t i = 0; i < count; i++)
            refusing[i] = *together == CM_TOGETHER_NO && attempt.answer->member[i];
    }
    cm_team_memory_free(attempt.answer, size);
    return status;
}
