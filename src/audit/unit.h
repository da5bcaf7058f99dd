/* What units say of the size of a number. */
#ifndef CM_AUDIT_UNIT_H
#define CM_AUDIT_UNIT_H

/* A count in this unit is so many times the bare count: 1e-6 for "MFLOP/s", 100 for "%", 1 for "instructions". `unit`
 * may be "": then what is in brackets at the end of the metric's name, "DP [MFLOP/s]". A number at the beginning of
 * a unit, as perf's ScaleUnit has it, is what perf multiplies by: "1e-6MFLOP" is 1. NaN where there is no unit. */
/* How many of a variable's unit a second has; 1 where its name does not say. */
double cm_variable_scale(const char *variable);

double cm_unit_factor(const char *unit, const char *metric);

#endif
