/* Counting: native events and event sets, through PAPI, on hardware or on the software PMU published as PAPI
 * software-defined events; in a build without PAPI, on the software PMU alone. One session a process: PAPI's state is
 * the process's. Only the thread that opened the session uses it, its event sets and functions that take it. */
#ifndef CATMINT_COUNTING_H
#define CATMINT_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/core_type.h>
#include <catmint/error.h>
#include <catmint/software_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_pmu_kind { CM_PMU_AUTO, CM_PMU_HARDWARE, CM_PMU_SOFTWARE } cm_pmu_kind;

typedef struct cm_pmu_choice {
    cm_pmu_kind kind;
    const char *model; /* name or directory of a software PMU's model; NULL: golden-cove, or with `gpu` hopper */
    /* Time limit for a component of PAPI to be initialised, and to list its next event; a slower one is left out. 0:
     * CM_COMPONENT_SECONDS. */
    double component_seconds;
    /* With CM_PMU_HARDWARE: the kernel's own events (page faults, clocks) suffice; hardware need not count. */
    bool any_event;
    /* The caller will run a GPU's kernels: with CM_PMU_HARDWARE the GPU's driver is opened before PAPI; with
     * CM_PMU_AUTO the model hopper takes its place if no GPU can be counted. */
    bool gpu;
    /* PAPI's GPU components have millions of names, each with statistics and devices. Lists only those that fit one of
     * these patterns (as fnmatch, of the name or of component:::NAME); without a pattern, those without qualifiers. */
    const char *const *gpu_events;
    size_t gpu_event_count;
    const char *core; /* type of cores to count on, of a hybrid processor; NULL: none is chosen */
    const char *root; /* root of the /sys that lists the types; NULL: this machine's for hardware, none for a model */
} cm_pmu_choice;

/* The types of cores of the chosen PMU; *count is 0 if its cores are all alike. With CM_PMU_AUTO the types of the
 * hardware; a session that falls back to the software PMU has no core. Errors of a model as for cm_counting_open. */
CM_API cm_status cm_core_types_find(const cm_pmu_choice *choice, cm_core_type types[CM_CORE_TYPES], size_t *count,
                                    cm_error *error);

/* Whether the choice is a model of a GPU, which counts only GPU kernels. Errors of a model as for cm_counting_open. */
CM_API cm_status cm_pmu_choice_is_gpu(const cm_pmu_choice *choice, bool *gpu, cm_error *error);

#define CM_COMPONENT_SECONDS 20.0

/* Parses "auto", "hardware", "software", "software:MODEL" or "software:DIR"; `choice` points into `text`, its other
 * members are 0. CM_BAD_ARGUMENT for anything else. */
CM_API cm_status cm_pmu_choice_parse(const char *text, cm_pmu_choice *choice, cm_error *error);

typedef struct cm_component_info {
    const char *name; /* PAPI's: "perf_event", "sde" */
    const char *description;
    bool enabled;
    bool failed;        /* not enabled because it crashed or hung in its probe */
    const char *reason; /* PAPI's reason, or "crashed (SIGSEGV) while it was initialised"; "" if enabled */
    const char *hint;   /* advice to the user; "" if there is none */
    size_t event_count; /* counts qualified names separately */
} cm_component_info;

typedef struct cm_native_event {
    const char *name;      /* as in tables: "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "perf::TASK-CLOCK" */
    const char *papi_name; /* the name that PAPI takes: the same, or with "sde:::golden-cove::" before it */
    const char *description;
    size_t component;   /* index */
    bool countable;     /* PAPI added it to an event set of its own, started, read and stopped it */
    const char *reason; /* the reason if it is not countable, else "" */
    const char *hint;
    /* "crashed (SIGSEGV)", "timed out" or "refused (reason)" if it failed when it was tried, or was countable at first
     * and then not; "" otherwise. */
    const char *outcome;
} cm_native_event;

typedef struct cm_counting cm_counting;

