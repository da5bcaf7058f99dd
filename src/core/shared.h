/* Marks the functions that libcatmint-machines takes from libcatmint beside its public interface. Such a symbol is
 * exported under a version that only libraries of the same release have (src/package/libcatmint.symbols), and is in no
 * public header. */
#ifndef CM_CORE_SHARED_H
#define CM_CORE_SHARED_H

#include <catmint/api.h>

#define CM_SHARED CM_API

#endif
