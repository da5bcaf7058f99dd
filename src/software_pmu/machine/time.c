#include "software_pmu/machine/modelled.h"

/* Why slots are lost. */
typedef enum time_cause { WRONG_PATH, RECOVERY, FRONTEND, MEMORY, CORE } time_cause;

enum { STRING_BYTES = 32 };

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static unsigned or_else(unsigned given, unsigned otherwise)
{
    return given != 0 ? given : otherwise;
}

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
                                [CM_FLOW_STORER] = {.width = machine->units_store}},
                      .bus = {.width = 1},
                      .divider = {.width = 1}};
    for (size_t i = 0; i < CM_FLOW_KINDS; i++)
        time->latencies[i] = flows.latencies[i];
    time->levels[1] = or_else(machine->latency_l2, flows.load);
    time->levels[2] = or_else(machine->latency_l3, time->levels[1]);
    time->levels[3] = machine->latency_memory;
    time->machine.fill_buffers = or_else(machine->fill_buffers, 16);
    time->machine.store_buffer = or_else(machine->store_buffer, 64);
    time->operations.size = or_else(machine->scheduler, CM_TIME_BUFFERS);
    time->loads.size = or_else(machine->load_scheduler, CM_TIME_BUFFERS);
    time->machine.memory_interval = or_else(machine->memory_interval, 1);
    time->machine.latency_forward = or_else(machine->latency_forward, flows.load);
    time->machine.latency_int_divide = or_else(machine->latency_int_divide, 1);
    time->machine.latency_vector = or_else(machine->latency_vector, 1);
    time->machine.latency_load_vector = (unsigned)later(machine->latency_load_vector, flows.load);
    time->commit.width = flows.width;
}

/* ---- slots ---- */

/* Adds lost slots and stalls to the facts of their cause. */
static void count_lost(time_cause cause, uint64_t slots, uint64_t stalls, uint64_t *facts)
{
    static const struct {
        cm_fact slots, part, stalls;
    } rows[] = {[WRONG_PATH] = {CM_FACT_SLOTS_BAD_SPECULATION, CM_FACT_SLOTS_WRONG_PATH, CM_FACT_STALL_BAD_SPECULATION},
                [RECOVERY] = {CM_FACT_SLOTS_BAD_SPECULATION, CM_FACT_COUNT, CM_FACT_STALL_BAD_SPECULATION},
                [FRONTEND] = {CM_FACT_SLOTS_FRONTEND, CM_FACT_COUNT, CM_FACT_STALL_FRONTEND},
                [MEMORY] = {CM_FACT_SLOTS_BACKEND, CM_FACT_SLOTS_BACKEND_MEMORY, CM_FACT_STALL_MEMORY},
                [CORE] = {CM_FACT_SLOTS_BACKEND, CM_FACT_COUNT, CM_FACT_STALL_CORE}};
    facts[CM_FACT_SLOTS] += slots;
    facts[rows[cause].slots] += slots;
    if (rows[cause].part != CM_FACT_COUNT)
        facts[rows[cause].part] += slots;
    if (cause == WRONG_PATH) /* operations enter */
        return;
    facts[CM_FACT_STALL_CYCLES] += stalls;
    facts[rows[cause].stalls] += stalls;
}

/* No operation enters before the cycle `until`. */
static void lose(cm_time *time, uint64_t until, time_cause cause, uint64_t *facts)
{
    if (until <= time->entry)
        return;
    const uint64_t cycles = until - time->entry;
    count_lost(cause, cycles * time->width - time->entered, cycles - (time->entered != 0), facts);
    facts[CM_FACT_CYCLES] += cycles;
    time->entry = until;
    time->entered = 0;
}

/* The same because something is full. */
static void wait_for_room(cm_time *time, uint64_t until, uint64_t *facts)
{
    lose(time, sooner(until, time->missing), MEMORY, facts);
    lose(time, until, CORE, facts);
}

static void fill_slot(cm_time *time, uint64_t *facts)
{
    wait_for_room(time, time->left[time->next], facts);
    lose(time, time->fetched, FRONTEND, facts);
    if (time->entered == time->width)
        lose(time, time->entry + 1, CORE, facts); /* none are left to lose */
    time->entered++;
    facts[CM_FACT_SLOTS]++;
    facts[CM_FACT_SLOTS_RETIRED]++;
}

