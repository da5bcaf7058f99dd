/* A model, from within: what its two files hold. */
#ifndef CM_SOFTWARE_PMU_MODEL_MODEL_H
#define CM_SOFTWARE_PMU_MODEL_MODEL_H

#include <catmint/software_pmu.h>

#include "formulas/expression.h"

typedef struct cm_model_event {
    char *name;
    char *description;
    cm_expression *expression; /* over facts */
    cm_pmu_fault fault;
} cm_model_event;

typedef struct cm_model_events {
    cm_model_event *events;
    size_t count, capacity;
} cm_model_events;

/* Reads events.csv into `events`, which is empty; on failure it may hold some. */
cm_status cm_model_events_read(const char *path, cm_model_events *events, cm_error *error);
void cm_model_events_clear(cm_model_events *events);

/* Reads the rows `fault,<event>,<kind>` of machine.csv, which declare faults of these events. */
#define CM_PMU_FAULT_KEY "fault"
cm_status cm_model_faults_read(const char *path, cm_model_events *events, cm_error *error);

/* Reads machine.csv: every key once, nothing else, values that fit each other. */
cm_status cm_model_machine_read(const char *path, cm_pmu_machine *machine, cm_error *error);

#endif
