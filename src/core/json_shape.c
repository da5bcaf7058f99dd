#include "core/json.h"

#include <catmint/version.h>

struct holding {
    const char *owner;
    const char *writer; /* the version of catmint that wrote the document */
    cm_error *error;
};

/* Whether a value (NULL: missing) is of one of the kinds of a cm_json_member. */
static bool is_of(const json_t *value, const char *kinds)
{
    if (value == NULL || json_is_null(value))
        return strchr(kinds, value == NULL ? '-' : '?') != NULL;
    switch (kinds[0]) {
    case 's': return json_is_string(value);
    case 'i': return json_is_integer(value);
    case 'n': return json_is_number(value);
    case 'b': return json_is_boolean(value);
    case 'a': return json_is_array(value);
    default: return json_is_object(value);
    }
}

/* Whether a version, which may be any value, is later than this one. */
static bool is_later(const char *version)
{
    int other[3] = {0}, ours[3] = {0};
    if (version == NULL || sscanf(version, "%d.%d.%d", &other[0], &other[1], &other[2]) != 3 ||
        sscanf(CATMINT_VERSION, "%d.%d.%d", &ours[0], &ours[1], &ours[2]) != 3)
        return false;
    size_t at = 0;
    while (at < 2 && other[at] == ours[at])
        at++;
    return other[at] > ours[at];
}

/* CM_BAD_INPUT for a member that the shape does not have. */
static cm_status refuse_more(const struct holding *holding, const char *key)
{
    if (is_later(holding->writer))
        return CM_FAIL(
            holding->error, CM_BAD_INPUT,
            "%.300s has a member %.100s that catmint %s does not know: catmint %.20s wrote it, and can check it",
            holding->owner, key, CATMINT_VERSION, holding->writer);
    return CM_FAIL(holding->error, CM_BAD_INPUT,
                   "%.300s was changed: it has a member %.100s, which catmint does not write", holding->owner, key);
}

static cm_status hold_object(const struct holding *holding, const json_t *object, const cm_json_shape *shape);

/* Checks one member against its row of the shape. */
static cm_status hold_member(const struct holding *holding, const json_t *value, const cm_json_member *member)
{
    if (!is_of(value, member->kinds))
        return CM_FAIL(holding->error, CM_BAD_INPUT, "%.300s was changed: catmint writes another member %.100s",
                       holding->owner, member->key);
    if (json_is_number(value) && !(json_number_value(value) >= member->least))
        return CM_FAIL(holding->error, CM_BAD_INPUT, "%.300s was changed: its member %.100s is %g, expected %g or more",
                       holding->owner, member->key, json_number_value(value), member->least);
    if (member->shape == NULL)
        return CM_OK;
    cm_status status = json_is_object(value) ? hold_object(holding, value, member->shape) : CM_OK;
    for (size_t i = 0; status == CM_OK && i < json_array_size(value); i++)
        status = json_is_object(json_array_get(value, i))
                     ? hold_object(holding, json_array_get(value, i), member->shape)
                     : CM_FAIL(holding->error, CM_BAD_INPUT, "%.300s was changed: catmint writes another member %.100s",
                               holding->owner, member->key);
    return status;
}

/* Checks all members of an object against the shape. */
static cm_status hold_object(const struct holding *holding, const json_t *object, const cm_json_shape *shape)
{
    const char *key;
    json_t *value;
    json_t *members = (json_t *)(uintptr_t)object; /* it is not changed */
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < shape->count; i++)
        status = hold_member(holding, json_object_get(object, shape->members[i].key), &shape->members[i]);
    json_object_foreach(members, key, value)
    {
        const size_t i = CM_FIND_BY(key, key, shape->members, shape->count);
        if (status == CM_OK && i == shape->count)
            status = refuse_more(holding, key);
    }
    return status;
}

cm_status cm_json_hold(const json_t *object, const cm_json_shape *shape, const char *owner, cm_error *error)
{
    const struct holding holding = {owner, json_string_value(json_object_get(object, "catmint")), error};
    return hold_object(&holding, object, shape);
}