/* The operations that the window has room for, behind those that have not left. */
static uint64_t room(const cm_time *time)
{
    unsigned places = 0, at = time->next;
    while (places < time->window && time->left[at] <= time->entry) {
        at = at + 1 == time->window ? 0 : at + 1;
        places++;
    }
    return places;
}

/* The last operation is a mispredicted branch, which is done in that cycle. */
static void mispredict(cm_time *time, uint64_t resolved, uint64_t *facts)
{
    lose(time, sooner(resolved, time->entry + 1 + room(time) / time->width), WRONG_PATH, facts);
    wait_for_room(time, resolved, facts);
    lose(time, later(resolved, time->entry) + time->machine.misprediction_penalty, RECOVERY, facts);
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

/* The cycle in which memory begins to give a line that is asked for in the cycle `from`. */
static uint64_t take_bus(cm_time *time, uint64_t from)
{
    const uint64_t interval = time->machine.memory_interval;
    return later(from, take_unit(&time->bus, from / interval) * interval);
}

/* The cycle in which the first level has a line that `level` had; sets `level` if the line was on its way. */
static uint64_t bring_line(cm_time *time, uint64_t line, unsigned *level, uint64_t from)
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
    uint64_t at = later(from, time->fills[buffer]);
    if (*level == CM_MEMORY_LEVELS)
        at = take_bus(time, at);
    at = later(at + time->levels[*level] - time->levels[0], coming);
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
static uint64_t reach(cm_time *time, size_t access, uint64_t from, unsigned *level)
{
    const cm_timed_access *of = &time->accesses[access];
    *level = of->level;
    from += of->walked ? time->machine.latency_walk : of->tlb_missed ? time->machine.latency_stlb : 0;
    const uint64_t at = bring_line(time, of->address >> time->line_shift, level, from);
    bring_asked(time, access != 0 ? time->accesses[access - 1].asked : 0, of->asked, from);
    return at;
}

static cm_line_due *stored_at(cm_time *time, uint64_t address)
{
    return &time->stored[address / 8 % CM_TIME_STORED];
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

/* The cycle in which a load has its value. */
static uint64_t load_cycle(cm_time *time, size_t access, uint64_t from)
{
    const cm_timed_access *of = &time->accesses[access];
    const uint64_t begun = take_units(time, CM_FLOW_LOADER, of->wide, from);
    take_entry(&time->loads, begun);
    const cm_line_due *stored = stored_at(time, of->address);
    unsigned level = 0;
    const uint64_t line = reach(time, access, begun, &level);
    if (line > begun)
        time->missing = later(time->missing, line);
    if (level != 0)
        time->leaving.lacked_l1 = begun + time->levels[0];
    if (level > 1)
        time->leaving.lacked_l2 = begun + time->levels[1];
    if (stored->line == of->address / 8 && stored->at > begun)
        return stored->at + time->machine.latency_forward;
    return line + time->levels[0];
}

/* A store whose address is known in the cycle `from`, and whose value in the cycle `ready`. */
static void store_value(cm_time *time, size_t access, uint64_t from, uint64_t ready)
{
    const cm_timed_access *of = &time->accesses[access];
    unsigned level = 0;
    const uint64_t line = reach(time, access, take_units(time, CM_FLOW_STORER, of->wide, from), &level);
    *stored_at(time, of->address) = (cm_line_due){.line = of->address / 8, .at = ready};
    time->committed = later(time->committed, later(later(time->done, ready), line));
    time->stores[time->next_store] = time->committed;
    time->next_store = time->next_store + 1 == time->machine.store_buffer ? 0 : time->next_store + 1;
}

/* ---- instructions ---- */

/* The cycle in which the result is ready; occupies units from `from` on. */
static uint64_t execute(cm_time *time, const cm_flow *flow, uint64_t from)
{
    uint64_t begun = take_units(time, (cm_flow_unit)flow->unit, flow->wide, from);
    if (flow->unit != CM_FLOW_NO_UNIT)
        take_entry(&time->operations, begun);
    unsigned latency = time->latencies[flow->kind];
    if (flow->kind == CM_FLOW_SIMPLE && flow->unit == CM_FLOW_MULTIPLIER)
        latency = time->latencies[CM_FLOW_MULTIPLY]; /* conversions, comparisons and others */
    if (flow->kind == CM_FLOW_SIMPLE && flow->unit == CM_FLOW_VECTOR)
        latency = time->machine.latency_vector;
    if (flow->loads && flow->vectors)
        latency += time->machine.latency_load_vector - time->levels[0];
    if (flow->divides)
        latency = time->machine.latency_int_divide;
    if (flow->busy != 0)
        begun = take_unit(&time->divider, begun);
    for (unsigned cycle = 1; cycle < flow->busy * latency / 6; cycle++)
        take_unit(&time->divider, begun);
    return begun + latency + flow->extra;
}

/* An operation with the accesses from `begin` to `end` enters the window; `fused`: with the one before it. */
static void enter(cm_time *time, const cm_flow *flow, bool fused, size_t begin, size_t end, uint64_t *facts)
{
    if (flow->role == CM_FLOW_WALL)
        wait_for_room(time, time->done, facts);
    for (size_t i = begin; i < end; i++)
        if (time->accesses[i].store)
            lose(time, time->stores[time->next_store], MEMORY, facts);
        else
            wait_for_room(time, time->loads.until[0], facts);
    if (flow->unit != CM_FLOW_NO_UNIT)
        wait_for_room(time, time->operations.until[0], facts);
    if (!fused)
        fill_slot(time, facts);
}

/* Lets an instruction leave the window at `done`; a fused one has no place of its own there. */
static void leave(cm_time *time, uint64_t done, bool fused, bool whole, uint64_t *facts)
{
    time->done = later(time->done, done);
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
        fill_slot(time, facts);
        leave(time, later(done, time->entry + 1), false, part + 1 == parts, facts);
    }
}

/* Adds the instruction with the accesses from `begin` to `end`; returns the cycle in which it is done. */
static uint64_t add_instruction(cm_time *time, const cm_flow *flow, bool fused, size_t begin, size_t end,
                                uint64_t *facts)
{
    enter(time, flow, fused, begin, end, facts);
    time->leaving = (cm_leaving){.entry = time->entry,
                                 .lacked_l1 = UINT64_MAX,
                                 .lacked_l2 = UINT64_MAX,
                                 .branches = flow->branches,
                                 .vectors = flow->vectors};
    const bool in_order = time->machine.in_order != 0;
    uint64_t from = in_order ? later(time->entry, time->begun) : time->entry;
    for (unsigned i = 0; i < (in_order ? flow->read_count : flow->address_count); i++)
        from = later(from, time->ready[flow->reads[i]]);
    uint64_t operands = from;
    for (size_t i = begin; i < end; i++)
        if (!time->accesses[i].store)
            operands = later(operands, load_cycle(time, i, from));
    for (unsigned i = flow->address_count; i < flow->read_count; i++)
        operands = later(operands, time->ready[flow->reads[i]]);
    time->begun = from;
    const uint64_t done = execute(time, flow, operands);
    for (unsigned i = 0; i < flow->write_count; i++)
        time->ready[flow->writes[i]] = done;
    for (size_t i = begin; i < end; i++)
        if (time->accesses[i].store)
            store_value(time, i, from, done);
    if (begin < end)
        time->leaving.accessed = flow->kind == CM_FLOW_MOVE || !flow->loads ? done : operands;
    leave(time, done, fused, is_whole(time, flow), facts);
    add_parts(time, flow, done, facts);
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
static void add_block(cm_time *time, bool mispredicted, uint64_t *facts)
{
    uint64_t done = time->entry;
    size_t begin = 0, end = 0;
    for (size_t place = 0; place < time->flow_count; place++, begin = end) {
        while (end < time->access_count && time->accesses[end].place == place)
            end++;
        const bool fused = is_fused(time, place, begin < end ? &time->accesses[begin] : NULL);
        done = add_instruction(time, &time->flows[place], fused, begin, end, facts);
    }
    if (mispredicted)
        mispredict(time, done, facts);
}

void cm_time_begin(cm_time *time, const cm_flow *flows, size_t count, bool mispredicted, uint64_t *facts)
{
    add_block(time, mispredicted, facts);
    if (flows == NULL)
        cm_commit_end(&time->commit, facts);
    time->flows = flows;
    time->flow_count = flows != NULL ? count : 0;
    time->access_count = time->asked_count = 0;
}
