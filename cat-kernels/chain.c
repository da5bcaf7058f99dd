/* Chains of offsets in a buffer: one cycle in random order, which loads follow. */
#include "cat-kernels/chain.h"

#include <string.h>

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014): one addition and a strong
 * mixer. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, bound), bound < 2^32, by multiplication; the bias of 2^-32 does not matter here. */
static uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((next_random(state) >> 32) * bound) >> 32);
}

/* A random order of the first `count` numbers (Fisher and Yates). */
static void shuffle(uint32_t *order, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t j = random_below(state, (uint32_t)i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* Bytes: prefetchers stay within a page, and some kernels store so far beside each element. */
enum { PAGE = 4096, BESIDE = 448 };

/* A region of elements has a run for each round. A round visits one run of each region, and the next one the run that
 * is APART further in memory: so a run is at least three rounds away from the one that follows it in memory. */
enum { RUN = 3, RUN_ELEMENTS = RUN + 1, ROUNDS = 8, APART = 3, REGION = ROUNDS * RUN_ELEMENTS };

/* A step stays within a block, or leads into the next one. */
void cm_chain_keep_within(cm_chain_shape *shape, size_t reach)
{
    size_t block = reach / 2 / shape->stride * shape->stride;
    if (reach != 0 && shape->block > block)
        shape->block = block > shape->stride ? block : shape->stride;
}

size_t cm_chain_length(const cm_chain_shape *shape)
{
    size_t elements = shape->extent / shape->stride;
    return shape->runs ? elements / REGION * ROUNDS * RUN : elements;
}

typedef struct chain_end {
    char *base, *last; /* of the buffer and of the last element, NULL: there is none */
} chain_end;

static void append_element(chain_end *end, uint64_t offset)
{
    if (end->last != NULL)
        memcpy(end->last, &offset, sizeof offset);
    end->last = end->base + offset;
}

/* Shuffles numbers from 0 on; `first`: 0 stays the first of them. */
static void shuffle_from(uint32_t *order, size_t count, bool first, uint64_t *state)
{
    size_t zero = 0;
    shuffle(order, count, state);
    while (first && order[zero] != 0)
        zero++;
    order[zero] = order[0];
    order[0] = first ? 0 : order[0];
}

/* Appends the elements in short runs, region by region in random order, in several rounds. */
static void append_runs(chain_end *end, const cm_chain_shape *shape, uint32_t *order)
{
    uint64_t state = shape->seed;
    size_t regions = shape->extent / shape->stride / REGION;
    for (size_t round = 0; round < ROUNDS; round++) {
        shuffle_from(order, regions, round == 0, &state);
        for (size_t i = 0; i < regions * RUN; i++) {
            size_t element = order[i / RUN] * (size_t)REGION + round * APART % ROUNDS * RUN_ELEMENTS + i % RUN;
            append_element(end, (uint64_t)element * shape->stride);
        }
    }
}

/* Some elements of a chain, in its order. */
typedef struct chain_part {
    uint32_t *order; /* their numbers, from `start` on */
    size_t start, count, stride;
} chain_part;

static uint64_t page_of(const chain_part *part, size_t i)
{
    return (part->start + part->order[i]) * (uint64_t)part->stride / PAGE;
}

/* A page that a chain comes to, by the numbers of elements: the last one there, and how far it was from the one before.
 */
typedef struct visited_page {
    uint64_t page;
    uint32_t last, step;
    unsigned met; /* elements there so far */
} visited_page;

enum { PAGES = 32 }; /* that are remembered: more than a block has */

/* Whether the element is next in memory to the last one in its page, or as far from it as that is from the one before
 * or from a store beside it. */
static bool sets_going(const chain_part *part, size_t i, const visited_page *pages)
{
    const uint64_t page = page_of(part, i);
    const visited_page *visited = &pages[page % PAGES];
    const uint32_t step = part->order[i] - visited->last;
    if (visited->met == 0 || visited->page != page)
        return false;
    return step == 1 || step == UINT32_MAX || (0 - step) * (uint64_t)part->stride == 2 * (uint64_t)BESIDE ||
           (visited->met > 1 && step == visited->step);
}

static void visit_page(const chain_part *part, size_t i, visited_page *pages)
{
    const uint64_t page = page_of(part, i);
    visited_page *visited = &pages[page % PAGES];
    if (visited->page != page)
        *visited = (visited_page){.page = page};
    visited->step = part->order[i] - visited->last;
    visited->last = part->order[i];
    visited->met++;
}

/* An element that would start a prefetcher changes places with a later one. */
static void break_strides(const chain_part *part)
{
    visited_page pages[PAGES] = {0};
    for (size_t i = 0; i < part->count; i++) {
        for (size_t other = i + 1; other < part->count && sets_going(part, i, pages); other++) {
            const uint32_t kept = part->order[i];
            part->order[i] = part->order[other];
            part->order[other] = kept;
        }
        visit_page(part, i, pages);
    }
}

/* Appends the elements block by block, each in random order without equal strides. */
static void append_blocks(chain_end *end, const cm_chain_shape *shape, uint32_t *order)
{
    uint64_t state = shape->seed;
    size_t length = cm_chain_length(shape), block = shape->block / shape->stride;
    for (size_t start = 0; start < length; start += block) {
        size_t count = length - start < block ? length - start : block;
        shuffle_from(order, count, start == 0, &state);
        break_strides(&(chain_part){order, start, count, shape->stride});
        for (size_t i = 0; i < count; i++)
            append_element(end, (uint64_t)(start + order[i]) * shape->stride);
    }
}

/* One cycle by construction: every element is visited once, and the last leads to the first. */
void cm_chain_build(void *buffer, const cm_chain_shape *shape, uint32_t *order)
{
    chain_end end = {.base = buffer};
    if (shape->runs)
        append_runs(&end, shape, order);
    else
        append_blocks(&end, shape, order);
    if (end.last != NULL)
        memset(end.last, 0, sizeof(uint64_t));
}
