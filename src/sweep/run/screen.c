#include "sweep/run/run.h"

enum { OUTCOMES = CM_SCREEN_COUNTED + 1 };

struct screen {
    cm_sweep_state *state;
    const struct cm_raw *raw; /* the session's */
    cm_raw_spec spec;
    cm_screen_chunk chunk;
    uint64_t outcomes[OUTCOMES]; /* the number of codes with each */
    cm_code_classes classes;
    cm_libpfm_list *aliases; /* names of codes on this processor, NULL: none */
};

/* Fills the chunk with codes from number `first` on; unsafe ones are excluded. */
static void fill_chunk(struct screen *screen, uint64_t first, size_t most)
{
    uint64_t left = screen->spec.count - first;
    screen->chunk.count = left < most ? (size_t)left : most;
    for (size_t i = 0; i < screen->chunk.count; i++) {
        cm_screened *screened = &screen->chunk.codes[i];
        *screened = (cm_screened){.code = cm_raw_spec_code(&screen->spec, first + i)};
        if (cm_unsafe_codes_source(&screen->raw->unsafe, &screened->code) != NULL)
            screened->outcome = CM_SCREEN_EXCLUDED;
    }
}

/* Counts the chunk's outcomes, and groups the codes that count into classes. */
static cm_status take_outcomes(struct screen *screen, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < screen->chunk.count; i++) {
        const cm_screened *screened = &screen->chunk.codes[i];
        screen->outcomes[screened->outcome]++;
        if (screened->outcome == CM_SCREEN_COUNTED)
            status = cm_code_classes_add(&screen->classes, screened->sums, &screened->code, error);
    }
    return status;
}

/* Counts all codes, chunk by chunk; those in the file are not counted again. */
static cm_status count_all(struct screen *screen, cm_error *error)
{
    bool modelled = cm_counting_model(screen->state->counting) != NULL;
    size_t most = modelled ? CM_SCREEN_CHUNK_OF_MODELS : CM_SCREEN_CHUNK, size = most * sizeof *screen->chunk.codes;
    cm_screen_file *file = NULL;
    uint64_t before = 0;
    screen->chunk.state = screen->state;
    screen->chunk.codes = cm_team_memory_create(size);
    cm_status status = screen->chunk.codes != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && screen->state->keeps_screening)
        status = cm_screen_file_open(screen->state, &file, error);
    for (uint64_t first = 0; status == CM_OK && first < screen->spec.count; first += most) {
        fill_chunk(screen, first, most);
        bool taken = file != NULL && cm_screen_file_take(file, first, &screen->chunk);
        before += taken ? screen->chunk.count : 0;
        if (!taken)
            status = cm_screen_chunk_count(&screen->chunk, error);
        if (status == CM_OK && file != NULL && !taken)
            status = cm_screen_file_add(file, first, &screen->chunk, error);
        CM_THEN(status, take_outcomes(screen, error));
    }
    cm_screen_file_close(file);
    if (status == CM_OK && before != 0)
        cm_sweep_write_message(screen->state, "%llu of these codes were screened before", (unsigned long long)before);
    cm_team_memory_free(screen->chunk.codes, size);
    return status;
}

/* The name of a code in the model that answers to codes. */
static const char *name_in_model(const struct screen *screen, const cm_raw_code *code)
{
    const cm_pmu_model *model = cm_counting_model(screen->state->counting);
    const cm_model_codes *codes = model != NULL ? cm_pmu_model_codes(model) : NULL;
    size_t event =
        codes != NULL && !codes->events->named_by_code ? cm_model_codes_event(codes, code->words[0]) : SIZE_MAX;
    return event != SIZE_MAX ? codes->events->events[event].name : NULL;
}

static void add_name(const char *name, FILE *stream, bool *any)
{
    fprintf(stream, "%s%s", *any ? CM_CODE_NAMES_BETWEEN : "", name);
    *any = true;
}

/* Names of the codes of a class, if a table has any: the model's, or libpfm4's for the processor. Free with free(). */
static cm_status names_create(const struct screen *screen, const cm_code_class *class, char **names, cm_error *error)
{
    bool any = false;
    FILE *stream = cm_memory_stream(names, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < class->count; i++) {
        const cm_raw_device *device = &screen->raw->devices[class->codes[i].device];
        const char *name = name_in_model(screen, &class->codes[i]);
        if (name != NULL)
            add_name(name, stream, &any);
        for (size_t at = 0; (name = cm_code_alias_next(screen->aliases, device, &class->codes[i], &at)) != NULL;)
            add_name(name, stream, &any);
    }
    return fclose(stream) == 0 ? CM_OK : cm_error_no_memory(error);
}

