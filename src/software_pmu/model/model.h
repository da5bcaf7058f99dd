/* The inside of a model: the contents of its files. */
#ifndef CM_SOFTWARE_PMU_MODEL_MODEL_H
#define CM_SOFTWARE_PMU_MODEL_MODEL_H

#include <catmint/core_type.h>
#include <catmint/software_pmu.h>

#include "core/files.h"
#include "formulas/formulas.h"

/* A failure, for tests, when a session tries the event, or later whenever it counts the event. */
typedef enum cm_pmu_fault {
    CM_PMU_FAULT_NONE,
    CM_PMU_FAULT_CRASH,       /* starting it ends the process by a segmentation fault */
    CM_PMU_FAULT_HANG,        /* starting it hangs */
    CM_PMU_FAULT_REFUSE,      /* it refuses to start */
    CM_PMU_FAULT_SECOND_READ, /* it can be read once, and not again */
    CM_PMU_FAULT_CONFLICT,    /* a set with two such events refuses to start */
    CM_PMU_FAULT_CRASH_ADD,   /* adding it to a set ends the process by a segmentation fault */
    CM_PMU_FAULT_HANG_ADD,    /* adding it to a set hangs */
    CM_PMU_FAULT_CRASH_TRIAL, /* as the two before, but already in the trial when the session is opened */
    CM_PMU_FAULT_HANG_TRIAL,
    CM_PMU_FAULT_COUNT
} cm_pmu_fault;

typedef struct cm_model_event {
    char *name, *description;
    cm_expression *expression; /* over facts */
    cm_pmu_fault fault;
    bool listed; /* by the file that is read, while it is read */
    bool has_code;
    uint64_t code;     /* as in perf's config */
    bool fixed;        /* it has a counter of its own */
    double background; /* of a socket's event: counts that other cores add in a thousand ticks of its clock */
} cm_model_event;

/* Two events that cannot be counted at the same time. */
typedef struct cm_model_conflict {
    size_t event, other;
} cm_model_conflict;

/* Events of the processor whose meaning no document gives; by name. */
typedef struct cm_model_names {
    char **items;
    size_t count;
} cm_model_names;

typedef struct cm_model_events {
    cm_model_event *events;
    size_t count, capacity;
    cm_model_names unknown;
    size_t inherited;   /* events that were there before the file that is read */
    uint64_t checksum;  /* of names, expressions, codes and conflicts, as written */
    size_t codes;       /* number of events with a code */
    size_t code_parts;  /* parts of each code: 1 (an event) or 2 (an event and its unit mask), 0: there is none */
    bool named_by_code; /* the events' names are their codes */
    cm_model_conflict *conflicts;
    size_t conflict_count, conflict_capacity;
} cm_model_events;

/* The machine that runs kernels of that architecture, for messages: "a machine of aarch64, or ...". */
enum { CM_PLACE_SIZE = 160 };
void cm_architecture_place(const char *architecture, char text[CM_PLACE_SIZE]);

/* The scope of a file of events. */
typedef enum cm_model_scope { CM_SCOPE_CORE, CM_SCOPE_SOCKET } cm_model_scope;

/* Reads events.csv, or a socket's uncore.csv, into `events`; on failure it may hold some. Events that are there already
 * are inherited: a row replaces the one of its name, removes it, or with an empty expression takes it as it is. With
 * `listed` those that no row names are removed. */
cm_status cm_model_events_read(const char *path, cm_model_scope scope, bool listed, cm_model_events *events,
                               cm_error *error);
/* Adds other events, from which they are taken away; one of the same name is replaced. */
cm_status cm_model_events_take(cm_model_events *events, cm_model_events *others, cm_error *error);
void cm_model_events_clear(cm_model_events *events);

/* "0xc7:0x10" or "0x8014": the event, and its unit mask, which ":cmask=1:inv=1:edge=1" may follow. Returns the number
 * of parts, 0 if the text is no code. */
size_t cm_model_code_parse(const char *text, uint64_t *code);

/* Reads the rows of machine.csv about these events: `fixed,<event>`, `conflict,<event>,<event>`, and for tests
 * `fault,<event>,<kind>`. An `inherited` file may name events that are not there. */
cm_status cm_model_event_rows_read(const char *path, bool inherited, cm_model_events *events, cm_error *error);
/* Whether rows with this key are about events; the others are about the machine. */
bool cm_model_key_is_of_events(const char *key);

/* The directory of a model, to be freed. `model` is a name or, if it contains a slash, a directory; a model's name wins
 * over a directory of that name here. CM_BAD_ARGUMENT if there is none. */
cm_status cm_pmu_model_find(const char *model, char **directory, cm_error *error);

/* Replaces *name, NULL or allocated, by the model's: the last part of the directory's path, "." and ".." resolved. */
cm_status cm_pmu_model_take_name(char **name, const char *directory, cm_error *error);

