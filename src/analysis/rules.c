/* The values of the method's constants. */
#include "analysis/rules.h"

const cm_rules cm_the_rules = {
    .z = 3.29,
    .sure = 2.0,
    .prior = 0.2,
    .kin = 0.95,
    .largest = 15.0,
    .rate = 1e-3,
    .natural = 0.1,
    .known = 0.05,
    .fit = 0.02,
    .alike = 0.01,
    .least = 0.1,
    .few = 3.0,
};
