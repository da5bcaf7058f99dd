/* The inside of the room: the list of events, and counting them. */
#ifndef CM_COUNTING_COUNTING_H
#define CM_COUNTING_COUNTING_H

#include <limits.h>
#include <sched.h>

#include <catmint/counting.h>

#include "gpu/gpu.h"
#include "software_pmu/model/model.h"

/* ---- hypervisor ---- */

/* Detects a hypervisor by the processor: one directory for each architecture that can, `none` for the others. */

enum { CM_HYPERVISOR_NAME_SIZE = 16 };

/* Whether the processor reports a virtual machine; `name` is the hypervisor's, "" if unknown. */
bool cm_hypervisor_read(char name[CM_HYPERVISOR_NAME_SIZE]);

/* ---- Properties of this machine and its kernel; hints are based on them ---- */

enum { CM_PARANOID_UNKNOWN = INT_MIN };

typedef struct cm_machine {
    char vendor[32];                  /* "AuthenticAMD", "" if unknown */
    char model_name[128];             /* "" if unknown */
    unsigned family, model, stepping; /* as the vendor writes them (decimal of /proc/cpuinfo), 0 if unknown */
    bool emulated;   /* catmint runs under qemu-user, and this processor below is of another architecture */
    bool hypervisor; /* the processor reports a virtual machine */
    char hypervisor_name[CM_HYPERVISOR_NAME_SIZE]; /* "KVMKVMKVM", "" if unknown */
    char kernel_release[80];
    char microcode[32]; /* its version as the kernel writes it, "0x2b0004d0", "" if unknown */
    int paranoid;       /* /proc/sys/kernel/perf_event_paranoid, CM_PARANOID_UNKNOWN if there is none */
    int perf_errno;     /* from perf_event_open for retired instructions in user mode; 0: the kernel counts them */
    bool seccomp;       /* a system call filter is active, as in most containers */
    bool forced;        /* LIBPFM_FORCE_PMU is set */
} cm_machine;

CM_SHARED void cm_machine_read(cm_machine *machine);

/* ---- device_cores.c: binds counting to the cores of a device that counts only some, as on hybrid processors ---- */

/* Zero-initialised: nothing is bound. */
typedef struct cm_device_cores {
    bool bound;
    cpu_set_t before; /* the processors allowed before */
} cm_device_cores;

/* Binds this thread, and processes that it forks later, to those of its processors that the device counts, "4-7"; "":
 * all. CM_UNSUPPORTED if it may use none of them. `device` is for messages. */
cm_status cm_device_cores_bind(const char *device, const char *cpus, cm_device_cores *cores, cm_error *error);
void cm_device_cores_release(cm_device_cores *cores);

/* ---- text_store.c ---- */

/* Stores many short texts that are freed together: names and descriptions of tens of thousands of events. */

enum { CM_TEXTS_RECENT = 4 };

/* Zero-initialised: empty. */
typedef struct cm_text_store {
    cm_arena arena;
    const char *recent[CM_TEXTS_RECENT]; /* shared if the same text is added again, as reasons and hints are */
    size_t next_recent;
} cm_text_store;

/* A copy of `text` that lives as long as the store, with control characters replaced by blanks and bytes that are not
 * UTF-8 by question marks; "" for NULL or "". NULL without memory. */
const char *cm_text_store_add(cm_text_store *store, const char *text);
void cm_text_store_clear(cm_text_store *store);

/* ---- session: the state of a counting session ---- */

/* Texts live in the session's store. */
typedef struct cm_event_record {
    const char *name, *papi_name, *description;
    const char *reason; /* "" if countable */
    const char *hint;
    size_t component;
    int code;                /* the source's, valid while the source is open */
    bool hardware;           /* counted by the core's counters, which under the software PMU would count the stepping */
    bool software;           /* an event of the model */
    bool floating;           /* PAPI returns the bits of a double */
    bool countable;          /* set by trying */
    const char *outcome;     /* how it failed while it was counted, NULL: it did not */
    cm_pmu_fault fault;      /* of the model, for tests */
    size_t model_event;      /* its number in the model */
    bool moved;              /* its count was not zero when tried */
    struct cm_raw_code *raw; /* its code if it is counted by code, else NULL; owned by the event */
} cm_event_record;

