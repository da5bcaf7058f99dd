/* Names of events: their codes, processors and spellings. */
#ifndef CM_EVENTS_EVENTS_H
#define CM_EVENTS_EVENTS_H

#include "core/base.h"

/* ---- codes.c: events named by their codes, as in sweeps of codes: cpu:event=0xc7,umask=0x10 ---- */

typedef struct cm_event_code {
    size_t device_length; /* of the text */
    uint64_t event, umask;
    bool has_umask;  /* the device's codes have a unit mask */
    bool plain;      /* it has no other fields than event and unit mask */
    uint64_t config; /* the code in perf's raw events, if `packable` */
    bool packable;   /* all its fields have the same places on all processors of their kind */
} cm_event_code;

/* False if the text is no name of a code. A code with a unit mask is assumed to be of x86, with its edge, inv and cmask
 * are at bits 18, 23 and 24 and an event of more than 8 bits continues at bit 32; a code without is the event alone. */
bool cm_event_code_parse(const char *text, cm_event_code *code);

/* ---- component.c: component:::NAME: an event by PAPI's component and its name ---- */

/* Separates component and name. */
#define CM_COMPONENT_MARK ":::"

/* The length of the component in "component:::NAME"; 0: the name has none. */
size_t cm_spelling_component(const char *text);
/* Whether the name, or pattern of names, has the mark. */
bool cm_component_is_named(const char *text);
/* The name behind the component; the whole text if there is none. */
const char *cm_component_bare(const char *text);
/* Whether `text` is a name with that component. */
bool cm_component_begins(const char *text, const char *component);
/* Whether `text` is component:::name. */
bool cm_component_is_key(const char *text, const char *component, const char *name);
/* component:::NAME; a name that tables spell so already stays. The caller frees it; NULL without memory. */
char *cm_component_key(const char *component, const char *name);
/* Writes component:::NAME into `text`; false if it does not fit. */
bool cm_component_spell(const char *component, const char *name, char *text, size_t size);

/* ---- libpfm.c ---- */

/* The events of a processor from libpfm4, PAPI's source of names, which is loaded at run time if it is installed. */

typedef struct cm_libpfm_event {
    const char *name;     /* EVENT or EVENT:UMASK */
    uint64_t code, umask; /* as in the processor's documents; umask is 0 if there is none */
} cm_libpfm_event;

typedef struct cm_libpfm_list {
    size_t count;
    const cm_libpfm_event *events; /* an event with unit masks is listed alone, too */
} cm_libpfm_list;

/* All events of the PMU that libpfm4 names so, on any processor. *list stays NULL without libpfm4 or that PMU. */
cm_status cm_libpfm_list_create(const char *pmu, cm_libpfm_list **list, cm_error *error);
void cm_libpfm_list_free(cm_libpfm_list *list);
/* Offers the names of all PMUs; false: there is no libpfm4. */
bool cm_libpfm_offer_pmus(cm_near *near);

/* ---- nature.c: events whose counts vary from run to run by their nature, with any kernel ---- */

/* The reason, by the words of an event's name: "counts time", or "counts what the system does", as for perf::TASK-CLOCK
 * and perf::PAGE-FAULTS; NULL for all other events. */
const char *cm_event_nature(const char *event);

/* ---- pairs.c: tables of two columns of text: equivalent metrics, and other names of events ---- */

typedef struct cm_pair {
    char *first, *second; /* neither is empty */
} cm_pair;

typedef struct cm_pairs {
    size_t count;
    cm_pair *items; /* in the order of the rows */
} cm_pairs;

/* `columns` are those of the header. CM_BAD_INPUT if a field is empty. */
cm_status cm_pairs_load(const char *path, const char *const columns[2], cm_pairs **pairs, cm_error *error);
void cm_pairs_free(cm_pairs *pairs);

/* The second text of the first row whose pattern (fnmatch, ignoring case) fits "text" or, if the pattern has ": ",
 * "section: text"; NULL: none does. `pairs` may be NULL. */
const char *cm_pairs_match(const cm_pairs *pairs, const char *section, const char *text);

/* ---- processor.c: identifies processors by their vendors' numbers ---- */

/* Whether the extended regular expression fits the whole text; "" and faulty ones fit nothing. */
CM_SHARED bool cm_pattern_fits_whole(const char *pattern, const char *text);

/* libpfm4's name of a processor's PMU by data/upstream.csv: "spr" for "GenuineIntel-6-8F-8"; "" if not listed. */
cm_status cm_processor_pmu(const char *identity, char *pmu, size_t size, cm_error *error);

/* Offers the names of libpfm4's PMUs and those of data/upstream.csv. */
cm_status cm_processor_offer(cm_near *near, cm_error *error);

/* CM_BAD_ARGUMENT, with a near name, if neither libpfm4 nor data/upstream.csv has a PMU of that name, and it is no
 * GPU's, such as GH100 or gfx90a. CM_OK without libpfm4, whose names are unknown then. */
CM_SHARED cm_status cm_processor_check(const char *pmu, cm_error *error);

/* ---- socket.c ---- */

/* Recognises events that count for a whole socket by their names: uncore_imc::UNC_M_CAS_COUNT:RD,
 * amd_umc:event=0x0a,rdwrmask=0x01. */

/* Whether the PMU of the name is one that drivers of Linux or libpfm4 have for a socket. */
bool cm_is_socket_event(const char *event);

