/* The events of a program under the emulated PMU: of a model, or facts by name. */
#include <catmint/names.h>

#include "count/count.h"
#include "software_pmu/qemu/program_facts.h"

static bool has_event(const cm_pmu_model *model, const char *name)
{
    size_t i = 0;
    while (i < cm_pmu_model_event_count(model) && strcmp(cm_pmu_model_event(model, i).name, name) != 0)
        i++;
    return i < cm_pmu_model_event_count(model);
}

/* A name to offer instead of an unknown one: the meaning of the word, else the nearest name. */
static cm_status offer_names(const cm_emulation *one, const char *name, char *offered, size_t size, cm_error *error)
{
    char plain[CM_NEAR_NAME];
    const bool of_kernel = (cm_perf_name_read(name, plain) & CM_MODE_KERNEL) != 0;
    cm_near near = {.wanted = plain};
    cm_synonym synonym;
    const double *weights = NULL;
    int fact = -1;
    cm_status status = cm_synonym_find(plain, &synonym, error);
    if (status == CM_OK && of_kernel)
        status = cm_count_find_name(one->counts, plain, &weights, &fact, error);
    if (status == CM_OK && of_kernel && (weights != NULL || fact >= 0 || has_event(one->model, plain))) {
        snprintf(offered, size,
                 ": it has no interrupts (interrupt_every), and so no work of the kernel. It counts '%s', the "
                 "program's",
                 plain);
        return CM_OK;
    }
    if (status != CM_OK)
        return status;
    cm_synonym_offer(&synonym, synonym.counts, offered, size);
    if (synonym.words[0] != '\0')
        return CM_OK;
    for (size_t i = 0; i < cm_pmu_model_event_count(one->model); i++)
        cm_near_offer(&near, cm_pmu_model_event(one->model, i).name);
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (cm_program_facts_has(i))
            cm_near_offer(&near, cm_fact_name(i));
    cm_count_offer_sums(&near);
    cm_near_text(&near, offered);
    return CM_OK;
}

/* CM_UNSUPPORTED that suggests other names. */
static cm_status refuse_unknown_event(const cm_emulation *one, const char *name, cm_error *error)
{
    char offered[3 * CM_SYNONYM_TEXT] = "";
    cm_status status = offer_names(one, name, offered, sizeof offered, error);
    return status != CM_OK
               ? status
               : CM_FAIL(error, CM_UNSUPPORTED, "the model %s of the emulated PMU knows no event or fact '%s'%s",
                         cm_pmu_model_name(one->model), name,
                         offered[0] != '\0' ? offered : "; 'catmint events --facts' lists facts");
}

/* CM_UNSUPPORTED: formulas or a plan need events like this one, and no other. */
static cm_status none_is_known(const cm_emulation *one, const char *name, cm_error *error)
{
    const bool preset = strncmp(name, "PAPI_", strlen("PAPI_")) == 0;
    cm_synonym synonym;
    cm_status status = cm_synonym_find(name, &synonym, error);
    if (status != CM_OK)
        return status;
    return CM_FAIL(error, CM_UNSUPPORTED,
                   "the model %s of the emulated PMU has none of the events that %.100s needs, such as '%.100s': %s",
                   cm_pmu_model_name(one->model),
                   one->options->formulas != NULL ? cm_formulas_file(one->options->formulas) : one->options->plan, name,
                   synonym.note[0] != '\0' ? synonym.note
                   : preset ? "metrics and PAPI's presets are counted by their definitions, if 'catmint count "
                              "--results RESULTS.json' is given results that have them"
                            : "only some models know cycles, slots and stalls, by other names perhaps, and none a "
                              "GPU's events. Such formulas want hardware counters, or the GPU's profiler");
}

cm_fact_test cm_emulation_facts(const cm_emulation *one)
{
    return one->emulator->knows_registers && cm_machine_has_time(cm_pmu_model_machine(one->model))
               ? cm_program_facts_has
               : cm_program_facts_has_untimed;
}

static bool is_told_by_code(size_t fact)
{
    return !cm_fact_is_modelled(fact);
}

