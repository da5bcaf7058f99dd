/* A matrix product by OpenBLAS, blocked as its authors do it: the share of the peak that a program reaches. */
#ifndef CM_MACHINES_PRODUCT_H
#define CM_MACHINES_PRODUCT_H

#include "machines/timed.h"

/* Matrices have CM_PRODUCT_SIZE rows; one thread a process. */
extern const cm_timed_kernel cm_product_kernel;

enum { CM_PRODUCT_SIZE = 512, CM_PRODUCT_BYTES = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * 8 };

#endif