typedef struct cm_component_record {
    const char *name, *description;
    const char *reason; /* "" if enabled */
    const char *hint;
    bool enabled;
    bool failed; /* it ended or hung its probe */
    size_t event_count;
} cm_component_record;

struct cm_counting {
    bool papi_owned;
    cm_machine machine;
    cm_text_store texts;
    const char **lost; /* one a component: how its probe failed, NULL if it did not; NULL: none was probed */
    size_t component_count;
    cm_component_record *components;
    size_t event_count, event_capacity;
    cm_event_record *events;
    size_t tried; /* events tried, and the seconds this took */
    double trial_seconds;
    cm_pmu_model *model; /* NULL: hardware */
    cm_software_pmu *software_pmu;
    cm_gpu_session *gpu;         /* NULL: no kernels of a GPU run */
    const cm_pmu_choice *choice; /* while the session is being opened, then NULL */
    struct cm_raw *raw;          /* NULL: no codes */
    struct cm_uncore *uncore;    /* NULL: no events of a socket */
    cm_core_type core;           /* with the name "": none is chosen */
    cm_device_cores device_cores;
    const char *pmu, *reason, *papi_version;
};

/* ---- add_event.c: adds events that a session does not list ---- */

#define CM_ANY_COMPONENT SIZE_MAX

/* Adds the component's event that PAPI knows by this name, with qualifiers; it is not tried yet. *event: its index,
 * also if the session has it already under the name that PAPI gives it. CM_UNSUPPORTED if PAPI does not know it, or if
 * it is one of those never listed. */
cm_status cm_counting_add_event(cm_counting *counting, const char *name, size_t component, size_t *event,
                                cm_error *error);

/* Tries the added events, from index `first` on. */
CM_SHARED cm_status cm_counting_try_added(cm_counting *counting, size_t first, cm_error *error);

/* Mean seconds of trying an event; 0 if none was tried. */
double cm_counting_trial_seconds(const cm_counting *counting);

/* ---- append.c: appends events and components to a session; called by the sources ---- */

/* Appends an event with copies of the texts and all else empty. NULL without memory. */
cm_event_record *cm_event_append(cm_counting *counting, const char *name, const char *papi_name,
                                 const char *description);

/* Appends an enabled component without events. The texts are not copied. */
cm_status cm_component_append(cm_counting *counting, const char *name, const char *description, size_t *component,
                              cm_error *error);

/* The model of the software PMU if none is named. */
const char *cm_default_model(void);

/* ---- choose.c: chooses the PMU, with the reason ---- */

/* Writes why the core's counters count nothing here into `buffer` and returns it: a sentence without its full stop, ""
 * if they do count. All events but the model's must have been tried. */
char *cm_why_no_hardware(const cm_counting *counting, char *buffer, size_t size);

/* Whether there is anything to count without the core's counters: events of an uncore, a GPU or another device. The
 * kernel's own events, which perf_event has too, are software, and count only with `any_event`. */
bool cm_anything_to_count(const cm_counting *counting, bool any_event);
/* Advice for that case, "" if there is none. */
const char *cm_hint_to_hardware(const cm_counting *counting);

/* Loads the model, or its part for a type of cores (NULL: none is chosen), makes the software PMU, and publishes and
 * tries its events. Events of the core's counters are no longer countable. */
cm_status cm_take_software_pmu(cm_counting *counting, const char *model, const char *core, cm_error *error);

/* Makes the core's events from index `first` on uncountable: under the software PMU they would count the stepping, not
 * the kernel. */
cm_status cm_make_core_uncountable(cm_counting *counting, size_t first, cm_error *error);

/* ---- core_types.c: chooses the type of cores of a session ---- */

/* Stores the chosen type in the session, and binds the calling thread to its processors. CM_BAD_ARGUMENT if no type has
 * that name. */
cm_status cm_core_choose(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);
void cm_core_release(cm_counting *counting);

/* Makes the hardware's events of other types of cores uncountable. */
cm_status cm_core_set_others_aside(cm_counting *counting, const cm_pmu_choice *choice, cm_error *error);

