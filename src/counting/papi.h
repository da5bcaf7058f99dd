/* PAPI's state is the process's: who initialises it, and what its codes mean in words. */
#ifndef CM_COUNTING_PAPI_H
#define CM_COUNTING_PAPI_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Initialises PAPI unless the program did already; `owned` says whether it is ours to shut down. */
cm_status cm_papi_open(bool *owned, cm_error *error);
/* PAPI 7.0 can be initialised again after it was shut down. */
void cm_papi_close(bool owned);

/* PAPI's text for one of its codes; PAPI_ESYS adds what errno said. Returns `buffer`. */
char *cm_papi_text(int code, int system_error, char *buffer, size_t size);

#endif
