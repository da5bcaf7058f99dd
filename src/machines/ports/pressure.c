/* The distribution of instructions' parts over ports that leaves the busiest port the least to do. The least is the
 * largest, over sets of ports, of the work that only these can do by their number; the load of all ports is then found
 * by filling them up with one part after the other, again and again, each to the level of the least busy of its ports.
 */
#include "machines/ports/ports.h"

enum { UNIONS = 4096, SWEEPS = 2000, FILLS = 4000000 };

static const double settled = 1e-9; /* cycles */

/* A part of an instruction, and each port's share of it. */
typedef struct work {
    size_t instruction;
    double cycles;
    uint32_t mask;
    double taken[CM_PORTS_MOST];
} work;

static size_t add_parts(const cm_port_row *row, size_t instruction, double times, work *all, size_t count)
{
    for (size_t i = 0; row != NULL && i < row->part_count; i++)
        all[count++] = (work){instruction, times * row->parts[i].cycles, row->parts[i].mask, {0.0}};
    return count;
}

static double ports_in(uint32_t mask)
{
    return (double)__builtin_popcount(mask);
}

/* The unions of the masks; their number. */
static size_t unite_masks(const work *all, size_t count, uint32_t *unions)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t before = made;
        bool known = false;
        for (size_t k = 0; k < before; k++)
            known = known || unions[k] == all[i].mask;
        if (known)
            continue;
        for (size_t k = 0; k <= before && made < UNIONS; k++) {
            const uint32_t mask = all[i].mask | (k < before ? unions[k] : 0);
            bool there = false;
            for (size_t n = 0; n < made && !there; n++)
                there = unions[n] == mask;
            if (!there)
                unions[made++] = mask;
        }
    }
    return made;
}

/* The most work by port of any set of ports. */
static double find_most(const work *all, size_t count, uint32_t *unions)
{
    const size_t made = unite_masks(all, count, unions);
    double most = 0.0;
    for (size_t i = 0; i < made; i++) {
        double cycles = 0.0;
        for (size_t k = 0; k < count; k++)
            cycles += (all[k].mask & ~unions[i]) == 0 ? all[k].cycles : 0.0;
        most = cycles / ports_in(unions[i]) > most ? cycles / ports_in(unions[i]) : most;
    }
    return most;
}

/* The level to which the ports of the mask rise if they take so many cycles more, those that do the least first. */
static double level_of(const double *busy, uint32_t mask, double cycles)
{
    double level = 0.0;
    for (uint32_t filled = 0; filled != mask;) {
        size_t next = CM_PORTS_MOST;
        double sum = cycles;
        for (size_t p = 0; p < CM_PORTS_MOST; p++)
            if ((mask & ~filled) >> p & 1 && (next == CM_PORTS_MOST || busy[p] < busy[next]))
                next = p;
        if (filled != 0 && busy[next] >= level)
            break;
        filled |= UINT32_C(1) << next;
        for (size_t p = 0; p < CM_PORTS_MOST; p++)
            sum += filled >> p & 1 ? busy[p] : 0.0;
        level = sum / ports_in(filled);
    }
    return level;
}

/* Distributes a part anew; returns the largest change of a port's load. */
static double distribute_part(work *one, double *busy)
{
    double before[CM_PORTS_MOST], change = 0.0;
    for (size_t p = 0; p < CM_PORTS_MOST; p++) {
        before[p] = one->taken[p];
        busy[p] -= one->taken[p];
    }
    const double level = level_of(busy, one->mask, one->cycles);
    for (size_t p = 0; p < CM_PORTS_MOST; p++) {
        one->taken[p] = one->mask >> p & 1 && level > busy[p] ? level - busy[p] : 0.0;
        busy[p] += one->taken[p];
        change = fabs(one->taken[p] - before[p]) > change ? fabs(one->taken[p] - before[p]) : change;
    }
    return change;
}

/* Fills the ports until no part moves between them any more, and gives each port's cycles to its instructions. */
static void distribute_parts(work *all, size_t count, cm_port_loop *loop)
{
    double change = 1.0;
    for (size_t sweep = 0; sweep < SWEEPS && sweep * count < FILLS && change > settled; sweep++) {
        change = 0.0;
        for (size_t k = 0; k < count; k++)
            change = fmax(change, distribute_part(&all[k], loop->port_cycles));
    }
    for (size_t k = 0; k < count; k++)
        for (size_t p = 0; p < CM_PORTS_MOST; p++)
            loop->pressure[all[k].instruction * CM_PORTS_MOST + p] += all[k].taken[p];
}

cm_status cm_port_press(cm_port_loop *loop, cm_error *error)
{
    work *all = calloc(4 * CM_PORT_PARTS * loop->count + 1, sizeof *all);
    uint32_t *unions = calloc(UNIONS, sizeof *unions);
    const bool made = all != NULL && unions != NULL;
    size_t count = 0;
    for (size_t i = 0; i < loop->count && made; i++) {
        const cm_port_instruction *one = &loop->instructions[i];
        count = add_parts(one->row, i, 1.0, all, count);
        count = add_parts(one->load, i, 1.0 + one->crossing, all, count);
        count = add_parts(one->store, i, 1.0 + one->crossing, all, count);
        count = add_parts(one->change, i, 1.0, all, count);
    }
    if (made) {
        loop->throughput = find_most(all, count, unions);
        distribute_parts(all, count, loop);
    }
    CM_FREE(all, unions);
    return made ? CM_OK : cm_error_no_memory(error);
}
