/* A session's raw codes: a component of their own, "raw", whose events are named by their codes. */
#ifndef CM_COUNTING_RAW_RAW_H
#define CM_COUNTING_RAW_RAW_H

#include "counting/counting.h"
#include "counting/machine.h"
#include "counting/raw/device.h"
#include "counting/raw/unsafe.h"
#include "events/events.h"

#define CM_RAW_COMPONENT "raw"

struct cm_raw {
    size_t component; /* of the session */
    size_t device_count;
    cm_raw_device devices[CM_RAW_DEVICES];
    cm_unsafe_codes unsafe; /* of the device that is swept */
};

/* Adds the component, unless the session has it: the model's, if it answers to codes, else with this machine's devices
 * below `root` (NULL: ""). CM_UNSUPPORTED if there are none. */
cm_status cm_raw_open(cm_counting *counting, const char *root, cm_error *error);
/* Frees the session's data of the component. */
void cm_raw_close(cm_counting *counting);

/* Adds an event of that code, unless the session has it, without trying it; `description` may be NULL. */
cm_status cm_raw_add_event(cm_counting *counting, const cm_raw_code *code, const char *description, size_t *event,
                           cm_error *error);

/* ---- set.c: codes counted at the same time ---- */

typedef struct cm_raw_set cm_raw_set;

/* As the functions of counting/counting.h, but return codes are those of errno. */
int cm_raw_set_create(const cm_counting *counting, cm_raw_set **set);
int cm_raw_set_add(cm_raw_set *set, const cm_raw_code *code);
int cm_raw_set_start(cm_raw_set *set);
int cm_raw_set_read(cm_raw_set *set, long long *counts);
int cm_raw_set_stop(cm_raw_set *set, long long *counts);
void cm_raw_set_free(cm_raw_set *set);

/* ---- aliases.c ---- */

/* Names of codes from libpfm4's table of the processor, if libpfm4 is installed and knows the processor. */

/* The table of the PMU that counts on cores of this type (data/core-pmus.csv); if `core_pmu` is "", because cores are
 * alike, that of this processor. *list stays NULL if there is none. Free with cm_libpfm_list_free. */
cm_status cm_code_aliases_create(const cm_machine *machine, const char *core_pmu, cm_libpfm_list **list,
                                 cm_error *error);

/* The next name of the code from *at on; moves *at behind it. NULL: there are no more. Codes with more than an event
 * and a unit mask have none. */
const char *cm_code_alias_next(const cm_libpfm_list *list, const cm_raw_device *device, const cm_raw_code *code,
                               size_t *at);

#endif
