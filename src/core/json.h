/* JSON: documents that are built, written, read, located and held to shapes. */
#ifndef CM_CORE_JSON_H
#define CM_CORE_JSON_H

#include "core/files.h"

/* ---- json_build.c ---- */

/* Builds JSON documents safely without memory: these functions return NULL for NULL, as most of jansson's do (json_pack
 * of a NULL is NULL), so only the finished document needs a check. */

/* Appends `value` and returns `array`; NULL, with the array freed, if that fails or `array` is NULL. */
CM_SHARED json_t *cm_json_append(json_t *array, json_t *value);
/* Sets a member of an object, likewise. */
CM_SHARED json_t *cm_json_set(json_t *object, const char *key, json_t *value);
/* Another object that shares the members of `object`. jansson's own copy loses members when memory is short. */
json_t *cm_json_copy(const json_t *object);
/* A JSON text of any bytes, such as a path; text that is not UTF-8 is written as in text.h. */
CM_SHARED json_t *cm_json_text(const char *text);

/* Parses `size` bytes with jansson's `flags`. CM_BAD_INPUT with the location of the error, followed by `expected` ("the
 * manifest of a sweep"; NULL: nothing). `file` may be NULL. */
cm_status cm_json_parse(const char *file, const char *text, size_t size, size_t flags, const char *expected,
                        json_t **document, cm_error *error);
/* Parses a file, likewise; a file that cannot be read is CM_BAD_INPUT, too. */
cm_status cm_json_load(const char *path, size_t flags, const char *expected, json_t **document, cm_error *error);
/* Writes the document with the layout of json_writer.c, and frees it. `document` NULL: CM_NO_MEMORY. Errors of the
 * stream stay in the stream. */
CM_SHARED cm_status cm_json_print(json_t *document, FILE *stream, cm_error *error);
/* Writes the whole file or leaves it as it was, and frees the document. `document` NULL: CM_NO_MEMORY. */
cm_status cm_json_save(const json_t *document, const char *path, cm_error *error);

/* ---- json_layout.c ---- */

/* Breaks JSON into lines: a container that fits on the rest of its line stays there; otherwise each member of an
 * object, and each container in an array, begins a line, and the other members of an array fill lines. */

typedef struct cm_json_layout cm_json_layout;

/* NULL without memory. */
cm_json_layout *cm_json_layout_create(FILE *stream);
/* Writes the pending text. False if memory ran out. */
bool cm_json_layout_finish(cm_json_layout *layout);

void cm_json_layout_begin(cm_json_layout *layout, bool object);
void cm_json_layout_end(cm_json_layout *layout);
/* Adds quoted text. `measured` is its length for line breaks: keys count without quotes. */
void cm_json_layout_key(cm_json_layout *layout, const char *text, size_t length, size_t measured);
void cm_json_layout_scalar(cm_json_layout *layout, const char *text, size_t length, size_t measured);

/* ---- json_location.c ---- */

/* Finds values in the text of a JSON document, because jansson does not keep their positions. */

/* A step from a value to one of its members or elements. */
typedef struct cm_json_step {
    const char *key; /* in an object; NULL: in an array */
    size_t index;
} cm_json_step;

/* The start of the document's value. */
const char *cm_json_begin(const char *text);
/* The member or element of the value that begins at `at`; NULL if there is none. */
const char *cm_json_find(const char *at, const cm_json_step *step);
/* The element behind the one that begins at `at`; NULL if that is the last. */
const char *cm_json_next(const char *at);
/* The start, in the text of a string whose quote is at `at`, of a character of its value. */
const char *cm_json_character(const char *at, size_t character);

/* 1-based line and column, in characters, of the value at the end of the path, or of the longest part of the path that
 * exists. `text` is a JSON document that ends in NUL. */
void cm_json_locate(const char *text, const cm_json_step *path, size_t depth, size_t *line, size_t *column);

/* ---- json_reader.c ---- */

/* Reads a JSON document of a known form; a difference is reported with its path, line and column. */

enum { CM_JSON_DEPTH = 16 };

/* Texts and numbers are copied into the arena. */
typedef struct cm_json_reader {
    const char *file; /* NULL: there is none */
    const char *text; /* of the document, for lines and columns */
    cm_arena *arena;
    cm_error *error;
    cm_json_step path[CM_JSON_DEPTH]; /* of the current value */
    size_t depth;
} cm_json_reader;

/* Whether null may stand for an unknown value: never, for the whole member, or for single elements of a list. */
typedef enum cm_json_null { CM_JSON_NOT_NULL, CM_JSON_OR_NULL, CM_JSON_NULL_ELEMENTS } cm_json_null;

