/* The predictor TAGE: tables by lengths of history. */
#include "software_pmu/machine/flow.h"

/* Length of the history in each table, a geometric series. */
static const unsigned lengths[CM_TAGE_TABLES] = {5, 14, 40, 112};

enum { AGING_PERIOD = 1 << 18, TRUST_LIMIT = 8 };

static uint64_t mix_bits(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

/* The newest `length` outcomes and the branch as one number, whose bits serve as index and tag. */
static uint64_t fold_history(const cm_tage *tage, uint64_t branch, unsigned length)
{
    uint64_t low = length < 64 ? tage->history[0] & ((UINT64_C(1) << length) - 1) : tage->history[0];
    uint64_t high = length > 64 ? tage->history[1] & ((UINT64_C(1) << (length - 64)) - 1) : 0;
    return mix_bits(branch ^ mix_bits(low + UINT64_C(0x9E3779B97F4A7C15) * (high + length)));
}

static bool table_says(const cm_tage *tage, const cm_tage_lookup *found, int table)
{
    if (table < 0)
        return tage->base[found->base] >= 2;
    return tage->tables[table][found->index[table]].counter >= 0;
}

/* Looks the branch up in all tables and decides on a prediction. */
static void look_up_anew(const cm_tage *tage, uint64_t branch, cm_tage_lookup *found)
{
    found->branch = branch;
    found->base = (unsigned)(mix_bits(branch) % CM_TAGE_BASE_ENTRIES);
    memcpy(found->history, tage->history, sizeof found->history);
    int provider = -1, alternative = -1;
    for (int table = 0; table < CM_TAGE_TABLES; table++) {
        uint64_t folded = fold_history(tage, branch, lengths[table]);
        found->index[table] = (unsigned)(folded % CM_TAGE_ENTRIES);
        found->tag[table] = (uint16_t)(folded >> 48 | 1);
        const bool fits = tage->tables[table][found->index[table]].tag == found->tag[table];
        alternative = fits ? provider : alternative;
        provider = fits ? table : provider;
    }
    found->provider = provider;
    found->alternative = alternative;
    found->provided = table_says(tage, found, found->provider);
    found->alternated = table_says(tage, found, found->alternative);
    found->is_new = false;
    if (found->provider >= 0) {
        const cm_tage_entry *entry = &tage->tables[found->provider][found->index[found->provider]];
        found->is_new = entry->useful == 0 && (entry->counter == 0 || entry->counter == -1);
    }
    found->prediction = found->is_new && tage->trust_alternative >= 0 ? found->alternated : found->provided;
}

/* Learning mostly follows a prediction of the same branch, whose result is kept. */
static const cm_tage_lookup *look_up_branch(cm_tage *tage, uint64_t branch)
{
    if (!tage->is_looked_up || tage->last.branch != branch ||
        memcmp(tage->last.history, tage->history, sizeof tage->history) != 0)
        look_up_anew(tage, branch, &tage->last);
    tage->is_looked_up = true;
    return &tage->last;
}

bool cm_tage_predict(cm_tage *tage, uint64_t branch)
{
    return look_up_branch(tage, branch)->prediction;
}

/* After a misprediction: allocates a useless entry of a longer history; without one, all lose usefulness. */
static void allocate_entry(cm_tage *tage, const cm_tage_lookup *found, bool taken)
{
    for (int table = found->provider + 1; table < CM_TAGE_TABLES; table++) {
        cm_tage_entry *entry = &tage->tables[table][found->index[table]];
        if (entry->useful == 0) {
            *entry = (cm_tage_entry){found->tag[table], taken ? 0 : -1, 0};
            return;
        }
    }
    for (int table = found->provider + 1; table < CM_TAGE_TABLES; table++)
        tage->tables[table][found->index[table]].useful--;
}

/* Adjusts the provider's counter and its usefulness, or the base's counter. */
static void train_entry(cm_tage *tage, const cm_tage_lookup *found, bool taken)
{
    if (found->provider < 0) {
        uint8_t *counter = &tage->base[found->base];
        *counter = (uint8_t)(taken ? *counter + (*counter < 3) : *counter - (*counter > 0));
        return;
    }
    cm_tage_entry *entry = &tage->tables[found->provider][found->index[found->provider]];
    entry->counter = (int8_t)(taken ? entry->counter + (entry->counter < 3) : entry->counter - (entry->counter > -4));
    if (found->provided != found->alternated) {
        bool right = found->provided == taken;
        entry->useful = (uint8_t)(right ? entry->useful + (entry->useful < 3) : entry->useful - (entry->useful > 0));
    }
}

void cm_tage_learn(cm_tage *tage, uint64_t branch, bool taken)
{
    const cm_tage_lookup *found = look_up_branch(tage, branch);
    tage->is_looked_up = false;
    if (found->is_new && found->provided != found->alternated) {
        int step = found->alternated == taken ? 1 : -1;
        int trust = tage->trust_alternative + step;
        tage->trust_alternative = trust < -TRUST_LIMIT ? -TRUST_LIMIT : trust >= TRUST_LIMIT ? TRUST_LIMIT - 1 : trust;
    }
    train_entry(tage, found, taken);
    if (found->prediction != taken)
        allocate_entry(tage, found, taken);
    if (++tage->branches % AGING_PERIOD == 0)
        for (int table = 0; table < CM_TAGE_TABLES; table++)
            for (unsigned i = 0; i < CM_TAGE_ENTRIES; i++)
                tage->tables[table][i].useful >>= 1;
}

void cm_tage_assume(cm_tage *tage, bool taken)
{
    tage->history[1] = tage->history[1] << 1 | tage->history[0] >> 63;
    tage->history[0] = tage->history[0] << 1 | (taken ? 1 : 0);
}
