/* Cycles of blocks: units, memory, dependences and mispredictions. */
#include "software_pmu/machine/modelled.h"

/* Bytes that one operation of a repeated string instruction moves; cycles more of a product of integers in vectors;
 * bytes of an access beyond which a unit may take it twice; cycles more of a lock on machines without latency_locked.
 */
enum { STRING_BYTES = 32, VECTOR_PRODUCT = 4, WIDE = 32, LOCK = 17 };

void cm_time_init(cm_time *time, const cm_pmu_machine *machine)
{
    cm_flows flows;
    cm_flows_init(&flows, machine);
    *time = (cm_time){.machine = *machine,
                      .levels = {flows.load},
                      .width = flows.width,
                      .window = flows.window,
                      .line_shift = (unsigned)__builtin_ctzll(machine->line_size),
                      .units = {[CM_FLOW_INTEGER] = {.width = machine->units_integer},
                                [CM_FLOW_VECTOR] = {.width = machine->units_vector},
                                [CM_FLOW_ADDER] = {.width = machine->units_adder},
                                [CM_FLOW_MULTIPLIER] = {.width = machine->units_multiplier},
                                [CM_FLOW_LOADER] = {.width = machine->units_load},
                                [CM_FLOW_VECTOR_LOADER] = {.width = machine->units_load_vector},
                                [CM_FLOW_STORER] = {.width = machine->units_store}},
                      .stalls = {[CM_FLOW_WALL] = machine->latency_fence,
                                 [CM_FLOW_FULL_WALL] = machine->latency_full_fence,
                                 [CM_FLOW_PAUSE] = machine->latency_pause},
                      .bus = {.width = 1},
                      .divider = {.width = 1}};
    for (size_t i = 0; i < CM_FLOW_KINDS; i++)
        time->latencies[i] = flows.latencies[i];
    time->levels[1] = cm_figure_or(machine->latency_l2, flows.load);
    time->levels[2] = cm_figure_or(machine->latency_l3, time->levels[1]);
    time->levels[3] = machine->latency_memory;
    time->machine.fill_buffers = cm_figure_or(machine->fill_buffers, 16);
    time->machine.store_buffer = cm_figure_or(machine->store_buffer, 64);
    time->operations.size = cm_figure_or(machine->scheduler, CM_TIME_BUFFERS);
    time->loads.size = cm_figure_or(machine->load_scheduler, CM_TIME_BUFFERS);
    time->machine.memory_interval = cm_figure_or(machine->memory_interval, 1);
    time->machine.latency_forward = cm_figure_or(machine->latency_forward, flows.load);
    time->machine.latency_int_divide = cm_figure_or(machine->latency_int_divide, 1);
    time->machine.latency_vector = cm_figure_or(machine->latency_vector, 1);
    time->machine.latency_vector_multiply =
        cm_figure_or(machine->latency_vector_multiply, time->machine.latency_vector + VECTOR_PRODUCT);
    time->machine.latency_add_again = cm_figure_or(machine->latency_add_again, time->latencies[CM_FLOW_ADD]);
    if (time->machine.latency_add_again > time->latencies[CM_FLOW_ADD])
        time->machine.latency_add_again = time->latencies[CM_FLOW_ADD];
    time->vectors.size = machine->vector_scheduler;
    time->machine.latency_load_vector = (unsigned)cm_later(machine->latency_load_vector, flows.load);
    time->commit.width = flows.width;
}

/* ---- units and memory ---- */

/* The first cycle, from `from` on, in which one of the units is free; it is taken. */
static uint64_t take_unit(cm_time_unit *unit, uint64_t from)
{
    if (unit->width == 0)
        return from;
    for (uint64_t cycle = from;; cycle++) {
        const size_t at = cycle % CM_TIME_CYCLES;
        if (unit->cycles[at].cycle != cycle) {
            unit->cycles[at].cycle = cycle;
            unit->cycles[at].used = 0;
        }
        if (unit->cycles[at].used < unit->width) {
            unit->cycles[at].used++;
            return cycle;
        }
    }
}

static uint64_t take_units(cm_time *time, cm_flow_unit unit, bool wide, uint64_t from)
{
    uint64_t begun = unit != CM_FLOW_NO_UNIT ? take_unit(&time->units[unit], from) : from;
    if (wide && time->machine.vector_bytes != 0 && time->machine.vector_bytes < 64)
        begun = take_unit(&time->units[unit], begun);
    return begun;
}

/* The same for an access; one that crosses a line takes its unit twice. */
static uint64_t take_access(cm_time *time, cm_flow_unit unit, const cm_timed_access *of, uint64_t from)
{
    const uint64_t begun = take_units(time, unit, of->bytes > WIDE, from), line = (uint64_t)1 << time->line_shift;
    return of->address % line + of->bytes > line ? take_units(time, unit, false, begun) : begun;
}

