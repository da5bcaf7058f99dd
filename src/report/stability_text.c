#include "report/report.h"

char *cm_stability_text(const cm_definition_stability *stability, const cm_thresholds *thresholds,
                        char text[CM_NUMBER_SIZE])
{
    double factor = fmin(thresholds->alpha / stability->alpha[0], stability->alpha[1] / thresholds->alpha);
    if (stability->tau[0] > 0.0)
        factor = fmin(factor, thresholds->tau / stability->tau[0]);
    if (isfinite(stability->tau[1]))
        factor = fmin(factor, stability->tau[1] / thresholds->tau);
    factor = fmax(factor, 1.0);
    if (factor < 9.95)
        snprintf(text, CM_NUMBER_SIZE, "%.1fx", floor(factor * 10.0) / 10.0);
    else
        snprintf(text, CM_NUMBER_SIZE, factor < 1000.0 ? "%.0fx" : ">999x", floor(factor));
    return text;
}
