/* Differences for programs: the schema catmint.diff/1. */
#include "report/compare/compare.h"

static json_t *text_json(const char *text)
{
    return text != NULL ? cm_json_text(text) : json_null();
}

static json_t *difference_json(const cm_difference *difference)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:o}", "benchmark", text_json(difference->benchmark), "subject",
                     difference->subject, "name", text_json(difference->name), "before", text_json(difference->before),
                     "after", text_json(difference->after));
}

json_t *cm_comparison_json(const void *content)
{
    const cm_comparison *comparison = content;
    const cm_differences *differences = comparison->differences;
    json_t *array = json_array();
    for (size_t i = 0; i < differences->count && array != NULL; i++)
        array = cm_json_append(array, difference_json(&differences->list[i]));
    return json_pack("{s:s, s:o, s:o, s:o}", "schema", "catmint.diff/1", "before", text_json(comparison->before->name),
                     "after", text_json(comparison->after->name), "differences", array);
}
