/* Imports consoles: of kernels a sweep's directory, of random programs beside them its validation. */
#include "formats/console/console.h"
#include "verify/freestanding/freestanding.h"
#include "verify/validation/validation.h"

/* The seed and the number of a program by its name, "program-3.7". */
static bool read_name(const char *name, unsigned long long *number, unsigned long long *seed)
{
    int read = 0;
    return sscanf(name, "program-%llu.%llu%n", number, seed, &read) == 2 && name[read] == '\0';
}

/* Composes the programs that ran anew: all of one seed, in order. */
static cm_status compose_programs(const cm_console_import *import, const cm_console_benchmark *ran,
                                  cm_emitted_programs **programs, cm_error *error)
{
    unsigned long long number = 0, seed = 0, first = 0;
    bool good = ran->kernel_count > 1;
    for (size_t i = 0; i < ran->kernel_count && good; i++) {
        good = read_name(ran->kernels[i].name, &number, &seed) && number == i && !ran->kernels[i].trapped;
        first = i == 0 ? seed : first;
        good = good && seed == first;
    }
    if (!good)
        return cm_error_set(error, CM_BAD_INPUT, import->options->logs[0], 0, 0,
                            "the programs are not those of one seed, from the first to the last");
    return cm_emitted_programs_create(import->isa, first, ran->kernel_count - 1, programs, error);
}

/* Facts of a run; those of caches and predictors are not known. */
static json_t *describe_run_facts(const double *facts, double turns)
{
    json_t *object = json_object();
    for (size_t i = 0; i < cm_fact_count(); i++) {
        bool unknown = cm_fact_is_of_machine(i);
        if (unknown || facts[i] != 0.0)
            object = cm_json_set(object, cm_fact_name(i), unknown ? json_null() : json_real(turns * facts[i]));
    }
    return object;
}

static json_t *describe_programs(const cm_emitted_programs *programs, double turns, json_t *origin)
{
    json_t *list = json_array();
    for (size_t i = 1; i < programs->count; i++)
        list = cm_json_append(list, json_pack("{s:s, s:s, s:s, s:o}", "program", programs->items[i].name, "class", "",
                                              "description", programs->items[i].description, "facts",
                                              describe_run_facts(programs->items[i].facts, turns)));
    return json_pack("{s:O, s:I, s:o}", "sweep", origin, "seed", (json_int_t)programs->seed, "programs", list);
}

/* Writes the validation of the sweep that was just written. */
static cm_status write_programs(const cm_console_import *import, const cm_emitted_programs *programs, cm_error *error)
{
    json_t *origin = NULL, *validation = NULL;
    char *path = cm_validation_path(import->options->directory, CM_STAGE_PROGRAMS);
    cm_status status =
        path != NULL ? cm_sweep_checksum(import->options->directory, &origin, error) : cm_error_no_memory(error);
    if (status == CM_OK && (validation = describe_programs(programs, import->turns, origin)) == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_console_write_programs(import, path, validation, error));
    json_decref(validation);
    json_decref(origin);
    free(path);
    return status;
}

cm_status cm_import_console(const cm_console_import_options *options, cm_console_import_summary *summary,
                            cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_console_import_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_console_import import;
    cm_console_import_summary found = {0};
    cm_emitted_programs *programs = NULL;
    cm_status status = cm_console_import_read(options, &import, error);
    const cm_console_benchmark *ran = status == CM_OK ? cm_console_programs(&import) : NULL;
    if (status == CM_OK && ran != NULL)
        status = compose_programs(&import, ran, &programs, error);
    CM_THEN(status, cm_console_write(&import, &found, error));
    if (status == CM_OK && ran != NULL)
        status = write_programs(&import, programs, error);
    found.programs = ran != NULL ? ran->kernel_count - 1 : 0;
    cm_emitted_programs_free(programs);
    cm_console_import_clear(&import);
    if (status == CM_OK && summary != NULL)
        *summary = found;
    return status;
}

bool cm_validation_was_imported(const char *directory)
{
    json_t *manifest = NULL;
    cm_error none;
    char *path = cm_validation_path(directory, CM_STAGE_PROGRAMS);
    bool imported =
        path != NULL && cm_has_manifest(path) && cm_measured_read_manifest(directory, &manifest, &none) == CM_OK;
    const char *schema = imported ? json_string_value(json_object_get(manifest, "schema")) : NULL;
    imported = schema != NULL && strcmp(schema, CM_IMPORT_SCHEMA) == 0;
    json_decref(manifest);
    free(path);
    return imported;
}
