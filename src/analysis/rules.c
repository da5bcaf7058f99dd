#include "analysis/numerics.h"

const cm_rules cm_the_rules = {
    .deviations = 4.0,
    .sure = 2.0,
    .stray_counts = 2.0,
    .rough = 0.05,
    .floor = 1e-4,
    .rough_floor = 0.03,
    .apart = 10.0,
    .alike = 0.01,
    .least = 0.1,
    .negligible = 0.02,
    .weight = 0.2,
    .few = 3.0,
};
