/* Sets of facts that an event may count, while more are sought. */
#include "analysis/rules.h"
#include "law/state.h"

static bool has_member(const size_t *chosen, size_t count, size_t one)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = chosen[i] == one;
    return found;
}

bool cm_law_is_new_set(const cm_law_sets *sets, const size_t *chosen)
{
    size_t last = sets->size - 1;
    bool is_new = !has_member(chosen, last, chosen[last]);
    for (size_t c = 0; c < sets->count && is_new; c++) {
        bool same = true;
        for (size_t i = 0; i < sets->size && same; i++)
            same = has_member(sets->chosen[c], sets->size, chosen[i]);
        is_new = !same;
    }
    return is_new;
}

bool cm_law_leaves_less(double left, double other)
{
    return left < INFINITY && (other == INFINITY || left < other * (1.0 - pow(cm_the_rules.alike, 2.0)));
}

void cm_law_keep_set(cm_law_sets *sets, const size_t *chosen, double left)
{
    size_t place = sets->count;
    while (place > 0 && cm_law_leaves_less(left, sets->left[place - 1]))
        place--;
    if (place == CM_LAW_SETS || left == INFINITY)
        return;
    sets->count += sets->count < CM_LAW_SETS;
    size_t moved = sets->count - 1 - place;
    memmove(sets->left + place + 1, sets->left + place, moved * sizeof *sets->left);
    memmove(sets->chosen + place + 1, sets->chosen + place, moved * sizeof *sets->chosen);
    sets->left[place] = left;
    memcpy(sets->chosen[place], chosen, sizeof *sets->chosen);
}
