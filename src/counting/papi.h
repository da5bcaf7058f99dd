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

/* Whether a refusal of PAPI's comes from lack of memory or files, for which no event is to blame; asked where it was
 * refused. A component may use the code for what memory cannot mend, and a process that has its own files all open may
 * close some: both are no want. */
bool cm_papi_is_short(int code, int system_error);
/* CM_NO_MEMORY with the text for it. */
cm_status cm_papi_short(int code, int system_error, cm_error *error);

/* PAPI's text for one of its codes; PAPI_ESYS adds what errno said. Returns `buffer`. */
char *cm_papi_text(int code, int system_error, char *buffer, size_t size);

#endif
