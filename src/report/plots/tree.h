/* The plot of a hierarchy: a box for each metric, from the whole on the left to its parts on the right. */
#ifndef CM_REPORT_PLOTS_TREE_H
#define CM_REPORT_PLOTS_TREE_H

#include <stdio.h>

#include "evaluate/values.h"

/* `count` runs from `first` on, one below the other; none: the hierarchy alone. The values must have a tree. */
void cm_plot_tree(const cm_values *values, size_t first, size_t count, FILE *stream);

#endif
