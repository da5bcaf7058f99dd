/* On processors that only the plugin counts for. */
#include "software_pmu/engine.h"

const cm_engine *const cm_engines[] = {&cm_plugin_engine, NULL};
