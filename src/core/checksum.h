/* FNV-1a, 64 bits. As a checksum it detects torn, mixed up and edited files, not forged ones. The hash tables of names
 * use it, too. */
#ifndef CM_CORE_CHECKSUM_H
#define CM_CORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CM_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Continues from `sum`; the first call passes CM_CHECKSUM_START. */
uint64_t cm_checksum(uint64_t sum, const void *bytes, size_t length);

#endif
