/* Predictors of branches by name. */
#include "software_pmu/machine/flow.h"

#include "core/base.h"

enum { COUNTERS = 1 << 14, GSHARE_HISTORY = 10, INDIRECT_ENTRIES = 1 << 12, RETURN_STACK = 16 };

enum { KNOWN_PLACES = 1 << 16, MOST_KNOWN = KNOWN_PLACES * 3 / 4 };

/* Number 0: a free place. */
typedef struct known_branch {
    uint64_t address, number;
} known_branch;

typedef struct indirect_entry {
    uint64_t branch, target;
} indirect_entry;

typedef struct direction {
    const char *name;
    bool (*predict)(cm_predictor *predictor, uint64_t branch);
    void (*learn)(cm_predictor *predictor, uint64_t branch, bool taken);
} direction;

struct cm_predictor {
    const direction *direction;
    uint8_t counters[COUNTERS]; /* 0 to 3, taken from 2 on; of bimodal and gshare */
    uint64_t history;
    cm_tage tage;
    indirect_entry indirect[INDIRECT_ENTRIES];
    uint64_t returns[RETURN_STACK]; /* a ring: the oldest are overwritten */
    size_t return_count;            /* calls not returned from, up to RETURN_STACK */
    size_t return_top;
    known_branch met; /* the last one: a branch is mostly predicted and learnt in turn */
    size_t known_count;
    known_branch known[KNOWN_PLACES];
};

static size_t hash_of(uint64_t value)
{
    return (size_t)((value * UINT64_C(0x9E3779B97F4A7C15)) >> 40);
}

/* The branch's number in the order in which branches were met: branches that share an entry of a table are then the
 * same in every run, wherever the system and the linker place the code. Once too many branches are known, the address.
 */
static uint64_t find_number(cm_predictor *predictor, uint64_t address)
{
    size_t at = hash_of(address) % KNOWN_PLACES;
    while (predictor->known[at].number != 0 && predictor->known[at].address != address)
        at = (at + 1) % KNOWN_PLACES;
    known_branch *known = &predictor->known[at];
    if (known->number == 0 && predictor->known_count == MOST_KNOWN)
        return address;
    if (known->number == 0)
        *known = (known_branch){address, ++predictor->known_count};
    return known->number;
}

static uint64_t number_of(cm_predictor *predictor, uint64_t address)
{
    if (predictor->met.number == 0 || predictor->met.address != address)
        predictor->met = (known_branch){address, find_number(predictor, address)};
    return predictor->met.number;
}

static bool none_predict(cm_predictor *predictor, uint64_t branch)
{
    (void)predictor, (void)branch;
    return false;
}

static void none_learn(cm_predictor *predictor, uint64_t branch, bool taken)
{
    (void)predictor, (void)branch, (void)taken;
}

static void move_counter(uint8_t *counter, bool taken)
{
    *counter = (uint8_t)(taken ? *counter + (*counter < 3) : *counter - (*counter > 0));
}

static bool bimodal_predict(cm_predictor *predictor, uint64_t branch)
{
    return predictor->counters[hash_of(branch) % COUNTERS] >= 2;
}

static void bimodal_learn(cm_predictor *predictor, uint64_t branch, bool taken)
{
    move_counter(&predictor->counters[hash_of(branch) % COUNTERS], taken);
}

static size_t gshare_index(const cm_predictor *predictor, uint64_t branch)
{
    return (hash_of(branch) ^ (predictor->history & ((1u << GSHARE_HISTORY) - 1))) % COUNTERS;
}

static bool gshare_predict(cm_predictor *predictor, uint64_t branch)
{
    return predictor->counters[gshare_index(predictor, branch)] >= 2;
}

static void gshare_learn(cm_predictor *predictor, uint64_t branch, bool taken)
{
    move_counter(&predictor->counters[gshare_index(predictor, branch)], taken);
}

static bool tage_predict(cm_predictor *predictor, uint64_t branch)
{
    return cm_tage_predict(&predictor->tage, branch);
}

static void tage_learn(cm_predictor *predictor, uint64_t branch, bool taken)
{
    cm_tage_learn(&predictor->tage, branch, taken);
}

static const direction directions[] = {
    {"none", none_predict, none_learn},
    {"bimodal", bimodal_predict, bimodal_learn},
    {"gshare", gshare_predict, gshare_learn},
    {"tage", tage_predict, tage_learn},
};

cm_status cm_predictor_create(const char *name, cm_predictor **predictor, cm_error *error)
{
    const direction *chosen = NULL;
    for (size_t i = 0; i < CM_COUNT_OF(directions); i++)
        if (strcmp(directions[i].name, name) == 0)
            chosen = &directions[i];
    if (chosen == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "unknown predictor '%s', expected none, bimodal, gshare or tage", name);
    cm_predictor *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->direction = chosen;
    memset(created->counters, 1, sizeof created->counters);
    memset(created->tage.base, 1, sizeof created->tage.base);
    *predictor = created;
    return CM_OK;
}

void cm_predictor_free(cm_predictor *predictor)
{
    free(predictor);
}

bool cm_predictor_predict(cm_predictor *predictor, uint64_t address)
{
    return predictor->direction->predict(predictor, number_of(predictor, address));
}

void cm_predictor_learn(cm_predictor *predictor, uint64_t address, bool taken)
{
    predictor->direction->learn(predictor, number_of(predictor, address), taken);
    cm_predictor_assume(predictor, taken);
}

cm_predictor_history cm_predictor_save(const cm_predictor *predictor)
{
    cm_predictor_history history = {.outcomes = predictor->history};
    memcpy(history.tage, predictor->tage.history, sizeof history.tage);
    return history;
}

void cm_predictor_restore(cm_predictor *predictor, const cm_predictor_history *history)
{
    predictor->history = history->outcomes;
    memcpy(predictor->tage.history, history->tage, sizeof history->tage);
}

void cm_predictor_assume(cm_predictor *predictor, bool taken)
{
    predictor->history = predictor->history << 1 | (taken ? 1 : 0);
    cm_tage_assume(&predictor->tage, taken);
}

bool cm_predictor_indirect(cm_predictor *predictor, uint64_t address, uint64_t target)
{
    uint64_t branch = number_of(predictor, address);
    indirect_entry *entry = &predictor->indirect[hash_of(branch) % INDIRECT_ENTRIES];
    bool right = entry->branch == branch && entry->target == target;
    *entry = (indirect_entry){branch, target};
    return right;
}

void cm_predictor_call(cm_predictor *predictor, uint64_t return_address)
{
    predictor->return_top = (predictor->return_top + 1) % RETURN_STACK;
    predictor->returns[predictor->return_top] = return_address;
    if (predictor->return_count < RETURN_STACK)
        predictor->return_count++;
}

bool cm_predictor_return(cm_predictor *predictor, uint64_t target)
{
    if (predictor->return_count == 0)
        return false;
    uint64_t predicted = predictor->returns[predictor->return_top];
    predictor->return_top = (predictor->return_top + RETURN_STACK - 1) % RETURN_STACK;
    predictor->return_count--;
    return predicted == target;
}
