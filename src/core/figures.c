#include "core/base.h"

#include <inttypes.h>

static const double rounding_error = 4e-16; /* relative: of a division or two */

char *cm_coefficient_text(double magnitude, char text[CM_NUMBER_SIZE])
{
    snprintf(text, CM_NUMBER_SIZE, "%.4g", magnitude);
    if (fabs(strtod(text, NULL) - magnitude) <= rounding_error * magnitude)
        return text;
    /* Readers recognize 5/16 and 1/48, but not 29/211. */
    const cm_fraction_limits limits = {.numerator = 9999, .denominator = 1000, .tolerance = rounding_error};
    cm_fraction found;
    bool simple = cm_fraction_find(magnitude, &limits, &found) && found.denominator > 2 &&
                  (found.denominator <= 16 || found.numerator == 1);
    if (simple)
        snprintf(text, CM_NUMBER_SIZE, "%" PRId64 "/%" PRId64, found.numerator, found.denominator);
    else
        snprintf(text, CM_NUMBER_SIZE, "%.5g", magnitude);
    return text;
}

char *cm_figure_text(double value, char text[CM_NUMBER_SIZE])
{
    if (value == 0.0 || value == 1.0) {
        snprintf(text, CM_NUMBER_SIZE, "%.0f", fabs(value));
        return text;
    }
    snprintf(text, CM_NUMBER_SIZE, "%.2e", value);
    char *exponent = strchr(text, 'e');
    if (exponent == NULL)
        return text;
    char *digits = exponent + 1 + (exponent[1] == '-' || exponent[1] == '+');
    char *kept = exponent + 1 + (exponent[1] == '-');
    digits += strspn(digits, "0");
    memmove(kept, *digits != '\0' ? digits : "0", strlen(*digits != '\0' ? digits : "0") + 1);
    return text;
}

char *cm_percent_text(double share, char text[CM_NUMBER_SIZE])
{
    double percent = share < 5e-6 ? 0.0 : 100.0 * share;
    /* "%.2g" would write 100 % as 1e+02 %. */
    snprintf(text, CM_NUMBER_SIZE, percent >= 99.5 && percent < 1e4 ? "%.0f %%" : "%.2g %%", percent);
    return text;
}