static bool counts_kernel(const cm_counted_event *event)
{
    return (event->modes & CM_MODE_KERNEL) != 0;
}

static bool is_not_in_core(size_t fact)
{
    return fact != CM_FACT_IN_CORE_CYCLES;
}

/* Whether all facts of an event are known; for a sum, the machine must have such a level of cache. */
static bool is_known(const cm_emulation *one, const cm_counted_event *event, cm_fact_test has)
{
    if (event->weights == NULL)
        return event->code >= 0 ? cm_pmu_model_knows(one->model, (size_t)event->code, has)
                                : event->component < 0 || has((size_t)event->component);
    bool known = (event->weights[CM_FACT_L3_LOAD_MISS] == 0.0 && event->weights[CM_FACT_L3_STORE_MISS] == 0.0) ||
                 cm_pmu_model_machine(one->model)->l3_size > 0;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        known = known && (event->weights[fact] == 0.0 || has(fact));
    return known;
}

void cm_emulation_see(unsigned modes, const uint64_t *facts, uint64_t *seen)
{
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++) {
        const size_t kernel = cm_fact_of_kernel(fact);
        seen[fact] = (modes & CM_MODE_USER) != 0 ? facts[fact] : 0;
        seen[fact] += kernel != CM_FACT_COUNT ? facts[kernel] : 0;
    }
}

/* Whether the model decides its count. */
static bool is_modelled(const cm_emulation *one, const cm_counted_event *event)
{
    return event->lack == CM_REMARK_NONE && (counts_kernel(event) || !is_known(one, event, is_told_by_code));
}

/* Takes the modes that the event's name asks for, if the machine has the kernel's; returns the name to look for. */
static const char *take_modes(const cm_emulation *one, cm_counted_event *event, char plain[CM_NEAR_NAME])
{
    const unsigned modes = cm_perf_name_read(event->name, plain);
    const bool has_kernel = cm_pmu_model_machine(one->model)->interrupt_every != 0;
    event->modes = has_kernel && (modes & CM_MODE_KERNEL) != 0 ? modes : 0;
    return event->modes != 0 ? plain : event->name;
}

