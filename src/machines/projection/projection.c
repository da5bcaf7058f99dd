/* Projects all mixes with all memories. */
#include "machines/projection/projection.h"

/* Adds a line to the notes unless they hold it already. */
static void CM_PRINTF(2, 3) add_note(cm_projection *made, const char *format, ...)
{
    char text[512];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    if (strstr(made->notes, text) == NULL)
        cm_text_append(made->notes, sizeof made->notes, "\n", "%s", text);
}

/* ---- input ---- */

static cm_status read_files(const cm_project_options *options, cm_projection *made, cm_error *error)
{
    cm_status status = cm_project_machine_read(options->from, &made->arena, &made->machines[0], error);
    CM_THEN(status, cm_project_machine_read(options->to, &made->arena, &made->machines[1], error));
    for (size_t i = 0; status == CM_OK && i < options->mix_count; i++)
        status = cm_mixes_read(options->mixes[i], &made->arena, &made->mixes, error);
    return status;
}

/* The measured speed, from the options or the mix; an error if neither has it. */
static cm_status read_speed(const cm_project_options *options, cm_projection *made, cm_error *error)
{
    const cm_mix *source = &made->mixes.items[0];
    made->measured = source->performance;
    if (options->performance > 0.0)
        made->measured = (cm_project_figure){options->performance, options->performance, options->performance};
    if (made->measured.value > 0.0)
        return CM_OK;
    return cm_error_set(
        error, CM_BAD_INPUT, source->file, source->line, 0,
        "'%s' does not say how fast it was on %s: expected 'performance' or 'seconds', or --performance", source->name,
        made->machines[0].name);
}

/* ---- levels ---- */

/* If the caches saw less than half of a program's accesses, gives its levels the shares of the source's program, as the
 * paper takes hits from the source machine; if they saw as little of that, leaves it its own. */
static cm_status share_bytes(cm_projection *made, cm_mix *mix, cm_error *error)
{
    const cm_mix *source = &made->mixes.items[0];
    double all = 0.0;
    if (isnan(mix->all_bytes) || (!isnan(source->all_bytes) && !isnan(mix->bytes[CM_LEVEL_L1])))
        return CM_OK;
    mix->seen = 1.0;
    for (int i = 0; i < CM_LEVELS; i++)
        all += isnan(source->bytes[i]) ? 0.0 : source->bytes[i];
    if (!(all > 0.0))
        return cm_error_set(error, CM_BAD_INPUT, mix->file, mix->line, 0,
                            "which level answers the loads and stores of '%s' is not known, and not of '%s' either",
                            mix->name, source->name);
    for (int i = 0; i < CM_LEVELS; i++)
        mix->bytes[i] = mix->all_bytes * source->bytes[i] / all;
    mix->moved[CM_LEVEL_L1] = mix->all_bytes;
    for (int i = CM_LEVEL_L2; i < CM_LEVELS; i++)
        mix->moved[i] = source->moved[i] / source->operations * mix->operations;
    add_note(made, "%s: which level answers scalable vectors is not known; the shares of the levels are those of %s.",
             mix->name, source->name);
    return CM_OK;
}

/* Notes the levels that the mixes from `first` to `end` use and the machine has no bandwidth of. */
static void note_lacking(cm_projection *made, const cm_project_machine *machine, size_t first, size_t end, int levels)
{
    char names[32] = "";
    for (int i = 0; i < levels; i++) {
        bool used = false;
        for (size_t mix = first; mix < end; mix++)
            used = used || made->mixes.items[mix].bytes[i] > 0.0;
        if (used && isnan(machine->bandwidth[i].value))
            cm_text_append(names, sizeof names, ", ", "%s", cm_level_names[i]);
    }
    if (names[0] == '\0')
        return;
    made->partial = true;
    add_note(made, "%s has no bandwidth of %s: intervals lack these rooflines.", machine->name, names);
}

static void note_seen(cm_projection *made, const cm_mix *mix)
{
    static const double nearly_all = 0.99;
    if (mix->seen < nearly_all)
        add_note(
            made,
            "%s: caches saw %.0f %% of its accesses, as addresses of the others are not known; levels are taken to "
            "answer these as those.",
            mix->name, 100.0 * mix->seen);
}

