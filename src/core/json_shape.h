/* What an object of a JSON document holds, as a table: read files are held to what is written. */
#ifndef CM_CORE_JSON_SHAPE_H
#define CM_CORE_JSON_SHAPE_H

#include <jansson.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_json_shape cm_json_shape;

/* `kinds` begins with s text, i whole number, n number, b truth, a array or o object; behind it ?: or null, and -: or
 * not there. `shape`: of the object or of each item of the array, NULL: it is not looked into. */
typedef struct cm_json_member {
    const char *key, *kinds;
    double least; /* of a number */
    const cm_json_shape *shape;
} cm_json_member;

struct cm_json_shape {
    size_t count;
    const cm_json_member *members;
};

/* CM_BAD_INPUT, with `owner` as what was changed, where a member is missing, of another kind, or less than its least,
 * and where there is one that the shape does not have. One more is no change where a later catmint wrote the object, as
 * its member "catmint" says: it is refused as unknown then. */
cm_status cm_json_hold(const json_t *object, const cm_json_shape *shape, const char *owner, cm_error *error);

#endif
