#include "sweep/plan/plan.h"

/* MOST_LOOKED_AT: the most names compared with the patterns, which takes a few seconds. */
enum { NAME_SIZE = 4096, MOST_QUALIFIERS = 1024, MOST_LOOKED_AT = 10000000, SAMPLE = 64 };
static const double describe_again = 30.0; /* seconds */

/* An event without qualifiers, and the qualifiers that the session lists for it. */
struct family {
    size_t count;
    const char *qualifiers[MOST_QUALIFIERS]; /* with the colon before each */
};

struct combiner {
    cm_counting *counting;
    const cm_selection *selection;
    const cm_combining *combining;
    cm_status (*visit)(struct combiner *combiner, cm_error *error); /* for each combination that is taken */
    struct family family;
    size_t component;
    const char *component_name;
    char name[NAME_SIZE];
    uint64_t looked_at, total, tried;
    size_t events; /* of the session, before combinations were added */
    double start;  /* cm_clock_seconds */
    double said;   /* seconds from start to the last message */
};

/* ---- visiting combinations ---- */

/* Finds an event's qualifiers, which the session lists right behind it; false if there are fewer than two. */
static bool find_family(const cm_counting *counting, size_t event, size_t end, struct family *family)
{
    cm_native_event base = cm_counting_event(counting, event);
    size_t length = strlen(base.name);
    family->count = 0;
    if (cm_qualifier_count(base.name) != 0)
        return false;
    for (size_t i = event + 1; i < end && family->count < MOST_QUALIFIERS; i++) {
        const char *name = cm_counting_event(counting, i).name;
        if (cm_counting_event(counting, i).component != base.component || strncmp(name, base.name, length) != 0 ||
            name[length] != ':' || cm_qualifier_count(name) != 1)
            break;
        family->qualifiers[family->count++] = name + length;
    }
    return family->count > 1;
}

static cm_status too_many(cm_error *error)
{
    return CM_FAIL(error, CM_BAD_ARGUMENT,
                   "more than %d combinations of qualifiers: ask for fewer qualifiers or events", CM_MOST_COMBINATIONS);
}

/* Visits all combinations that begin with the name so far and add qualifiers from `first` on. */
static cm_status visit_combinations(struct combiner *combiner, size_t first, size_t held, size_t most, cm_error *error)
{
    const struct family *family = &combiner->family;
    size_t length = strlen(combiner->name);
    cm_status status = CM_OK;
    for (size_t i = first; status == CM_OK && i < family->count; i++) {
        if (length + strlen(family->qualifiers[i]) >= NAME_SIZE)
            continue;
        strcpy(combiner->name + length, family->qualifiers[i]);
        if (held + 1 >= 2 && ++combiner->looked_at > MOST_LOOKED_AT)
            status = too_many(error);
        if (status == CM_OK && held + 1 >= 2 &&
            cm_selection_takes(combiner->selection,
                               (cm_event_candidate){combiner->name, combiner->component_name, NULL}))
            status = combiner->visit(combiner, error);
        if (status == CM_OK && held + 1 < most)
            status = visit_combinations(combiner, i + 1, held + 1, most, error);
        combiner->name[length] = '\0';
    }
    return status;
}

/* Visits the combinations of every event that the selection may take. */
static cm_status visit_families(struct combiner *combiner, cm_error *error)
{
    const cm_counting *counting = combiner->counting;
    cm_status status = CM_OK;
    combiner->looked_at = 0;
    for (size_t i = 0; status == CM_OK && i < combiner->events; i++) {
        cm_native_event base = cm_counting_event(counting, i);
        combiner->component = base.component;
        combiner->component_name = cm_counting_component(counting, base.component).name;
        const cm_event_candidate candidate = {base.name, combiner->component_name, base.papi_name};
        size_t most = cm_selection_qualifiers(combiner->selection, candidate);
        if (most < 2 || strlen(base.name) >= NAME_SIZE ||
            !cm_selection_takes_component(combiner->selection, combiner->component_name) ||
            !cm_selection_may_begin(combiner->selection, candidate) ||
            !find_family(counting, i, combiner->events, &combiner->family))
            continue;
        strcpy(combiner->name, base.name);
        status = visit_combinations(combiner, 0, 0, most, error);
    }
    return status;
}

/* ---- visitors ---- */

static cm_status count_combination(struct combiner *combiner, cm_error *error)
{
    return ++combiner->total > CM_MOST_COMBINATIONS ? too_many(error) : CM_OK;
}

/* The seconds left. PAPI searches all known names for each new one, so later ones take longer. */
static double estimate_seconds(const struct combiner *combiner, double took)
{
    double rate = took / (double)combiner->tried, left = (double)(combiner->total - combiner->tried);
    double known = (double)cm_counting_event_count(combiner->counting);
    double growth = (known - (double)combiner->events) / (double)combiner->tried;
    double trials = growth * (double)combiner->total * cm_counting_trial_seconds(combiner->counting);
    return rate * left * (1.0 + growth * left / (2.0 * known)) + trials;
}

/* Reports the expected time after the first SAMPLE combinations, then from time to time. */
static void report_time(struct combiner *combiner)
{
    double took = cm_clock_seconds() - combiner->start;
    bool first = combiner->tried == SAMPLE || (combiner->tried == combiner->total && combiner->tried < SAMPLE);
    if ((!first && took - combiner->said < describe_again) || combiner->combining->say == NULL)
        return;
    combiner->said = took;
    double left = estimate_seconds(combiner, took);
    char text[160];
    if (first)
        snprintf(text, sizeof text, "trying %llu combinations of qualifiers takes about %.*f s",
                 (unsigned long long)combiner->total, left + took < 10.0 ? 1 : 0, left + took);
    else
        snprintf(text, sizeof text, "tried %llu of %llu combinations of qualifiers, about %.0f s left",
                 (unsigned long long)combiner->tried, (unsigned long long)combiner->total, left);
    combiner->combining->say(text, combiner->combining->data);
}

/* Adds a combination to the session; one that PAPI does not know is ignored. */
static cm_status try_combination(struct combiner *combiner, cm_error *error)
{
    const cm_combining *combining = combiner->combining;
    if (combining->stopped != NULL && combining->stopped(combining->data))
        return CM_FAIL(error, CM_INTERRUPTED, "the sweep was interrupted");
    size_t event;
    cm_status status = cm_counting_add_event(combiner->counting, combiner->name, combiner->component, &event, error);
    combiner->tried++;
    report_time(combiner);
    return status == CM_UNSUPPORTED ? CM_OK : status; /* PAPI does not know this combination */
}

cm_status cm_combine_qualifiers(cm_counting *counting, const cm_selection *selection, const cm_combining *combining,
                                cm_error *error)
{
    struct combiner *combiner = malloc(sizeof *combiner);
    if (combiner == NULL)
        return cm_error_no_memory(error);
    *combiner = (struct combiner){.counting = counting, .selection = selection, .combining = combining};
    combiner->events = cm_counting_event_count(counting);
    combiner->visit = count_combination;
    cm_status status = visit_families(combiner, error);
    combiner->start = cm_clock_seconds();
    combiner->visit = try_combination;
    if (status == CM_OK && combiner->total != 0)
        status = visit_families(combiner, error);
    free(combiner);
    return status;
}