/* ---- counter_set.c ---- */

/* Events counted at the same time, through the source or by code. Return codes are those of the source: PAPI's, or
 * those of errno, which are positive. */

typedef struct cm_counter_set cm_counter_set;

/* Creates a set, which is freed by cm_counter_set_free even after a failure; NULL without memory. */
int cm_counter_set_create(const cm_counting *counting, size_t component, cm_counter_set **set);
int cm_counter_set_assign(cm_counter_set *set);
int cm_counter_set_add(cm_counter_set *set, const cm_event_record *event);
int cm_counter_set_start(cm_counter_set *set);
int cm_counter_set_read(cm_counter_set *set, long long *counts);
int cm_counter_set_stop(cm_counter_set *set, long long *counts);
/* NULL: no operation. */
void cm_counter_set_free(cm_counter_set *set);

/* ---- enumerate: lists all components and all their native events, from the source ---- */

/* Fills the session's components, without their events. */
cm_status cm_enumerate_components(cm_counting *counting, cm_error *error);

/* Appends one component's events to the session's, each alone and with each single qualifier; updates the component's
 * count, and whether it is enabled (some components find out only when their events are asked for).
 *
 * Left out: perf's valued modifiers (`:e=0`, `:period=0`, `:cpu=0` ...), which PAPI lists as qualifiers though they
 * only say how to count; perf's tracepoints (`perf::<system>:<event>`), thousands of points in the kernel's code, none
 * of which counts work of the processor; software-defined events that an earlier session of this process published. */
cm_status cm_enumerate_events(cm_counting *counting, size_t component, cm_error *error);

/* Appends the event with this code of the source's, found by `name`, unless it is one of those left out. */
cm_status cm_enumerate_event(cm_counting *counting, size_t component, int code, const char *name, cm_error *error);

/* ---- fault.c: failures that a model declares for its events, for tests (cm_pmu_fault) ---- */

/* Crashes or hangs if `fault` is `crash` or `hang`; it does not return then. */
void cm_pmu_fault_show(cm_pmu_fault fault, cm_pmu_fault crash, cm_pmu_fault hang);

/* ---- hints.c: advice for events and components that cannot be counted here ---- */

enum { CM_HINT_SIZE = 512 };

/* Writes advice for PAPI's `reason` in `component` on `machine`, "" if there is none; returns `buffer`. */
char *cm_counting_hint(const cm_machine *machine, const char *component, const char *reason, char *buffer, size_t size);

/* ---- probe: initialises components in a separate process before this one does ---- */

/* Forks a probe that initialises PAPI and asks every component for its events. If it crashes, ends, or is silent for
 * `seconds` (0: CM_COMPONENT_SECONDS), the component that causes this is disabled for this process, and the session's
 * `lost` has the reason. If PAPI is initialised already, nothing is done. CM_UNSUPPORTED if the probe is lost and no
 * component causes it, or if it cannot be forked. */
cm_status cm_probe_components(cm_counting *counting, double seconds, cm_error *error);

/* ---- short_of_files: lack of files, which is not the fault of an event ---- */

/* Returns `status`, the result of a function of the set, or CM_NO_MEMORY instead of CM_UNSUPPORTED if the set was
 * refused because the process has no more files. Functions of the set do not decide this, because the caller may be
 * able to close some. */
cm_status cm_event_set_judge(const cm_event_set *set, cm_status status, cm_error *error);

/* ---- source ---- */

/* The source of events: one directory for PAPI, and one for builds without it (`direct`). Return codes are the source's
 * own; 0 is success. */

extern const char *const cm_source_name;
/* The reason why core events are missing if the source has no component for them. */
extern const char *const cm_source_no_core;

/* Return codes of the source: no memory; the set is full. */
extern const int cm_source_no_memory, cm_source_full;

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
/* Counts another thread than this one, and with `inherited` all that it starts; call before adding events. */
int cm_source_set_attach(cm_source_set *set, long thread, bool inherited);
/* Counts all that runs on a processor, instead of a thread; call before adding events. */
int cm_source_set_attach_processor(cm_source_set *set, unsigned processor);
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

/* ---- ticks: measures the duration of code as the PMU sees it ---- */

