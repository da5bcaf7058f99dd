/* The software PMU: runs code one instruction at a time, decodes each, and counts facts about it; a model turns facts
 * into the events of a processor. It steps x86-64. aarch64, ppc64le and riscv64 run under qemu-user with catmint's
 * plugin, which counts there instead of the stepping below (scripts/foreign).
 *
 * Stepping copies each instruction, once per address, into a code cache and executes it there by itself between two
 * switches of the whole register state, so that no exception is taken; branches, calls and returns are evaluated from
 * the saved flags. (The trap flag, which does the same with a signal an instruction, costs 11 us an instruction on some
 * machines.) */
#ifndef CATMINT_SOFTWARE_PMU_H
#define CATMINT_SOFTWARE_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- facts about executed code, by name ("instructions", "fp_d_256_fma", "l1d_load_hit") ---- */

CM_API size_t cm_fact_count(void);
CM_API const char *cm_fact_name(size_t fact);    /* NULL past the end */
CM_API ptrdiff_t cm_fact_find(const char *name); /* -1 if there is none */

/* ---- models: data/pmu/<model>/ or any directory with events.csv and machine.csv ---- */

typedef struct cm_pmu_machine {
    uint64_t line_size, page_size;       /* bytes */
    uint64_t l1d_size, l2_size, l3_size; /* bytes, 0: none */
    unsigned l1d_ways, l2_ways, l3_ways;
    unsigned dtlb_entries;
    char predictor[32];         /* "none" (always not taken), "bimodal", "gshare", "tage" */
    unsigned wrong_path_window; /* instructions walked after a misprediction, 0: none */
    unsigned counters;          /* events that can be counted at a time, 0: as many as PAPI takes */
    double interference;        /* probability of a random eviction per memory access, in bursts, 0 to 1 */
    char replacement[8];        /* of the caches: "lru" or "" (true), "plru" (one bit a line) */
    unsigned inclusive;         /* 1: a line evicted from an outer cache leaves the inner ones; 0: it stays */
    uint64_t l1i_size;          /* bytes, 0: none, and no instruction fetches */
    unsigned l1i_ways;
    unsigned itlb_entries;              /* of the first level, 0: none */
    unsigned stlb_entries, stlb_ways;   /* of the second TLB, behind both others; 0: none */
    unsigned istlb_entries, istlb_ways; /* of a second TLB for instructions alone; 0: they share the other one */
    unsigned memory_boxes;              /* units that count a socket's events, a part each; 0: one */
    double background_drift;            /* drift of the counts that other cores add to these, 0 to 1: the largest change
                                         * of their rate */
    double background_noise;            /* their noise, likewise: the largest change of the rate in a single run */
    unsigned background_seed;
    unsigned reorder_window; /* instructions that may wait for one another; 0: more than any processor has */
    unsigned dispatch_width; /* most instructions that begin in a cycle; 0: no limit */
    /* cycles of floating point in double precision, and of a load from the first level; 0: no more than any processor
     * takes */
    unsigned latency_add, latency_multiply, latency_multiply_add, latency_divide, latency_square_root, latency_load;
    unsigned write_allocate_evasion; /* 1: a line that consecutive stores write whole is not read first */
    uint64_t huge_page_size;    /* bytes, of the pages set by cm_software_pmu_huge_pages; 0: there are no huge pages */
    unsigned dtlb_huge_entries; /* of the data TLB, for huge pages alone; 0: they share dtlb_entries */
    char gpu[8];                /* vendor of the GPU: "nvidia", "amd"; "": a CPU */
    unsigned gpu_target;        /* target of its code: 90 for sm_90, 0x90a (2314) for gfx90a */
    unsigned gpu_devices;       /* 0: one */
    char architecture[16];      /* architecture of the processor: "x86_64", "aarch64", "ppc64le", "riscv64"; "": any */
    /* hardware prefetchers: lines ahead of a stream, 0: none; 1: also the line after one that misses */
    unsigned l1d_prefetch_ahead, l1d_prefetch_next, l2_prefetch_ahead, l2_prefetch_next;
    unsigned fill_accesses; /* memory accesses that a missing line of L1D is on its way for; 0: it is there at once */
    /* used by the model of time alone, on machines with a dispatch_width: cycles until a load has the answer of these
     * levels, all together; more for a miss of the first TLB, and for a page walk; from a store to a load behind it; of
     * an integer division; behind a mispredicted branch; between two lines from memory */
    unsigned latency_l2, latency_l3, latency_memory, latency_stlb, latency_walk, latency_forward, latency_int_divide;
    unsigned latency_vector, latency_load_vector; /* of integers and moves in vector registers, and of loads to these */
    /* of products of integers in vector registers; of an addition whose value another addition takes; of arithmetic of
     * x87; cycles in which nothing enters behind a fence of loads, another fence, a pause */
    unsigned latency_vector_multiply, latency_add_again, latency_x87;
    unsigned latency_fence, latency_full_fence, latency_pause;
    unsigned latency_locked;  /* of a locked instruction, which waits for all before it; 0: it waits for its operands */
    unsigned memory_renaming; /* youngest stores whose value loads of general registers have at once; 0: none */
    unsigned taken_branches;  /* 1: code behind a taken branch enters in the next cycle; 0: in the same */
    unsigned misprediction_penalty, memory_interval;
    /* entries; 0: 16, 64, 256, 256; the last one: those of vectors are the scheduler's */
    unsigned fill_buffers, store_buffer, scheduler, load_scheduler, vector_scheduler;
    /* operations that each kind of units begins in a cycle; 0: no limit */
    unsigned units_integer, units_vector, units_adder, units_multiplier, units_load, units_store;
    unsigned units_load_vector;     /* of the loads, those to vector registers */
    unsigned vector_bytes;          /* of a vector that a unit takes at a time; 0: any */
    unsigned divider_bytes;         /* of a vector that divides as fast as a scalar; 0: of 16 */
    unsigned in_order;              /* 1: instructions begin in their order */
    unsigned split_accesses;        /* 1: pairs of registers, and addresses that move, take an operation each */
    unsigned prefetch_instructions; /* 1: they fetch their lines; 0: nothing */
    /* 1: loads and stores of wrong paths reach caches and TLBs; likewise its code */
    unsigned wrong_path_accesses, wrong_path_fetches;
    unsigned store_forwarding; /* youngest stores that loads may take their values from, at most 64; 0: none */
    unsigned macro_fusion;     /* which pairs of instructions are one operation, 1 to 4; 0: none */
    unsigned operations;       /* table of the operations that instructions take, 1 to 3; 0: one each */
    /* operation cache: entries, their associativity, and operations of an entry; 0: none */
    unsigned opcache_entries, opcache_ways, opcache_operations;
    unsigned
        walk_cache_entries; /* of each level of page tables but the last, that page walks keep; 0: walks are one step */
    /* an interrupt every so many instructions, 0: none; instructions of its handler */
    unsigned interrupt_every, interrupt_instructions;
    unsigned walk_accesses;     /* loads and stores that a page walk is on its way for; 0: it is there at once */
    unsigned combining_buffers; /* lines that non-temporal stores are combined in, at most 16; 0: none */
    unsigned gpu_sector;        /* bytes of a line that a GPU's caches load at a time; 0: the line */
} cm_pmu_machine;

