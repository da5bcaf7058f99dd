/* Dependences without limits of ports: turns are followed one after the other, each instruction begins when its inputs
 * are there. A load from an address that an earlier turn stored to waits for the store: addresses are followed as far
 * as they are sums of one register and constants. */
#include "machines/ports/ports.h"

enum { TURNS = 64, STORES = 256 };

/* The contents of a register, as far as addresses need them: something unknown plus a constant. */
typedef struct value {
    size_t unknown;
    long offset;
} value;

typedef struct ready {
    double any, same; /* when other instructions have it, and those of `row` */
    const cm_port_row *row;
    size_t by; /* index of the instruction over all turns; SIZE_MAX: it was there */
} ready;

typedef struct stored {
    value base, index;
    const cm_port_address *address;
    double time;
    size_t by;
} stored;

typedef struct follow {
    const cm_port_model *model;
    cm_port_loop *loop;
    ready registers[CM_PORT_REGISTERS];
    value values[CM_PORT_REGISTERS];
    size_t unknowns, store_count;
    stored stores[STORES];
    double *done;   /* one an instruction and turn */
    size_t *before; /* the one that it waited for; SIZE_MAX: none */
} follow;

static long place_of_address(const follow *all, const cm_port_address *address)
{
    long offset = address->offset;
    if (address->base != CM_PORT_NONE)
        offset += all->values[address->base].offset;
    if (address->index != CM_PORT_NONE)
        offset += address->scale * all->values[address->index].offset;
    return offset;
}

static value value_of(const follow *all, uint8_t reg)
{
    return reg != CM_PORT_NONE ? all->values[reg] : (value){0, 0};
}

/* Whether the address is surely within that of the store. */
static bool is_stored(const follow *all, const cm_port_address *address, const stored *one)
{
    const long here = place_of_address(all, address);
    const long there = one->address->offset + one->base.offset + one->address->scale * one->index.offset;
    return one->base.unknown == value_of(all, address->base).unknown &&
           one->index.unknown == value_of(all, address->index).unknown && one->address->scale == address->scale &&
           here >= there && here < there + (long)one->address->bytes;
}

/* Waits for a register; whether that is longer than until now. */
static void wait_for(const follow *all, uint8_t reg, const cm_port_row *row, double *time, size_t *by)
{
    const ready *one = &all->registers[reg];
    const double when = row != NULL && one->row == row ? one->same : one->any;
    if (when > *time || (when == *time && *by == SIZE_MAX)) {
        *time = when;
        *by = one->by;
    }
}

/* When the loaded value is there. */
static void load_value(const follow *all, const cm_port_instruction *one, double *time, size_t *by)
{
    if (one->address.base != CM_PORT_NONE)
        wait_for(all, one->address.base, NULL, time, by);
    if (one->address.index != CM_PORT_NONE)
        wait_for(all, one->address.index, NULL, time, by);
    *time += one->load != NULL ? one->load->latency : 0.0;
    const size_t kept = all->store_count < STORES ? all->store_count : STORES;
    for (size_t i = 1; i <= kept; i++) {
        const stored *store = &all->stores[(all->store_count - i) % STORES];
        if (!is_stored(all, &one->address, store))
            continue;
        if (store->time + all->model->forward > *time) {
            *time = store->time + all->model->forward;
            *by = store->by;
        }
        return;
    }
}

/* Sets the values of registers behind the instruction. */
static void set_values(follow *all, const cm_port_instruction *one)
{
    const value moved = value_of(all, one->moved);
    for (size_t i = 0; i < one->write_count; i++)
        all->values[one->writes[i]] = (value){++all->unknowns, 0};
    if (one->moved != CM_PORT_NONE && one->write_count > 0)
        all->values[one->writes[0]] = (value){moved.unknown, moved.offset + one->add};
    if (one->updated != CM_PORT_NONE)
        all->values[one->updated].offset += one->update;
}

/* Follows one instruction; `at`: its index over all turns. */
static void follow_one(follow *all, const cm_port_instruction *one, size_t at)
{
    double time = 0.0, begin = 0.0;
    size_t by = SIZE_MAX;
    if (one->loads)
        load_value(all, one, &time, &by);
    for (size_t i = 0; i < one->read_count; i++)
        if ((!one->loads && !one->stores) ||
            (one->reads[i] != one->address.base && one->reads[i] != one->address.index))
            wait_for(all, one->reads[i], one->row, &time, &by);
    if (!one->loads && one->stores && one->row == NULL)
        begin = time;
    const double latency = one->row != NULL ? one->row->latency : 0.0, next = one->row != NULL ? one->row->next : 0.0;
    const double done = (begin > time ? begin : time) + latency;
    if (one->stores)
        all->stores[all->store_count++ % STORES] =
            (stored){value_of(all, one->address.base), value_of(all, one->address.index), &one->address, done, at};
    for (size_t i = 0; i < one->write_count; i++)
        all->registers[one->writes[i]] = (ready){done, done - latency + next, one->row, at};
    if (one->updated != CM_PORT_NONE) {
        ready *base = &all->registers[one->updated];
        *base = (ready){base->any + 1.0, base->any + 1.0, NULL, at};
    }
    set_values(all, one);
    all->done[at] = done;
    all->before[at] = by;
}

/* The instruction of a turn that is done last. */
static size_t last_of(const follow *all, size_t turn)
{
    const size_t count = all->loop->count;
    size_t last = turn * count;
    for (size_t i = last; i < (turn + 1) * count; i++)
        if (all->done[i] > all->done[last])
            last = i;
    return last;
}

/* Marks the instructions of the longest chain of one turn, and of the one from turn to turn, but for the last turns. */
static void mark_chains(const follow *all)
{
    const size_t count = all->loop->count;
    size_t seen = 0;
    for (size_t at = last_of(all, 0); at != SIZE_MAX; at = all->before[at])
        all->loop->critical[at] = true;
    for (size_t at = last_of(all, 2 * TURNS - 1); at != SIZE_MAX && at >= TURNS * count; at = all->before[at])
        if (at < (2 * TURNS - 8) * count && seen++ < 16 * count)
            all->loop->carried[at % count] = true;
}

cm_status cm_port_chain(const cm_port_model *model, cm_port_loop *loop, cm_error *error)
{
    const size_t steps = 2 * TURNS * loop->count;
    follow *all = calloc(1, sizeof *all);
    if (all == NULL)
        return cm_error_no_memory(error);
    *all = (follow){.model = model, .loop = loop, .unknowns = CM_PORT_REGISTERS};
    all->done = calloc(steps + 1, sizeof *all->done);
    all->before = calloc(steps + 1, sizeof *all->before);
    const bool made = all->done != NULL && all->before != NULL;
    for (size_t reg = 0; reg < CM_PORT_REGISTERS; reg++) {
        all->registers[reg].by = SIZE_MAX;
        all->values[reg].unknown = reg + 1;
    }
    for (size_t at = 0; made && at < steps; at++)
        follow_one(all, &loop->instructions[at % loop->count], at);
    if (made && loop->count > 0) {
        loop->critical_path = all->done[last_of(all, 0)];
        loop->loop_carried = (all->done[last_of(all, 2 * TURNS - 1)] - all->done[last_of(all, TURNS - 1)]) / TURNS;
        mark_chains(all);
    }
    CM_FREE(all->done, all->before, all);
    return made ? CM_OK : cm_error_no_memory(error);
}
