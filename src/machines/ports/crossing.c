/* Accesses in two lines. Nothing in assembly says how arrays are aligned; but of a stencil that goes through an array
 * by vectors, neighbours are apart by less than a vector, and at most one of them is aligned. */
#include "machines/ports/ports.h"

enum { LINE = 64, NARROW = 8 };

static bool is_vector(const cm_port_instruction *one)
{
    return (one->loads || one->stores) && one->address.bytes > NARROW && one->address.bytes <= LINE;
}

/* Whether both go to one array: the same registers, which are not changed between, as far as loops are written. */
static bool is_beside(const cm_port_instruction *one, const cm_port_instruction *other)
{
    return is_vector(other) && one->address.base == other->address.base && one->address.index == other->address.index &&
           one->address.scale == other->address.scale && one->address.bytes == other->address.bytes;
}

static unsigned place_of(const cm_port_instruction *one)
{
    return (unsigned)one->address.offset % one->address.bytes;
}

/* The accesses to the array that lie at the same place of a vector. */
static size_t count_at(const cm_port_loop *loop, const cm_port_instruction *one, unsigned place)
{
    size_t count = 0;
    for (size_t i = 0; i < loop->count; i++)
        count += is_beside(one, &loop->instructions[i]) && place_of(&loop->instructions[i]) == place;
    return count;
}

void cm_port_cross(cm_port_loop *loop)
{
    for (size_t i = 0; i < loop->count; i++) {
        cm_port_instruction *one = &loop->instructions[i];
        size_t most = 0;
        unsigned aligned = 0;
        if (!is_vector(one))
            continue;
        for (size_t k = 0; k < loop->count; k++) {
            const unsigned place = is_beside(one, &loop->instructions[k]) ? place_of(&loop->instructions[k]) : 0;
            const size_t count = is_beside(one, &loop->instructions[k]) ? count_at(loop, one, place) : 0;
            if (count > most) {
                most = count;
                aligned = place;
            }
        }
        one->crossing = place_of(one) != aligned ? (double)one->address.bytes / LINE : 0.0;
    }
}