/* Turns the model into that type of cores of the processor of this directory: its events are then called pmu::EVENT. */
cm_status cm_pmu_model_become_core(cm_pmu_model *model, const char *directory, const cm_core_type *core,
                                   cm_error *error);

/* The instruction sets that the processor of the model of that name does not execute, bits as of cm_kernel; none if
 * data/instruction-sets.csv does not have it. */
cm_status cm_model_left_out(const char *model, unsigned *left_out, cm_error *error);

/* Makes a neighbour evict lines at that rate, and calls the model `name`. */
cm_status cm_pmu_model_disturb(cm_pmu_model *model, const char *name, double interference, cm_error *error);

/* The checksum of everything that decides the model's counts: its events with their expressions, and its machine.
 * Models that differ only in comments and descriptions have the same. */
uint64_t cm_pmu_model_checksum(const cm_pmu_model *model);

cm_pmu_fault cm_pmu_model_fault(const cm_pmu_model *model, size_t event);
/* The checksum of all that decides its machine's facts, and the directory of this machine. */
uint64_t cm_pmu_model_machine_checksum(const cm_pmu_model *model);
const char *cm_pmu_model_machine_name(const cm_pmu_model *model);
/* Names of events whose meaning is unknown; NULL past the end. */
const char *cm_pmu_model_unknown(const cm_pmu_model *model, size_t index);

/* Whether the event has a counter of its own. */
bool cm_pmu_model_is_fixed(const cm_pmu_model *model, size_t event);
/* Whether the event depends on facts, all of them known; a constant counts nothing. */
bool cm_pmu_model_knows(const cm_pmu_model *model, size_t event, bool (*is_known)(size_t fact));
/* Whether the two cannot be counted at the same time. */
bool cm_pmu_model_refuses(const cm_pmu_model *model, size_t event, size_t other);

/* Events that count for a whole socket: 0 if the model has no uncore.csv. */
size_t cm_pmu_model_uncore_count(const cm_pmu_model *model);
cm_pmu_event cm_pmu_model_uncore_event(const cm_pmu_model *model, size_t event);
/* Units that count each of them, a part each. */
size_t cm_pmu_model_uncore_boxes(const cm_pmu_model *model);
/* The count of one unit: its part of the event's value for the facts, and of the other cores' counts, in a run with
 * this number that ended at the tick `now`. */
int64_t cm_pmu_model_uncore_evaluate(const cm_pmu_model *model, size_t event, size_t box, const uint64_t *facts,
                                     uint64_t run, uint64_t now);

/* Reads machine.csv: every key once, no other keys, values that fit together. The keys of a file that is `inherited`
 * are in `machine` already, and need not be repeated. *time_alone: no key decides facts on kernels. */
cm_status cm_model_machine_read(const char *path, bool inherited, cm_pmu_machine *machine, bool *time_alone,
                                cm_error *error);

/* Takes the events of time.csv, which only programs can count, to the others; one of the same name is replaced. Codes
 * of events stay as they were. */
cm_status cm_pmu_model_take_time(cm_pmu_model *model, cm_error *error);

/* ---- inherit.c ---- */

enum { CM_MODEL_LAYERS = 8 };

/* The directory of a model, then those that it inherits from: the last is complete by itself. */
typedef struct cm_model_layers {
    size_t count;
    char *directories[CM_MODEL_LAYERS];
    bool listed[CM_MODEL_LAYERS]; /* inherited events stay only if its events.csv lists them */
} cm_model_layers;

/* Follows the files `inherits`. Clear the layers in any case. */
cm_status cm_model_layers_find(const char *directory, cm_model_layers *layers, cm_error *error);
void cm_model_layers_clear(cm_model_layers *layers);
/* The path of a file of a layer, to be freed; NULL: that layer has none. CM_NO_MEMORY. */
cm_status cm_model_layer_file(const cm_model_layers *layers, size_t layer, const char *name, char **path,
                              cm_error *error);
/* An error for a file that the layer should have. */
cm_status cm_model_layer_lacks(const cm_model_layers *layers, size_t layer, const char *name, cm_error *error);

/* ---- answer_facts.c ---- */

/* Gives the model this name; from now on its events are the facts themselves. */
cm_status cm_pmu_model_answer_facts(cm_pmu_model *model, const char *name, cm_error *error);
/* Replaces events by one a fact. */
cm_status cm_model_events_of_facts(cm_model_events *events, cm_error *error);

/* ---- The activity of the other cores of a modelled socket ---- */

/* Counts that other cores add to an event during `ticks` that end at `now`, if they make `rate` counts in a thousand
 * ticks. The rate swings slowly by the machine's drift, and each run, which has a number of its own, deviates by its
 * noise. */
