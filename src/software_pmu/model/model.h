/* A model, from within: what its two files hold. */
#ifndef CM_SOFTWARE_PMU_MODEL_MODEL_H
#define CM_SOFTWARE_PMU_MODEL_MODEL_H

#include <stdbool.h>

#include <catmint/core_type.h>
#include <catmint/software_pmu.h>

#include "formulas/expression.h"

/* What goes wrong, for tests, when a session tries the event, or whenever it counts the event after that. */
typedef enum cm_pmu_fault {
    CM_PMU_FAULT_NONE,
    CM_PMU_FAULT_CRASH,       /* starting it ends the process by a segmentation fault */
    CM_PMU_FAULT_HANG,        /* starting it never ends */
    CM_PMU_FAULT_REFUSE,      /* it refuses to start */
    CM_PMU_FAULT_SECOND_READ, /* it can be read once, and then no more */
    CM_PMU_FAULT_CONFLICT,    /* a set that holds two with this fault refuses to start */
    CM_PMU_FAULT_CRASH_ADD,   /* adding it to a set ends the process by a segmentation fault */
    CM_PMU_FAULT_HANG_ADD,    /* adding it to a set never ends */
    CM_PMU_FAULT_CRASH_TRIAL, /* trying it does the same as the two before, already when the session is opened */
    CM_PMU_FAULT_HANG_TRIAL,
    CM_PMU_FAULT_COUNT
} cm_pmu_fault;

typedef struct cm_model_event {
    char *name;
    char *description;
    cm_expression *expression; /* over facts */
    cm_pmu_fault fault;
    bool has_code;
    uint64_t code;     /* as perf's config has it */
    bool fixed;        /* it has a counter of its own */
    double background; /* of a socket's: what other cores make it count in a thousand ticks of its clock */
} cm_model_event;

/* Two events that cannot be counted at the same time. */
typedef struct cm_model_conflict {
    size_t event, other;
} cm_model_conflict;

typedef struct cm_model_events {
    cm_model_event *events;
    size_t count, capacity;
    uint64_t checksum;  /* of names, expressions, codes and what refuses what, as they are written */
    size_t codes;       /* events that have one */
    size_t code_parts;  /* of each of them: 1 (an event) or 2 (an event and its unit mask), 0: there is none */
    bool named_by_code; /* the events' names are their codes */
    cm_model_conflict *conflicts;
    size_t conflict_count, conflict_capacity;
} cm_model_events;

/* Where kernels of that architecture run, as messages say it: "a machine of aarch64, or ...". */
enum { CM_PLACE_SIZE = 160 };
void cm_architecture_place(const char *architecture, char text[CM_PLACE_SIZE]);

/* What a file of events is about. */
typedef enum cm_model_scope { CM_SCOPE_CORE, CM_SCOPE_SOCKET } cm_model_scope;

/* Reads events.csv, or a socket's uncore.csv, into `events`, which is empty; on failure it may hold some. */
cm_status cm_model_events_read(const char *path, cm_model_scope scope, cm_model_events *events, cm_error *error);
void cm_model_events_clear(cm_model_events *events);

/* "0xc7:0x10" or "0x8014": the event, and its unit mask, which ":cmask=1:inv=1:edge=1" may follow. Returns the number
 * of parts, 0 where the text is no code. */
size_t cm_model_code_parse(const char *text, uint64_t *code);

/* Reads the rows of machine.csv that are about these events: `fixed,<event>`, `conflict,<event>,<event>`, and for tests
 * `fault,<event>,<kind>`. */
cm_status cm_model_event_rows_read(const char *path, cm_model_events *events, cm_error *error);
/* Whether rows with this key are about events; the others are about the machine. */
bool cm_model_key_is_of_events(const char *key);

/* The folder of a model, by its name or as a folder, to be freed: a model's name wins over a folder of the same name
 * here; a folder is meant where there is a slash. CM_BAD_ARGUMENT where there is none. */
cm_status cm_pmu_model_find(const char *model, char **directory, cm_error *error);

/* From here on the model is that type of cores of the processor of this folder: its events are called pmu::EVENT. */
cm_status cm_pmu_model_become_core(cm_pmu_model *model, const char *directory, const cm_core_type *core,
                                   cm_error *error);

/* From here on a neighbour takes lines at that rate, and the model goes by `name`. */
cm_status cm_pmu_model_disturb(cm_pmu_model *model, const char *name, double interference, cm_error *error);

/* Of all that decides what the model counts: its events with their expressions, and its machine. Two models that differ
 * in comments and descriptions have the same. */
uint64_t cm_pmu_model_checksum(const cm_pmu_model *model);

cm_pmu_fault cm_pmu_model_fault(const cm_pmu_model *model, size_t event);
/* Whether it takes none of the counters that the others share. */
bool cm_pmu_model_is_fixed(const cm_pmu_model *model, size_t event);
/* Whether the event is made of facts, all of which are known; a constant counts nothing. */
bool cm_pmu_model_knows(const cm_pmu_model *model, size_t event, bool (*is_known)(size_t fact));
/* Whether the two cannot be counted at the same time. */
bool cm_pmu_model_refuses(const cm_pmu_model *model, size_t event, size_t other);

/* Events that count for a whole socket: 0 where the model has no uncore.csv. */
size_t cm_pmu_model_uncore_count(const cm_pmu_model *model);
cm_pmu_event cm_pmu_model_uncore_event(const cm_pmu_model *model, size_t event);
/* Boxes that count each of them, a part each. */
size_t cm_pmu_model_uncore_boxes(const cm_pmu_model *model);
/* What a box counts: its part of the event's value for the facts, and of what the other cores did meanwhile, in a run
 * with this number that ended at the tick `now`. */
int64_t cm_pmu_model_uncore_evaluate(const cm_pmu_model *model, size_t event, size_t box, const uint64_t *facts,
                                     uint64_t run, uint64_t now);

/* Reads machine.csv: every key once, nothing else, values that fit each other. */
cm_status cm_model_machine_read(const char *path, cm_pmu_machine *machine, cm_error *error);

#endif
