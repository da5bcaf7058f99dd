/* Presets that mean another metric on processors of one vendor: data/vendor-presets.csv. */
#ifndef CM_DISCOVERY_VENDOR_PRESETS_H
#define CM_DISCOVERY_VENDOR_PRESETS_H

#include "discovery/results.h"

/* Gives each preset to the metric that it means where the results are from; those of unknown processors stay. */
cm_status cm_vendor_presets_apply(cm_results *results, cm_error *error);

#endif