/* Adds the event of a class to the session, and its codes to `classes`. */
static cm_status add_class(const struct screen *screen, const cm_code_class *class, json_t **classes, cm_error *error)
{
    char *names = NULL, text[CM_RAW_CODE_TEXT];
    size_t event = 0;
    cm_status status = names_create(screen, class, &names, error);
    CM_THEN(status, cm_raw_add_event(screen->state->counting, &class->codes[0], names, &event, error));
    if (status != CM_OK) {
        free(names);
        return status;
    }
    screen->state->screened[event] = true;
    json_t *codes = json_array();
    for (size_t i = 1; i < class->count; i++)
        codes = cm_json_append(codes, json_string(cm_raw_name(screen->raw->devices, &class->codes[i], text)));
    const char *name = cm_counting_event(screen->state->counting, event).name;
    *classes = cm_json_append(*classes, json_pack("{s:s, s:s, s:o}", "event", name, "names", names, "same", codes));
    free(names);
    return CM_OK;
}

/* Adds and tries an event for each class. */
static cm_status add_classes(struct screen *screen, json_t **classes, cm_error *error)
{
    size_t first = cm_counting_event_count(screen->state->counting);
    screen->state->screened_count = first + screen->classes.count;
    screen->state->screened = calloc(screen->state->screened_count, sizeof *screen->state->screened);
    cm_status status = screen->state->screened != NULL ? CM_OK : cm_error_no_memory(error);
    *classes = json_array();
    for (size_t i = 0; status == CM_OK && i < screen->classes.count; i++)
        status = add_class(screen, &screen->classes.classes[i], classes, error);
    return status == CM_OK ? cm_counting_try_added(screen->state->counting, first, error) : status;
}

/* Reports the outcomes and describes them for the manifest. */
static cm_status describe_classes(struct screen *screen, json_t *classes, cm_error *error)
{
    const uint64_t *of = screen->outcomes;
    const char *device = screen->raw->devices[screen->spec.device].name;
    screen->state->screening = json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "codes", screen->state->options->raw, "device", device,
        "screened", (json_int_t)screen->spec.count, "refused", (json_int_t)of[CM_SCREEN_REFUSED], "crashed",
        (json_int_t)of[CM_SCREEN_CRASHED], "excluded", (json_int_t)of[CM_SCREEN_EXCLUDED], "silent",
        (json_int_t)of[CM_SCREEN_SILENT], "counting", (json_int_t)of[CM_SCREEN_COUNTED], "classes", classes);
    if (screen->state->screening == NULL)
        return cm_error_no_memory(error);
    cm_sweep_write_message(
        screen->state,
        "%llu codes of %s: %llu refused, %llu crashed or hung, %llu excluded as unsafe, %llu count nothing, "
        "%llu count; %zu of these differ",
        (unsigned long long)screen->spec.count, device, (unsigned long long)of[CM_SCREEN_REFUSED],
        (unsigned long long)of[CM_SCREEN_CRASHED], (unsigned long long)of[CM_SCREEN_EXCLUDED],
        (unsigned long long)of[CM_SCREEN_SILENT], (unsigned long long)of[CM_SCREEN_COUNTED], screen->classes.count);
    return CM_OK;
}

/* Screens the codes of the options. */
static cm_status screen_codes(struct screen *screen, cm_error *error)
{
    cm_counting *counting = screen->state->counting;
    json_t *classes = NULL;
    screen->raw = counting->raw;
    cm_status status = CM_OK;
    if (cm_counting_model(counting) == NULL)
        status = cm_code_aliases_create(&counting->machine, counting->core.pmu, &screen->aliases, error);
    CM_THEN(status, cm_raw_spec_parse(screen->state->options->raw, screen->raw->devices, screen->raw->device_count,
                                      &screen->spec, error));
    CM_THEN(status, count_all(screen, error));
    if (status == CM_OK && screen->classes.count == 0)
        status = CM_FAIL(error, CM_UNSUPPORTED, "none of %llu codes counts anything here",
                         (unsigned long long)screen->spec.count);
    CM_THEN(status, add_classes(screen, &classes, error));
    if (status == CM_OK)
        return describe_classes(screen, classes, error);
    json_decref(classes);
    return status;
}

cm_status cm_sweep_screen(cm_sweep_state *state, cm_error *error)
{
    if (state->options->raw == NULL)
        return CM_OK;
    struct screen *screen = calloc(1, sizeof *screen);
    if (screen == NULL)
        return cm_error_no_memory(error);
    screen->state = state;
    cm_status status = screen_codes(screen, error);
    cm_code_classes_clear(&screen->classes);
    cm_libpfm_list_free(screen->aliases);
    free(screen);
    return status;
}
