/* The members of an object of a JSON document, as a table: documents that are read are held against it. */
#ifndef CM_CORE_JSON_SHAPE_H
#define CM_CORE_JSON_SHAPE_H

#include <jansson.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_json_shape cm_json_shape;

/* `kinds` begins with s text, i whole number, n number, b truth, a array or o object; then ? allows null, and - allows
 * that it is missing. `shape`: of the object, or of each item of the array; NULL: not checked. */
typedef struct cm_json_member {
    const char *key, *kinds;
    double least; /* the smallest number allowed */
    const cm_json_shape *shape;
} cm_json_member;

struct cm_json_shape {
    size_t count;
    const cm_json_member *members;
};

/* CM_BAD_INPUT, naming `owner` as changed, if a member is missing, of another kind, below its least, or not in the
 * shape. A member that is not in the shape is refused as unknown instead if a later catmint wrote the object, by its
 * member "catmint". */
cm_status cm_json_hold(const json_t *object, const cm_json_shape *shape, const char *owner, cm_error *error);

#endif