/* ---- spelling.c: splits the spelling of an event's name into parts, which <catmint/names.h> describes ---- */

enum {
    CM_SPELLING_LIMIT = 1023, /* bytes of a spelling */
    CM_SPELLING_SIZE = 1024,
    CM_SPELLING_PMU_SIZE = CM_SPELLING_SIZE,
    CM_SPELLING_KEY_SIZE = 4 * CM_SPELLING_SIZE, /* qualifiers may become longer than they were */
};

typedef struct cm_spelling {
    /* Lower case, with the colons behind a component: "spr", "sde:::", "sde:::golden-cove"; "" if there is none. One of
     * perf's that is not the core's ends in a slash: "cpu_atom/". */
    char pmu[CM_SPELLING_PMU_SIZE];
    char key[CM_SPELLING_KEY_SIZE]; /* shared by all spellings of one event */
    /* PMU, and the key with its original separators: names that share this are one event. */
    char event[CM_SPELLING_PMU_SIZE + CM_SPELLING_KEY_SIZE];
} cm_spelling;

/* False if the text is too long, has no name, or has more qualifiers than any event. */
bool cm_spelling_parse(const char *text, cm_spelling *spelling);

/* How well the PMU of a wanted name matches that of a name in the list. */
typedef enum cm_pmu_match {
    CM_PMU_OTHER,
    CM_PMU_COMPATIBLE, /* one of them is missing, in part or wholly */
    CM_PMU_SAME,
} cm_pmu_match;

/* Whether a PMU, as above, counts a core; true for "". */
bool cm_spelling_is_core(const char *pmu);

cm_pmu_match cm_spelling_match_pmu(const char *wanted, const char *listed);

/* ---- libpfm_sources ---- */

/* Tables of events in libpfm4's sources, which PAPI's tree holds: all processors', whatever libpfm4 is installed. */

typedef struct cm_libpfm_sources cm_libpfm_sources;

/* Reads the list of PMUs of the C files in libpfm4's directory `lib`. *sources stays NULL if it has none. */
cm_status cm_libpfm_sources_load(const char *lib, cm_libpfm_sources **sources, cm_error *error);
void cm_libpfm_sources_free(cm_libpfm_sources *sources);
/* Whether the PMU counts for a core; true for one that the sources do not have. */
bool cm_libpfm_sources_is_core(const cm_libpfm_sources *sources, const char *pmu);
/* Offers the names of all PMUs. */
void cm_libpfm_sources_offer(const cm_libpfm_sources *sources, cm_near *near);

/* An event, EVENT or EVENT:UMASK. libpfm4 takes no two unit masks of a group of which one counts alone. */
typedef struct cm_libpfm_name {
    const char *event;
    long group; /* of the unit mask */
    bool alone;
} cm_libpfm_name;

/* Unit masks of one event, all zero: none. A bit a group: those that have a mask, and in which one counts alone. */
typedef struct cm_libpfm_masks {
    uint64_t groups, alone;
} cm_libpfm_masks;

/* Whether libpfm4 takes the unit mask beside those before it. */
bool cm_libpfm_masks_join(cm_libpfm_masks *masks, const cm_libpfm_name *mask);

typedef cm_status (*cm_libpfm_take)(const cm_libpfm_name *name, void *data, cm_error *error);

/* Gives all events of the PMU, an event with unit masks alone, too; none if it is not among the sources. Names that
 * only some models of a family have are given for all of them. */
cm_status cm_libpfm_sources_each(const cm_libpfm_sources *sources, const char *pmu, cm_libpfm_take take, void *data,
                                 cm_error *error);

/* ---- The events that another program knows: it cannot use a definition with any other event ---- */

typedef struct cm_known_events cm_known_events;

/* Loads a file or a directory of files (.json, .txt): perf's or perfmon's lists of events in JSON, LIKWID's counter
 * lists (perfmon_*_events.txt), or any text whose lines begin with names. CM_BAD_INPUT if it has none. */
cm_status cm_known_events_load(const char *path, cm_known_events **known, cm_error *error);
/* Loads the lists in JSON of a directory alone. */
cm_status cm_known_events_load_json(const char *directory, cm_known_events **known, cm_error *error);
/* The events that libpfm4 has for all of these PMUs; *known stays NULL if libpfm4 does not know one of them. */
cm_status cm_known_events_of_pmus(const char *const *pmus, size_t count, cm_known_events **known, cm_error *error);
/* The events of a PMU in libpfm4's sources; *known stays NULL if they do not have it. */
cm_status cm_known_events_of_sources(const cm_libpfm_sources *sources, const char *pmu, cm_known_events **known,
                                     cm_error *error);
void cm_known_events_free(cm_known_events *known);

/* The list's spelling of the event, by its own name or another project's (data/amd-events); NULL: not listed. */
const char *cm_known_events_spell(const cm_known_events *known, const char *event);

/* Whether the list has the event, in any spelling. */
bool cm_known_events_have(const cm_known_events *known, const char *event);
/* Whether it has the event with each of the unit masks, which libpfm4 does not take together, though. */
bool cm_known_events_clash(const cm_known_events *known, const char *event);
/* Offers all names, for the one that was probably meant. */
void cm_known_events_offer(const cm_known_events *known, cm_near *near);

/* "libpfm4's list for spr", or the path. */
const char *cm_known_events_title(const cm_known_events *known);

#endif
