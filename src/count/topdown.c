#include "count/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/data_path.h>
#include <catmint/software_pmu.h>

#include "core/csv.h"
#include "core/base.h"
#include "counting/counting.h"
#include "events/events.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/model/model.h"

/* ---- the model of this processor ---- */

enum { MODEL = 1, IDENTITY, COLUMNS = 7 };

typedef struct search {
    char identity[128], *model; /* "": no model is known */
} search;

static cm_status look_at(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv, (void)error;
    search *in = data;
    const char *identity = row->fields[IDENTITY];
    if (in->model[0] == '\0' && identity[0] != '\0' && cm_pattern_fits_whole(identity, in->identity))
        snprintf(in->model, CM_TOPDOWN_MODEL, "%s", row->fields[MODEL]);
    return CM_OK;
}

/* The model that --pmu names; that of this processor if its counters are read; else the one that all commands take. */
static cm_status choose_model(cm_pmu_choice *pmu, search *in, cm_error *error)
{
    static const char *const columns[COLUMNS] = {"cpu", "model", "identity", "perf", "perfmon", "likwid", "papi"};
    cm_machine machine;
    if (pmu->kind == CM_PMU_SOFTWARE && pmu->model != NULL)
        return CM_OK;
    cm_machine_read(&machine);
    if (pmu->kind == CM_PMU_AUTO)
        pmu->kind = machine.perf_errno == 0 ? CM_PMU_HARDWARE : CM_PMU_SOFTWARE;
    if (pmu->kind == CM_PMU_SOFTWARE) {
        pmu->model = cm_default_model();
        return CM_OK;
    }
    snprintf(in->identity, sizeof in->identity, "%s-%u-%X-%u", machine.vendor, machine.family, machine.model,
             machine.stepping);
    cm_status status = cm_csv_each_data("data/upstream.csv", COLUMNS, columns, look_at, in, error);
    if (status == CM_OK && in->model[0] == '\0')
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "no model of this processor (%s) is known: name one, as in --pmu software:golden-cove",
                            in->identity);
    pmu->model = in->model;
    return status;
}

/* ---- its table ---- */

/* The table of a directory's model, to be freed; NULL: there is none. */
static cm_status find_own_table(const char *directory, char **table, cm_error *error)
{
    char name[512];
    const char *slash = strrchr(directory, '/');
    snprintf(name, sizeof name, "data/formulas/topdown-%.400s.csv", slash != NULL ? slash + 1 : directory);
    cm_status status = cm_data_path(name, table, NULL);
    if (status == CM_NO_MEMORY)
        return cm_error_no_memory(error);
    if (status != CM_OK)
        *table = NULL;
    return CM_OK;
}

/* A tree is of one type of cores. */
static cm_status refuse_hybrid(const char *model, const char *directory, cm_error *error)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cm_status status = cm_model_cores_read(directory, types, &count, error);
    if (status == CM_OK && count > 0)
        status =
            cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                         "the cores of %.100s are of %zu types, and a tree is of one: name the model of that type, "
                         "which %.200s/cores.csv has",
                         model, count, directory);
    return status;
}

/* The table of the model, or, if it has its events of time from another one, of that. */
static cm_status find_table(const char *model, char **table, cm_error *error)
{
    cm_model_place place = {0};
    cm_model_layers layers = {0};
    cm_status status = cm_model_locate(model, &place, error);
    if (status == CM_OK)
        status = refuse_hybrid(model, place.directory, error);
    if (status == CM_OK)
        status = cm_model_layers_find(place.directory, &layers, error);
    bool has_time = true;
    for (size_t i = 0; status == CM_OK && i < layers.count && *table == NULL && has_time; i++) {
        char *path = NULL;
        status = find_own_table(layers.folders[i], table, error);
        if (status == CM_OK)
            status = cm_model_layer_file(&layers, i, "time.csv", &path, error);
        has_time = path != NULL;
        free(path);
    }
    cm_model_layers_clear(&layers);
    free(place.directory);
    if (status == CM_OK && *table == NULL)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "there is no table of Top-Down for %.100s, expected data/formulas/topdown-%.100s.csv: "
                            "'catmint count --formulas FILE' and 'catmint evaluate' take any",
                            model, model);
    return status;
}

/* Whether the model has time, a table, and this architecture. */
static bool can_take(const char *name, const char *architecture)
{
    cm_pmu_model *model = NULL;
    char *table = NULL;
    bool fits = cm_pmu_model_open(name, NULL, &model, NULL) == CM_OK &&
                cm_machine_has_time(cm_pmu_model_machine(model)) && find_table(name, &table, NULL) == CM_OK;
    const char *other = fits ? cm_pmu_model_other_architecture(model, "") : NULL;
    fits = fits && other != NULL && strcmp(other, architecture) == 0;
    free(table);
    cm_pmu_model_free(model);
    return fits;
}

/* CM_UNSUPPORTED that advises a model of the same architecture. */
static cm_status refuse_without_time(const cm_pmu_model *model, const char *name, cm_error *error)
{
    const char *architecture = cm_pmu_model_other_architecture(model, "");
    char **names = NULL, advice[CM_TOPDOWN_MODEL + 64] = "";
    size_t count = 0;
    cm_status status = cm_pmu_model_names(&names, &count, error);
    for (size_t i = 0; i < count && architecture != NULL && advice[0] == '\0'; i++)
        if (can_take(names[i], architecture))
            snprintf(advice, sizeof advice, "name one that has, as in --pmu software:%.60s, or ", names[i]);
    cm_pmu_model_names_free(names, count);
    return status == CM_OK ? cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                                          "the model %.100s of the emulated PMU has no time (a time.csv), and so no "
                                          "slots: %suse --pmu hardware",
                                          name, advice)
                           : status;
}

/* Under the emulated PMU, only a model with time has slots. */
static cm_status check_time(const cm_pmu_choice *pmu, cm_error *error)
{
    cm_pmu_model *model = NULL;
    if (pmu->kind != CM_PMU_SOFTWARE)
        return CM_OK;
    cm_status status = cm_pmu_model_open(pmu->model, pmu->core, &model, error);
    if (status == CM_OK && !cm_machine_has_time(cm_pmu_model_machine(model)))
        status = refuse_without_time(model, pmu->model, error);
    cm_pmu_model_free(model);
    return status;
}

cm_status cm_topdown_choose(cm_pmu_choice *pmu, char model[CM_TOPDOWN_MODEL], char **table, cm_error *error)
{
    search in = {.model = model};
    model[0] = '\0';
    *table = NULL;
    cm_status status = choose_model(pmu, &in, error);
    if (status == CM_OK)
        status = find_table(pmu->model, table, error);
    return status == CM_OK ? check_time(pmu, error) : status;
}