/* Initialises PAPI, lists all components and all their native events, each also with each of its single qualifiers, and
 * tries each. Leaves out perf's valued modifiers (`:period=0`, `:cpu=0` ...), which change how an event is counted, and
 * the kernel's tracepoints, thousands that count nothing of a processor's. CM_PMU_AUTO takes hardware if at least one
 * hardware event can be counted, else the software PMU. On the software PMU other components' events (perf's software
 * events) are listed too; the core's are not countable then, because they would count the stepping. A second session
 * while one is open is CM_BAD_ARGUMENT; after cm_counting_close another one may be opened. CM_UNSUPPORTED, with the
 * reason and advice, for CM_PMU_HARDWARE if no event of the core counts anything and no component counts at all except
 * the kernel's and the software-defined events'; with `any_event` only if nothing at all can be counted. CM_BAD_INPUT
 * for a faulty model; CM_BAD_ARGUMENT for an unknown one.
 *
 * A forked process first does the same as far as the list of events. A component in which it dies or hangs twice is
 * disabled here for the life of this process, and PAPI is initialised without it. No component is probed if the program
 * itself initialised PAPI before.
 *
 * With a core, events of other types of cores cannot be counted, and the calling thread runs on that type's processors,
 * if they are known, until cm_counting_close. CM_BAD_ARGUMENT if there is no such type, or if a model has several and
 * none is chosen. */
CM_API cm_status cm_counting_open(const cm_pmu_choice *choice, cm_counting **counting, cm_error *error);
/* Shuts PAPI down, unless it was initialised before the session or has counted a GPU: then it stays until the process
 * ends. */
CM_API void cm_counting_close(cm_counting *counting);

CM_API const char *cm_counting_pmu(const cm_counting *counting);          /* "hardware" or "software:<model>" */
CM_API const char *cm_counting_reason(const cm_counting *counting);       /* why this PMU was chosen, a sentence */
CM_API const char *cm_counting_papi_version(const cm_counting *counting); /* "" if this build has no PAPI */
/* The type of cores on which it counts; NULL: no type was chosen, or there is only one. */
CM_API const cm_core_type *cm_counting_core(const cm_counting *counting);
/* The software PMU and its model, NULL under hardware. */
CM_API cm_software_pmu *cm_counting_software_pmu(const cm_counting *counting);
CM_API const cm_pmu_model *cm_counting_model(const cm_counting *counting);

CM_API size_t cm_counting_component_count(const cm_counting *counting);
CM_API cm_component_info cm_counting_component(const cm_counting *counting, size_t component);
CM_API size_t cm_counting_event_count(const cm_counting *counting);
CM_API cm_native_event cm_counting_event(const cm_counting *counting, size_t event);

/* Finds an event by its name in a table or a definition: NAME, component:::NAME if the name alone is ambiguous, or
 * PAPI's own. Of events that share a name it finds the one that can be counted. CM_BAD_ARGUMENT if there is none, or if
 * several can be counted, which the text lists; CM_UNSUPPORTED, with the reason, if none of that name can be counted.
 * Takes time in proportion to the number of events. */
CM_API cm_status cm_counting_find_event(const cm_counting *counting, const char *name, size_t *event, cm_error *error);

/* Runs function(argument) so that the PMU sees it: called directly under hardware, stepped under the software PMU. */
CM_API cm_status cm_counting_run(cm_counting *counting, void (*function)(void *argument), void *argument,
                                 cm_error *error);

/* Events of one component that are counted at the same time. */
typedef struct cm_event_set cm_event_set;

CM_API cm_status cm_event_set_create(cm_counting *counting, size_t component, cm_event_set **set, cm_error *error);
CM_API void cm_event_set_free(cm_event_set *set);
/* CM_UNSUPPORTED with PAPI's reason if the set does not take it; the set stays as it was. */
CM_API cm_status cm_event_set_add(cm_event_set *set, size_t event, cm_error *error);
CM_API size_t cm_event_set_size(const cm_event_set *set);
/* Start and stop enclose nothing but the counted work. One set of a component can run at a time; sets of several
 * components can run side by side. `counts`: one an event, in the order of adding. */
CM_API cm_status cm_event_set_start(cm_event_set *set, cm_error *error);
CM_API cm_status cm_event_set_stop(cm_event_set *set, long long *counts, cm_error *error);

/* Whether events can be counted at the same time. */
typedef enum cm_counted_together {
    CM_TOGETHER_UNKNOWN,
    CM_TOGETHER_YES, /* one event set took all of them, and was started */
    CM_TOGETHER_NO,  /* no event set takes all of them, or the one that does cannot be started */
} cm_counted_together;

/* Tries to count the events as one event set, in a forked process. After CM_TOGETHER_NO, `refusing`, an array of
 * `count`, marks the events that refuse each other: without any one of them, the others can be counted. Events of
 * several components are no event set. CM_TOGETHER_UNKNOWN if the process was lost, or one event is refused by itself.
 * CM_NO_MEMORY and CM_UNSUPPORTED as of cm_counting_open if the machine has no memory, file or process left. */
CM_API cm_status cm_counting_try_together(cm_counting *counting, const size_t *events, size_t count,
                                          cm_counted_together *together, bool *refusing, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
