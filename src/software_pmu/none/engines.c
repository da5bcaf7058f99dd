/* For processors without an engine. */
#include "software_pmu/engine.h"

const cm_engine *const cm_engines[] = {NULL};
