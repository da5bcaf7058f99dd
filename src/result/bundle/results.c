/* Compares results with those derived from the measurements, member by member. */
#include <catmint/bundle.h>

#include "core/json.h"

/* Processors add in different orders: numbers next to nothing have no digits in common. */
static const double tolerance = 1e-6, next_to_nothing = 1e-9;

enum { PLACE_SIZE = 256 };

static bool are_alike(const json_t *said, const json_t *found)
{
    if (!json_is_number(said) || !json_is_number(found))
        return json_equal(said, found);
    double a = json_number_value(said), b = json_number_value(found), most = fmax(fabs(a), fabs(b));
    return most < next_to_nothing || fabs(a - b) <= tolerance * most;
}

/* Finds the first difference, "benchmarks[0].metrics[2].misfit"; false: none. `length`: of the path so far. */
static bool find_difference(json_t *said, json_t *found, char place[PLACE_SIZE], size_t length)
{
    const char *key;
    json_t *value;
    bool differ = false;
    if (json_is_array(said) && json_is_array(found) && json_array_size(said) == json_array_size(found)) {
        for (size_t i = 0; i < json_array_size(said) && !differ; i++) {
            int more = snprintf(place + length, PLACE_SIZE - length, "[%zu]", i);
            differ =
                length + (size_t)more < PLACE_SIZE
                    ? find_difference(json_array_get(said, i), json_array_get(found, i), place, length + (size_t)more)
                    : !json_equal(json_array_get(said, i), json_array_get(found, i));
        }
    } else if (json_is_object(said) && json_is_object(found) && json_object_size(said) == json_object_size(found)) {
        json_object_foreach(said, key, value)
        {
            json_t *other = json_object_get(found, key);
            int more = snprintf(place + length, PLACE_SIZE - length, "%s%.60s", length != 0 ? "." : "", key);
            differ = other == NULL || length + (size_t)more >= PLACE_SIZE
                         ? other == NULL || !json_equal(value, other)
                         : find_difference(value, other, place, length + (size_t)more);
            if (differ)
                break;
        }
    } else {
        differ = !are_alike(said, found);
    }
    if (!differ)
        place[length] = '\0';
    return differ;
}

cm_status cm_bundle_check_results(const char *said, const char *found, cm_error *error)
{
    json_t *bundled = NULL, *made = NULL;
    char place[PLACE_SIZE] = "";
    cm_status status = cm_json_load(said, JSON_REJECT_DUPLICATES, "results", &bundled, error);
    CM_THEN(status, cm_json_load(found, JSON_REJECT_DUPLICATES, "results", &made, error));
    if (status == CM_OK && find_difference(bundled, made, place, 0))
        status =
            CM_FAIL(error, CM_BAD_INPUT, "the bundle was changed: its results are not those of its measurements%s%s",
                    place[0] != '\0' ? ", which differ at " : "", place);
    json_decref(bundled);
    json_decref(made);
    return status;
}
