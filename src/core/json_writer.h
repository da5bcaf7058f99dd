/* Writes JSON value by value, readable for people too: short containers on one line, doubles with the fewest digits
 * that read back the same. It holds no more text than fits on a line. */
#ifndef CM_CORE_JSON_WRITER_H
#define CM_CORE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

typedef struct cm_json_writer cm_json_writer;

/* NULL without memory; every function below then does nothing. */
cm_json_writer *cm_json_writer_create(FILE *stream);
/* Ends the text with a newline and frees the writer. False if memory was short at any time, or a text was not UTF-8;
 * errors of the stream stay in the stream. */
bool cm_json_writer_finish(cm_json_writer *writer);

void cm_json_begin_object(cm_json_writer *writer);
void cm_json_begin_array(cm_json_writer *writer);
/* Ends the innermost open object or array. */
void cm_json_end(cm_json_writer *writer);

/* Call before each value of an object. */
void cm_json_key(cm_json_writer *writer, const char *key);
/* Writes null for NULL. */
void cm_json_put_text(cm_json_writer *writer, const char *text);
/* Writes null for a number that is not finite; zero has no minus. */
void cm_json_put_real(cm_json_writer *writer, double value);
void cm_json_put_count(cm_json_writer *writer, size_t count);
void cm_json_put_bool(cm_json_writer *writer, bool value);
/* Writes a key and a real. */
void cm_json_put_member_real(cm_json_writer *writer, const char *key, double value);
/* Writes null for NULL. */
void cm_json_put_reals(cm_json_writer *writer, const double *values, size_t count);
/* Writes a value of jansson's and does not free it; NULL: memory was short. */
void cm_json_put(cm_json_writer *writer, const json_t *value);
/* Writes a key and a value of jansson's, and frees it. */
void cm_json_put_new(cm_json_writer *writer, const char *key, json_t *value);

/* Writes a document of one value. */
bool cm_json_write(const json_t *value, FILE *stream);

#endif
