#include "report/sight_json.h"

#include "core/json_build.h"
#include "core/json_value.h"

static json_t *kernel_json(const cm_evidence *evidence, size_t kernel)
{
    size_t twins[2] = {0};
    const cm_kernel_part part = cm_evidence_law_part(evidence, kernel, twins);
    const cm_kernel_facts *facts = evidence->law_kernels[kernel].facts;
    double iterations = evidence->problem.iterations[cm_evidence_law_row(evidence, kernel)];
    json_t *json = json_pack("{s:s, s:s, s:o, s:s}", "benchmark", facts->benchmark, "kernel", facts->kernel,
                             "iterations", cm_json_number(iterations), "part", cm_kernel_part_texts[part]);
    return part == CM_PART_DIFFERENCE
               ? cm_json_set(json, "of", json_pack("[o, o]", cm_json_count(twins[0]), cm_json_count(twins[1])))
               : json;
}

json_t *cm_json_sight(const cm_benchmark_result *result)
{
    const cm_evidence *evidence = result->evidence;
    if (evidence == NULL || evidence->law == NULL)
        return json_null();
    json_t *kernels = json_array();
    for (size_t k = 0; k < evidence->law_count && kernels != NULL; k++)
        kernels = cm_json_append(kernels, kernel_json(evidence, k));
    return json_pack("{s:o, s:o}", "interference", cm_json_number(cm_counted_law_setup(evidence->law)->interference),
                     "kernels", kernels);
}

void cm_json_put_event_sight(const cm_benchmark_result *result, size_t event, cm_json_writer *writer)
{
    const cm_evidence *evidence = result->evidence;
    const cm_usable_event *looked =
        evidence != NULL && evidence->law_count > 0 ? cm_evidence_event(evidence, event) : NULL;
    cm_law_sight sight = {0};
    if (looked == NULL)
        return;
    if (cm_evidence_law_sight(evidence, looked, &sight, NULL) != CM_OK) {
        cm_json_put_new(writer, "law", NULL); /* memory was short */
        return;
    }
    cm_json_key(writer, "law");
    cm_json_begin_object(writer);
    json_t *places = json_array();
    for (size_t i = 0; i < sight.count && places != NULL; i++)
        places = cm_json_append(places, cm_json_count(sight.places[i]));
    cm_json_put_new(writer, "places", places);
    cm_json_key(writer, "means");
    cm_json_put_reals(writer, sight.means, sight.count);
    cm_json_key(writer, "errors");
    cm_json_put_reals(writer, sight.errors, sight.count);
    cm_json_put_member_real(writer, "strays", looked->slack);
    cm_json_end(writer);
    cm_law_sight_clear(&sight);
}