/* The cycle in which memory begins to give a line that is asked for in the cycle `from`. */
static uint64_t take_bus(cm_time *time, uint64_t from)
{
    const uint64_t interval = time->machine.memory_interval;
    return cm_later(from, take_unit(&time->bus, from / interval) * interval);
}

/* The cycle in which the first level has a line that `level` had; sets `level` if the line was on its way. */
static uint64_t await_line(cm_time *time, uint64_t line, unsigned *level, uint64_t from)
{
    cm_line_due *due = &time->arrivals[line % CM_TIME_LINES];
    const bool comes = due->line == line && due->at > from;
    const uint64_t coming = comes ? due->at : from;
    if (*level == 0) {
        *level = comes ? due->level : 0;
        return coming;
    }
    unsigned buffer = 0;
    for (unsigned i = 1; i < time->machine.fill_buffers; i++)
        if (time->fills[i] < time->fills[buffer])
            buffer = i;
    uint64_t at = cm_later(from, time->fills[buffer]);
    if (*level == CM_MEMORY_LEVELS)
        at = take_bus(time, at);
    at = cm_later(at + time->levels[*level] - time->levels[0], coming);
    time->fills[buffer] = at;
    *due = (cm_line_due){line, at, *level};
    return at;
}

/* Prefetchers ask for lines; they wait for no fill buffer. */
static void bring_asked(cm_time *time, size_t begin, size_t end, uint64_t from)
{
    for (size_t i = begin; i < end; i++) {
        const cm_asked_line *asked = &time->asked[i];
        const uint64_t at = asked->level == CM_MEMORY_LEVELS ? take_bus(time, from) : from;
        time->arrivals[asked->line % CM_TIME_LINES] =
            (cm_line_due){asked->line, at + time->levels[asked->level] - time->levels[0], asked->level};
    }
}

/* The cycle in which the line of an access is in the first level; sets the level that has it. */
static uint64_t reach_line(cm_time *time, size_t access, uint64_t from, unsigned *level)
{
    const cm_timed_access *of = &time->accesses[access];
    *level = of->level;
    from += of->walked ? time->machine.latency_walk : of->tlb_missed ? time->machine.latency_stlb : 0;
    const uint64_t at = await_line(time, of->address >> time->line_shift, level, from);
    bring_asked(time, access != 0 ? time->accesses[access - 1].asked : 0, of->asked, from);
    return at;
}

static cm_time_store *stored_at(cm_time *time, uint64_t address)
{
    return &time->stored[address / 8 % CM_TIME_STORED];
}

/* The queue in which an operation that needs a unit waits for its operands. */
static cm_time_scheduler *scheduler_of(cm_time *time, const cm_flow *flow)
{
    const bool general = flow->unit == CM_FLOW_INTEGER || time->vectors.size == 0;
    return general ? &time->operations : &time->vectors;
}

/* An operation takes the entry of the scheduler that is free first, until the cycle in which it begins. */
static void take_entry(cm_time_scheduler *scheduler, uint64_t begun)
{
    uint64_t *heap = scheduler->until;
    const size_t count = scheduler->size;
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1] < heap[child];
        if (heap[child] >= begun)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = begun;
}

/* Whether memory renaming gives a load of a general register what one of the last stores has. */
static bool is_renamed(const cm_time *time, const cm_time_store *stored, const cm_timed_access *of, bool vectors)
{
    return !vectors && (of->bytes == 4 || of->bytes == 8) && stored->bytes == of->bytes &&
           stored->place == of->address / 8 && time->store_count - stored->number <= time->machine.memory_renaming;
}

/* The cycle in which a load has its value. */
static uint64_t load_cycle(cm_time *time, size_t access, uint64_t from, bool vectors)
{
    const cm_timed_access *of = &time->accesses[access];
    const uint64_t begun =
        take_access(time, CM_FLOW_LOADER, of, vectors ? take_access(time, CM_FLOW_VECTOR_LOADER, of, from) : from);
    take_entry(&time->loads, begun);
    const cm_time_store *stored = stored_at(time, of->address);
    unsigned level = 0;
    const uint64_t line = reach_line(time, access, begun, &level);
    if (line > begun)
        time->missing = cm_later(time->missing, line);
    if (level != 0)
        time->leaving.lacked_l1 = begun + time->levels[0];
    if (level > 1)
        time->leaving.lacked_l2 = begun + time->levels[1];
    const unsigned more = vectors ? time->machine.latency_load_vector - time->levels[0] : 0;
    if (is_renamed(time, stored, of, vectors))
        return stored->known;
    if (stored->place == of->address / 8 && stored->at > begun)
        return stored->at + time->machine.latency_forward + more;
    return line + time->levels[0] + more;
}

