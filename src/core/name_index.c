/* Names found by hashing. */
#include "core/files.h"

/* Open addressing with linear probing, at most half full. */
typedef struct name_slot {
    const char *name; /* NULL: free */
    size_t position;
    uint64_t hash;
} name_slot;

struct cm_name_index {
    name_slot *slots;
    size_t capacity; /* a power of two */
    size_t count;
};

enum { FIRST_CAPACITY = 64 };

/* Checksums of names that differ in their last letters alone are close together, and would fill neighbouring slots; the
 * finish scatters them. Source: Appleby, MurmurHash3, fmix64. */
static uint64_t hash_of(const char *name)
{
    uint64_t sum = cm_checksum(CM_CHECKSUM_START, name, strlen(name));
    sum = (sum ^ (sum >> 33)) * 0xff51afd7ed558ccdu;
    sum = (sum ^ (sum >> 33)) * 0xc4ceb9fe1a85ec53u;
    return sum ^ (sum >> 33);
}

static name_slot *probe_slots(name_slot *slots, size_t capacity, const char *name, uint64_t hash)
{
    size_t at = (size_t)hash & (capacity - 1);
    while (slots[at].name != NULL && (slots[at].hash != hash || strcmp(slots[at].name, name) != 0))
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

cm_status cm_name_index_create(cm_name_index **index, cm_error *error)
{
    cm_name_index *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->capacity = FIRST_CAPACITY;
    if (!CM_ALLOCATE(created->slots, FIRST_CAPACITY)) {
        free(created);
        return cm_error_no_memory(error);
    }
    *index = created;
    return CM_OK;
}

void cm_name_index_free(cm_name_index *index)
{
    if (index == NULL)
        return;
    CM_FREE(index->slots, index);
}

/* Doubles the table. */
static cm_status grow_index(cm_name_index *index, cm_error *error)
{
    size_t capacity = index->capacity * 2;
    name_slot *slots = calloc(capacity, sizeof *slots);
    if (slots == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < index->capacity; i++)
        if (index->slots[i].name != NULL)
            *probe_slots(slots, capacity, index->slots[i].name, index->slots[i].hash) = index->slots[i];
    free(index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return CM_OK;
}

cm_status cm_name_index_add(cm_name_index *index, const char *name, size_t position, cm_error *error)
{
    if (2 * (index->count + 1) > index->capacity) {
        cm_status status = grow_index(index, error);
        if (status != CM_OK)
            return status;
    }
    uint64_t hash = hash_of(name);
    *probe_slots(index->slots, index->capacity, name, hash) =
        (name_slot){.name = name, .position = position, .hash = hash};
    index->count++;
    return CM_OK;
}

bool cm_name_index_find(const cm_name_index *index, const char *name, size_t *position)
{
    const name_slot *found = probe_slots(index->slots, index->capacity, name, hash_of(name));
    if (found->name == NULL)
        return false;
    *position = found->position;
    return true;
}
