/* Under qemu-user, if the plugin answers, QEMU runs the code; elsewhere it is stepped. */
#include "software_pmu/x86_64/pmu.h"

const cm_engine *const cm_engines[] = {&cm_plugin_engine, &cm_stepper_engine, NULL};
