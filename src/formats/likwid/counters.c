/* Counters of a group, by name, and the quantities that they count. */
#include "formats/format.h"

/* The length of the counter's name without options. */
static size_t bare_length(const char *name)
{
    return strcspn(name, ":");
}

static bool same_bare(const char *one, const char *other)
{
    return bare_length(one) == bare_length(other) && strncmp(one, other, bare_length(one)) == 0;
}

size_t cm_likwid_find_counter(const cm_likwid_reader *reader, const char *name)
{
    size_t bare = reader->counter_count;
    for (size_t i = 0; i < reader->counter_count; i++) {
        if (strcmp(reader->counters[i].name, name) == 0)
            return i;
        if (bare == reader->counter_count && same_bare(reader->counters[i].name, name))
            bare = i;
    }
    return bare;
}

/* The length of the name of the unit: its counters differ in the digits at their end. */
static size_t unit_length(const char *name)
{
    size_t length = bare_length(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

/* Whether the event is counted with options, or by several units: these are several quantities. */
static bool is_special(const cm_likwid_reader *reader, const cm_likwid_line *one)
{
    size_t unit = unit_length(one->name);
    if (one->name[bare_length(one->name)] != '\0')
        return true;
    for (size_t i = 0; i < reader->counter_count; i++) {
        const cm_likwid_line *other = &reader->counters[i];
        if (strcmp(other->event, one->event) == 0 &&
            (unit_length(other->name) != unit || strncmp(other->name, one->name, unit) != 0))
            return true;
    }
    return false;
}

ptrdiff_t cm_likwid_event_quantity(cm_likwid_reader *reader, const cm_likwid_line *one)
{
    char *name = NULL;
    bool special = is_special(reader, one);
    if (special && asprintf(&name, "%s:%s", one->event, one->name) < 0)
        return CM_RESOLVED_NO_MEMORY;
    ptrdiff_t quantity = cm_formulas_quantity(reader->formulas, CM_QUANTITY_EVENT, special ? name : one->event);
    free(name);
    if (quantity >= 0 && reader->formulas->quantities[quantity].line == 0) {
        reader->formulas->quantities[quantity].line = one->line;
        reader->formulas->quantities[quantity].counter = one->name;
    }
    return quantity;
}
