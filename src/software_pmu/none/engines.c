/* On processors that no engine is for. */
#include "software_pmu/engine.h"

const cm_engine *const cm_engines[] = {NULL};
