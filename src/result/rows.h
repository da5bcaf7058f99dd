/* The notation for rows of fields; OF is the structure. */
#ifndef CM_RESULT_ROWS_H
#define CM_RESULT_ROWS_H

#include <math.h>

#include "result/fields.h"

#define FIELDS(rows_) .size = sizeof(OF), .count = sizeof rows_ / sizeof rows_[0], .rows = rows_
#define FIELD(kind_, name_, member, ...)                                                                               \
    {                                                                                                                  \
        .kind = CM_FIELD_##kind_, .name = name_, .offset = offsetof(OF, member), __VA_ARGS__                           \
    }
#define LIST(kind_, name_, member, counted, ...)                                                                       \
    FIELD(kind_, name_, member, .count = offsetof(OF, counted), __VA_ARGS__)
#define NUMBERS(name_, member, length_, ...) FIELD(NUMBERS, name_, member, .length = CM_LENGTH_##length_, __VA_ARGS__)
/* A number that may be unknown. */
#define FIGURE(name_, member, ...) FIELD(FIGURE, name_, member, .rules = CM_NULLABLE, .number = NAN, __VA_ARGS__)

/* Missing in older documents. */
#define UNKNOWN_BEFORE .rules = CM_OPTIONAL | CM_NULLABLE, .number = NAN

/* For metrics and documents: yes, no or unknown. */
extern const cm_field_words cm_together_words;
/* A term with its coefficient alone. */
extern const cm_fields cm_bare_term_fields;

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
