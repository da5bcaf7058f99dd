/* A benchmark in a sweep: its kernels, and their iterations and buffers. */
#ifndef CM_SWEEP_PLAN_BENCHMARK_H
#define CM_SWEEP_PLAN_BENCHMARK_H

#include <jansson.h>

#include <catmint/kernels.h>
#include <catmint/sweep.h>
#include <catmint/tables.h>

#include "core/base.h"

/* ---- placement ---- */

/* Sizes of the buffers of a pointer chase, for which one level of the memory hierarchy serves every access. */

enum { CM_CACHE_LEVELS = 3 };

/* The machine on which the chase runs. */
typedef struct cm_geometry {
    size_t line;                             /* bytes */
    size_t page;                             /* bytes */
    size_t caches[CM_CACHE_LEVELS];          /* bytes of L1D, L2, L3; 0: none */
    size_t sharers;                          /* cores of the team that share the last level, at least 1 */
    size_t code_cache;                       /* bytes of L1I; 0: none, or unknown */
    size_t data_tlb, code_tlb;               /* entries of the first TLBs; 0: none, or unknown */
    size_t second_data_tlb, second_code_tlb; /* likewise; equal if one serves both */
    size_t huge_page;                        /* bytes; 0: none */
    size_t data_tlb_huge;                    /* entries of the first TLB for huge pages; 0: none, or unknown */
    size_t second_data_tlb_huge;             /* likewise */
} cm_geometry;

/* The number of cache levels, 0: unknown. */
size_t cm_geometry_levels(const cm_geometry *geometry);

/* The geometry of a model: each process steps on a software PMU of its own, so nothing is shared. */
void cm_model_geometry(const cm_pmu_machine *machine, cm_geometry *geometry);

/* One chain. */
typedef struct cm_placement {
    size_t extent; /* bytes of its buffer */
    size_t stride; /* bytes between elements in memory: one or two lines */
    size_t block;  /* bytes in which the order is random */
    unsigned kind; /* bits of cm_kernel.chain */
} cm_placement;

/* Places chain `index` (from 0) of `count` that stay in `level` (0: L1D, 1: L2, 2: L3, 3: memory): the first half
 * strides by one line, the second by two; within a half, sizes are spaced geometrically and keep their distance from
 * the borders. CM_UNSUPPORTED with the reason if there is no such level, no size between its borders, or the buffer
 * would exceed `max_buffer` bytes. */
cm_status cm_place_chain(const cm_geometry *geometry, size_t level, size_t index, size_t count, size_t max_buffer,
                         cm_placement *placement, cm_error *error);

/* Places any kernel's chain: levels of a chain of code begin with the code cache, and a chain of pages is sized by
 * TLBs. */
cm_status cm_place_kernel(const cm_geometry *geometry, const cm_kernel *kernel, size_t max_buffer,
                          cm_placement *placement, cm_error *error);

/* ---- cores.c: the cores of a team, and their caches, from hwloc ---- */

/* One processing unit a core: first the one that the caller runs on, then those that share its last-level cache. */
typedef struct cm_cores {
    void *topology; /* hwloc's */
    size_t count;
    unsigned *units;  /* numbers of the system */
    size_t available; /* cores that this process may use */
    size_t sharing;   /* the first of them, which share the last-level cache */
} cm_cores;

/* `cpus`: the processors to choose from, "4-7", or "" for all that this process may use; `wanted`: their number, 0 for
 * all that share the last-level cache. CM_BAD_ARGUMENT if there are fewer, if `cpus` is no list, or if this process may
 * use none of it. Free with cm_cores_clear, also after a failure. */
