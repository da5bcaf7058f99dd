/* Units of metrics: bytes and operations, with a prefix, as amounts or per second. */
#ifndef CM_LINT_UNITS_H
#define CM_LINT_UNITS_H

#include "formulas/formulas.h"
#include "lint/vocabulary.h"

typedef struct cm_unit {
    char text[32];                           /* "MBytes/s"; "": none is known */
    bool bytes, operations, energy, percent; /* none: it is no unit of these */
    bool rate;                               /* per second */
    double number;                           /* before the unit, as in perf's "100%": 1 if there is none */
    double scale;                            /* 1e6 of MBytes, times the number */
} cm_unit;

/* The unit that the format gives, else the last word of the metric's name. */
cm_unit cm_unit_of(const cm_formula_info *info, const cm_vocabulary *vocabulary);
/* How many bytes or operations an event of the numerator counts for, if the metric is in its unit; NaN if the
 * denominator is neither a constant nor one quantity. */
double cm_unit_per_event(const cm_unit *unit, const cm_formula *formula, size_t event);

#endif
