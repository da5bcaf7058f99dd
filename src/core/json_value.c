#include "core/json.h"

json_t *cm_json_number(double value)
{
    return isfinite(value) ? json_real(value == 0.0 ? 0.0 : value) : json_null();
}

json_t *cm_json_numbers(const double *values, size_t count)
{
    if (values == NULL)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = cm_json_append(array, cm_json_number(values[i]));
    return array;
}

json_t *cm_json_strings(const char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = cm_json_append(array, cm_json_text(texts[i]));
    return array;
}

json_t *cm_json_name(const char *name)
{
    return name[0] != '\0' ? cm_json_text(name) : json_null();
}

json_t *cm_json_count(size_t count)
{
    return json_integer((json_int_t)count);
}
