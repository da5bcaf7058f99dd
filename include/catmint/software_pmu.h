/* The software PMU: runs code one instruction at a time, decodes each, and keeps facts about what was executed; a model
 * turns facts into the events of a processor. x86-64, and aarch64 and ppc64le under qemu-user
 * with catmint's plugin, which counts there instead of what is said here of stepping (scripts/foreign).
 *
 * How it steps: each instruction is copied, once per address, into a code cache and executed there by itself between
 * two switches of the whole register state, so that no exception is taken; branches, calls and returns are evaluated
 * from the saved flags. (The trap flag, which does the same with a signal an instruction, costs 11 us an instruction on
 * some machines.) */
#ifndef CATMINT_SOFTWARE_PMU_H
#define CATMINT_SOFTWARE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- facts: what was executed, by the names of DESIGN.md ("instructions", "fp_d_256_fma", "l1d_load_hit") ---- */

CM_API size_t cm_fact_count(void);
CM_API const char *cm_fact_name(size_t fact);    /* NULL past the end */
CM_API ptrdiff_t cm_fact_find(const char *name); /* -1 if there is none */

/* ---- models: data/pmu/<model>/ or any folder with events.csv and machine.csv ---- */

typedef struct cm_pmu_machine {
    uint64_t line_size, page_size;       /* bytes */
    uint64_t l1d_size, l2_size, l3_size; /* bytes, 0: none */
    unsigned l1d_ways, l2_ways, l3_ways;
    unsigned dtlb_entries;
    char predictor[32];         /* "none" (always not taken), "bimodal", "gshare", "tage" */
    unsigned wrong_path_window; /* instructions walked after a misprediction, 0: none */
    unsigned counters;          /* events at a time, 0: as many as PAPI takes */
    double interference;        /* probability of a random eviction per memory access, in bursts, 0 to 1 */
    char replacement[8];        /* of the caches: "lru" or "" (true), "plru" (one bit a line) */
    unsigned inclusive;         /* 1: what an outer cache gives up leaves the inner ones; 0: it stays */
    uint64_t l1i_size;          /* bytes, 0: none, and no instruction fetches */
    unsigned l1i_ways;
    unsigned itlb_entries;              /* of the first level, 0: none */
    unsigned stlb_entries, stlb_ways;   /* of the second TLB, behind both others; 0: none */
    unsigned istlb_entries, istlb_ways; /* of a second TLB of instructions alone; 0: they share the other one */
    unsigned memory_boxes;              /* that count a socket's events, a part each; 0: one */
    double background_drift;            /* of what other cores add to these, 0 to 1: how far its rate swings */
    double background_noise;            /* likewise: how far that of a single run may be off */
    unsigned background_seed;
    unsigned reorder_window; /* instructions that may wait for one another; 0: more than any has */
    unsigned dispatch_width; /* instructions that begin in a cycle at most; 0: as many as there are */
    /* cycles of floating point in double precision, and of a load from the first level; 0: no more than any takes */
    unsigned latency_add, latency_multiply, latency_multiply_add, latency_divide, latency_square_root, latency_load;
    unsigned write_allocate_evasion; /* 1: lines that stores write whole, one after the other, are not read for them */
    uint64_t huge_page_size;    /* bytes, of pages that cm_software_pmu_huge_pages says are huge; 0: there are none */
    unsigned dtlb_huge_entries; /* of the data TLB, for huge pages alone; 0: they share dtlb_entries */
    char gpu[8];                /* "": a CPU; whose GPU it is: "nvidia", "amd" */
    unsigned gpu_target;        /* what code is made for: 90 for sm_90, 0x90a (2314) for gfx90a */
    unsigned gpu_devices;       /* 0: one */
    char architecture[16];      /* whose processor it is: "x86_64", "aarch64", "ppc64le", "riscv64"; "": any */
} cm_pmu_machine;

typedef struct cm_pmu_event {
    const char *name;
    const char *description;
} cm_pmu_event;

typedef struct cm_pmu_model cm_pmu_model;

/* Validates both files; the first fault is reported with file, line and, in an expression, column (CM_BAD_INPUT): an
 * unknown fact, a division by zero, no events, a duplicate event, an unknown or missing key. CM_BAD_ARGUMENT where
 * `directory` is no folder. The format is in docs/reference/pmu-models.md. */
CM_API cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error);
CM_API void cm_pmu_model_free(cm_pmu_model *model);
CM_API const char *cm_pmu_model_name(const cm_pmu_model *model); /* the folder's name */
CM_API const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model);
/* The architecture whose processor it models, where that is another one; NULL: it is this one, or the model, which may
 * be NULL, does not say. */
CM_API const char *cm_pmu_model_other_architecture(const cm_pmu_model *model, const char *architecture);
CM_API size_t cm_pmu_model_event_count(const cm_pmu_model *model);
CM_API cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event);
/* The event's value for an array of cm_fact_count() facts, rounded to the nearest integer. */
CM_API int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts);

/* ---- the machine that steps ---- */

typedef struct cm_software_pmu cm_software_pmu;

/* A machine of `machine`'s geometry. CM_UNSUPPORTED where the CPU is not x86-64 and no plugin of QEMU answers, or no
 * executable memory is to be had, CM_BAD_ARGUMENT where the geometry is impossible (line or page size no power of two,
 * a cache that its lines and ways do not divide, an unknown predictor). */
CM_API cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error);
CM_API void cm_software_pmu_free(cm_software_pmu *pmu);

/* Calls function(argument) on a stack of its own, instruction by instruction, and adds what it executed to the facts;
 * it reads, writes and returns what it would otherwise, floating-point modes included. Caches, TLB and predictor keep
 * their state from call to call.
 *
 * CM_UNSUPPORTED with the address and bytes of an instruction that cannot be stepped: not decodable, privileged, a
 * software interrupt, a far transfer, a transaction, one that the processor lacks, one that starts a thread or moves
 * thread-local storage. The call is then abandoned where it stands, with what it has locked and allocated; facts hold
 * what ran, and the machine can be used again. CM_BAD_ARGUMENT where stepped code calls it for the same machine.
 *
 * The function must return (not longjmp out of itself). A fault or a fatal signal in it ends the process as ever;
 * signal handlers run unseen. One thread at a time. */
CM_API cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument,
                                     cm_error *error);

/* cm_fact_count() values, growing from 0 as code runs; the pointer stays valid and the values current. */
CM_API const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu);

/* Seeds the interference, so that every repetition meets another one. */
CM_API void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed);

/* From now on huge pages hold the `size` bytes from `start` on, a multiple of the machine's huge pages, and no others;
 * 0 bytes: there are none. CM_UNSUPPORTED where the machine has no huge pages, or what counts does not tell them (under
 * qemu-user). */
CM_API cm_status cm_software_pmu_huge_pages(cm_software_pmu *pmu, const void *start, size_t size, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
