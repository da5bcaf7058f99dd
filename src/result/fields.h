/* The members of a document as rows of tables, which the reader, the writer and the copier follow. */
#ifndef CM_RESULT_FIELDS_H
#define CM_RESULT_FIELDS_H

#include "core/json.h"

/* The kind of a member, with its type in the structure. */
typedef enum cm_field_kind {
    CM_FIELD_TEXT,       /* const char * */
    CM_FIELD_SHORT_TEXT, /* char[CM_CORE_TEXT] */
    CM_FIELD_NUMBER,     /* double */
    CM_FIELD_FIGURE,     /* double, 0 or more */
    CM_FIELD_WHOLE,      /* size_t */
    CM_FIELD_BOOL,
    CM_FIELD_WORD,    /* an enum: one of `words` */
    CM_FIELD_NUMBERS, /* const double *, whose number `length` or the count at `count` gives */
    CM_FIELD_PLACES,  /* const size_t *, in rising order, and their count */
    CM_FIELD_PAIR,    /* size_t[2], places of two items that stand before this one */
    CM_FIELD_TEXTS,   /* const char *const *, and their count */
    CM_FIELD_NAMES,   /* the same; none empty, none twice */
    CM_FIELD_OBJECT,  /* a pointer to a structure `of` */
    CM_FIELD_PART,    /* an object whose members are in the structure itself; absent if the pointer at `offset` is NULL.
                         Without a name its members are among the others */
    CM_FIELD_ITEMS,   /* a pointer to structures `of`, and their count */
    CM_FIELD_MAP,     /* the same as an object: the first row of `of` holds a member's name, the second its value */
    CM_FIELD_JSON,    /* json_t *, whose reference is held */
} cm_field_kind;

/* Can be combined. */
typedef enum cm_field_rule {
    CM_OPTIONAL = 1,         /* missing in documents of older versions */
    CM_NULLABLE = 2,         /* null stands for an unknown value */
    CM_OMITTED = 4,          /* is not written if unknown */
    CM_NULL_ELEMENTS = 8,    /* a list of numbers may have null in it */
    CM_SCHEMA_REQUIRES = 16, /* with CM_OPTIONAL: the schema requires it, although reading does without */
} cm_field_rule;

/* The length of a list of numbers: the benchmark's number of these. */
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
    const char *noun; /* the name in messages; NULL: the member's name */
} cm_field_words;

/* Items made on demand, one at a time, because there may be a million. Memory is freed after this many. */
enum { CM_FIELD_TOGETHER = 64 };
typedef struct cm_field_stream {
    size_t (*next)(const void *parent, size_t from); /* the first item at or after `from`; SIZE_MAX: none */
    cm_status (*fill)(const void *parent, size_t index, cm_arena *arena, void *item, cm_error *error);
} cm_field_stream;

typedef struct cm_fields cm_fields;

typedef struct cm_field {
    const char *name;
    cm_field_kind kind;
    unsigned rules; /* of cm_field_rule */
    size_t offset, count;
    cm_field_length length;
    cm_field_length gives; /* the length that this list gives to others */
    const cm_fields *of;
    double number;    /* the unknown value of numbers; for bools 1 stands for true; for wholes the largest allowed, 0:
                         INT32_MAX */
    const char *text; /* the unknown value of texts */
    const char
        *noun; /* for messages: the things that a whole number counts, or the things whose names must not be repeated */
    const cm_field_words *words;
    bool (*when)(const void *item); /* whether the member is written and required; NULL: always */
    const cm_field_stream *stream;  /* used if the pointer is NULL */
    const char *limits;             /* for the schema: further keywords, as JSON with ' for quotes; NULL: none */
    const char *says;               /* for the schema: the description; NULL: the name says it */
} cm_field;

struct cm_fields {
    size_t size; /* of the structure */
    size_t count;
    const cm_field *rows;
    /* Computes members from others after reading; false if memory runs out. May be NULL. */
    bool (*finish)(cm_arena *arena, void *item);
    /* Refuses an item that was read; the list begins at `items`. May be NULL. */
    cm_status (*check)(cm_json_reader *reader, const void *items, size_t index);
    const char *title;  /* the schema has it apart, by this name; NULL: it stands in the row that uses it */
    const char *limits; /* as of a row */
};

/* The lengths of lists that are known so far. */
typedef struct cm_field_lengths {
    size_t of[CM_LENGTHS];
} cm_field_lengths;

/* ---- fields.c ---- */

size_t cm_field_length_of(const cm_field *field, const cm_field_lengths *lengths, const void *item);
/* Stores the length of a list that gives it to others. */
void cm_field_note_length(const cm_field *field, const void *item, cm_field_lengths *lengths);
/* A pointer or a count in a structure. */
const void *cm_field_pointer(const cm_field *field, const void *item);
void cm_field_set_pointer(const cm_field *field, const void *pointer, void *item);
size_t cm_field_count(const cm_field *field, const void *item);
void cm_field_set_count(const cm_field *field, size_t count, void *item);
/* Makes the member unknown; of a part, all its members. */
void cm_field_set_unknown(const cm_field *field, void *item);

/* ---- read.c ---- */

/* Reads the members of `object` into a structure of zeros. */
cm_status cm_fields_read(const cm_fields *fields, const cm_json_reader *reader, const json_t *object, void *item);

/* ---- write.c ---- */

/* Writes a document. Errors of the stream stay in the stream. */
cm_status cm_fields_write(const cm_fields *fields, const void *item, FILE *stream, cm_error *error);

/* ---- copy.c ---- */

/* Makes a copy that shares nothing with `item`, equal to reading its document. */
cm_status cm_fields_copy(const cm_fields *fields, const void *item, cm_arena *arena, void *copy, cm_error *error);

#endif
