/* The modelled machine as a whole: its counts, and the state of its caches and predictor. An engine reports the code's
 * actions to it, in the order of the code. */
#ifndef CM_SOFTWARE_PMU_MACHINE_MODELLED_H
#define CM_SOFTWARE_PMU_MACHINE_MODELLED_H

#include "software_pmu/machine/expected.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/machine/forwarding.h"
#include "software_pmu/machine/memory.h"
#include "software_pmu/machine/predictor.h"
#include "software_pmu/machine/unretired.h"
#include "software_pmu/machine/wrong_path.h"

/* Lines of code that are not fetched again: the last one of all whose numbers leave the same remainder. So a loop of up
 * to so many lines is fetched once, as by a processor that keeps decoded instructions. */
enum { CM_DECODED_LINES = 64 };

struct cm_modelled {
    uint64_t facts[CM_FACT_COUNT];
    cm_memory memory;
    cm_predictor *predictor;    /* NULL if the machine names none: it has no caches and TLBs either */
    unsigned wrong_path_window; /* instructions */
    uint64_t decoded[CM_DECODED_LINES];
    uint64_t instruction;  /* the address of the one whose accesses are reported */
    bool watches;          /* accesses, for what follows */
    cm_expected *expected; /* NULL: accesses of wrong paths reach nothing */
    cm_forwarding forwarding;
    bool hints;         /* prefetch instructions fetch */
    bool wrong_fetches; /* code of wrong paths is fetched */
};

/* CM_BAD_ARGUMENT if the machine is impossible. Free with cm_modelled_clear, also after a failure. */
cm_status cm_modelled_init(cm_modelled *modelled, const cm_pmu_machine *machine, cm_error *error);
void cm_modelled_clear(cm_modelled *modelled);

/* An instruction's access to `bytes` of memory: a load, a store, or both. */
void cm_modelled_load(cm_modelled *modelled, uint64_t address, size_t bytes, bool locked);
void cm_modelled_store(cm_modelled *modelled, uint64_t address, size_t bytes);
/* The part of both that caches and TLBs do, or of split accesses if there are none. */
void cm_modelled_access(cm_modelled *modelled, uint64_t address, size_t bytes, bool store);
/* A non-temporal store, past the caches, which lose its lines. */
void cm_modelled_nt_store(cm_modelled *modelled, uint64_t address, size_t bytes);

/* A prefetch by instruction, from `address`. */
void cm_modelled_hint(cm_modelled *modelled, cm_hint hint, uint64_t address);

/* Whether an engine has to report each instruction of a wrong path, by cm_modelled_pass. */
static inline bool cm_modelled_watches_paths(const cm_modelled *modelled)
{
    return modelled->expected != NULL || modelled->wrong_fetches;
}

/* A wrong path goes over an instruction. */
void cm_modelled_pass(cm_modelled *modelled, const cm_passed *passed);

/* A line of code that is not decoded yet. */
void cm_modelled_fetch_line(cm_modelled *modelled, uint64_t line);

/* Code of `bytes` is about to run, from `address` on. */
static inline void cm_modelled_fetch(cm_modelled *modelled, uint64_t address, size_t bytes)
{
    if (modelled->memory.l1i.lines == NULL)
        return;
    uint64_t last = (address + bytes - 1) >> modelled->memory.line_shift;
    for (uint64_t line = address >> modelled->memory.line_shift; line <= last; line++)
        if (modelled->decoded[line % CM_DECODED_LINES] != line)
            cm_modelled_fetch_line(modelled, line);
}

/* The outcome of the branch `branch`; if mispredicted, the wrong path is walked before the predictor learns. */
void cm_modelled_conditional(cm_modelled *modelled, const cm_path *path, const cm_path_step *branch, bool taken);
/* An indirect jump or call goes to `target`. */
void cm_modelled_indirect(cm_modelled *modelled, uint64_t address, uint64_t target);
/* A return goes to `target`. Engines report calls to the predictor directly. */
void cm_modelled_return(cm_modelled *modelled, uint64_t target);

#endif
