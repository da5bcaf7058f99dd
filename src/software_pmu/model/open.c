/* Opens models by their names in --pmu. */
#include "software_pmu/model/model.h"

/* Share of accesses that lose their line to a neighbour that is always present. */
static const double loud = 0.004;

/* Removes the suffix from `model`; false: it has another end. */
static bool take_off(char *model, const char *suffix)
{
    size_t length = strlen(model), end = strlen(suffix);
    bool ends = length > end && strcmp(model + length - end, suffix) == 0;
    if (ends)
        model[length - end] = '\0';
    return ends;
}

/* Whether the model is a known one with an ending that stands for its facts. */
static cm_status find_of_facts(const char *model, char **directory, bool *facts, cm_error *error)
{
    char *base = strdup(model);
    if (base == NULL)
        return cm_error_no_memory(error);
    *facts = take_off(base, "-facts");
    cm_status status = *facts ? cm_pmu_model_find(base, directory, error) : CM_BAD_ARGUMENT;
    free(base);
    return status;
}

/* Removes -coded, @SEED or both from `model`. */
static bool split_coded(char *model, uint64_t *seed)
{
    char *at = strrchr(model, '@'), *end = NULL;
    *seed = at != NULL && isdigit((unsigned char)at[1]) ? strtoull(at + 1, &end, 10) : 0;
    bool seeded = end != NULL && *end == '\0';
    if (seeded)
        *at = '\0';
    return take_off(model, "-coded") || seeded;
}

cm_status cm_model_locate(const char *model, cm_model_place *place, cm_error *error)
{
    *place = (cm_model_place){0};
    cm_status status = cm_pmu_model_find(model, &place->directory, error);
    if (status == CM_BAD_ARGUMENT)
        status = find_of_facts(model, &place->directory, &place->facts, error);
    if (status != CM_BAD_ARGUMENT)
        return status;
    place->facts = false;
    char *base = strdup(model);
    if (base == NULL)
        return cm_error_no_memory(error);
    place->answers_codes = split_coded(base, &place->seed);
    if (place->answers_codes)
        status = cm_pmu_model_find(base, &place->directory, error);
    place->loud = status == CM_BAD_ARGUMENT && take_off(base, "-loud");
    if (place->loud)
        status = cm_pmu_model_find(base, &place->directory, error);
    free(base);
    return status;
}

cm_status cm_pmu_model_open(const char *model, const char *core, cm_pmu_model **opened, cm_error *error)
{
    cm_model_place place;
    cm_pmu_model *loaded = NULL;
    cm_status status = cm_model_locate(model, &place, error);
    CM_THEN(status, cm_model_core_load(place.directory, core, &loaded, error));
    if (status == CM_OK && place.loud)
        status = cm_pmu_model_disturb(loaded, model, loud, error);
    if (status == CM_OK && place.answers_codes)
        status = cm_pmu_model_answer_codes(loaded, model, place.seed, error);
    if (status == CM_OK && place.facts && cm_pmu_model_machine(loaded)->gpu[0] != '\0')
        status = CM_FAIL(error, CM_BAD_INPUT, "'%s': facts of GPUs are not counted, expected the model itself", model);
    if (status == CM_OK && place.facts)
        status = cm_pmu_model_answer_facts(loaded, model, error);
    free(place.directory);
    CM_HAND_OVER(status, opened, loaded, cm_pmu_model_free);
    return status;
}

void cm_architecture_place(const char *architecture, char text[CM_PLACE_SIZE])
{
    const bool emulated = strcmp(architecture, "x86_64") != 0;
    snprintf(text, CM_PLACE_SIZE, "a machine of %.32s%s%.32s%s", architecture,
             emulated ? ", or in catmint's sources 'scripts/foreign " : "", emulated ? architecture : "",
             emulated ? " catmint ...'" : "");
}
