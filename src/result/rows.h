/* The notation for rows of fields; OF is the structure. Tables of catmint.metrics/1 are lists, *_fields.h, which rows.c
 * makes tables of, and fills.h functions that fill the structure:
 *   BEGIN(table, parameters of the values), or PLAIN(table) without values
 *   VALUE(kind, name in JSON, member, value, ...), further members of cm_field behind it
 *   VALUES(kind, name in JSON, member, value, count, number, ...), a list and its length
 *   UNWRITTEN(member, value), a plain value that no file has
 *   LATER(kind, name in JSON, member, ...), which a function of fill*.c sets together with others
 *   END(table, ...), or SHARED(table, ...) for cm_result_TABLE_fields; further members of cm_fields behind it */
#ifndef CM_RESULT_ROWS_H
#define CM_RESULT_ROWS_H

#include "result/fields.h"

#define FIELDS(rows_) .size = sizeof(OF), .count = CM_COUNT_OF(rows_), .rows = rows_
#define FIELD(kind_, name_, member, ...)                                                                               \
    {                                                                                                                  \
        .kind = CM_FIELD_##kind_, .name = name_, .offset = offsetof(OF, member), __VA_ARGS__                           \
    }
#define COUNT(counted) .count = offsetof(OF, counted)
#define LIST(kind_, name_, member, counted, ...) FIELD(kind_, name_, member, COUNT(counted), __VA_ARGS__)
#define NUMBERS(name_, member, length_, ...) FIELD(NUMBERS, name_, member, .length = CM_LENGTH_##length_, __VA_ARGS__)
/* A number that may be unknown. */
#define UNKNOWN .rules = CM_NULLABLE, .number = NAN
#define FIGURE(name_, member) FIELD(FIGURE, name_, member, UNKNOWN)

/* Missing in older documents. */
#define UNKNOWN_BEFORE .rules = CM_OPTIONAL | CM_NULLABLE, .number = NAN

/* ---- rows.c ---- */

extern const cm_field_words cm_result_statuses;

/* ---- checks.c ---- */

/* Functions of cm_fields: members that are computed from others, and refusals. */

bool cm_finish_term(cm_arena *arena, void *item);
bool cm_finish_alternative(cm_arena *arena, void *item);
bool cm_finish_metric(cm_arena *arena, void *item);
bool cm_finish_code(cm_arena *arena, void *item);
bool cm_finish_benchmark(cm_arena *arena, void *item);
bool cm_finish_document(cm_arena *arena, void *item);

cm_status cm_check_equivalent(cm_json_reader *reader, const void *items, size_t index);
cm_status cm_check_term(cm_json_reader *reader, const void *items, size_t index);
cm_status cm_check_metric(cm_json_reader *reader, const void *items, size_t index);
cm_status cm_check_event(cm_json_reader *reader, const void *items, size_t index);
cm_status cm_check_benchmark(cm_json_reader *reader, const void *items, size_t index);
cm_status cm_check_document(cm_json_reader *reader, const void *items, size_t index);

#endif