/* Notes a mix that was counted by the model of another processor. A machine is named after its file, as in
 * data/machines; a setting may follow. */
static void note_model(cm_projection *made, const cm_mix *mix, const cm_project_machine *machine)
{
    const size_t length = strcspn(machine->name, "@");
    if (mix->model[0] == '\0' || (strlen(mix->model) == length && strncmp(mix->model, machine->name, length) == 0))
        return;
    add_note(
        made,
        "%s: counted by the model of %s, and taken for one of %s: bytes of levels are those of %s's caches, cycles of "
        "its core.",
        mix->name, mix->model, machine->name, mix->model);
}

/* Notes a performance that is a program's, and not the peak of the units. */
static void note_performance(cm_projection *made, const cm_project_machine *machine)
{
    if (!isnan(machine->peak))
        add_note(made, "%s: its performance is that of a matrix product, %.0f %% of the peak of %.4g GFLOP/s.",
                 machine->name, 100.0 * machine->performance.value / machine->peak, machine->peak);
}

/* Notes that the core's limit is unknown for one machine, and so not used for the other: they would not compare. */
static void note_core(cm_projection *made, size_t first)
{
    const bool knows = cm_project_knows_core(&made->machines[0], &made->mixes.items[0]);
    for (size_t i = first; i < made->mixes.count; i++)
        if (cm_project_knows_core(&made->machines[1], &made->mixes.items[i]) != knows)
            add_note(
                made,
                "%.100s: the least cycles of a core are known of %s alone (in_core_cycles of the mix, and the "
                "machine's clock), so that the tightest roofline does without it: programs that wait for chains of "
                "instructions may be far outside",
                made->mixes.items[i].name, knows ? made->machines[0].name : made->machines[1].name);
}

/* ---- cases ---- */

/* The width of vectors on the other machine; an error if the mix was counted with others. */
static cm_status choose_bits(const cm_project_options *options, const cm_projection *made, const cm_mix *mix,
                             double *bits, cm_error *error)
{
    const bool counted = mix->vector_bits > 0.0;
    *bits = counted ? mix->vector_bits : made->machines[1].vector_bits;
    if (options->vector_bits == 0)
        return CM_OK;
    if (counted && *bits != (double)options->vector_bits)
        return cm_error_set(error, CM_BAD_INPUT, mix->file, mix->line, 0,
                            "'%s' was counted with vectors of %g bits, expected %zu: its mix is another there",
                            mix->name, *bits, options->vector_bits);
    *bits = (double)options->vector_bits;
    return CM_OK;
}

/* Longer vectors raise the peak in proportion (section 3.3); the weights of equation 2 lower it by the same factor. */
static cm_status project_one(const cm_project_options *options, const cm_projection *made, size_t mix, size_t memory,
                             cm_projected_case *projected, cm_error *error)
{
    cm_project_machine machines[2] = {made->machines[0], made->machines[1]};
    const cm_mix *const mixes[2] = {&made->mixes.items[0], &made->mixes.items[mix]};
    cm_project_figure *bandwidth = &machines[1].bandwidth[CM_LEVEL_MEM];
    cm_projected_speed *result = &projected->result;
    cm_status status = choose_bits(options, made, mixes[1], &result->vector_bits, error);
    if (status != CM_OK)
        return status;
    const double longer = result->vector_bits / machines[1].vector_bits;
    machines[1].performance.value *= longer;
    machines[1].performance.lowest *= longer;
    machines[1].performance.highest *= longer;
    machines[1].vector_bits = result->vector_bits;
    if (options->memory_count > 0) {
        const double given = options->memories[memory].bandwidth;
        *bandwidth = (cm_project_figure){given, given, given};
        machines[1].streams[CM_LEVEL_MEM] = *bandwidth;
    }
    result->program = mixes[1]->name;
    result->memory = options->memory_count > 0 ? options->memories[memory].name : "";
    result->bandwidth = bandwidth->value;
    projected->performance = machines[1].performance.value;
    cm_project_pairs(machines, mixes, options->least_share, &made->measured, projected);
    cm_project_bound(machines, mixes, &made->measured, projected);
    return projected->pair_count > 0
               ? CM_OK
               : cm_error_set(error, CM_BAD_INPUT, mixes[1]->file, mixes[1]->line, 0,
                              "no level of memory is known of %s, %s and the mixes of '%s' and '%s'", machines[0].name,
                              machines[1].name, mixes[0]->name, mixes[1]->name);
}