cm_status cm_cores_find(const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
/* Finds all cores of a list that the user named: CM_BAD_ARGUMENT also if this process may use only some of them. */
CM_SHARED cm_status cm_cores_find_all(const char *cpus, cm_cores *cores, cm_error *error);
/* As cm_cores_find, in a topology of any machine that hwloc has loaded; the cores own it afterwards. */
cm_status cm_cores_choose(void *topology, const char *cpus, size_t wanted, cm_cores *cores, cm_error *error);
CM_SHARED void cm_cores_clear(cm_cores *cores);

/* Binds the calling process to a core: a bind function for a team; `data` is the cores. */
CM_SHARED cm_status cm_cores_bind(size_t core, const void *data, cm_error *error);

/* The caches of the first core. */
CM_SHARED void cm_cores_geometry(const cm_cores *cores, cm_geometry *geometry);

/* ---- extension: kernels outside the registry, swept as those in it ---- */

typedef struct cm_sweep_extension {
    const char *benchmark; /* their benchmark; the registry has none of this name */
    size_t kernel_count;
    const cm_kernel *const *kernels;
    void *const *buffers;   /* one a kernel, the buffer of its data; NULL: none */
    const json_t *options;  /* further members of the manifest's options; a resumed sweep must have the same */
    const json_t *manifest; /* further members of the manifest, which are not compared */
} cm_sweep_extension;

/* ---- benchmark ---- */

/* A kernel that is not run. */
typedef struct cm_left_out {
    const cm_kernel *kernel;
    char reason[256]; /* "" for lack of an instruction set */
} cm_left_out;

/* A benchmark's kernels, split into those that run here and those that cannot. */
typedef struct cm_sweep_benchmark {
    const char *name;
    size_t kernel_count;
    const cm_kernel **kernels;
    double *iterations;       /* one a kernel that runs; depends on the PMU */
    void **buffers;           /* likewise, its buffer; NULL: none, or its chain; for a GPU's kernel its description */
    cm_placement *placements; /* likewise, of its chain if it has one */
    size_t threads;           /* processes that run the kernels at the same time; 0: each by itself */
    size_t left_out_count;
    cm_left_out *left_out;
    cm_measurements_writer *writer;
    cm_kernel *quiet; /* after each kernel an idle one of the same duration, with a name of its own; NULL: none */
    char **quiet_names;
    long *kept; /* one an event of the session: the offset of its counts in the journal, 0: not counted yet */
    cm_kernel_data data;
} cm_sweep_benchmark;

/* Finds the kernels of a benchmark, in the registry or in `extension` (may be NULL); CM_BAD_ARGUMENT if it has none at
 * all, CM_UNSUPPORTED if none runs here. Free with cm_sweep_benchmark_clear, also after a failure. */
cm_status cm_sweep_benchmark_find(const char *name, bool software, const cm_sweep_extension *extension,
                                  cm_sweep_benchmark *benchmark, cm_error *error);
void cm_sweep_benchmark_clear(cm_sweep_benchmark *benchmark);

/* ---- selects events: patterns over their names, from the command line and from files ---- */

/* An event to be compared with patterns. */
typedef struct cm_event_candidate {
    const char *name;
    const char *component; /* in PAPI's spelling */
    const char *papi_name; /* NULL: the same as the name */
} cm_event_candidate;

/* One pattern. `*` fits any text, colons and dots too. A pattern with `:::` is also compared with component:::NAME and
 * with PAPI's own name of the event. */
typedef struct cm_pattern {
    char *glob;
    bool excludes;
    bool prefixed; /* it has `:::` */
    bool counted;  /* it fits an event, and that event with up to `most` further qualifiers; otherwise whole names */
    size_t most;
    bool listed;      /* a whole name, and an event has this name */
    bool noted;       /* a whole name, and some event fits it */
    const char *file; /* NULL: from the options */
    size_t line;
} cm_pattern;

typedef struct cm_selection {
    const cm_sweep_options *options;
    size_t count, capacity;
    cm_pattern *patterns;
    size_t name_count;
    cm_name_index *names; /* patterns that are whole names and include, by name: there may be many */
    bool qualified;       /* one of them has qualifiers and allows more */
    bool prefixed;        /* some pattern is */
    size_t other_count;
    size_t *others; /* the other patterns */
} cm_selection;

/* Reads the patterns of the options and of their file: one a line, with `!` before an exclusion, and, behind blanks,
 * the most qualifiers that an event may have in addition, as CAT writes it; `#` begins a comment. CM_BAD_INPUT with the
 * line. Free with cm_selection_clear, also after a failure. */
cm_status cm_selection_make(const cm_sweep_options *options, cm_selection *selection, cm_error *error);
void cm_selection_clear(cm_selection *selection);

/* Whether an event is taken: a pattern fits it, or there are only exclusions; no `!GLOB` fits it, in any position; its
 * component is selected; and it has no more qualifiers than the options allow. */
bool cm_selection_takes(const cm_selection *selection, cm_event_candidate event);
bool cm_selection_takes_component(const cm_selection *selection, const char *component);
bool cm_pattern_fits(const cm_pattern *pattern, cm_event_candidate event);

/* Whether an event whose name begins with that of `base` and a colon can be taken at all, judged by the patterns up to
 * their wildcards. */
bool cm_selection_may_begin(const cm_selection *selection, cm_event_candidate base);

/* Notes in the whole names among the patterns that the event exists. */
void cm_selection_note(cm_selection *selection, cm_event_candidate event);
/* Whether an event was noted that fits the pattern; `known`: false if the pattern is no whole name. */
bool cm_selection_noted(const cm_selection *selection, const cm_pattern *pattern, bool *known);
/* Whether an event of exactly this name was noted; true if the pattern is no whole name. */
bool cm_selection_lists(const cm_selection *selection, const cm_pattern *pattern);

/* The most qualifiers that a pattern allows for an event without any; 1 if no pattern has a number. */
size_t cm_selection_qualifiers(const cm_selection *selection, cm_event_candidate event);

/* The number of qualifiers in a name, with or without a component: its single colons. */
size_t cm_qualifier_count(const char *name);

#endif
