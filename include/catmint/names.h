/* Names of events: one native event has many spellings, and each finds it in a list of events.
 *
 *   FP_ARITH_INST_RETIRED:SCALAR_DOUBLE            PAPI, libpfm4
 *   spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:e=0:i=0:...:mh=1    libpfm4, in full
 *   sde:::golden-cove::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE    PAPI's name for the software PMU's
 *   perf_event:::BR_INST_RETIRED, sde:::BR_INST_RETIRED       catmint's tables, if two components count it
 *   FP_ARITH_INST_RETIRED.SCALAR_DOUBLE, cpu/FP_ARITH_INST_RETIRED.SCALAR_DOUBLE/    Intel, perf
 *   FP_ARITH_INST_RETIRED_SCALAR_DOUBLE            LIKWID
 *
 * An event with exactly that spelling is found before any other. Else letter case does not matter, and `:` `.` `,` `_`
 * `-` are one separator. These qualifiers state the default and count as absent: `e i c t g h intx intxcp precise excl
 * pinned hw_smpl period freq` = 0, `ldlat=3`, `device=0`, `mg=0` or 1 with `mh=1`, and `u=1` without `k` or with `k=0`
 * (user code alone, as PAPI counts). All others distinguish events, `cpu=0` and `u=1:k=1` too; their order does not
 * matter, nor whether they are named as in libpfm4 (`c=1`), perf (`cmask=0x1`) or LIKWID (`THRESHOLD=0x1`). LIKWID's
 * core counters (`:PMC0`, `:FIXC1`) count as absent, its other ones do not.
 *
 * A name without a PMU is one of the core's, of any PMU. An event of the very PMU of the spelling, or one without a PMU
 * if the spelling has none, is found before those of other PMUs. `perf::` and the uncore's PMUs are not the core's: a
 * spelling with one of them does not find a name without. A component, with its three colons, is a PMU, and perf_event
 * is that of all PMUs of the core: `spr::X` finds `perf_event:::X`, not `sde:::X`; `X` alone is ambiguous. Source:
 * libpfm4 4.13, the full name that pfm_get_os_event_encoding returns. */
#ifndef CATMINT_NAMES_H
#define CATMINT_NAMES_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_event_names cm_event_names;

/* A searchable copy of a list of `count` events. Of a name that comes twice the first is found. */
CM_API cm_status cm_event_names_create(const char *const *events, size_t count, cm_event_names **names,
                                       cm_error *error);
CM_API void cm_event_names_free(cm_event_names *names);

typedef enum cm_name_match {
    CM_NAME_UNKNOWN,
    CM_NAME_FOUND,
    CM_NAME_AMBIGUOUS, /* two events or more have this name, and none is spelled exactly so */
} cm_name_match;

/* Finds an event. `indices` (into the list) gets the event or, in the order of the list, the candidates, `capacity` at
 * most. *count is the number of them all, 0 if the name is unknown. Names that differ only in default qualifiers are
 * one event; the one with the fewest of them is given. A name longer than 1023 bytes is found by exact spelling only.
 */
CM_API cm_name_match cm_event_names_find(const cm_event_names *names, const char *spelling, size_t *indices,
                                         size_t capacity, size_t *count);

#define CM_NO_NAME ((size_t)-1)

/* The same for callers that want one event: *index is CM_NO_NAME if the name is unknown. CM_BAD_INPUT if it is
 * ambiguous; the error's text lists the candidates; the caller fills in file and line. */
CM_API cm_status cm_event_names_resolve(const cm_event_names *names, const char *spelling, size_t *index,
                                        cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
