/* The members of a document as rows of tables: what reads, writes and copies documents follows the same rows. */
#ifndef CM_RESULT_FIELDS_H
#define CM_RESULT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <catmint/error.h>

#include "core/arena.h"
#include "core/json.h"

/* What a member is, and what holds it in the structure. */
typedef enum cm_field_kind {
    CM_FIELD_TEXT,       /* const char * */
    CM_FIELD_SHORT_TEXT, /* char[CM_CORE_TEXT] */
    CM_FIELD_NUMBER,     /* double */
    CM_FIELD_FIGURE,     /* double, 0 or more */
    CM_FIELD_WHOLE,      /* size_t */
    CM_FIELD_BOOL,
    CM_FIELD_WORD,    /* an enum: one of `words` */
    CM_FIELD_NUMBERS, /* const double *, as many as `length` or the count at `count` say */
    CM_FIELD_PLACES,  /* const size_t *, in rising order, and their count */
    CM_FIELD_TWINS,   /* size_t[2], places of two items that stand before this one */
    CM_FIELD_TEXTS,   /* const char *const *, and their count */
    CM_FIELD_NAMES,   /* the same; none empty, none twice */
    CM_FIELD_OBJECT,  /* a pointer to a structure `of` */
    CM_FIELD_PART,    /* an object whose members are in the structure itself, there where the pointer at `offset` is not
                         NULL; without a name its members stand among the others */
    CM_FIELD_ITEMS,   /* a pointer to structures `of`, and their count */
    CM_FIELD_MAP,     /* the same as an object: the first row of `of` is the member's name, the second its value */
    CM_FIELD_JSON,    /* json_t *, whose reference is held */
} cm_field_kind;

/* May be added up. */
typedef enum cm_field_rule {
    CM_OPTIONAL = 1,      /* documents of older versions do not have it */
    CM_NULLABLE = 2,      /* null stands for what is unknown */
    CM_OMITTED = 4,       /* is not written where it is unknown */
    CM_NULL_ELEMENTS = 8, /* of a list of numbers */
} cm_field_rule;

/* How many numbers a list has: as many as the benchmark has of these. */
typedef enum cm_field_length {
    CM_LENGTH_OWN,
    CM_LENGTH_TWO,
    CM_LENGTH_KERNELS,
    CM_LENGTH_SYMBOLS,
    CM_LENGTH_CONTROLS,
    CM_LENGTH_LAW,
    CM_LENGTHS
} cm_field_length;

typedef struct cm_field_words {
    const char *(*text)(int word);
    int count;
    const char *expected;
    const char *what; /* how messages call it; NULL: by its name */
} cm_field_words;

/* Items that are made when they are asked for, one at a time: there may be a million. Memory of so many of them is
 * given back at once. */
enum { CM_FIELD_TOGETHER = 64 };
typedef struct cm_field_stream {
    size_t (*next)(const void *parent, size_t from); /* the first item from there on; SIZE_MAX: none */
    cm_status (*fill)(const void *parent, size_t index, cm_arena *arena, void *item, cm_error *error);
} cm_field_stream;

typedef struct cm_fields cm_fields;

typedef struct cm_field {
    const char *name;
    cm_field_kind kind;
    unsigned rules; /* of cm_field_rule */
    size_t offset, count;
    cm_field_length length;
    cm_field_length gives; /* which length this list has */
    const cm_fields *of;
    double number;    /* what is unknown, of numbers; of bools 1 for true; of wholes the largest, 0: INT32_MAX */
    const char *text; /* likewise of texts */
    const char *noun; /* what a whole number counts, or what items name that may be there once alone; for messages */
    const cm_field_words *words;
    bool (*when)(const void *item); /* whether it is written, and must be there; NULL: always */
    const cm_field_stream *stream;  /* where the pointer is NULL */
} cm_field;

struct cm_fields {
    size_t size; /* of the structure */
    size_t count;
    const cm_field *rows;
    /* Fills what follows from the members; false where memory is short. May be NULL. */
    bool (*finish)(cm_arena *arena, void *item);
    /* Says what is wrong of an item that was read, where the list begins at `items`. May be NULL. */
    cm_status (*check)(cm_json_reader *reader, const void *items, size_t index);
};

/* What a reader, a writer or a copier knows of the lengths of lists. */
typedef struct cm_field_lengths {
    size_t of[CM_LENGTHS];
} cm_field_lengths;

/* ---- fields.c ---- */

size_t cm_field_length_of(const cm_field *field, const cm_field_lengths *lengths, const void *item);
/* After a list: its length, where other lists have that. */
void cm_field_note_length(const cm_field *field, const void *item, cm_field_lengths *lengths);
/* A pointer or a count in a structure. */
const void *cm_field_pointer(const cm_field *field, const void *item);
void cm_field_set_pointer(const cm_field *field, const void *pointer, void *item);
size_t cm_field_count(const cm_field *field, const void *item);
void cm_field_set_count(const cm_field *field, size_t count, void *item);
/* Makes it unknown, and of a part all its members. */
void cm_field_set_unknown(const cm_field *field, void *item);

/* ---- read.c ---- */

/* Reads the members of `object` into a structure of zeros. */
cm_status cm_fields_read(const cm_fields *fields, const cm_json_reader *reader, const json_t *object, void *item);

/* ---- write.c ---- */

/* Writes a document. Errors of the stream stay in the stream. */
cm_status cm_fields_put(const cm_fields *fields, const void *item, FILE *stream, cm_error *error);

/* ---- copy.c ---- */

/* A copy that shares nothing with `item`, as reading the document of it would give. */
cm_status cm_fields_copy(const cm_fields *fields, const void *item, cm_arena *arena, void *copy, cm_error *error);

#endif
