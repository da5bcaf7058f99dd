#include "sweep/plan/plan.h"

/* A conflict. A set that holds `needed` of its members refuses the events that are linked to it as refused. */
struct record {
    size_t needed, held;
};

/* Links an event to a record that has it as a member, or that refuses it. */
struct link {
    size_t event, record;
    size_t next; /* index + 1 of the next link of this event, 0: none */
};

struct links {
    size_t count, capacity;
    struct link *items;
    size_t *first; /* one an event: index + 1 of its last link, 0: none */
};

struct cm_conflicts {
    struct links members, refused;
    size_t record_count, record_capacity;
    struct record *records;
    size_t taken_count, taken_capacity;
    size_t *taken;    /* events of the current set */
    size_t of_record; /* the record of exactly the current set, SIZE_MAX: none */
};

static cm_status add_link(struct links *links, size_t event, size_t record, cm_error *error)
{
    if (!CM_GROW(links->items, links->count + 1, &links->capacity))
        return cm_error_no_memory(error);
    links->items[links->count] = (struct link){event, record, links->first[event]};
    links->first[event] = ++links->count;
    return CM_OK;
}

/* Appends a record and links its members. */
static cm_status add_record(cm_conflicts *conflicts, struct record record, size_t count, const size_t *members,
                            cm_error *error)
{
    size_t needed = conflicts->record_count + 1;
    if (!CM_GROW(conflicts->records, needed, &conflicts->record_capacity))
        return cm_error_no_memory(error);
    conflicts->records[conflicts->record_count++] = record;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = add_link(&conflicts->members, members[i], conflicts->record_count - 1, error);
    return status;
}

cm_status cm_conflicts_create(size_t events, cm_conflicts **conflicts, cm_error *error)
{
    cm_conflicts *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->of_record = SIZE_MAX;
    if (!CM_ALLOCATE(created->members.first, events + 1) || !CM_ALLOCATE(created->refused.first, events + 1)) {
        cm_conflicts_free(created);
        return cm_error_no_memory(error);
    }
    *conflicts = created;
    return CM_OK;
}

void cm_conflicts_free(cm_conflicts *conflicts)
{
    if (conflicts == NULL)
        return;
    CM_FREE(conflicts->members.items, conflicts->members.first, conflicts->refused.items, conflicts->refused.first,
            conflicts->records, conflicts->taken, conflicts);
}

cm_status cm_conflicts_remember(cm_conflicts *conflicts, size_t count, const size_t *events, cm_error *error)
{
    if (conflicts == NULL || count < 2)
        return CM_OK;
    cm_conflicts_begin(conflicts);
    cm_status status = add_record(conflicts, (struct record){.needed = count - 1}, count, events, error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = add_link(&conflicts->refused, events[i], conflicts->record_count - 1, error);
    return status;
}

static void drop_links(struct links *links, size_t count)
{
    for (; links->count > count; links->count--)
        links->first[links->items[links->count - 1].event] = links->items[links->count - 1].next;
}

cm_conflicts_mark cm_conflicts_now(const cm_conflicts *conflicts)
{
    if (conflicts == NULL)
        return (cm_conflicts_mark){0};
    return (cm_conflicts_mark){conflicts->record_count, conflicts->members.count, conflicts->refused.count};
}

void cm_conflicts_forget(cm_conflicts *conflicts, cm_conflicts_mark mark)
{
    if (conflicts == NULL)
        return;
    cm_conflicts_begin(conflicts);
    drop_links(&conflicts->members, mark.members);
    drop_links(&conflicts->refused, mark.refused);
    conflicts->record_count = mark.records;
}

static void hold_member(cm_conflicts *conflicts, size_t event, bool held)
{
    for (size_t at = conflicts->members.first[event]; at != 0; at = conflicts->members.items[at - 1].next) {
        struct record *record = &conflicts->records[conflicts->members.items[at - 1].record];
        record->held = held ? record->held + 1 : record->held - 1;
    }
}

void cm_conflicts_begin(cm_conflicts *conflicts)
{
    if (conflicts == NULL)
        return;
    while (conflicts->taken_count != 0)
        hold_member(conflicts, conflicts->taken[--conflicts->taken_count], false);
    conflicts->of_record = SIZE_MAX;
}

cm_status cm_conflicts_take(cm_conflicts *conflicts, size_t event, cm_error *error)
{
    if (conflicts == NULL)
        return CM_OK;
    if (!CM_GROW(conflicts->taken, conflicts->taken_count + 1, &conflicts->taken_capacity))
        return cm_error_no_memory(error);
    conflicts->taken[conflicts->taken_count++] = event;
    conflicts->of_record = SIZE_MAX;
    hold_member(conflicts, event, true);
    return CM_OK;
}

cm_status cm_conflicts_refuse(cm_conflicts *conflicts, size_t event, cm_error *error)
{
    if (conflicts == NULL || conflicts->taken_count == 0)
        return CM_OK;
    cm_status status = CM_OK;
    if (conflicts->of_record == SIZE_MAX) {
        size_t count = conflicts->taken_count;
        status = add_record(conflicts, (struct record){count, count}, count, conflicts->taken, error);
        conflicts->of_record = conflicts->record_count - 1;
    }
    return status == CM_OK ? add_link(&conflicts->refused, event, conflicts->of_record, error) : status;
}

bool cm_conflicts_known(const cm_conflicts *conflicts, size_t event)
{
    if (conflicts == NULL)
        return false;
    for (size_t at = conflicts->refused.first[event]; at != 0; at = conflicts->refused.items[at - 1].next) {
        const struct record *record = &conflicts->records[conflicts->refused.items[at - 1].record];
        if (record->held >= record->needed)
            return true;
    }
    return false;
}
