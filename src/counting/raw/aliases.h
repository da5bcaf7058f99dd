/* Names of codes from libpfm4's table of the processor, if libpfm4 is installed and knows the processor. */
#ifndef CM_COUNTING_RAW_ALIASES_H
#define CM_COUNTING_RAW_ALIASES_H

#include "counting/machine.h"
#include "counting/raw/device.h"
#include "events/events.h"

/* The table of the PMU that counts on cores of this type (data/core-pmus.csv); if `core_pmu` is "", because cores are
 * alike, that of this processor. *list stays NULL if there is none. Free with cm_libpfm_list_free. */
cm_status cm_code_aliases_create(const cm_machine *machine, const char *core_pmu, cm_libpfm_list **list,
                                 cm_error *error);

/* The next name of the code from *at on; moves *at behind it. NULL: there are no more. Codes with more than an event
 * and a unit mask have none. */
const char *cm_code_alias_next(const cm_libpfm_list *list, const cm_raw_device *device, const cm_raw_code *code,
                               size_t *at);

#endif
