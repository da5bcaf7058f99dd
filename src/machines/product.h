/* A matrix product by OpenBLAS, blocked as its authors do it: what a program reaches of the peak. */
#ifndef CM_MACHINES_PRODUCT_H
#define CM_MACHINES_PRODUCT_H

#include "machines/timed.h"

/* Whether OpenBLAS can be loaded here; looked for in a process of its own, since it starts threads where it is loaded.
 */
bool cm_product_is_there(void);
/* Of matrices of CM_PRODUCT_SIZE rows, one thread a process. Its process loads OpenBLAS when it runs first. */
extern const cm_timed_kernel cm_product_kernel;

enum { CM_PRODUCT_SIZE = 512, CM_PRODUCT_BYTES = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * 8 };

#endif
