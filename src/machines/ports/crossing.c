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

static unsigned place_in_access(const cm_port_instruction *one)
{
    return (unsigned)one->address.offset % one->address.bytes;
}

/* The place of a vector at which the most accesses to the array lie, of several the first. */
static unsigned most_frequent_place(const cm_port_loop *loop, const cm_port_instruction *one)
{
    size_t counts[LINE] = {0}, most = 0;
    unsigned place = 0;
    for (size_t i = 0; i < loop->count; i++)
        if (is_beside(one, &loop->instructions[i]))
            counts[place_in_access(&loop->instructions[i])]++;
    for (size_t i = 0; i < loop->count; i++)
        if (is_beside(one, &loop->instructions[i]) && counts[place_in_access(&loop->instructions[i])] > most) {
            place = place_in_access(&loop->instructions[i]);
            most = counts[place];
        }
    return place;
}

void cm_port_cross(cm_port_loop *loop)
{
    for (size_t i = 0; i < loop->count; i++) {
        cm_port_instruction *one = &loop->instructions[i];
        if (is_vector(one))
            one->crossing =
                place_in_access(one) != most_frequent_place(loop, one) ? (double)one->address.bytes / LINE : 0.0;
    }
}
