/* Work of a natural program, in its buffers and phases. */
#include "programs/programs.h"

enum { NEAR_BYTES = 1024 }; /* of the lines that the first cache keeps */
enum { PAGE = CM_PROGRAM_PAGE, SLOTS = CM_WORK_SPAN / CM_WORK_LINE, HALF = SLOTS / 2, BELOW = CM_WORK_SPAN / 2 };
enum { REGION = 1 << 20, REGIONS = 16, ALL = REGIONS * REGION, AGAIN = REGION / 2, AROUND_BYTES = 32 * PAGE };

const double cm_phase_shares[CM_PHASES] = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 256};

/* By lines, new ones or so few that the TLBs keep their pages, in one set of the second cache; by pages, new ones or so
 * many that the second TLB keeps them. A stride of 0 is one line for each piece of work. By pages, loads have the end
 * of one, stores the beginning of the next. */
static const struct {
    size_t start, stride, size;
    unsigned slots;
} onward[] = {[CM_LINES] = {0, 0, ALL, SLOTS - 1},
              [CM_LINES_AGAIN] = {BELOW, 4 * PAGE, AGAIN, HALF},
              [CM_PAGES] = {PAGE - BELOW, 2 * PAGE, ALL, HALF},
              [CM_PAGES_AGAIN] = {PAGE - BELOW, 2 * PAGE, AGAIN, HALF}};

static bool is_store(cm_work_kind kind)
{
    return kind == CM_WORK_STORE || kind == CM_WORK_STORE_FAR;
}

static bool is_by_pages(const cm_composing *work)
{
    return work->way == CM_PAGES || work->way == CM_PAGES_AGAIN;
}

/* A line of its own for work that is to miss, as an offset. */
static unsigned next_line(cm_composing *work, cm_work_kind kind, unsigned buffer)
{
    if (kind == CM_WORK_NT_STORE)
        return (SLOTS - 1) * CM_WORK_LINE; /* of all, since the caches lose it */
    unsigned slot = work->slots[buffer]++;
    if (buffer == CM_AROUND)
        return slot % (SLOTS - 1) * CM_WORK_LINE;
    return (slot % onward[work->way].slots + (is_by_pages(work) && is_store(kind) ? HALF : 0)) * CM_WORK_LINE;
}

/* The row's work in that buffer, at an offset that fits its accesses. */
static cm_work place_work(cm_composing *work, const cm_work *row, unsigned buffer)
{
    cm_work placed = *row;
    placed.buffer = buffer;
    if (buffer != CM_NEAR)
        placed.offset = next_line(work, row->kind, buffer);
    else if (row->split)
        placed.offset = ((unsigned)cm_random_below(&work->random, NEAR_BYTES / CM_WORK_LINE - 1) + 1) * CM_WORK_LINE -
                        row->bytes / 2;
    else if (row->bytes != 0)
        placed.offset = (unsigned)cm_random_below(&work->random, NEAR_BYTES / row->bytes) * row->bytes;
    return placed;
}

void cm_composing_add_to_all(cm_composing *work, const cm_work *row, unsigned buffer)
{
    cm_composition *composition = work->composition;
    if (composition->count < CM_NATURAL_MOST)
        composition->works[composition->count++] = place_work(work, row, buffer);
}

/* Adds work that occurs less than once an iteration: to the phases of its two first digits. */
static void add_to_phases(cm_composing *work, const cm_work *row, unsigned buffer, double often)
{
    unsigned digits = 0;
    for (size_t i = 0; i < CM_PHASES && digits < 2; i++) {
        bool last = i + 1 == CM_PHASES || digits == 1;
        double count = floor(often / cm_phase_shares[i] + (last ? cm_random_share(&work->random) : 0.0));
        often -= count * cm_phase_shares[i];
        digits += count > 0.0 || digits != 0;
        for (; count > 0.0 && work->counts[i] < CM_NATURAL_MOST_OF_PHASE; count -= 1.0)
            work->phases[i][work->counts[i]++] = place_work(work, row, buffer);
    }
}

void cm_composing_add(cm_composing *work, const cm_work *row, unsigned buffer, double often)
{
    for (; often >= 1.0; often -= 1.0)
        cm_composing_add_to_all(work, row, buffer);
    add_to_phases(work, row, buffer, often);
}

/* Each class begins elsewhere. */
void cm_composing_set_ways(const cm_composing *work, size_t class)
{
    cm_composition *composition = work->composition;
    size_t lines = work->slots[CM_ONWARD] > SLOTS ? SLOTS : work->slots[CM_ONWARD], stride = onward[work->way].stride;
    size_t starts[] = {class % REGIONS * REGION + onward[work->way].start, CM_WORK_SPAN, 0};
    size_t sizes[] = {onward[work->way].size, AROUND_BYTES, PAGE};
    size_t strides[] = {stride != 0 ? stride : lines * CM_WORK_LINE, PAGE, 0};
    memcpy(composition->starts, starts, sizeof starts);
    memcpy(composition->sizes, sizes, sizeof sizes);
    memcpy(composition->strides, strides, sizeof strides);
}
