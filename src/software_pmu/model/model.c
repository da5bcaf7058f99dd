/* PMU models: directories that define a processor's events over facts, and its caches and predictor. */
#include "software_pmu/model/model.h"
#include "software_pmu/machine/facts.h"

struct cm_pmu_model {
    char *name;
    char *machine_name; /* of the directory whose machine.csv decides facts on kernels */
    cm_pmu_machine machine;
    cm_model_events events;
    cm_model_events uncore; /* empty if there is no uncore.csv */
    cm_model_events time;   /* empty if there is no time.csv, and after they were taken */
    bool is_timed; /* its own directory has a time.csv: machines and events of time are not inherited without */
    cm_model_codes codes;
};

cm_status cm_pmu_model_take_name(char **name, const char *directory, cm_error *error)
{
    char *path = realpath(directory, NULL);
    struct stat status;
    if (path == NULL || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        int reason = path == NULL ? errno : ENOTDIR;
        free(path);
        if (reason == ENOMEM)
            return cm_error_no_memory(error);
        return cm_error_set(error, CM_BAD_ARGUMENT, directory, 0, 0, "not the directory of a PMU model: %s",
                            strerror(reason));
    }
    free(*name);
    *name = strdup(strrchr(path, '/') + 1);
    free(path);
    return *name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Adds the PMU before the event's name. Codes have a device instead: the core's. */
static cm_status prefix_event(cm_model_event *event, const char *pmu, cm_error *error)
{
    size_t size = strlen(pmu) + strlen(event->name) + sizeof "::";
    char *name = malloc(size);
    if (name == NULL)
        return cm_error_no_memory(error);
    snprintf(name, size, "%s::%s", pmu, event->name);
    free(event->name);
    event->name = name;
    return CM_OK;
}

cm_status cm_pmu_model_become_core(cm_pmu_model *model, const char *directory, const cm_core_type *core,
                                   cm_error *error)
{
    cm_status status = cm_pmu_model_take_name(&model->name, directory, error);
    for (size_t i = 0; status == CM_OK && i < model->events.count && !model->events.named_by_code; i++)
        status = prefix_event(&model->events.events[i], core->pmu, error);
    for (size_t i = 0; status == CM_OK && i < model->time.count; i++)
        status = prefix_event(&model->time.events[i], core->pmu, error);
    model->events.checksum = cm_checksum(model->events.checksum, core->name, strlen(core->name) + 1);
    model->events.checksum = cm_checksum(model->events.checksum, core->pmu, strlen(core->pmu) + 1);
    return status;
}

/* Reads a file of one layer. */
typedef cm_status (*read_layer)(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                                cm_error *error);

static cm_status read_events(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                             cm_error *error)
{
    return cm_model_events_read(path, CM_SCOPE_CORE, layers->listed[layer], &model->events, error);
}

static cm_status read_uncore(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                             cm_error *error)
{
    return cm_model_events_read(path, CM_SCOPE_SOCKET, layers->listed[layer], &model->uncore, error);
}

static cm_status read_time(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                           cm_error *error)
{
    model->is_timed = layer == 0;
    return cm_model_events_read(path, CM_SCOPE_CORE, layers->listed[layer], &model->time, error);
}

static cm_status read_machine(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                              cm_error *error)
{
    bool time_alone, inherited = layer + 1 < layers->count;
    cm_status status = cm_model_machine_read(path, inherited, &model->machine, &time_alone, error);
    return status == CM_OK && !time_alone
               ? cm_pmu_model_take_name(&model->machine_name, layers->directories[layer], error)
               : status;
}

static cm_status read_event_rows(cm_pmu_model *model, const char *path, const cm_model_layers *layers, size_t layer,
                                 cm_error *error)
{
    (void)layers;
    return cm_model_event_rows_read(path, layer != 0, &model->events, error);
}

/* Reads the file of each layer, from the last to the first. The last must have it, unless it is `optional`. */
static cm_status read_layers(cm_pmu_model *model, const cm_model_layers *layers, const char *name, bool optional,
                             read_layer read, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = layers->count; status == CM_OK && i-- > 0;) {
        char *path = NULL;
        bool base = i + 1 == layers->count;
        status = cm_model_layer_file(layers, i, name, &path, error);
        if (status == CM_OK && path != NULL)
            status = read(model, path, layers, i, error);
        else if (status == CM_OK && base && !optional)
            status = cm_model_layer_lacks(layers, i, name, error);
        free(path);
    }
    return status;
}

/* Reads all files of the model, and of those that it inherits from. */
static cm_status read_files(cm_pmu_model *model, const char *directory, cm_error *error)
{
    static const struct {
        const char *name;
        bool optional;
        read_layer read;
    } files[] = {{"events.csv", false, read_events},
                 {"machine.csv", false, read_machine},
                 {"uncore.csv", true, read_uncore},
                 {"time.csv", true, read_time},
                 {"machine.csv", false, read_event_rows}};
    cm_model_layers layers = {0};
    cm_status status = cm_model_layers_find(directory, &layers, error);
    for (size_t i = 0; status == CM_OK && i < CM_COUNT_OF(files); i++)
        status = read_layers(model, &layers, files[i].name, files[i].optional, files[i].read, error);
    if (!model->is_timed)
        model->machine.latency_memory = 0;
    if (status == CM_OK && model->events.named_by_code)
        status = cm_model_codes_make(&model->events, 0, &model->codes, error);
    cm_model_layers_clear(&layers);
    return status;
}

cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error)
{
    cm_pmu_model *loaded = calloc(1, sizeof *loaded);
    cm_status status =
        loaded != NULL ? cm_pmu_model_take_name(&loaded->name, directory, error) : cm_error_no_memory(error);
    CM_THEN(status, read_files(loaded, directory, error));
    CM_HAND_OVER(status, model, loaded, cm_pmu_model_free);
    return status;
}

void cm_pmu_model_free(cm_pmu_model *model)
{
    if (model == NULL)
        return;
    cm_model_codes_clear(&model->codes);
    cm_model_events_clear(&model->events);
    cm_model_events_clear(&model->uncore);
    cm_model_events_clear(&model->time);
    CM_FREE(model->name, model->machine_name, model);
}

CM_GETTER(const char *cm_pmu_model_name(const cm_pmu_model *model), model->name)
CM_GETTER(const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model), &model->machine)

const char *cm_pmu_model_other_architecture(const cm_pmu_model *model, const char *architecture)
{
    const char *own = model != NULL ? cm_pmu_model_machine(model)->architecture : "";
    return own[0] != '\0' && strcmp(own, architecture) != 0 ? own : NULL;
}

CM_GETTER(size_t cm_pmu_model_event_count(const cm_pmu_model *model), model->events.count)

cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event)
{
    return (cm_pmu_event){model->events.events[event].name, model->events.events[event].description};
}

static uint64_t sum_up_uncore(const cm_pmu_model *model, uint64_t sum)
{
    const cm_pmu_machine *machine = &model->machine;
    const double numbers[] = {machine->memory_boxes, machine->background_drift, machine->background_noise,
                              machine->background_seed};
    for (size_t i = 0; i < model->uncore.count; i++)
        sum = cm_checksum(sum, &model->uncore.events[i].background, sizeof model->uncore.events[i].background);
    sum = cm_checksum(sum, &model->uncore.checksum, sizeof model->uncore.checksum);
    return cm_checksum(sum, numbers, sizeof numbers);
}

/* The checksum with that of everything that decides the facts. */
static uint64_t sum_up_machine(const cm_pmu_machine *machine, uint64_t sum)
{
    const uint64_t numbers[] = {
        machine->line_size,         machine->page_size,     machine->l1d_size,     machine->l2_size,
        machine->l3_size,           machine->l1d_ways,      machine->l2_ways,      machine->l3_ways,
        machine->wrong_path_window, machine->counters,      machine->inclusive,    machine->dtlb_entries,
        machine->l1i_size,          machine->l1i_ways,      machine->itlb_entries, machine->stlb_entries,
        machine->stlb_ways,         machine->istlb_entries, machine->istlb_ways};
    sum = cm_checksum(sum, numbers, sizeof numbers);
    sum = cm_checksum(sum, &machine->interference, sizeof machine->interference);
    sum = cm_checksum(sum, machine->predictor, strlen(machine->predictor));
    sum = cm_checksum(sum, machine->replacement, strlen(machine->replacement));
    if (machine->write_allocate_evasion != 0)
        sum = cm_checksum(sum, "write_allocate_evasion", sizeof "write_allocate_evasion");
    const unsigned habits[] = {
        machine->l1d_prefetch_ahead,  machine->l1d_prefetch_next,  machine->l2_prefetch_ahead,
        machine->l2_prefetch_next,    machine->fill_accesses,      machine->prefetch_instructions,
        machine->wrong_path_accesses, machine->wrong_path_fetches, machine->store_forwarding,
        machine->macro_fusion,        machine->operations,         machine->opcache_entries,
        machine->opcache_ways,        machine->opcache_operations, machine->combining_buffers,
        machine->walk_cache_entries,  machine->interrupt_every,    machine->interrupt_instructions,
        machine->walk_accesses};
    for (size_t i = 0; i < CM_COUNT_OF(habits); i++)
        if (habits[i] != 0) /* models without them keep their sums */
            sum = cm_checksum(sum, (unsigned[]){(unsigned)i, habits[i]}, 2 * sizeof habits[0]);
    return sum;
}

uint64_t cm_pmu_model_machine_checksum(const cm_pmu_model *model)
{
    return sum_up_machine(&model->machine, CM_CHECKSUM_START);
}

CM_GETTER(const char *cm_pmu_model_machine_name(const cm_pmu_model *model), model->machine_name)

const char *cm_pmu_model_unknown(const cm_pmu_model *model, size_t index)
{
    return index < model->events.unknown.count ? model->events.unknown.items[index] : NULL;
}

uint64_t cm_pmu_model_checksum(const cm_pmu_model *model)
{
    uint64_t sum = sum_up_machine(&model->machine, model->events.checksum);
    if (model->uncore.count != 0)
        sum = sum_up_uncore(model, sum);
    return model->codes.count != 0 ? cm_checksum(sum, &model->codes.seed, sizeof model->codes.seed) : sum;
}

