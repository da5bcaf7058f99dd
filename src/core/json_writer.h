/* Writes JSON, value after value, that people can read too: short containers on one line, doubles as short as they read
 * back the same. Of what is being written no more is held than fits on a line. */
#ifndef CM_CORE_JSON_WRITER_H
#define CM_CORE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

typedef struct cm_json_writer cm_json_writer;

/* NULL where memory is short, and then every function below does nothing. */
cm_json_writer *cm_json_writer_create(FILE *stream);
/* Ends the text with a newline and frees. False where memory was short at any time, or a text was not UTF-8; errors of
 * the stream stay in the stream. */
bool cm_json_writer_finish(cm_json_writer *writer);

void cm_json_begin_object(cm_json_writer *writer);
void cm_json_begin_array(cm_json_writer *writer);
/* Of the object or array that was begun last and is not ended. */
void cm_json_end(cm_json_writer *writer);

/* In an object, before each value. */
void cm_json_key(cm_json_writer *writer, const char *key);
/* NULL is null. */
void cm_json_put_text(cm_json_writer *writer, const char *text);
/* null where it is not finite; no minus before zero. */
void cm_json_put_real(cm_json_writer *writer, double value);
/* With a key before it. */
void cm_json_put_member_real(cm_json_writer *writer, const char *key, double value);
/* null for NULL. */
void cm_json_put_reals(cm_json_writer *writer, const double *values, size_t count);
/* A whole value of jansson's, which is left as it is; NULL: memory was short. */
void cm_json_put(cm_json_writer *writer, const json_t *value);
/* With a key before it, and freed. */
void cm_json_put_new(cm_json_writer *writer, const char *key, json_t *value);

/* A document of one value. */
bool cm_json_write(const json_t *value, FILE *stream);

#endif
