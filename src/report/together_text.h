/* Which events cannot be counted together, as text. */
#ifndef CM_REPORT_TOGETHER_TEXT_H
#define CM_REPORT_TOGETHER_TEXT_H

#include <catmint/definitions.h>

/* "cannot be counted together: A, B refuse each other"; free with free(). NULL where it is not so, or memory is short.
 */
char *cm_together_refusal(const cm_defined_metric *metric);

#endif