typedef struct cm_pmu_event {
    const char *name;
    const char *description;
} cm_pmu_event;

typedef struct cm_pmu_model cm_pmu_model;

/* Reads and validates both files. CM_BAD_INPUT for the first fault, with file, line and, in an expression, column: an
 * unknown fact, a division by zero, no events, a duplicate event, an unknown or missing key. CM_BAD_ARGUMENT if
 * `directory` is no directory. The format is in docs/reference/pmu-models.md. */
CM_API cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error);
CM_API void cm_pmu_model_free(cm_pmu_model *model);
/* The names of the models that come with catmint, sorted. Free them also after a failure. */
CM_API cm_status cm_pmu_model_names(char ***names, size_t *count, cm_error *error);
CM_API void cm_pmu_model_names_free(char **names, size_t count);
CM_API const char *cm_pmu_model_name(const cm_pmu_model *model); /* the directory's name */
CM_API const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model);
/* The architecture of the modelled processor, if it differs from `architecture`; NULL: it is the same, or the model,
 * which may be NULL, does not give it. */
CM_API const char *cm_pmu_model_other_architecture(const cm_pmu_model *model, const char *architecture);
CM_API size_t cm_pmu_model_event_count(const cm_pmu_model *model);
CM_API cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event);
/* The event's value for an array of cm_fact_count() facts, rounded to the nearest integer. */
CM_API int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts);

/* ---- the machine that steps ---- */

typedef struct cm_software_pmu cm_software_pmu;

/* Creates a machine with `machine`'s caches, TLBs and predictor. CM_UNSUPPORTED if the CPU is not x86-64 and no plugin
 * of QEMU answers, or no executable memory can be mapped; CM_BAD_ARGUMENT if the geometry is impossible (line or page
 * size no power of two, a cache that its lines and ways do not divide, an unknown predictor). */
CM_API cm_status cm_software_pmu_create(const cm_pmu_machine *machine, cm_software_pmu **pmu, cm_error *error);
CM_API void cm_software_pmu_free(cm_software_pmu *pmu);

/* Calls function(argument) on a stack of its own, instruction by instruction, and adds the facts that it executed; it
 * reads, writes and returns the same as otherwise, floating-point modes included. Caches, TLB and predictor keep their
 * state from call to call.
 *
 * CM_UNSUPPORTED with the address and bytes of an instruction that cannot be stepped: not decodable, privileged, a
 * software interrupt, a far transfer, a transaction, one that the processor lacks, one that starts a thread or moves
 * thread-local storage. The call is abandoned there, with everything that it has locked and allocated; facts hold the
 * executed part, and the machine can be used again. CM_BAD_ARGUMENT if stepped code calls it for the same machine.
 *
 * The function must return (not longjmp out of itself). A fatal signal in it ends the process as usual; signal handlers
 * run unseen. One thread at a time. */
CM_API cm_status cm_software_pmu_run(cm_software_pmu *pmu, void (*function)(void *argument), void *argument,
                                     cm_error *error);

/* cm_fact_count() values, growing from 0 as code runs; the pointer stays valid and the values current. */
CM_API const uint64_t *cm_software_pmu_facts(const cm_software_pmu *pmu);

/* Seeds the interference, so that every repetition meets a different one. */
CM_API void cm_software_pmu_seed(cm_software_pmu *pmu, uint64_t seed);

/* From now on exactly the `size` bytes from `start` on, a multiple of the machine's huge pages, are in huge pages; 0
 * bytes: none are. CM_UNSUPPORTED if the machine has no huge pages, or the counting engine does not model them (under
 * qemu-user). */
CM_API cm_status cm_software_pmu_huge_pages(cm_software_pmu *pmu, const void *start, size_t size, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
