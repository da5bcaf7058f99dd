#include "programs/programs.h"

enum { FEWEST = 64, MOST = 256, SHOWN = 3 };

/* The probability that a piece of work is in a program, and the standard deviations of the logarithms of the shares of
 * classes, and of pieces within a class. */
static const double work_probability = 0.7, between_classes = 1.0, within_class = 1.2;

/* Random branches are taken with shares from least_share to 1 - least_share. */
static const double least_share = 0.1;

/* A log-normal weight (Box and Muller, 1958). */
static double random_weight(uint64_t *state, double deviation)
{
    double radius = sqrt(-2.0 * log(1.0 - cm_random_share(state)));
    return exp(deviation * radius * cos(2.0 * 3.14159265358979323846 * cm_random_share(state)));
}

/* Fills the cumulative sums of the rows' weights; returns the total. */
static double sum_work_weights(uint64_t *state, const bool *available, double *sums)
{
    double classes[CM_WORK_CLASSES], totals[CM_WORK_CLASSES] = {0}, sum = 0.0;
    for (size_t i = 0; i < CM_WORK_CLASSES; i++)
        classes[i] = random_weight(state, between_classes);
    for (size_t i = 0; i < cm_work_table_size; i++) {
        sums[i] = 0.0;
        if (cm_work_is_natural(&cm_work_table[i]))
            continue;
        bool in = cm_random_share(state) < work_probability;
        double weight = random_weight(state, within_class);
        sums[i] = available[i] && in && !cm_work_is_free(&cm_work_table[i]) ? weight : 0.0;
        totals[cm_work_class_of(&cm_work_table[i])] += sums[i];
    }
    for (size_t i = 0; i < cm_work_table_size; i++) {
        cm_work_class of = cm_work_class_of(&cm_work_table[i]);
        sum += totals[of] > 0.0 ? sums[i] * classes[of] / totals[of] : 0.0;
        sums[i] = sum;
    }
    return sum;
}

static size_t draw_row(uint64_t *state, const double *sums, double total)
{
    double at = cm_random_share(state) * total;
    size_t row = 0;
    while (row + 1 < cm_work_table_size && sums[row] <= at)
        row++;
    return row;
}

/* The work at a random place: buffer, plane, and an offset that fits its accesses. */
static cm_work place_randomly(uint64_t *state, const cm_work *work)
{
    cm_work placed = *work;
    placed.buffer = (unsigned)cm_random_below(state, CM_WORK_BUFFERS);
    placed.plane = (unsigned)cm_random_below(state, CM_WORK_PLANES);
    if (work->split)
        placed.offset =
            ((unsigned)cm_random_below(state, CM_WORK_SPAN / CM_WORK_LINE - 1) + 1) * CM_WORK_LINE - work->bytes / 2;
    else if (work->bytes != 0)
        placed.offset = (unsigned)cm_random_below(state, CM_WORK_SPAN / work->bytes) * work->bytes;
    return placed;
}

cm_status cm_compose(uint64_t seed, const bool *available, cm_composition *composition, cm_error *error)
{
    uint64_t state = seed;
    *composition = (cm_composition){.class = "", .count = FEWEST + cm_random_below(&state, MOST - FEWEST + 1)};
    composition->works = calloc(composition->count, sizeof *composition->works);
    double *sums = calloc(cm_work_table_size, sizeof *sums), total = 0.0;
    if (composition->works == NULL || sums == NULL) {
        free(sums);
        return cm_error_no_memory(error);
    }
    while (!(total > 0.0))
        total = sum_work_weights(&state, available, sums);
    for (size_t i = 0; i < composition->count; i++)
        composition->works[i] = place_randomly(&state, &cm_work_table[draw_row(&state, sums, total)]);
    for (size_t i = 0; i < CM_WORK_PLANES; i++)
        composition->shares[i] = least_share + (1.0 - 2.0 * least_share) * cm_random_share(&state);
    free(sums);
    return CM_OK;
}

void cm_composition_clear(cm_composition *composition)
{
    free(composition->works);
    *composition = (cm_composition){0};
}

static bool same_row(const cm_work *work, const cm_work *row)
{
    return work->kind == row->kind && work->operation == row->operation && work->precision == row->precision &&
           work->width == row->width && work->bytes == row->bytes && work->split == row->split;
}

static size_t count_row(const cm_composition *composition, size_t row)
{
    size_t count = 0;
    for (size_t i = 0; i < composition->count; i++)
        count += same_row(&composition->works[i], &cm_work_table[row]);
    return count;
}

void cm_composition_describe(const cm_composition *composition, char *text, size_t size)
{
    size_t before = SIZE_MAX, last = 0; /* shows rows from the most frequent on; among equals, the first one */
    snprintf(text, size, "%s%s", composition->class, composition->class[0] != '\0' ? ": " : "");
    for (size_t shown = 0; shown < SHOWN; shown++) {
        size_t best = 0, row = 0;
        for (size_t i = 0; i < cm_work_table_size; i++) {
            size_t count = count_row(composition, i);
            bool left = count < before || (count == before && i > last);
            if (left && count > best) {
                best = count;
                row = i;
            }
        }
        if (best == 0)
            return;
        char words[96];
        cm_work_describe(&cm_work_table[row], words, sizeof words);
        cm_text_append(text, size, shown != 0 ? ", " : "", "%zu %s", best, words);
        before = best;
        last = row;
    }
}
