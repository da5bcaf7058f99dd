/* The source of events: one directory for PAPI, and one for builds without it (`direct`). Return codes are the source's
 * own; 0 is success. */
#ifndef CM_COUNTING_SOURCE_H
#define CM_COUNTING_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

extern const char *const cm_source_name;
/* The reason why core events are missing if the source has no component for them. */
extern const char *const cm_source_no_core;

/* Return codes of the source: no memory; the set is full. */
extern const int cm_source_no_memory, cm_source_no_room;

/* Initialises the source unless the program did already; `owned`: it must be closed. */
cm_status cm_source_open(bool *owned, cm_error *error);
void cm_source_close(bool owned);
/* Lets each thread of this process count for itself. */
int cm_source_use_threads(void);
/* PAPI's version, "" without PAPI. Returns `text`. */
char *cm_source_papi_version(char *text, size_t size);

/* Finds an event: its code, and its component as the result; -1 if no event has that name. */
int cm_source_find_event(const char *name, int *code);

/* Makes the source list the model's events (cm_model_counts_read), in the component `sde`. */
cm_status cm_source_publish(const cm_pmu_model *model, cm_error *error);
/* No operation if nothing is published. */
void cm_source_withdraw(void);

/* Events counted at the same time. */
typedef struct cm_source_set cm_source_set;

/* Creates a set, which is freed by cm_source_set_free even after a failure; NULL without memory. */
int cm_source_set_create(cm_source_set **set);
int cm_source_set_assign(cm_source_set *set, size_t component);
/* Counts another thread, and with `inherited` all that it starts, instead of the calling one; call before adding
 * events. */
int cm_source_set_attach(cm_source_set *set, long thread, bool inherited);
/* Lets events take turns if there are too few counters; call before adding events. */
int cm_source_set_multiplex(cm_source_set *set);
int cm_source_set_add(cm_source_set *set, int event);
int cm_source_set_start(cm_source_set *set);
int cm_source_set_read(cm_source_set *set, long long *counts);
int cm_source_set_stop(cm_source_set *set, long long *counts);
/* The set may be running. NULL: no operation. */
void cm_source_set_free(cm_source_set *set);

/* Whether a refusal comes from lack of memory or files, which is not the fault of an event; call directly after the
 * refusal. Not if a component uses the code for another reason, nor if files of this process use up its limit, because
 * it may close some. */
bool cm_source_is_short(int code, int system_error);
/* Returns CM_NO_MEMORY with its text. */
cm_status cm_source_short(int code, int system_error, cm_error *error);
/* Whether the process has as many files open as it may. */
bool cm_source_is_short_of_files(int code, int system_error);

/* Writes the source's text for a code, with that of errno if it matters. Returns `buffer`. */
char *cm_source_text(int code, int system_error, char *buffer, size_t size);

#endif
