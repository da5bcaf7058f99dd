/* Where events come from: a folder each for PAPI and for builds without it (`direct`). Codes are the source's own, 0
 * means that all went well. */
#ifndef CM_COUNTING_SOURCE_H
#define CM_COUNTING_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>
#include <catmint/software_pmu.h>

extern const char *const cm_source_name;
/* Why the core's events are not there where the source has no component for them. */
extern const char *const cm_source_no_core;

/* Codes of the source: memory is short; a set takes no more. */
extern const int cm_source_no_memory, cm_source_no_room;

/* Initialises the source unless the program did already; `owned` says whether it is ours to shut down. */
cm_status cm_source_open(bool *owned, cm_error *error);
void cm_source_close(bool owned);
/* Lets each thread of this process count for itself. */
int cm_source_use_threads(void);
/* PAPI's version, "" without PAPI. Returns `text`. */
char *cm_source_papi_version(char *text, size_t size);

/* The code of an event and the component that it is of; -1 where there is none of that name. */
int cm_source_find_event(const char *name, int *code);

/* Lets the source list the model's events (cm_model_counts_read), in the component `sde`. */
cm_status cm_source_publish(const cm_pmu_model *model, cm_error *error);
/* Harmless when nothing is published. */
void cm_source_withdraw(void);

/* Events that are counted at the same time. */
typedef struct cm_source_set cm_source_set;

/* Freed by cm_source_set_free whatever the code says; NULL where memory is short. */
int cm_source_set_create(cm_source_set **set);
int cm_source_set_assign(cm_source_set *set, size_t component);
/* Counts another thread, and with `inherited` all that it starts, instead of the calling one; before events are added.
 */
int cm_source_set_attach(cm_source_set *set, long thread, bool inherited);
/* Lets events take turns where there are more than counters; before events are added. */
int cm_source_set_multiplex(cm_source_set *set);
int cm_source_set_add(cm_source_set *set, int event);
int cm_source_set_start(cm_source_set *set);
int cm_source_set_read(cm_source_set *set, long long *counts);
int cm_source_set_stop(cm_source_set *set, long long *counts);
/* The set may be running; NULL is allowed. */
void cm_source_set_free(cm_source_set *set);

/* Whether a refusal comes from lack of memory or files, for which no event is to blame; asked where it was refused. A
 * component may use the code for what memory cannot mend, and a process that has its own files all open may close some:
 * both are no want. */
bool cm_source_is_short(int code, int system_error);
/* CM_NO_MEMORY with the text for it. */
cm_status cm_source_short(int code, int system_error, cm_error *error);
/* Whether the process has as many files open as it may. */
bool cm_source_is_short_of_files(int code, int system_error);

/* The source's text for one of its codes, with what errno said where that matters. Returns `buffer`. */
char *cm_source_text(int code, int system_error, char *buffer, size_t size);

#endif
