/* Tells the signals that a process brings on itself (a fault, raise, abort) from those that others send it. */
#ifndef CM_CORE_OWN_SIGNALS_H
#define CM_CORE_OWN_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>

/* From now on a signal that ends this process is first put down in `noted`, which outlives it: the signal's number,
 * negative where another process sent it. SIGKILL and limits of the system (SIGXCPU, SIGXFSZ) are never put down. */
void cm_own_signals_note(atomic_int *noted);

/* Whether the process whose end this is brought it on itself. A fault that could not be put down counts as its own. */
bool cm_own_signal(int signal, int noted);

#endif