/* A store whose address is known in the cycle `from`, and whose value in `known`; the store itself is done in `ready`.
 */
static void store_value(cm_time *time, size_t access, uint64_t from, uint64_t known, uint64_t ready)
{
    const cm_timed_access *of = &time->accesses[access];
    unsigned level = 0;
    const uint64_t line = reach_line(time, access, take_access(time, CM_FLOW_STORER, of, from), &level);
    time->committed = cm_later(time->committed, cm_later(cm_later(time->done, ready), line));
    *stored_at(time, of->address) =
        (cm_time_store){of->address / 8, known, ready, time->store_count++, time->leaving.vectors ? 0 : of->bytes};
    time->stores[time->next_store] = time->committed;
    time->next_store = time->next_store + 1 == time->machine.store_buffer ? 0 : time->next_store + 1;
}

/* ---- instructions ---- */

/* How long the divider is busy, in sixths of the latency: as long with any vector that it takes at a time. */
static unsigned sixths_of(const cm_time *time, const cm_flow *flow)
{
    enum { SCALAR = 2, BYTES = 8 };
    const bool whole = flow->busy != 0 && flow->busy * BYTES <= time->machine.divider_bytes;
    return whole && !flow->divides ? SCALAR : flow->busy;
}

/* The cycle in which the result is ready; occupies units from `from` on. */
static uint64_t execute_flow(cm_time *time, const cm_flow *flow, uint64_t from)
{
    uint64_t begun = take_units(time, (cm_flow_unit)flow->unit, flow->wide, from);
    if (flow->unit != CM_FLOW_NO_UNIT)
        take_entry(scheduler_of(time, flow), begun);
    unsigned latency = time->latencies[flow->kind];
    if (flow->kind == CM_FLOW_SIMPLE && flow->unit == CM_FLOW_MULTIPLIER)
        latency = time->latencies[CM_FLOW_MULTIPLY]; /* conversions, comparisons and others */
    if (flow->kind == CM_FLOW_SIMPLE && flow->unit == CM_FLOW_VECTOR)
        latency = flow->multiplies ? time->machine.latency_vector_multiply : time->machine.latency_vector;
    if (flow->of_x87)
        latency = cm_figure_or(time->machine.latency_x87, latency);
    if (flow->divides)
        latency = time->machine.latency_int_divide;
    if (flow->busy != 0)
        begun = take_unit(&time->divider, begun);
    for (unsigned cycle = 1; cycle < sixths_of(time, flow) * latency / 6; cycle++)
        take_unit(&time->divider, begun);
    if (flow->locked)
        return begun + cm_figure_or(time->machine.latency_locked, latency + LOCK + flow->extra);
    return begun + latency + flow->extra;
}

/* An operation with the accesses from `begin` to `end` enters the window; `fused`: with the one before it. */
static void enter_operation(cm_time *time, const cm_flow *flow, bool fused, size_t begin, size_t end, uint64_t *facts)
{
    if (flow->role == CM_FLOW_WALL || flow->role == CM_FLOW_FULL_WALL)
        cm_time_wait(time, time->done, facts);
    for (size_t i = begin; i < end; i++)
        if (time->accesses[i].store)
            cm_time_lose(time, time->stores[time->next_store], CM_LOST_MEMORY, facts);
        else
            cm_time_wait(time, time->loads.until[0], facts);
    if (flow->unit != CM_FLOW_NO_UNIT)
        cm_time_wait(time, scheduler_of(time, flow)->until[0], facts);
    if (!fused)
        cm_time_fill(time, facts);
}

/* Lets an instruction leave the window at `done`; a fused one has no place of its own there. */
static void leave_window(cm_time *time, uint64_t done, bool fused, bool whole, uint64_t *facts)
{
    time->done = cm_later(time->done, done);
    time->leaving.done = done;
    time->leaving.fused = fused;
    time->leaving.whole = whole;
    cm_commit_add(&time->commit, &time->leaving, facts);
    if (fused)
        return;
    time->left[time->next] = time->done;
    time->next = time->next + 1 == time->window ? 0 : time->next + 1;
}

/* Whether the first operation is the instruction. */
static bool is_whole(const cm_time *time, const cm_flow *flow)
{
    return flow->role != CM_FLOW_PREFIX && (time->machine.split_accesses == 0 || flow->parts == 0);
}

/* The operations of an instruction beyond the first, which was done in that cycle: a second access, or an address. */
static void add_parts(cm_time *time, const cm_flow *flow, uint64_t done, uint64_t *facts)
{
    const unsigned parts = time->machine.split_accesses != 0 ? flow->parts : 0;
    for (unsigned part = 0; part < parts; part++) {
        cm_time_fill(time, facts);
        leave_window(time, cm_later(done, time->entry + 1), false, part + 1 == parts, facts);
    }
}

