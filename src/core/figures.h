/* Short texts of numbers for tables. */
#ifndef CM_CORE_FIGURES_H
#define CM_CORE_FIGURES_H

#include <stddef.h>
#include <stdio.h>

#include <catmint/text.h>

enum { CM_NUMBER_SIZE = 32 };

/* The magnitude of a coefficient, as simple as possible: "1", "0.8", "1/3", else five digits. Returns `text`. */
char *cm_coefficient_text(double magnitude, char text[CM_NUMBER_SIZE]);

/* An error figure as in the paper: "2.36e-1", "1.67e-16", "0". */
char *cm_figure_text(double value, char text[CM_NUMBER_SIZE]);

/* A share in percent with two digits: "1.2 %"; below 5e-6 it is rounding, and "0 %". Returns `text`. */
char *cm_percent_text(double share, char text[CM_NUMBER_SIZE]);

#endif
