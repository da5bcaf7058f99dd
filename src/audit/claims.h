/* The claim of a formula, the metric or the ratio of two that it is said to measure: "DP Ops.", "1000 L1 Misses /
 * Instructions", "FP Ops. | FP Ops. with HP", "L2 Data Misses || L2 Misses of Data and Code". */
#ifndef CM_AUDIT_CLAIMS_H
#define CM_AUDIT_CLAIMS_H

#include <stdbool.h>

#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/names.h>

#include "core/base.h"
#include "formulas/events/events.h"
#include "verify/verify.h"

/* ---- The meanings of metrics as sums over facts: those of signatures/, and those of data/meanings.csv ---- */

typedef struct cm_meaning {
    const char *metric, *preset; /* preset "": none */
    double *coefficients;        /* one a fact, those of primitive ones */
    double smallest;             /* of their sizes that are not 0 */
    double settled;              /* by how much caches and predictors settle elsewhere */
    bool of_machine;             /* it has facts that no table of kernels lists: what the machine decides is measured */
} cm_meaning;

/* Bytes of the sectors that a GPU's caches load and store, as meanings name them: gpu_load_sector, gpu_store_sector. */
typedef struct cm_meant_sectors {
    double load, store;
} cm_meant_sectors;

/* Finds the sectors of the GPU that counted the results: its model's if a software PMU did, else those of the target
 * that the results name, or of an MI200 if that is unknown. CM_BAD_INPUT for a faulty model. */
cm_status cm_meant_sectors_find(const cm_definitions *definitions, cm_meant_sectors *sectors, cm_error *error);

typedef struct cm_meanings {
    cm_meant_sectors sectors;
    cm_arena arena;
    size_t count;
    cm_meaning *items;
} cm_meanings;

/* Reads data/meanings.csv. */
cm_status cm_meanings_load(const cm_fact_table *facts, cm_meanings *meanings, cm_error *error);
/* Adds one; nothing if the text is empty, or there is one of that name. CM_BAD_INPUT if the text is no sum of
 * multiples of facts; file and line are for that. */
cm_status cm_meanings_add(cm_meanings *meanings, const cm_fact_table *facts, const char *metric, const char *preset,
                          const char *text, const char *file, size_t line, cm_error *error);
void cm_meanings_clear(cm_meanings *meanings);

/* Finds a meaning by its exact name, else by any spelling of name or preset; NULL: there is none. */
const cm_meaning *cm_meanings_find(const cm_meanings *meanings, const char *name);

/* The metric's value on a kernel, and how much more or less it may be: by the machine's choice, by the state
 * that caches settle in, and by chance in `iterations`, 4 standard deviations. */
double cm_meaning_value(const cm_meaning *meaning, const cm_kernel_facts *kernel, double iterations, double *allowed);

/* ---- claims ---- */

/* A metric by its name. */
typedef struct cm_claimed_metric {
    const char *name;                /* NULL: none */
    const cm_defined_metric *metric; /* of the results; NULL: they have none of that name */
    const cm_meaning *meaning;       /* NULL: none is known */
} cm_claimed_metric;

/* A metric, or a ratio of two, that a formula's name claims. */
typedef struct cm_claimed_quantity {
    cm_claimed_metric numerator, denominator;
    double factor; /* that the formula is to have; NaN: the name does not tell */
    bool mapped;   /* a map says so */
} cm_claimed_quantity;

enum { CM_MOST_CLAIMS = 8 };

typedef struct cm_claims {
    size_t count; /* 0: nothing is known of the formula's name */
    size_t usual; /* the others, behind "||", are meant only if no event makes any of these */
    cm_claimed_quantity items[CM_MOST_CLAIMS];
    const char *none;      /* why a map says that the name is no metric; NULL: it does not */
    const char *unknown;   /* named by a map, but nowhere to be found; NULL: no such */
    const char *ambiguity; /* the name fits several metrics, which are listed; NULL: it fits one */
} cm_claims;

/* ---- codes ---- */

/* Events by their numbers in the processor's documents: event code and unit mask, which libpfm4 knows of its names. */

typedef struct cm_event_codes {
    cm_libpfm_list *list;
    cm_event_names *names;  /* of the list */
    cm_known_events *known; /* the same with the kernel's own, in any combination of unit masks */
} cm_event_codes;

/* Loads the codes of the definitions' processor; *codes is all NULL if that, or libpfm4, is unknown. Always clear it.
 */
cm_status cm_event_codes_load(const cm_definitions *definitions, cm_event_codes *codes, cm_error *error);
void cm_event_codes_clear(cm_event_codes *codes);

/* The event of `names` that has the code and unit mask of `name`, which is another name of libpfm4's, or spelled by
 * numbers, cpu/event=0xc7,umask=0x1/, or by a name with another unit mask, NAME:u0x1. CM_NO_NAME: there is none. */
size_t cm_event_codes_find(const cm_event_codes *codes, const cm_event_names *names, const char *name);
/* "FP_ARITH_INST_RETIRED:umask=0xfc" for cpu/event=0xc7,umask=0xfc/ or SCALAR_SINGLE:u0xfc, of several unit masks;
 * false if `name` is not spelled so. */
bool cm_event_codes_spell(const cm_event_codes *codes, const char *name, char *spelled, size_t size);

#endif