/* The cycle in which the instruction may take a register's value. */
static uint64_t value_ready(const cm_time *time, const cm_flow *flow, unsigned number)
{
    const bool again = flow->kind == CM_FLOW_ADD && time->added[number];
    return time->ready[number] - (again ? time->latencies[CM_FLOW_ADD] - time->machine.latency_add_again : 0);
}

/* Adds the instruction with the accesses from `begin` to `end`; returns the cycle in which it is done. */
static uint64_t time_instruction(cm_time *time, const cm_flow *flow, bool fused, size_t begin, size_t end,
                                 uint64_t *facts)
{
    enter_operation(time, flow, fused, begin, end, facts);
    time->leaving = (cm_leaving){.entry = time->entry,
                                 .lacked_l1 = UINT64_MAX,
                                 .lacked_l2 = UINT64_MAX,
                                 .branches = flow->branches,
                                 .vectors = flow->vectors};
    const unsigned stalls = time->stalls[flow->role];
    const bool in_order = time->machine.in_order != 0;
    uint64_t from = in_order ? cm_later(time->entry, time->begun) : time->entry;
    for (unsigned i = 0; i < (in_order ? flow->read_count : flow->address_count); i++)
        from = cm_later(from, time->ready[flow->reads[i]]);
    uint64_t operands = from;
    for (size_t i = begin; i < end; i++)
        if (!time->accesses[i].store)
            operands = cm_later(operands, load_cycle(time, i, from, flow->vectors));
    for (unsigned i = flow->address_count; i < flow->read_count; i++)
        operands = cm_later(operands, value_ready(time, flow, flow->reads[i]));
    if (flow->of_x87)
        operands = cm_later(operands, time->x87);
    if (flow->locked && time->machine.latency_locked != 0)
        operands = cm_later(operands, cm_later(time->done, time->committed));
    time->begun = from;
    const uint64_t done = execute_flow(time, flow, operands);
    if (flow->of_x87 && time->machine.latency_x87 != 0)
        time->x87 = done;
    for (unsigned i = 0; i < flow->write_count; i++)
        time->ready[flow->writes[i]] = done, time->added[flow->writes[i]] = flow->kind == CM_FLOW_ADD;
    for (size_t i = begin; i < end; i++)
        if (time->accesses[i].store)
            store_value(time, i, from, flow->unit == CM_FLOW_NO_UNIT ? operands : done, done);
    if (begin < end)
        time->leaving.accessed = flow->kind == CM_FLOW_MOVE || !flow->loads ? done : operands;
    leave_window(time, done, fused, is_whole(time, flow), facts);
    add_parts(time, flow, done, facts);
    if (stalls != 0)
        time->held = time->entry + stalls;
    return done;
}

/* Whether it takes no slot of its own. */
static bool is_fused(const cm_time *time, size_t place, const cm_timed_access *access)
{
    const cm_flow *flow = &time->flows[place];
    if (flow->role == CM_FLOW_PREFIX)
        return true;
    if (place != 0 && flow->fusible.condition != CM_CONDITION_NONE)
        return cm_fusion_rules(&time->flows[place - 1].fusible, &flow->fusible) >> time->machine.macro_fusion & 1;
    return flow->role == CM_FLOW_STRING && access != NULL && access->address % STRING_BYTES != 0;
}

/* Counts the block that ran. */
static void add_block(cm_time *time, cm_time_end how, uint64_t *facts)
{
    uint64_t done = time->entry;
    size_t begin = 0, end = 0;
    for (size_t place = 0; place < time->flow_count; place++, begin = end) {
        while (end < time->access_count && time->accesses[end].place == place)
            end++;
        const bool fused = is_fused(time, place, begin < end ? &time->accesses[begin] : NULL);
        done = time_instruction(time, &time->flows[place], fused, begin, end, facts);
    }
    if (how == CM_TIME_MISPREDICTED)
        cm_time_mispredict(time, done, facts);
    else if (how == CM_TIME_TAKEN && time->machine.taken_branches != 0) {
        time->turned = cm_later(time->turned + 1, time->entry);
        cm_time_lose(time, time->turned, CM_LOST_FRONTEND, facts);
    }
}

void cm_time_begin(cm_time *time, const cm_flow *flows, size_t count, cm_time_end how, uint64_t *facts)
{
    add_block(time, how, facts);
    if (flows == NULL)
        cm_commit_end(&time->commit, facts);
    time->flows = flows;
    time->flow_count = flows != NULL ? count : 0;
    time->access_count = time->asked_count = 0;
}