/* Reads a whole document into `made`. */
typedef cm_status (*cm_json_read_document)(cm_json_reader *reader, const json_t *document, void *made);
/* Parses a file as cm_json_parse does, and reads its document; `arena` keeps the texts. */
CM_SHARED cm_status cm_json_read_file(const char *path, size_t flags, const char *expected, cm_arena *arena,
                                      cm_json_read_document read_document, void *made, cm_error *error);

void cm_json_enter(cm_json_reader *reader, const char *key, size_t index);
void cm_json_leave(cm_json_reader *reader);

/* Returns CM_BAD_INPUT at the current value: "PATH SAYS". */
CM_SHARED cm_status cm_json_fault(cm_json_reader *reader, const char *says, ...) CM_PRINTF(2, 3);

/* Each function below reads a member of `object`, which must exist. */
CM_SHARED cm_status cm_json_read_text(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                                      const char **text);
/* Null is NaN. */
cm_status cm_json_read_number(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                              double *number);
/* The same, for numbers of 0 or more. */
CM_SHARED cm_status cm_json_read_figure(cm_json_reader *reader, const json_t *object, const char *key,
                                        cm_json_null null, double *figure);
cm_status cm_json_read_bool(cm_json_reader *reader, const json_t *object, const char *key, bool *value);
/* Reads `count` finite numbers; NULL for null, NaN for an element that is null. */
CM_SHARED cm_status cm_json_read_numbers(cm_json_reader *reader, const json_t *object, const char *key,
                                         cm_json_null null, size_t count, const double **numbers);
/* Reads a list of texts. */
cm_status cm_json_read_texts(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **texts);
/* Reads a list of names: texts, none empty, none twice. */
cm_status cm_json_read_names(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **names);

/* Reads an object of a list into items[index]. */
typedef cm_status (*cm_json_read_item)(cm_json_reader *reader, const json_t *item, void *items, size_t index);
/* Reads a list of objects, each by `read_item`, into *items, which has `size` bytes, first zeroed, for each. */
CM_SHARED cm_status cm_json_read_items(cm_json_reader *reader, const json_t *object, const char *key, size_t size,
                                       cm_json_read_item read_item, size_t *count, void **items);

/* ---- json_shape.c ---- */

/* The members of an object of a JSON document, as a table against which documents are checked when read. */

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
 * shape. A member that is not in the shape is refused as unknown instead if its object's member "catmint" names a later
 * version. */
cm_status cm_json_hold(const json_t *object, const cm_json_shape *shape, const char *owner, cm_error *error);

/* ---- json_value.c: makes values of JSON documents ---- */

/* A real; null unless it is finite. */
CM_SHARED json_t *cm_json_number(double value);
/* null for NULL. */
CM_SHARED json_t *cm_json_numbers(const double *values, size_t count);
CM_SHARED json_t *cm_json_strings(const char *const *texts, size_t count);
/* null for an empty name. */
json_t *cm_json_name(const char *name);
CM_SHARED json_t *cm_json_count(size_t count);

/* ---- json_writer.c ---- */

/* Writes JSON value by value, readable for people too: short containers on one line, doubles with the fewest digits
 * that read back the same. It holds no more text than fits on a line. */

typedef struct cm_json_writer cm_json_writer;

/* NULL without memory; every function below then does nothing. */
cm_json_writer *cm_json_writer_create(FILE *stream);
/* Ends the text with a newline and frees the writer. False if memory ran out at any time, or a text was not UTF-8;
 * errors of the stream stay in the stream. */
bool cm_json_writer_finish(cm_json_writer *writer);

void cm_json_begin_object(cm_json_writer *writer);
void cm_json_begin_array(cm_json_writer *writer);
/* Ends the innermost open object or array. */
void cm_json_end(cm_json_writer *writer);

/* Call before each value of an object. */
void cm_json_key(cm_json_writer *writer, const char *key);
/* Writes null for NULL. */
void cm_json_write_text(cm_json_writer *writer, const char *text);
/* Writes null for a number that is not finite; zero has no minus. */
void cm_json_write_real(cm_json_writer *writer, double value);
void cm_json_write_count(cm_json_writer *writer, size_t count);
void cm_json_write_bool(cm_json_writer *writer, bool value);
/* Writes null for NULL. */
void cm_json_write_reals(cm_json_writer *writer, const double *values, size_t count);
/* Writes a value of jansson's and does not free it; NULL: memory ran out. */
void cm_json_write_value(cm_json_writer *writer, const json_t *value);

/* Writes a document of one value. */
bool cm_json_write(const json_t *value, FILE *stream);

#endif