/* Finds an event of the model, or a fact. */
static cm_status find_event(const cm_emulation *one, const cm_event_names *names, cm_counted_event *event,
                            cm_error *error)
{
    size_t index = CM_NO_NAME;
    char plain[CM_NEAR_NAME];
    const char *name = take_modes(one, event, plain);
    event->code = -1;
    event->component = -1;
    if (event->lack != CM_REMARK_NOT_DEFINED && event->lack != CM_REMARK_NO_RESULTS)
        event->lack = CM_REMARK_NONE; /* hardware may have others */
    if (event->weights == NULL && cm_event_names_resolve(names, name, &index, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (index != CM_NO_NAME)
        event->code = (int)index;
    else if (event->weights == NULL && event->optional)
        event->component = (int)cm_fact_find(name);
    else if (event->weights == NULL) {
        cm_status status = cm_count_find_name(one->counts, name, &event->weights, &event->component, error);
        if (status != CM_OK)
            return status;
    }
    if (event->lack == CM_REMARK_NONE && (!is_known(one, event, cm_emulation_facts(one)) ||
                                          (counts_kernel(event) && !is_known(one, event, cm_fact_is_known_of_kernel))))
        event->lack = CM_REMARK_NOT_MODELLED;
    event->set = event->lack == CM_REMARK_NONE ? 1 : 0;
    event->modelled = is_modelled(one, event);
    if (event->weights != NULL || event->code >= 0 || event->component >= 0)
        return CM_OK;
    if (!event->optional)
        return refuse_unknown_event(one, event->name, error);
    event->lack = event->lack == CM_REMARK_NONE ? CM_REMARK_NOT_MODELLED : event->lack;
    event->set = 0;
    return CM_OK;
}

/* CM_UNSUPPORTED if the model has none of the events that formulas and a plan need. */
static cm_status check_needed(const cm_emulation *one, cm_error *error)
{
    const char *missing = NULL;
    cm_remark lack = CM_REMARK_NONE;
    bool known = false;
    for (size_t i = 0; i < one->counts->event_count; i++) {
        const cm_counted_event *event = &one->counts->events[i];
        known |= event->optional && event->lack == CM_REMARK_NONE;
        if (event->optional && event->lack != CM_REMARK_NONE && missing == NULL) {
            missing = event->name;
            lack = event->lack;
        }
    }
    if (known || missing == NULL)
        return CM_OK;
    return lack == CM_REMARK_NO_RESULTS ? cm_count_refuse_metric(missing, error) : none_is_known(one, missing, error);
}

cm_status cm_emulation_find_events(cm_emulation *one, cm_error *error)
{
    size_t count = cm_pmu_model_event_count(one->model);
    const char **list = calloc(count + 1, sizeof *list);
    cm_event_names *names = NULL;
    if (list == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        list[i] = cm_pmu_model_event(one->model, i).name;
    cm_status status = cm_event_names_create(list, count, &names, error);
    for (size_t i = 0; status == CM_OK && i < one->counts->event_count; i++)
        status = find_event(one, names, &one->counts->events[i], error);
    CM_THEN(status, check_needed(one, error));
    cm_event_names_free(names);
    free(list);
    return status;
}

/* The facts that the events asked about need; one thread at a time uses it. */
static bool *needed;

static bool note_needed(size_t fact)
{
    needed[fact] = true;
    if (cm_fact_of_kernel(fact) != CM_FACT_COUNT)
        needed[cm_fact_of_kernel(fact)] = true;
    return true;
}

void cm_emulation_note_facts(const cm_emulation *one, bool *wanted)
{
    const bool interrupts = cm_pmu_model_machine(one->model)->interrupt_every != 0;
    needed = wanted;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        wanted[fact] = one->counts->metric_count > 0 || fact == CM_FACT_FP_LANES_UNKNOWN ||
                       (fact == CM_FACT_INSTRUCTIONS && interrupts); /* which come by instructions */
    for (size_t i = 0; i < one->counts->event_count; i++)
        if (one->counts->events[i].lack == CM_REMARK_NONE)
            is_known(one, &one->counts->events[i], note_needed);
}

unsigned cm_emulation_wants(const cm_emulation *one)
{
    /* Errors of metrics take all facts, and so does stepping. */
    unsigned wanted = one->counts->metric_count == 0 && !one->options->stepped ? CM_PROGRAM_BARE : 0;
    for (size_t i = 0; i < one->counts->event_count; i++) {
        const cm_counted_event *event = &one->counts->events[i];
        if (event->lack == CM_REMARK_NONE && !is_known(one, event, is_not_in_core))
            wanted |= CM_PROGRAM_IN_CORE;
        if (event->lack == CM_REMARK_NONE && !is_known(one, event, cm_program_facts_has_untimed))
            wanted |= CM_PROGRAM_TIME;
        if (is_modelled(one, event))
            wanted &= ~(unsigned)CM_PROGRAM_BARE;
    }
    return wanted;
}

cm_pmu_machine cm_emulation_machine(const cm_emulation *one)
{
    cm_pmu_machine machine = *cm_pmu_model_machine(one->model);
    if (one->options->mix) {
        machine.l1d_prefetch_ahead = machine.l1d_prefetch_next = 0;
        machine.l2_prefetch_ahead = machine.l2_prefetch_next = 0;
        machine.prefetch_instructions = machine.wrong_path_accesses = machine.fill_accesses = 0;
    }
    return machine;
}

bool cm_emulation_fetches_nothing_ahead(const cm_emulation *one)
{
    const cm_pmu_machine *of = cm_pmu_model_machine(one->model);
    return one->options->mix &&
           (of->l1d_prefetch_ahead | of->l1d_prefetch_next | of->l2_prefetch_ahead | of->l2_prefetch_next |
            of->prefetch_instructions | of->wrong_path_accesses | of->fill_accesses) != 0;
}
