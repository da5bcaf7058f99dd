/* The system: its cores, memory and signals. */
#ifndef CM_CORE_SYSTEM_H
#define CM_CORE_SYSTEM_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* ---- cores.c: work for all cores ---- */

/* Calls `work` with `context` in one thread a core, the calling one among them, and returns when all have returned. If
 * some threads cannot be started, the work only takes longer. */
void cm_on_all_cores(void *(*work)(void *), void *context);

/* ---- cpu_list.c: lists of processors as the kernel writes them: "0-3,8" ---- */

/* False if the text is no such list, is empty, or names a processor that the set cannot hold. */
bool cm_cpu_list_parse(const char *list, cpu_set_t *cpus);

/* ---- free_memory.c: the memory that a process may use ---- */

/* Bytes that can be used without taking them from other processes; 0 if unknown. */
size_t cm_free_memory(void);

/* ---- huge_pages.c: memory in huge pages, if the system has them ---- */

typedef struct cm_huge_pages {
    char *start;   /* NULL: none */
    size_t size;   /* bytes, whole pages */
    char *mapping; /* the mapping that holds them */
    size_t mapped; /* its size in bytes */
} cm_huge_pages;

/* Bytes of a page, 0 if the system gives none. */
size_t cm_huge_page_size(void);

/* At least `size` bytes of zeros, in huge pages that are in memory when this returns. `written`: each page has memory
 * of its own; otherwise pages may only be read, and may share one. CM_UNSUPPORTED with the reason
 * if the system gave a small page; each is checked. Free with cm_huge_pages_unmap, also after a failure. */
cm_status cm_huge_pages_map(cm_huge_pages *pages, size_t size, bool written, cm_error *error);
void cm_huge_pages_unmap(cm_huge_pages *pages);

/* Whether huge pages that are only read share one page of zeros, and so take no memory; false if it cannot be told. */
bool cm_huge_zeros_are_shared(void);

/* ---- own_signals.c ---- */

/* Distinguishes signals that a process causes itself (invalid access, raise, abort) from those sent by others. */

/* From now on a signal that ends this process is first stored in `noted`, which outlives it: the signal's number,
 * negative if another process sent it. SIGKILL and limits of the system (SIGXCPU, SIGXFSZ) are never stored. */
void cm_own_signals_note(atomic_int *noted);

/* Whether a process ended by `signal` caused it itself. An invalid access that could not be stored counts as such. */
bool cm_own_signal(int signal, int noted);

#endif
