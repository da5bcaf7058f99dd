/* PAPI's components tried in a forked process, which they may crash or hang. */
#include <papi.h>

#include "core/system.h"
#include "counting/counting.h"
#include "counting/papi/papi.h"

/* The stage of a probe: before components' events, or at those of a component. */
enum { INITIALISING = 0, LISTING = 1 };

/* Probes lost for no component's reason after which the machine is given up. */
enum { MOST_IN_VAIN = 2 };

struct probe {
    cm_counting *counting;
    double seconds;
    size_t count;         /* components */
    size_t enabled;       /* the number of enabled ones at the start, without those that were lost */
    bool lists;           /* lists events, too */
    atomic_size_t *stage; /* shared: INITIALISING, or LISTING + the component */
};

/* ---- in the probe ---- */

/* Silences components, which will print the same again. The number of open files stays the same as in the real
 * initialisation. */
static void be_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

/* Asks for an event's information, as listing it will. */
static cm_status look_at(size_t component, int code, bool qualified, void *data, cm_error *error)
{
    (void)qualified;
    (void)error;
    PAPI_event_info_t info = {0};
    if (cm_is_gpu_component(PAPI_get_component_info((int)component)->name))
        PAPI_event_code_to_name(code, info.symbol); /* its information takes milliseconds */
    else
        PAPI_get_event_info(code, &info);
    cm_team_alive(data, false);
    return CM_OK;
}

/* Whether the component's events will be listed. */
static bool is_asked(const cm_counting *counting, size_t component)
{
    const PAPI_component_info_t *info = PAPI_get_component_info((int)component);
    return info == NULL || !cm_is_gpu_component(info->name) || cm_gpu_component_asked(counting, info->name);
}

/* Initialises PAPI. A refusal is ignored: the real initialisation will report it. */
static cm_status initialise_papi(cm_team_member *member, void *data, cm_error *error)
{
    const struct probe *probe = data;
    atomic_store(probe->stage, INITIALISING);
    be_silent();
    for (size_t i = 0; i < probe->count; i++)
        if (probe->counting->lost[i] != NULL || i >= probe->enabled)
            PAPI_disable_component((int)i);
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT || !probe->lists)
        return CM_OK;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < probe->enabled; i++) {
        if (probe->counting->lost[i] != NULL || !is_asked(probe->counting, i))
            continue;
        atomic_store(probe->stage, LISTING + i);
        cm_team_alive(member, false);
        status = cm_visit_events(i, look_at, member, error);
    }
    return status;
}

/* ---- in the caller ---- */

/* Runs a probe. CM_OK also if it was lost: see `loss`. */
static cm_status send_probe(struct probe *probe, size_t enabled, bool lists, cm_team_loss *loss, cm_error *error)
{
    *loss = (cm_team_loss){0};
    probe->enabled = enabled;
    probe->lists = lists;
    atomic_store(probe->stage, INITIALISING);
    cm_team_job job = {.size = 1, .work = initialise_papi, .data = probe, .timeout = probe->seconds, .loss = loss};
    cm_error failure = {0};
    cm_status status = cm_team_run(&job, NULL, &failure);
    if (status == CM_OK || (cm_team_lost(loss) && !cm_team_blameless(loss)))
        return CM_OK;
    if (error != NULL)
        *error = failure;
    return status;
}

/* Disables the component if the probe is lost a second time at the same stage, with the first `enabled` components
 * enabled. */
static cm_status leave_out(struct probe *probe, size_t component, size_t enabled, const char *when, cm_error *error)
{
    cm_team_loss loss;
    char text[CM_LOSS_TEXT_SIZE], reason[CM_LOSS_TEXT_SIZE + 64];
    size_t stage = atomic_load(probe->stage);
    cm_status status = send_probe(probe, enabled, probe->lists, &loss, error);
    if (status != CM_OK || !cm_team_lost(&loss) || atomic_load(probe->stage) != stage)
        return status;
    snprintf(reason, sizeof reason, "%s %s", cm_team_loss_text(&loss, "", text, sizeof text), when);
    probe->counting->lost[component] = cm_text_store_add(&probe->counting->texts, reason);
    return probe->counting->lost[component] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* PAPI initialises its components in turn and does not name the current one: enables one more at a time, until the
 * probe is lost. */
static cm_status find_in_initialisation(struct probe *probe, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < probe->count; i++) {
        cm_team_loss loss;
        if (probe->counting->lost[i] != NULL)
            continue;
        status = send_probe(probe, i + 1, false, &loss, error);
        if (status == CM_OK && cm_team_lost(&loss))
            status = leave_out(probe, i, i + 1, "while it was initialised", error);
    }
    return status;
}

static size_t count_lost(const struct probe *probe)
{
    size_t lost = 0;
    for (size_t i = 0; i < probe->count; i++)
        lost += probe->counting->lost[i] != NULL;
    return lost;
}

/* Whether so few files can be opened that PAPI and its libraries fail, which ends the process. */
static bool is_short_of_files(void)
{
    enum { NEEDED = 8 };
    int files[NEEDED];
    size_t opened = 0;
    while (opened < NEEDED && (files[opened] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
        opened++;
    bool lacks = opened < NEEDED && (errno == EMFILE || errno == ENFILE);
    while (opened > 0)
        close(files[--opened]);
    return lacks;
}

/* Probes until one succeeds. A lost one disables a component, unless it was lost by chance, a few times at most. */
static cm_status find_all(struct probe *probe, cm_error *error)
{
    cm_team_loss loss = {0};
    for (int in_vain = 0; in_vain < MOST_IN_VAIN;) {
        cm_status status = send_probe(probe, probe->count, true, &loss, error);
        if (status != CM_OK || !cm_team_lost(&loss))
            return status;
        if (is_short_of_files())
            return CM_FAIL(error, CM_NO_MEMORY, "PAPI cannot be initialised: %s", strerror(EMFILE));
        size_t stage = atomic_load(probe->stage), before = count_lost(probe);
        if (stage == INITIALISING)
            status = find_in_initialisation(probe, error);
        else
            status = leave_out(probe, stage - LISTING, probe->count, "while its events were listed", error);
        if (status != CM_OK)
            return status;
        in_vain += count_lost(probe) == before;
    }
    char text[CM_LOSS_TEXT_SIZE];
    return CM_FAIL(error, CM_UNSUPPORTED, "PAPI %.200s while it was initialised; no single component causes this",
                   cm_team_loss_text(&loss, "", text, sizeof text));
}

cm_status cm_probe_components(cm_counting *counting, double seconds, cm_error *error)
{
    if (PAPI_is_initialized() != PAPI_NOT_INITED)
        return CM_OK;
    int components = PAPI_num_components();
    struct probe probe = {.counting = counting,
                          .seconds = seconds > 0.0 ? seconds : CM_COMPONENT_SECONDS,
                          .count = components > 0 ? (size_t)components : 0,
                          .stage = cm_team_memory_create(sizeof *probe.stage)};
    counting->lost = calloc(probe.count + 1, sizeof *counting->lost);
    cm_status status = CM_OK;
    if (probe.stage == NULL || counting->lost == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, find_all(&probe, error));
    for (size_t i = 0; status == CM_OK && i < probe.count; i++)
        if (counting->lost[i] != NULL)
            PAPI_disable_component((int)i);
    cm_team_memory_free(probe.stage, sizeof *probe.stage);
    return status;
}
