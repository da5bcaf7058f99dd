/* The model and the table of the top-down tree: those of --pmu, or of this machine's processor. */
#include "count/count.h"

#include "formulas/events/events.h"
#include "software_pmu/machine/facts.h"

/* ---- the model of this processor ---- */

enum { MODEL = 1, IDENTITY, COLUMNS = 7 };

typedef struct model_search {
    char identity[128], *model; /* "": no model is known */
} model_search;

static cm_status look_at_model(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv, (void)error;
    model_search *in = data;
    const char *identity = row->fields[IDENTITY];
    if (in->model[0] == '\0' && identity[0] != '\0' && cm_pattern_fits_whole(identity, in->identity))
        snprintf(in->model, CM_TOPDOWN_MODEL, "%s", row->fields[MODEL]);
    return CM_OK;
}

/* Whether the model is of this architecture, or one of both is not known. */
static bool is_of(const char *name, const char *core, const char *architecture)
{
    cm_pmu_model *model = NULL;
    const bool other = architecture != NULL && cm_pmu_model_open(name, core, &model, NULL) == CM_OK &&
                       cm_pmu_model_other_architecture(model, architecture) != NULL;
    cm_pmu_model_free(model);
    return !other;
}

/* Finds the model of this processor. */
static cm_status find_own_model(const cm_machine *machine, model_search *in, cm_error *error)
{
    static const char *const columns[COLUMNS] = {"cpu", "model", "identity", "perf", "perfmon", "likwid", "papi"};
    snprintf(in->identity, sizeof in->identity, "%s-%u-%X-%u", machine->vendor, machine->family, machine->model,
             machine->stepping);
    return cm_csv_each_data("data/upstream.csv", COLUMNS, columns, look_at_model, in, error);
}

/* The model that --pmu names; that of this processor if its counters are read; else the one that all commands take, or
 * that of the program's architecture. */
static cm_status choose_model(cm_pmu_choice *pmu, const char *architecture, model_search *in, cm_error *error)
{
    cm_machine machine;
    if (pmu->kind == CM_PMU_SOFTWARE && pmu->model != NULL)
        return CM_OK;
    cm_machine_read(&machine);
    if (pmu->kind == CM_PMU_AUTO)
        pmu->kind = machine.perf_errno == 0 ? CM_PMU_HARDWARE : CM_PMU_SOFTWARE;
    if (pmu->kind == CM_PMU_SOFTWARE) {
        pmu->model =
            is_of(cm_default_model(), NULL, architecture) ? cm_default_model() : cm_emulator_model(architecture);
        return CM_OK;
    }
    cm_status status = find_own_model(&machine, in, error);
    if (status == CM_OK && in->model[0] == '\0')
        return CM_FAIL(error, CM_UNSUPPORTED,
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

/* Finds the table of the model, or, if it has its events of time from another one, of that; *table is NULL if there is
 * none. */
static cm_status find_table(const char *model, const char *core, char **table, cm_error *error)
{
    cm_model_place place = {0};
    cm_model_layers layers = {0};
    char *core_directory = NULL;
    cm_status status = cm_model_locate(model, &place, error);
    CM_THEN(status, cm_model_core_directory(place.directory, core, &core_directory, NULL, error));
    CM_THEN(status, cm_model_layers_find(core_directory, &layers, error));
    bool has_time = true;
    for (size_t i = 0; status == CM_OK && i < layers.count && *table == NULL && has_time; i++) {
        char *path = NULL;
        status = find_own_table(layers.directories[i], table, error);
        CM_THEN(status, cm_model_layer_file(&layers, i, "time.csv", &path, error));
        has_time = path != NULL;
        free(path);
    }
    cm_model_layers_clear(&layers);
    CM_FREE(core_directory, place.directory);
    return status;
}

/* ---- gaps ---- */

/* Whether the model counts time, so that it has slots. */
static bool has_time(const char *name, const char *core)
{
    cm_pmu_model *model = NULL;
    const bool timed =
        cm_pmu_model_open(name, core, &model, NULL) == CM_OK && cm_machine_has_time(cm_pmu_model_machine(model));
    cm_pmu_model_free(model);
    return timed;
}

/* Whether the model has time, a table, and this architecture. */
static bool can_take(const char *name, const char *architecture)
{
    char *table = NULL;
    const bool fits = has_time(name, NULL) && find_table(name, NULL, &table, NULL) == CM_OK && table != NULL &&
                      is_of(name, NULL, architecture);
    free(table);
    return fits;
}

/* Writes the models that have all that the tree needs, that of this processor first, and fit programs of this
 * architecture, NULL: of any. */
static cm_status advise_model(const char *architecture, char *advice, size_t size, cm_error *error)
{
    char **names = NULL, own[CM_TOPDOWN_MODEL] = "";
    size_t count = 0, listed = 0;
    model_search in = {.model = own};
    cm_machine machine;
    cm_machine_read(&machine);
    cm_status status = find_own_model(&machine, &in, error);
    CM_THEN(status, cm_pmu_model_names(&names, &count, error));
    snprintf(advice, size, "use --pmu hardware, or --pmu software:MODEL with one of these models: ");
    if (status == CM_OK && own[0] != '\0' && can_take(own, architecture))
        cm_text_append(advice, size, "", "%s%s", own, ++listed > 0 ? " (of this processor)" : "");
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], own) != 0 && can_take(names[i], architecture))
            cm_text_append(advice, size, listed++ > 0 ? ", " : "", "%s", names[i]);
    if (listed == 0)
        snprintf(advice, size, "no model of %s has both, use --pmu hardware",
                 architecture != NULL ? architecture : "it");
    cm_pmu_model_names_free(names, count);
    return status;
}

/* CM_UNSUPPORTED if the model has no table, or, if it counts itself, no time or another architecture. */
static cm_status check_model(const cm_pmu_choice *pmu, const char *architecture, const char *table, cm_error *error)
{
    const bool counts = pmu->kind == CM_PMU_SOFTWARE, fits = !counts || is_of(pmu->model, pmu->core, architecture);
    char advice[1024] = "'catmint count --formulas FILE' and 'catmint evaluate' take any table";
    if (fits && table != NULL && (!counts || has_time(pmu->model, pmu->core)))
        return CM_OK;
    cm_status status = counts ? advise_model(architecture, advice, sizeof advice, error) : CM_OK;
    if (status != CM_OK)
        return status;
    if (!fits)
        return CM_FAIL(error, CM_UNSUPPORTED, "the program is of %s, and the model %.100s is not: %s", architecture,
                       pmu->model, advice);
    if (table == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "%.100s has no Top-Down table (data/formulas/topdown-%.100s.csv): %s",
                       pmu->model, pmu->model, advice);
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "the model %.100s has a Top-Down table, but no time (time.csv), so that it counts no slots: %s",
                   pmu->model, advice);
}

cm_status cm_topdown_choose(cm_pmu_choice *pmu, const char *program, char model[CM_TOPDOWN_MODEL], char **table,
                            cm_error *error)
{
    model_search in = {.model = model};
    const char *architecture = cm_emulator_architecture(program);
    model[0] = '\0';
    *table = NULL;
    cm_status status = choose_model(pmu, architecture, &in, error);
    CM_THEN(status, find_table(pmu->model, pmu->core, table, error));
    if (status == CM_BAD_ARGUMENT && pmu->kind == CM_PMU_HARDWARE && !cm_count_has_counters(error))
        return CM_UNSUPPORTED;
    return status == CM_OK ? check_model(pmu, architecture, *table, error) : status;
}
