/* The style sheet of plots. */
#include "report/plots/plots.h"

#include "plots_css.h"

const char *const cm_plots_style = plots_css;
