/* Warnings: speeds that no machine reaches, of the program on the source by its own figures and of the projection; and
 * intervals that decide nothing. */
#include "machines/projection/projection.h"
#include "machines/roofline.h"

/* Adds a sentence to the projection's warnings. */
static cm_status CM_PRINTF(3, 4) warn(cm_projection *made, cm_error *error, const char *format, ...)
{
    char text[512];
    if (!CM_GROW_BY_ONE(made->warnings, made->warning_count))
        return cm_error_no_memory(error);
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    made->warnings[made->warning_count] = cm_arena_text(&made->arena, text);
    return made->warnings[made->warning_count++] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* GFLOP/s. If the rates of the program's instructions are not known, the machine's figure in double precision: a core
 * runs as many instructions with shorter numbers. */
static double fastest(const cm_project_machine *machine, const cm_mix *mix)
{
    const double most = 2.0 * machine->vector_bits / 64.0;
    const double shorter = fmax(1.0, mix->operations / mix->instructions / most);
    const double highest = machine->performance.highest * shorter;
    return cm_project_arithmetic(machine, mix, &(cm_project_figure){highest, highest, highest}).highest;
}

/* GB/s; NaN: not known. */
static double widest(const cm_project_machine *machine, cm_memory_level level)
{
    const double triad = machine->bandwidth[level].highest * (level == CM_LEVEL_MEM ? CM_TRIAD_MOVES : 1.0);
    return fmax(machine->streams[level].highest, triad);
}

/* Bytes an operation that the level must move: lines if known, else the bytes that it and those beyond answer. */
static double moved(const cm_mix *mix, cm_memory_level level)
{
    if (!isnan(mix->moved[level]))
        return mix->moved[level] / mix->operations;
    if (level == CM_LEVEL_L1 && !isnan(mix->all_bytes))
        return mix->all_bytes / mix->operations;
    return 1.0 / cm_intensity(mix, level);
}

/* Adds warnings if the program's speed on the source exceeds its peak, its core or the bandwidth of a level. */
static cm_status warn_of_source(cm_projection *made, cm_error *error)
{
    const cm_mix *mix = &made->mixes.items[0];
    const cm_project_machine *machine = &made->machines[0];
    const double most = fastest(machine, mix);
    cm_status status = CM_OK;
    if (made->measured.value > CM_CORE_AGREES * most)
        status = warn(made, error, "%s: %.3g GFLOP/s on %s, which reaches %.3g GFLOP/s at most", mix->name,
                      made->measured.value, machine->name, most);
    const double core = machine->clock.highest * mix->operations / mix->in_core_cycles;
    if (status == CM_OK && cm_project_knows_core(machine, mix) && made->measured.value > CM_CORE_AGREES * core)
        status = warn(made, error,
                      "%s: %.3g GFLOP/s on %s, whose core reaches %.3g GFLOP/s at most by in_core_cycles: these were "
                      "counted with latencies of another processor, or are too many",
                      mix->name, made->measured.value, machine->name, core);
    for (int i = 0; status == CM_OK && i < CM_LEVELS; i++) {
        const double bytes = made->measured.value * moved(mix, (cm_memory_level)i);
        const double limit = widest(machine, (cm_memory_level)i);
        if (bytes > (i >= CM_LEVEL_L3 ? CM_SHARED_AGREES : CM_CORE_AGREES) * limit)
            status = warn(made, error, "%s: at %.3g GFLOP/s it moves %.3g GB/s of %s on %s, which moves %.3g GB/s",
                          mix->name, made->measured.value, bytes, cm_level_names[i], machine->name, limit);
    }
    return status;
}

/* Adds a warning if the interval of the tightest roofline is too wide to decide anything. */
static cm_status warn_of_interval(cm_projection *made, const cm_projected_case *one, const cm_mix *mix, cm_error *error)
{
    static const double wide = 3.0;
    const double lowest = one->result.bound_spread_lowest, highest = one->result.bound_spread_highest;
    if (!(highest >= wide * lowest))
        return CM_OK;
    const char *memory = one->result.memory;
    return warn(
        made, error,
        "%s%s%s: from %.3g to %.3g GFLOP/s on %s by the tightest roofline, which is too wide to decide by: on %s "
        "the program waits for something that rooflines do not show",
        mix->name, memory[0] != '\0' ? " with " : "", memory, lowest, highest, made->machines[1].name,
        made->machines[0].name);
}

/* Warns if the projected speed is above the machine's peak for that mix. */
static cm_status warn_of_projected(cm_projection *made, const cm_projected_case *one, const cm_mix *mix,
                                   cm_error *error)
{
    cm_project_machine machine = made->machines[1];
    const double longer = one->result.vector_bits / machine.vector_bits;
    machine.vector_bits = one->result.vector_bits;
    machine.performance.highest *= longer;
    const double most = fastest(&machine, mix), highest = fmax(one->result.highest, one->result.bound_highest);
    if (!(highest > CM_CORE_AGREES * most))
        return CM_OK;
    const char *memory = one->result.memory;
    return warn(made, error, "%s%s%s: projected to as much as %.3g GFLOP/s on %s, which reaches %.3g GFLOP/s at most",
                mix->name, memory[0] != '\0' ? " with " : "", memory, highest, machine.name, most);
}

cm_status cm_projection_find_warnings(cm_projection *made, size_t first, size_t memories, cm_error *error)
{
    cm_status status = warn_of_source(made, error);
    for (size_t i = 0; status == CM_OK && i < made->case_count; i++)
        status = warn_of_projected(made, &made->cases[i], &made->mixes.items[first + i / memories], error);
    for (size_t i = 0; status == CM_OK && i < made->case_count; i++)
        status = warn_of_interval(made, &made->cases[i], &made->mixes.items[first + i / memories], error);
    return status;
}
