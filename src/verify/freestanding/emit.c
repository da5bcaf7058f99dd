/* The options of an emission, and kernels written out. */
#include "verify/freestanding/freestanding.h"

enum { COUNTERS = 4, TURNS = 64, LEAST_TURNS = 4, MOST_TURNS = 1 << 20 };

/* The counts of a run must fit 32 bits, and the shares of random branches want a power of two. */
static cm_status check_numbers(const cm_emission *emission, cm_error *error)
{
    size_t turns = emission->turns;
    if (emission->counters > emission->isa.counters)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%s has at most %zu counters that can be programmed, not %zu",
                       emission->isa.text, emission->isa.counters, emission->counters);
    if (turns < LEAST_TURNS || turns > MOST_TURNS || (turns & (turns - 1)) != 0)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "a kernel runs for a power of two of turns, from %d to %d, not %zu",
                       LEAST_TURNS, MOST_TURNS, turns);
    return CM_OK;
}

void cm_emission_close(cm_emission *emission)
{
    for (size_t i = 0; i < emission->event_count; i++)
        free(emission->events[i].name);
    CM_FREE(emission->events, emission->kernels, emission->composed);
    cm_emitted_programs_free(emission->programs);
    cm_fact_table_free(emission->facts);
}

cm_status cm_emission_open(const cm_emit_options *options, cm_emission *emission, cm_error *error)
{
    *emission = (cm_emission){.options = options,
                              .counters = options->counters != 0 ? options->counters : COUNTERS,
                              .turns = options->turns != 0 ? options->turns : TURNS};
    cm_status status = CM_OPTIONS_CHECK(cm_emit_options, options, error);
    CM_THEN(status, cm_emit_isa_parse(options->isa, &emission->isa, error));
    CM_THEN(status, check_numbers(emission, error));
    return status == CM_OK ? cm_emit_choose(emission, error) : status;
}

cm_status cm_emit_kernels(const cm_emit_options *options, cm_emit_summary *summary, cm_error *error)
{
    cm_emission emission;
    size_t files = 0;
    cm_status status = cm_emission_open(options, &emission, error);
    CM_THEN(status, cm_emit_write(&emission, &files, error));
    if (status == CM_OK && summary != NULL)
        *summary = (cm_emit_summary){emission.kernel_count, emission.event_count, files};
    cm_emission_close(&emission);
    return status;
}