static cm_status keep_names(cm_projection *made, cm_error *error)
{
    for (size_t i = 0; i < made->case_count; i++) {
        cm_projected_speed *result = &made->cases[i].result;
        result->memory = cm_arena_text(&made->arena, result->memory);
        if (result->memory == NULL)
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

/* Notes everything about the mixes and machines that a reader of the intervals should know. */
static void note_all(const cm_project_options *options, cm_projection *made, size_t first)
{
    const size_t count = made->mixes.count;
    for (size_t mix = 0; mix < count; mix++)
        if (made->mixes.items[mix].all_lanes)
            add_note(
                made,
                "%s: which lanes of its vectors are active is not known of all; operations are those of all lanes.",
                made->mixes.items[mix].name);
    for (size_t mix = 0; mix < count; mix++)
        note_seen(made, &made->mixes.items[mix]);
    for (size_t mix = 0; mix < count; mix++) {
        if (mix == 0)
            note_model(made, &made->mixes.items[mix], &made->machines[0]);
        if (mix >= first)
            note_model(made, &made->mixes.items[mix], &made->machines[1]);
    }
    note_performance(made, &made->machines[0]);
    note_performance(made, &made->machines[1]);
    note_core(made, first);
    note_lacking(made, &made->machines[0], 0, 1, CM_LEVELS);
    note_lacking(made, &made->machines[1], first, count, options->memory_count > 0 ? CM_LEVEL_MEM : CM_LEVELS);
}

/* Fills in the cases of each mix and memory, then the notes and warnings. */
static cm_status project_all(const cm_project_options *options, cm_projection *made, cm_error *error)
{
    const size_t memories = options->memory_count > 0 ? options->memory_count : 1;
    const size_t first = made->mixes.count > 1 ? 1 : 0;
    cm_status status = CM_OK;
    if (!CM_ALLOCATE(made->cases, made->mixes.count * memories))
        return cm_error_no_memory(error);
    for (size_t mix = first; status == CM_OK && mix < made->mixes.count; mix++)
        status = share_bytes(made, &made->mixes.items[mix], error);
    if (status == CM_OK)
        note_all(options, made, first);
    for (size_t mix = first; status == CM_OK && mix < made->mixes.count; mix++)
        for (size_t memory = 0; status == CM_OK && memory < memories; memory++)
            status = project_one(options, made, mix, memory, &made->cases[made->case_count++], error);
    CM_THEN(status, keep_names(made, error));
    return status == CM_OK ? cm_projection_find_warnings(made, first, memories, error) : status;
}

cm_status cm_projection_create(const cm_project_options *options, cm_projection **projection, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_project_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (options->from == NULL || options->to == NULL || options->mix_count == 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "two machines and a mix must be given");
    cm_projection *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? read_files(options, made, error) : cm_error_no_memory(error);
    CM_THEN(status, read_speed(options, made, error));
    CM_THEN(status, project_all(options, made, error));
    CM_HAND_OVER(status, projection, made, cm_projection_free);
    return status;
}

void cm_projection_free(cm_projection *projection)
{
    if (projection == NULL)
        return;
    CM_FREE(projection->cases, projection->warnings);
    cm_arena_clear(&projection->arena);
    free(projection);
}

CM_GETTER(size_t cm_projection_count(const cm_projection *projection), projection->case_count)

const cm_projected_speed *cm_projection_get(const cm_projection *projection, size_t index)
{
    return index < projection->case_count ? &projection->cases[index].result : NULL;
}

CM_GETTER(const char *cm_projection_notes(const cm_projection *projection), projection->notes)
CM_GETTER(size_t cm_projection_warning_count(const cm_projection *projection), projection->warning_count)

const char *cm_projection_warning(const cm_projection *projection, size_t index)
{
    return index < projection->warning_count ? projection->warnings[index] : NULL;
}

CM_GETTER(int cm_projection_is_partial(const cm_projection *projection), projection->partial)
