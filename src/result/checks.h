/* What follows from the members of a document, and what is wrong with them: functions of cm_fields. */
#ifndef CM_RESULT_CHECKS_H
#define CM_RESULT_CHECKS_H

#include "result/fields.h"

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