double cm_background_of(const cm_pmu_machine *machine, double rate, uint64_t run, uint64_t ticks, uint64_t now);

/* ---- codes ---- */

/* A model's answers to raw codes: codes of its events count as the events, all others as a seed decides.
 *
 * Seed 0: all others count nothing. Else a sequence of splitmix64, begun with `seed * 0x9e3779b97f4a7c15 + code`
 * (modulo 2^64), decides; x1, x2 ... are its numbers. By x1 mod 1000: below 10 the code is refused; below 50 it is
 * another code's duplicate, event x2 mod n of the n events that have codes, in their order; below 65 it counts garbage:
 * 1 + x2 mod 3 events, each by a weight, the event by the next number mod n, the weight by the number after it: 1 + mod
 * 4 if that number's bit 32 is 0, else (2 + mod 19) / 100, but never less than 1 for the first; below 80 it counts
 * noise: event x2 mod n times a factor from 0 to 2 that differs in every run. All others count nothing. */

enum { CM_CODE_TERMS = 3 };

/* An answer: a sum of events. */
typedef struct cm_code_answer {
    size_t terms; /* 0: it counts nothing */
    size_t events[CM_CODE_TERMS];
    double weights[CM_CODE_TERMS];
    bool noisy;
    uint64_t noise; /* number from which its noise begins */
    cm_pmu_fault fault;
} cm_code_answer;

/* Zero-initialised: the model does not answer to codes. */
typedef struct cm_model_codes {
    uint64_t seed;
    size_t count;
    struct cm_coded {
        uint64_t code;
        size_t event;
    } * sorted, *listed; /* sorted by code; listed in the events' order */
    const cm_model_events *events;
} cm_model_codes;

/* CM_BAD_INPUT if no event has a code, or two different events have the same. Freed by cm_model_codes_clear. */
cm_status cm_model_codes_make(const cm_model_events *events, uint64_t seed, cm_model_codes *codes, cm_error *error);
void cm_model_codes_clear(cm_model_codes *codes);

/* False if the code is refused. */
bool cm_model_codes_find(const cm_model_codes *codes, uint64_t code, cm_code_answer *answer);
/* The event that has this code; SIZE_MAX: none. */
size_t cm_model_codes_event(const cm_model_codes *codes, uint64_t code);
/* The factor of a noisy code in the run with this number. */
double cm_code_noise(const cm_code_answer *answer, uint64_t run);

/* Gives the model this name, and makes it answer to codes from now on. Errors as for cm_model_codes_make. */
cm_status cm_pmu_model_answer_codes(cm_pmu_model *model, const char *name, uint64_t seed, cm_error *error);
/* NULL if the model does not answer to codes. */
const cm_model_codes *cm_pmu_model_codes(const cm_pmu_model *model);
/* The code's count for these facts, in the run with this number. */
int64_t cm_pmu_model_answer(const cm_pmu_model *model, const cm_code_answer *answer, const uint64_t *facts,
                            uint64_t run);

/* ---- cores ---- */

/* Models of processors with several types of cores: a directory with cores.csv, which names a model for each type. */

/* The place of a model that --pmu names: MODEL, MODEL-facts, MODEL-coded, MODEL-coded@SEED, or MODEL@SEED of one whose
 * events are named by code; each with -loud behind MODEL. */
typedef struct cm_model_place {
    char *directory;
    bool answers_codes;
    bool facts; /* its events are the facts themselves */
    bool loud;  /* with a loud neighbour in the caches */
    uint64_t seed;
} cm_model_place;

/* A model or directory of exactly that name wins. CM_BAD_ARGUMENT if there is none. */
cm_status cm_model_locate(const char *model, cm_model_place *place, cm_error *error);

/* Whether the text can be the name of a type or its PMU: types are names of directories, and PMUs stand before "::". */
bool cm_core_is_word(const char *text);

/* The types that the directory's cores.csv lists; *count is 0 if it has no such file. */
cm_status cm_model_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count, cm_error *error);

/* The directory of the model of that type of cores, to be freed; NULL is for models with one type, whose directory is
 * their own. *type, unless NULL, is the type, without a name if there is one only. CM_BAD_ARGUMENT if there is no such
 * type. */
cm_status cm_model_core_directory(const char *directory, const char *core, char **place, cm_core_type *type,
                                  cm_error *error);

/* As cm_pmu_model_load; of a model with several types of cores, loads that of `core`: its events are called pmu::EVENT,
 * and it has the directory's name. CM_BAD_ARGUMENT if there is no such type; NULL is for models with one type. */
cm_status cm_model_core_load(const char *directory, const char *core, cm_pmu_model **model, cm_error *error);

/* Locates and loads a model. */
cm_status cm_pmu_model_open(const char *model, const char *core, cm_pmu_model **opened, cm_error *error);

#endif
