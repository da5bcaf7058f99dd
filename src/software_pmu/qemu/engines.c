/* For processors that only the plugin counts. */
#include "software_pmu/engine.h"

const cm_engine *const cm_engines[] = {&cm_plugin_engine, NULL};
