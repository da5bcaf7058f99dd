/* Registers as far as the plugin can follow them, for addresses of accesses. */
#include "software_pmu/qemu/decoded.h"

static bool is_known(const cm_registers *registers, uint8_t number)
{
    return number == CM_EFFECT_NONE || (registers->known >> number & 1) != 0;
}

static uint64_t value_of(const cm_registers *registers, uint8_t number)
{
    return number != CM_EFFECT_NONE ? registers->values[number] : 0;
}

/* The lowest bits, with zeros or copies of the highest one before them. */
static uint64_t extend_value(uint64_t value, unsigned width, bool is_signed)
{
    const unsigned unused = 64 - width;
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

static uint64_t part_of(const cm_effect_sum *sum, uint64_t value)
{
    return sum->width == 0 ? value : extend_value(value >> sum->from, sum->width, sum->is_signed);
}

static uint64_t term_of(const cm_registers *registers, const cm_effect_sum *sum)
{
    const uint64_t term = part_of(sum, value_of(registers, sum->index)) * (uint64_t)sum->scale;
    return sum->multiplies ? term * part_of(sum, value_of(registers, sum->factor)) : term;
}

static bool knows_term(const cm_registers *registers, const cm_effect_sum *sum)
{
    return is_known(registers, sum->index) && (!sum->multiplies || is_known(registers, sum->factor));
}

/* False: one of its registers is unknown. */
static bool compute_sum(const cm_registers *registers, const cm_effect_sum *sum, uint64_t *value)
{
    *value = value_of(registers, sum->base) + term_of(registers, sum) + (uint64_t)sum->displacement;
    return is_known(registers, sum->base) && knows_term(registers, sum);
}

static void set_value(cm_registers *registers, uint8_t number, uint64_t value)
{
    registers->values[number] = value;
    registers->known |= UINT32_C(1) << number;
}

/* ---- scalable vectors ---- */

/* The lanes for which the counter is below the limit, one more each. */
static uint64_t lanes_below(const cm_effect_predicate *predicate, uint64_t counter, uint64_t limit)
{
    const bool is_signed = predicate->is_signed;
    const uint64_t from = predicate->is_word ? extend_value(counter, 32, is_signed) : counter;
    const uint64_t to = predicate->is_word ? extend_value(limit, 32, is_signed) : limit;
    if (is_signed ? (int64_t)from > (int64_t)to : from > to)
        return 0;
    const uint64_t lanes = to - from;
    return lanes >= predicate->lanes ? predicate->lanes : lanes + predicate->includes_limit;
}

/* Keeps the active lanes of a predicate if the registers that they depend on are known. */
static void set_predicate(cm_registers *registers, const cm_effect_predicate *predicate)
{
    uint64_t lanes = predicate->lanes;
    uint8_t size = predicate->size;
    bool known = true;
    if (predicate->kind == CM_PREDICATE_COPY) {
        known = (registers->known_predicates >> predicate->lanes & 1) != 0;
        size = registers->sizes[predicate->lanes];
        lanes = known ? registers->active[predicate->lanes] / size : 0;
    } else if (predicate->kind == CM_PREDICATE_WHILE) {
        known = is_known(registers, predicate->counter) && is_known(registers, predicate->limit);
        lanes = lanes_below(predicate, value_of(registers, predicate->counter), value_of(registers, predicate->limit));
    }
    if (!known)
        return;
    registers->sizes[predicate->sets] = size;
    registers->active[predicate->sets] = (uint16_t)(lanes * size);
    registers->known_predicates |= UINT32_C(1) << predicate->sets;
}

/* Applies the effect on vectors and predicates; general registers are those before the instruction. */
static void run_scalable(cm_registers *registers, const cm_effect *effect)
{
    uint64_t address = 0;
    const bool fills = effect->fills != CM_EFFECT_NONE && compute_sum(registers, &effect->address, &address);
    registers->known_vectors &= ~effect->forgets_vectors;
    if (fills) {
        registers->vectors[effect->fills] = (cm_vector_source){address, effect->scalable.bytes, effect->is_signed};
        registers->known_vectors |= UINT32_C(1) << effect->fills;
    }
    if (effect->predicate.kind != CM_PREDICATE_COPY || effect->predicate.lanes != effect->predicate.sets)
        registers->known_predicates &= ~effect->forgets_predicates;
    if (effect->predicate.kind != CM_PREDICATE_NONE)
        set_predicate(registers, &effect->predicate);
}

void cm_registers_start(cm_registers *registers, uint64_t stack)
{
    *registers = (cm_registers){0};
    set_value(registers, CM_EFFECT_STACK, stack);
}

/* Applies the effects up to that place. */
static void run_effects(cm_registers *registers, size_t end)
{
    for (; registers->effects != NULL && registers->at < end; registers->at++) {
        const cm_effect *effect = &registers->effects[registers->at];
        uint64_t value = 0;
        const bool known = effect->sets != CM_EFFECT_NONE && compute_sum(registers, &effect->value, &value);
        run_scalable(registers, effect);
        registers->known &= ~effect->forgets;
        if (known)
            set_value(registers, effect->sets, value & effect->mask);
        for (size_t i = 0; registers->at == registers->loaded_at && i < effect->load.count; i++)
            if (effect->load.registers[i] != CM_EFFECT_NONE)
                set_value(registers, effect->load.registers[i], registers->loaded[i] & effect->load.mask);
    }
}

void cm_registers_begin(cm_registers *registers, const cm_effect *effects, size_t count)
{
    run_effects(registers, registers->count);
    registers->effects = effects;
    registers->at = 0;
    registers->count = registers->loaded_at = count;
    if (effects == NULL)
        registers->known = registers->known_vectors = registers->known_predicates = 0;
}

void cm_registers_answer(cm_registers *registers, uint64_t result)
{
    run_effects(registers, registers->count);
    set_value(registers, CM_EFFECT_ANSWER, result);
}

/* Reads the loaded value now: memory may change before the value is asked for. */
static void read_loaded(cm_registers *registers, size_t place, const cm_effect_load *load, const char *bytes)
{
    for (size_t i = 0; i < load->count; i++) {
        uint64_t value = 0;
        memcpy(&value, bytes + i * load->bytes, load->bytes);
        registers->loaded[i] = extend_value(value, 8u * load->bytes, load->is_signed);
        registers->loaded_at = place;
    }
}

void cm_registers_learn(cm_registers *registers, size_t place, uint64_t address, const void *bytes)
{
    run_effects(registers, place);
    if (registers->effects == NULL)
        return;
    const cm_effect *effect = &registers->effects[place];
    const cm_effect_sum *sum = &effect->address;
    const uint64_t rest = address - (uint64_t)sum->displacement;
    const bool known = is_known(registers, sum->base);
    if (effect->has_address && !known && knows_term(registers, sum))
        set_value(registers, sum->base, rest - term_of(registers, sum));
    else if (effect->has_address && known && !is_known(registers, sum->index) && sum->scale == 1 && sum->width == 0)
        set_value(registers, sum->index, rest - value_of(registers, sum->base));
    read_loaded(registers, place, &effect->load, bytes);
}

bool cm_registers_address(cm_registers *registers, size_t place, uint64_t *address)
{
    run_effects(registers, place);
    return registers->effects != NULL && compute_sum(registers, &registers->effects[place].address, address);
}

bool cm_registers_lanes(cm_registers *registers, size_t place, unsigned *lanes)
{
    run_effects(registers, place);
    if (registers->effects == NULL)
        return false;
    const cm_effect_scalable *scalable = &registers->effects[place].scalable;
    *lanes = scalable->all;
    if (scalable->predicate == CM_EFFECT_NONE)
        return true;
    if ((registers->known_predicates >> scalable->predicate & 1) == 0 ||
        registers->sizes[scalable->predicate] > scalable->lane)
        return false;
    *lanes = (registers->active[scalable->predicate] + scalable->lane - 1u) / scalable->lane;
    return true;
}

bool cm_registers_element(cm_registers *registers, size_t place, unsigned lane, const char *memory, uint64_t *address)
{
    run_effects(registers, place);
    const cm_effect *effect = &registers->effects[place];
    const cm_vector_source *source = &registers->vectors[effect->scalable.indices];
    uint64_t index = 0;
    if ((registers->known_vectors >> effect->scalable.indices & 1) == 0 ||
        !compute_sum(registers, &effect->address, address))
        return false;
    memcpy(&index, memory + source->address + lane * source->bytes, source->bytes);
    index = extend_value(index, 8u * source->bytes, source->is_signed);
    *address += extend_value(index, effect->scalable.index_bits, effect->scalable.index_signed)
                << effect->scalable.shift;
    return true;
}
