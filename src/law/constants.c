#include "law/law.h"

const cm_law_constants cm_law_default = {.z = 3.29,
                                         .prior = 0.2,
                                         .kin = 0.95,
                                         .largest = 15.0,
                                         .floor = 0.1,
                                         .rate = 1e-3,
                                         .known = 0.05,
                                         .fit = 0.02,
                                         .open = 1.5,
                                         .natural = 0.1,
                                         .minor = 0.005,
                                         .repeats = 2.0};
