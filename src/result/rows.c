/* The tables of fields of catmint.metrics/1, made of the lists *_fields.h: members, which the reader, the writer, the
 * copier and the schema follow. fills.h makes functions of the same lists, which fill a document. */
#include "result/result.h"
#include "result/rows.h"

#define BEGIN(table, ...) static const cm_field table##_rows[] = {
#define PLAIN(table) BEGIN(table, )
#define VALUE(kind_, name_, member, value, ...) FIELD(kind_, name_, member, __VA_ARGS__),
#define VALUES(kind_, name_, member, value, counted, number_, ...)                                                     \
    FIELD(kind_, name_, member, COUNT(counted), __VA_ARGS__),
#define UNWRITTEN(member, value)
#define LATER(kind_, name_, member, ...) FIELD(kind_, name_, member, __VA_ARGS__),
#define END(table, ...)                                                                                                \
    }                                                                                                                  \
    ;                                                                                                                  \
    static const cm_fields table##_fields = {FIELDS(table##_rows), __VA_ARGS__};
#define SHARED(table, ...)                                                                                             \
    }                                                                                                                  \
    ;                                                                                                                  \
    const cm_fields cm_result_##table##_fields = {FIELDS(table##_rows), __VA_ARGS__};

/* ---- words ---- */

static const char *text_of_together(int together)
{
    return cm_together_text((cm_counted_together)together);
}

static const char *text_of_status(int status)
{
    return cm_event_status_text((cm_event_status)status);
}

static const char *text_of_part(int part)
{
    return cm_kernel_part_texts[part];
}

static const char *text_of_source(int source)
{
    static const char *const texts[] = {"default", "given", "auto", "auto refused"};
    return texts[source];
}

static const cm_field_words together_words = {text_of_together, CM_TOGETHER_NO + 1, "yes, no or unknown", NULL};
const cm_field_words cm_result_statuses = {text_of_status, CM_RESULT_STATUSES,
                                           "zero, noisy, unrepresentable, dependent, selected or avoided", NULL};
static const cm_field_words parts = {text_of_part, CM_PART_COUNT, "fitted, control, free or difference", "part"};
static const cm_field_words sources = {text_of_source, CM_THRESHOLD_REFUSED + 1, "default, given, auto or auto refused",
                                       NULL};

/* For the schema: the elements of a list are figures. */
#define FIGURES "'items': {'type': ['number', 'null'], 'minimum': 0}"

/* ---- metrics ---- */

#include "result/law_fields.h"

static bool is_judged(const void *alternative)
{
    return ((const cm_defined_metric *)alternative)->confounded != NULL;
}

#include "result/metric_part_fields.h"

/* A metric that is not measurable has no definition, and no figures. */
static const char unmeasurable[] =
    "'if': {'properties': {'measurable': {'const': false}}, 'required': ['measurable']}, 'then': {'properties': {"
    "'terms': {'maxItems': 0}, 'definition': {'maxItems': 0}, 'composable': {'const': false}, "
    "'backward_error': {'type': 'null'}, 'misfit': {'type': 'null'}, 'amplification': {'type': 'null'}, "
    "'definition_backward_error': {'type': 'null'}, 'definition_misfit': {'type': 'null'}, "
    "'definition_amplification': {'type': 'null'}}}";

#include "result/metric_fields.h"

/* ---- events and benchmarks ---- */

static bool is_unrepresentable(const void *event)
{
    return ((const cm_defined_event *)event)->status == CM_EVENT_UNREPRESENTABLE;
}

static bool is_difference(const void *kernel)
{
    return ((const cm_defined_kernel *)kernel)->part == CM_PART_DIFFERENCE;
}

#include "result/benchmark_fields.h"

/* ---- the document ---- */

static bool has_cores(const void *definitions)
{
    return ((const cm_definitions *)definitions)->core_count != 0;
}

#include "result/document_fields.h"
