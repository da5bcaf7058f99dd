/* Names of codes, as libpfm4's table of the processor has them, where it is installed and knows the processor. */
#ifndef CM_COUNTING_RAW_ALIASES_H
#define CM_COUNTING_RAW_ALIASES_H

#include "counting/machine.h"
#include "counting/raw/device.h"
#include "events/libpfm.h"

/* The table of the PMU that counts on cores of this type (data/core-pmus.csv), "" where these are not told apart, else
 * of this processor. *list stays NULL where there is none. Free with cm_libpfm_list_free. */
cm_status cm_code_aliases_create(const cm_machine *machine, const char *core_pmu, cm_libpfm_list **list,
                                 cm_error *error);

/* The next name of the code from *at on, which moves behind it; NULL: there is none left. Codes with more than an event
 * and a unit mask have none. */
const char *cm_code_alias_next(const cm_libpfm_list *list, const cm_raw_device *device, const cm_raw_code *code,
                               size_t *at);

#endif
