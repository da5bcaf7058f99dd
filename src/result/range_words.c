/* The range in which a definition holds, in words. */
#include <math.h>

#include "core/base.h"
#include "result/result.h"

void cm_ranges_write(const cm_defined_range *ranges, size_t count, double programs, FILE *stream)
{
    char text[CM_NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%s is above %s of %s", i == 0 ? "" : ", and ", ranges[i].fact,
                cm_figure_text(ranges[i].share, text), ranges[i].per);
    if (count > 0 && isfinite(programs))
        fprintf(stream, " (%.0f %% of natural programs)", 100.0 * programs);
}