CM_GETTER(cm_pmu_fault cm_pmu_model_fault(const cm_pmu_model *model, size_t event), model->events.events[event].fault)

static cm_status rename_model(cm_pmu_model *model, const char *name, cm_error *error)
{
    char *copy = strdup(name);
    if (copy == NULL)
        return cm_error_no_memory(error);
    free(model->name);
    model->name = copy;
    return CM_OK;
}

cm_status cm_pmu_model_disturb(cm_pmu_model *model, const char *name, double interference, cm_error *error)
{
    model->machine.interference = interference;
    return rename_model(model, name, error);
}

cm_status cm_pmu_model_answer_codes(cm_pmu_model *model, const char *name, uint64_t seed, cm_error *error)
{
    cm_model_codes_clear(&model->codes);
    cm_status status = rename_model(model, name, error);
    return status == CM_OK ? cm_model_codes_make(&model->events, seed, &model->codes, error) : status;
}

cm_status cm_pmu_model_answer_facts(cm_pmu_model *model, const char *name, cm_error *error)
{
    cm_model_codes_clear(&model->codes);
    cm_model_events_clear(&model->events);
    cm_model_events_clear(&model->uncore);
    cm_status status = rename_model(model, name, error);
    return status == CM_OK ? cm_model_events_of_facts(&model->events, error) : status;
}

cm_status cm_pmu_model_take_time(cm_pmu_model *model, cm_error *error)
{
    return model->is_timed ? cm_model_events_take(&model->events, &model->time, error) : CM_OK;
}

const cm_model_codes *cm_pmu_model_codes(const cm_pmu_model *model)
{
    return model->codes.count != 0 ? &model->codes : NULL;
}

CM_GETTER(bool cm_pmu_model_is_fixed(const cm_pmu_model *model, size_t event), model->events.events[event].fixed)

bool cm_pmu_model_refuses(const cm_pmu_model *model, size_t event, size_t other)
{
    for (size_t i = 0; i < model->events.conflict_count; i++) {
        const cm_model_conflict *conflict = &model->events.conflicts[i];
        if ((conflict->event == event && conflict->other == other) ||
            (conflict->event == other && conflict->other == event))
            return true;
    }
    return false;
}

static int64_t nearest(double value)
{
    if (!(value > -0x1p63))
        return isnan(value) ? 0 : INT64_MIN;
    return value < 0x1p63 ? (int64_t)llround(value) : INT64_MAX;
}

/* The count of an event from the facts that its expression names. */
static double evaluate_event(const cm_model_events *events, size_t event, const uint64_t *facts)
{
    const cm_expression *expression = events->events[event].expression;
    double values[CM_FACT_COUNT];
    size_t names = cm_expression_name_count(expression);
    for (size_t i = 0; i < names; i++) {
        size_t fact = cm_expression_name_index(expression, i);
        values[fact] = (double)facts[fact];
    }
    return cm_expression_evaluate(expression, values);
}

int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts)
{
    return nearest(evaluate_event(&model->events, event, facts));
}

bool cm_pmu_model_knows(const cm_pmu_model *model, size_t event, bool (*is_known)(size_t fact))
{
    const cm_expression *expression = model->events.events[event].expression;
    const size_t names = cm_expression_name_count(expression);
    bool known = names > 0;
    for (size_t i = 0; i < names; i++)
        known = known && is_known(cm_expression_name_index(expression, i));
    return known;
}

int64_t cm_pmu_model_answer(const cm_pmu_model *model, const cm_code_answer *answer, const uint64_t *facts,
                            uint64_t turn)
{
    double value = 0.0;
    for (size_t i = 0; i < answer->terms; i++)
        value += answer->weights[i] * evaluate_event(&model->events, answer->events[i], facts);
    return nearest(answer->noisy ? value * cm_code_noise(answer, turn) : value);
}

/* ---- events of the socket ---- */

CM_GETTER(size_t cm_pmu_model_uncore_count(const cm_pmu_model *model), model->uncore.count)

cm_pmu_event cm_pmu_model_uncore_event(const cm_pmu_model *model, size_t event)
{
    return (cm_pmu_event){model->uncore.events[event].name, model->uncore.events[event].description};
}

size_t cm_pmu_model_uncore_boxes(const cm_pmu_model *model)
{
    return model->machine.memory_boxes != 0 ? model->machine.memory_boxes : 1;
}

int64_t cm_pmu_model_uncore_evaluate(const cm_pmu_model *model, size_t event, size_t box, const uint64_t *facts,
                                     uint64_t run, uint64_t now)
{
    uint64_t ticks = facts[cm_fact_find("instructions")];
    double others = cm_background_of(&model->machine, model->uncore.events[event].background,
                                     run * CM_FACT_COUNT + event, ticks, now);
    int64_t lines = nearest(evaluate_event(&model->uncore, event, facts) + others);
    return (lines + (int64_t)box) / (int64_t)cm_pmu_model_uncore_boxes(model);
}
