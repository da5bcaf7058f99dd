#include "analysis/rules.h"

const cm_rules cm_the_rules = {
    .deviations = 4.0,
    .stray_counts = 2.0,
    .floor = 1e-4,
    .rough_floor = 0.03,
    .rough = 0.05,
    .rough_zero = 0.03,
    .apart = 10.0,
    .apart_least = 0.01,
    .crowd = 3.0,
    .least = 0.1,
    .weight = 0.2,
    .negligible = 0.02,
    .rounding = 0.01,
    .needing = 3,
};
