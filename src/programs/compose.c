#include "programs/programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/random.h"

enum { FEWEST = 64, MOST = 256, SHOWN = 3, INSTRUCTIONS = 200, MOST_NATURAL = 512, SECTION = 8 };

/* The probability that a piece of work is in a program, and the standard deviations of the logarithms of the shares of
 * classes, and of pieces within a class. */
static const double present = 0.7, between_classes = 1.0, within_class = 1.2;

/* Random branches are taken with shares from least_share to 1 - least_share. */
static const double least_share = 0.1;

/* Natural branches that are mispredicted at all are mispredicted about one time in ten: shares from here to half. */
static const double least_natural_share = 0.02;

/* A log-normal weight (Box and Muller, 1958). */
static double random_weight(uint64_t *state, double deviation)
{
    double radius = sqrt(-2.0 * log(1.0 - cm_random_share(state)));
    return exp(deviation * radius * cos(2.0 * 3.14159265358979323846 * cm_random_share(state)));
}

/* Fills the cumulative sums of the rows' weights; returns the total. */
static double weigh(uint64_t *state, const bool *available, double *sums)
{
    double classes[CM_WORK_CLASSES], totals[CM_WORK_CLASSES] = {0}, sum = 0.0;
    for (size_t i = 0; i < CM_WORK_CLASSES; i++)
        classes[i] = random_weight(state, between_classes);
    for (size_t i = 0; i < cm_work_table_size; i++) {
        bool in = cm_random_share(state) < present;
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

static size_t draw(uint64_t *state, const double *sums, double total)
{
    double at = cm_random_share(state) * total;
    size_t row = 0;
    while (row + 1 < cm_work_table_size && sums[row] <= at)
        row++;
    return row;
}

static cm_work place(uint64_t *state, const cm_work *work)
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
        total = weigh(&state, available, sums);
    for (size_t i = 0; i < composition->count; i++)
        composition->works[i] = place(&state, &cm_work_table[draw(&state, sums, total)]);
    for (size_t i = 0; i < CM_WORK_PLANES; i++)
        composition->shares[i] = least_share + (1.0 - 2.0 * least_share) * cm_random_share(&state);
    free(sums);
    return CM_OK;
}

/* ---- natural programs ---- */

/* Pieces of work that come only in some iterations; a branch on the plane skips them in the others. */
typedef struct section {
    unsigned plane;
    double share; /* of iterations */
    size_t count;
    cm_work works[SECTION + 1]; /* after the branch */
} section;

/* The first planes belong to random branches. */
static const double section_shares[] = {0.2, 0.05, 0.015, 0.005};
enum { SECTIONS = sizeof section_shares / sizeof section_shares[0], RANDOM_PLANES = CM_WORK_PLANES - SECTIONS };

/* Mostly in cache, as most accesses of programs are; one in five moves on through the larger buffer. */
static cm_work place_near(uint64_t *state, const cm_work *work)
{
    cm_work placed = place(state, work);
    placed.buffer = cm_random_below(state, 5) == 0 ? 1 : 2;
    placed.plane = (unsigned)cm_random_below(state, RANDOM_PLANES);
    return placed;
}

/* Adds work that occurs `often` an iteration: to all iterations, or to the section of the next higher frequency. */
static void add_natural(uint64_t *state, const cm_work *work, double often, cm_composition *composition,
                        section *sections)
{
    size_t place = 0;
    if (often >= section_shares[0] || work->kind == CM_WORK_RANDOM) {
        for (double left = fmax(1.0, often + cm_random_share(state)); left >= 1.0 && composition->count < MOST_NATURAL;
             left -= 1.0)
            composition->works[composition->count++] = place_near(state, work);
        return;
    }
    while (place + 1 < SECTIONS && section_shares[place + 1] >= often)
        place++;
    section *to = &sections[place];
    if (to->count < SECTION && cm_random_share(state) * to->share < often)
        to->works[++to->count] = place_near(state, work);
}

/* Shuffles the works; the sections follow as a whole at the end. */
static void settle(uint64_t *state, section *sections, cm_composition *composition)
{
    for (size_t i = composition->count; i > 1; i--) {
        size_t other = cm_random_below(state, i);
        cm_work work = composition->works[i - 1];
        composition->works[i - 1] = composition->works[other];
        composition->works[other] = work;
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        sections[i].works[0] = (cm_work){
            .kind = CM_WORK_RANDOM, .plane = RANDOM_PLANES + (unsigned)i, .skips = (unsigned)sections[i].count};
        memcpy(composition->works + composition->count, sections[i].works,
               (sections[i].count + 1) * sizeof *composition->works);
        composition->count += sections[i].count + 1;
        composition->shares[RANDOM_PLANES + i] = 1.0 - sections[i].share;
    }
}

cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error)
{
    uint64_t state = seed;
    section sections[SECTIONS] = {0};
    size_t program = class * CM_NATURAL_OF_A_CLASS + cm_random_below(&state, CM_NATURAL_OF_A_CLASS);
    *composition = (cm_composition){.class = natural->classes[class]};
    composition->works = calloc(MOST_NATURAL + SECTIONS * (SECTION + 1), sizeof *composition->works);
    if (composition->works == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < SECTIONS; i++)
        sections[i].share = section_shares[i];
    for (size_t i = 0; i < cm_work_table_size; i++)
        if (available[i])
            add_natural(&state, &cm_work_table[i],
                        INSTRUCTIONS * cm_work_rate(&cm_work_table[i], natural->facts + program * cm_fact_count()),
                        composition, sections);
    settle(&state, sections, composition);
    for (size_t i = 0; i < RANDOM_PLANES; i++)
        composition->shares[i] = least_natural_share * pow(0.5 / least_natural_share, cm_random_share(&state));
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
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%zu %s", shown != 0 ? ", " : "", best, words);
        before = best;
        last = row;
    }
}
