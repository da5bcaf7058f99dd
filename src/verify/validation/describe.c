#include "verify/validation/validation.h"

/* Workloads are the same for all seeds. */
static json_int_t seed_of(const cm_validation_options *options)
{
    return options->stage == CM_STAGE_WORKLOADS ? 0 : (json_int_t)cm_validation_seed(options->stage, options->seed);
}

json_t *cm_validation_describe_options(const cm_validation_options *options, const cm_subjects *subjects)
{
    if (options->stage == CM_STAGE_WORKLOADS)
        return json_pack("{s:I}", "workloads", (json_int_t)subjects->count);
    return json_pack("{s:I, s:I}", "seed", seed_of(options), "programs", (json_int_t)options->programs);
}

static json_t *describe_fact(double value, double range)
{
    if (isinf(range))
        return json_null();
    const double interval[] = {value, range};
    return range > 0.0 ? cm_json_numbers(interval, 2) : cm_json_number(value);
}

static json_t *describe_facts(const double *values, const double *ranges)
{
    json_t *object = json_object();
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (values[i] != 0.0 || ranges[i] != 0.0)
            object = cm_json_set(object, cm_fact_name(i), describe_fact(values[i], ranges[i]));
    return object;
}

json_t *cm_validation_describe(const cm_validation_options *options, const json_t *origin, const cm_subjects *subjects,
                               const cm_program_facts *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < facts->count; i++) {
        char text[256];
        cm_subjects_describe(subjects, i + 1, text, sizeof text);
        list = cm_json_append(
            list, json_pack("{s:s, s:s, s:s, s:o}", "program", subjects->kernels[i + 1]->name, "class",
                            cm_subjects_class(subjects, i + 1), "description", text, "facts",
                            describe_facts(facts->values + i * cm_fact_count(), facts->ranges + i * cm_fact_count())));
    }
    return json_pack("{s:{s:O, s:I, s:o}}", CM_VALIDATION_MEMBER, "sweep", origin, "seed", seed_of(options), "programs",
                     list);
}