/* A clock: nanoseconds, or under the software PMU the model's, which advances with each instruction. */
CM_SHARED double cm_counting_ticks(const cm_counting *counting);

/* ---- tlb_sizes: sizes of TLBs as the processor reports them ---- */

/* Entries for pages of 4 KiB; 0: none, or unknown. If one second TLB serves both data and code, both have its size. */
typedef struct cm_tlb_sizes {
    size_t data, code, second_data, second_code;
    size_t data_huge, second_data_huge; /* for pages of 2 MiB */
} cm_tlb_sizes;

void cm_tlb_sizes_read(cm_tlb_sizes *sizes);

/* ---- trial.c: finds out by trying which events can be counted ---- */

/* Seconds for trying one event, or adding one to a set. */
#define CM_TRIAL_SECONDS 5.0

/* Adds each of the session's events from index `first` on to a set of its own, starts it, works a little, reads and
 * stops it; fills `countable`, `moved`, `reason` and `hint`. This happens in forked processes, many events in each; an
 * event that ends or hangs its process twice, the second time alone, gets `outcome` and `reason`. CM_UNSUPPORTED or
 * CM_NO_MEMORY if the machine has no processes, memory or files left, or if the processes are ended from outside again
 * and again. */
cm_status cm_try_events(cm_counting *counting, size_t first, cm_error *error);

/* Sets the `reason` of an event that is not countable, and its hint. CM_NO_MEMORY or CM_OK. */
cm_status cm_event_refused(cm_counting *counting, size_t event, const char *reason, cm_error *error);

/* The same for an event that failed; `outcome` says how. */
cm_status cm_event_failed(cm_counting *counting, size_t event, const char *outcome, const char *reason,
                          cm_error *error);

/* ---- model_counts ---- */

/* Counts a model's events from the software PMU's facts. This file's state belongs to the process, as PAPI's does. */

/* Both must live until cm_model_counts_end. */
cm_status cm_model_counts_begin(const cm_pmu_model *model, const cm_software_pmu *pmu, cm_error *error);
void cm_model_counts_end(void);

/* Restarts all counts at zero. Each is its expression over the facts since this call, so that an expression that is no
 * plain sum, or has fractions, has the same value in every run. */
void cm_model_counts_restart(void);
/* Counts facts as if they had been executed now. */
void cm_model_counts_add(const uint64_t *facts);
/* The facts since the restart; *run is the number of restarts. NULL if no model is active. */
const uint64_t *cm_model_counts_facts(uint64_t *run);
/* The clock of the model's machine: instructions since it began; 0 if no model is active. */
uint64_t cm_model_counts_ticks(void);
/* The count of an event; 0 if no model is active. */
long long cm_model_counts_read(size_t event);

/* ---- This machine's GPUs: opened before PAPI, and counted in the process that opened them, because drivers do not
 * survive a fork ---- */

/* Whether PAPI's component has events of GPUs. */
bool cm_is_gpu_component(const char *component);

/* Whether the session uses one of this machine's GPUs, so that all counting stays in this process. */
bool cm_counting_stays(const cm_counting *counting);

/* Whether the component is asked for its events at all: this initialises the driver, which takes a second. */
bool cm_gpu_component_asked(const cm_counting *counting, const char *component);

/* Whether the session's patterns take a name of such a component. `qualified`: it has a qualifier. */
bool cm_gpu_event_wanted(const cm_counting *counting, const char *component, const char *name, bool qualified);

/* The result of completing a name without qualifiers by pattern `number` of the session. */
typedef enum cm_gpu_completion {
    CM_GPU_NO_PATTERN, /* no pattern has that number or a higher one */
    CM_GPU_OTHER_NAME,
    CM_GPU_COMPLETED, /* `completed` is the name with the pattern's qualifiers, which have no wildcards */
} cm_gpu_completion;

cm_gpu_completion cm_gpu_event_complete(const cm_counting *counting, const char *component, const char *name,
                                        size_t number, char *completed, size_t size);

/* Writes the reason why no event of a GPU can be counted, "" if one can. Returns `buffer`. */
char *cm_why_no_gpu(const cm_counting *counting, char *buffer, size_t size);

#endif
