/* Codes of a model's events, and what other codes count. */
#include "software_pmu/model/model.h"

#include "core/system.h"
#include "software_pmu/machine/facts.h"

/* Thresholds of x1 mod 1000 for codes of no event; above them a code counts nothing. */
enum { ALL = 1000, REFUSED = 10, DUPLICATE = 50, GARBAGE = 65, NOISE = 80 };

static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

static int by_code(const void *left, const void *right)
{
    const struct cm_coded *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}

/* Compares two events on pseudo-random facts. */
static bool count_the_same(const cm_model_event *event, const cm_model_event *other)
{
    double facts[CM_FACT_COUNT];
    uint64_t state = 1;
    for (size_t i = 0; i < CM_FACT_COUNT; i++)
        facts[i] = (double)(cm_random_next(&state) >> 44);
    return cm_expression_evaluate(event->expression, facts) == cm_expression_evaluate(other->expression, facts);
}

/* CM_BAD_INPUT if two events of one code count different things. */
static cm_status check_same(const cm_model_codes *codes, cm_error *error)
{
    for (size_t i = 1; i < codes->count; i++) {
        const cm_model_event *event = &codes->events->events[codes->sorted[i - 1].event];
        const cm_model_event *other = &codes->events->events[codes->sorted[i].event];
        if (event->code == other->code && !count_the_same(event, other))
            return CM_FAIL(error, CM_BAD_INPUT, "'%.80s' and '%.80s' have the same code, but count different things",
                           event->name, other->name);
    }
    return CM_OK;
}

cm_status cm_model_codes_make(const cm_model_events *events, uint64_t seed, cm_model_codes *codes, cm_error *error)
{
    if (events->codes == 0)
        return CM_FAIL(error, CM_BAD_INPUT, "the model's events have no codes: its events.csv has no column 'code'");
    *codes = (cm_model_codes){.seed = seed, .events = events};
    codes->sorted = malloc(events->codes * sizeof *codes->sorted);
    codes->listed = malloc(events->codes * sizeof *codes->listed);
    if (codes->sorted == NULL || codes->listed == NULL) {
        cm_model_codes_clear(codes);
        return cm_error_no_memory(error);
    }
    for (size_t i = 0; i < events->count; i++)
        if (events->events[i].has_code)
            codes->sorted[codes->count] = codes->listed[codes->count] = (struct cm_coded){events->events[i].code, i},
            codes->count++;
    qsort(codes->sorted, codes->count, sizeof *codes->sorted, by_code);
    cm_status status = check_same(codes, error);
    if (status != CM_OK)
        cm_model_codes_clear(codes);
    return status;
}

void cm_model_codes_clear(cm_model_codes *codes)
{
    CM_FREE(codes->sorted, codes->listed);
    *codes = (cm_model_codes){0};
}

/* The first of the events with the code. */
size_t cm_model_codes_event(const cm_model_codes *codes, uint64_t code)
{
    size_t low = 0, high = codes->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (codes->sorted[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < codes->count && codes->sorted[low].code == code ? codes->sorted[low].event : SIZE_MAX;
}

static size_t pick_code(const cm_model_codes *codes, uint64_t number)
{
    return codes->listed[number % codes->count].event;
}

static double weight(uint64_t number, bool first)
{
    bool small = !first && (number >> 32 & 1) != 0;
    return small ? (double)(2 + number % 19) / 100.0 : (double)(1 + number % 4);
}

static void make_garbage(const cm_model_codes *codes, uint64_t *state, cm_code_answer *answer)
{
    answer->terms = 1 + cm_random_next(state) % CM_CODE_TERMS;
    for (size_t i = 0; i < answer->terms; i++) {
        answer->events[i] = pick_code(codes, cm_random_next(state));
        answer->weights[i] = weight(cm_random_next(state), i == 0);
    }
}

static void take_one(size_t event, cm_code_answer *answer)
{
    answer->terms = 1;
    answer->events[0] = event;
    answer->weights[0] = 1.0;
}

bool cm_model_codes_find(const cm_model_codes *codes, uint64_t code, cm_code_answer *answer)
{
    *answer = (cm_code_answer){0};
    size_t event = cm_model_codes_event(codes, code);
    if (event != SIZE_MAX) {
        take_one(event, answer);
        answer->fault = codes->events->events[event].fault;
    }
    if (event != SIZE_MAX || codes->seed == 0)
        return true;
    uint64_t state = codes->seed * step + code, lot = cm_random_next(&state) % ALL;
    if (lot < REFUSED)
        return false;
    if (lot < DUPLICATE || (lot >= GARBAGE && lot < NOISE))
        take_one(pick_code(codes, cm_random_next(&state)), answer);
    else if (lot < GARBAGE)
        make_garbage(codes, &state, answer);
    answer->noisy = lot >= GARBAGE && lot < NOISE;
    answer->noise = state;
    return true;
}

double cm_code_noise(const cm_code_answer *answer, uint64_t run)
{
    uint64_t state = answer->noise + run * step;
    return (double)(cm_random_next(&state) >> 11) * 0x1p-52;
}
