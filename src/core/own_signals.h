/* Distinguishes signals that a process causes itself (an invalid access, raise, abort) from those that other processes
 * send. */
#ifndef CM_CORE_OWN_SIGNALS_H
#define CM_CORE_OWN_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>

/* From now on a signal that ends this process is first stored in `noted`, which outlives it: the signal's number,
 * negative if another process sent it. SIGKILL and limits of the system (SIGXCPU, SIGXFSZ) are never stored. */
void cm_own_signals_note(atomic_int *noted);

/* Whether a process that ended by `signal` caused it itself. An invalid access that could not be stored counts as its
 * own. */
bool cm_own_signal(int signal, int noted);

#endif
