/* The stepping engine. */
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asm/prctl.h>
#include <x86intrin.h>

#include "core/base.h"
#include "software_pmu/x86_64/pmu.h"

/* As large as a thread's usual stack; only touched pages exist. */
enum { STACK_SIZE = 8 << 20, GUARD_SIZE = 4096, STACK_ALIGNMENT = 2 << 20 };

/* Offsets in the XSAVE area, and the initial x87 control word, which XSAVE does not store. */
enum { X87_CONTROL = 0, MXCSR = 24, X87_CONTROL_INITIAL = 0x37F };

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define FORGET_POISON(memory, size) __asan_unpoison_memory_region(memory, size)
#else
#define FORGET_POISON(memory, size) ((void)(memory), (void)(size))
#endif

/* The stack's alignment gives it the same sets of the modelled caches in every run. */
static cm_status create_stack(cm_stepper *pmu, cm_error *error)
{
    enum { SIZE = STACK_SIZE + GUARD_SIZE };
    unsigned char *mapping = mmap(NULL, SIZE + STACK_ALIGNMENT, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping == MAP_FAILED)
        return cm_error_no_memory(error);
    size_t before = (STACK_ALIGNMENT - (uintptr_t)mapping % STACK_ALIGNMENT) % STACK_ALIGNMENT;
    pmu->stack = mapping + before;
    if (before != 0)
        munmap(mapping, before);
    munmap(pmu->stack + SIZE, STACK_ALIGNMENT - before);
    mprotect(pmu->stack, GUARD_SIZE, PROT_NONE);
    pmu->end = (uint64_t)(uintptr_t)pmu->stack + GUARD_SIZE + STACK_SIZE - 64;
    return CM_OK;
}

/* Allocates the place of a stepped program's vector registers. */
static cm_status create_context(cm_stepper *pmu, cm_error *error)
{
    cm_status status = cm_vector_layout_find(&pmu->vector_layout, error);
    if (status != CM_OK)
        return status;
    pmu->context.vector = aligned_alloc(64, pmu->vector_layout.size);
    if (pmu->context.vector == NULL)
        return cm_error_no_memory(error);
    pmu->context.vector_mask = pmu->vector_layout.mask;
    pmu->context.has_xsaveopt = pmu->vector_layout.has_xsaveopt;
    pmu->context.has_avx = (pmu->vector_layout.mask & 4) != 0;
    return CM_OK;
}

/* Frees the machine. */
static void destroy_engine(void *state)
{
    cm_stepper *pmu = state;
    if (pmu == NULL)
        return;
    cm_code_caches_clear(&pmu->caches);
    cm_modelled_clear(&pmu->modelled);
    cm_blocks_clear(&pmu->blocks);
    cm_step_table_clear(&pmu->steps);
    if (pmu->stack != NULL)
        munmap(pmu->stack, STACK_SIZE + GUARD_SIZE);
    CM_FREE(pmu->context.vector, pmu);
}

/* Creates the machine's context, stack, table of steps and first code cache. */
static cm_status create_engine(const cm_pmu_machine *machine, void **state, cm_error *error)
{
    cm_stepper *created = calloc(1, sizeof *created);
    cm_status status =
        created != NULL ? cm_modelled_init(&created->modelled, machine, error) : cm_error_no_memory(error);
    CM_THEN(status, create_context(created, error));
    CM_THEN(status, create_stack(created, error));
    CM_THEN(status, cm_step_table_init(&created->steps, created->vector_layout.mask, error));
    CM_THEN(status, cm_step_table_add_end(&created->steps, created->end, error));
    CM_THEN(status, cm_code_caches_prepare(&created->caches, (uint64_t)(uintptr_t)create_engine, error));
    CM_HAND_OVER(status, state, created, destroy_engine);
    return status;
}

/* The registers of a function that was just called, with the end as return address. */
static void prepare_context(cm_stepper *pmu, const void *argument)
{
    cm_context *context = &pmu->context;
    memset(context->gpr, 0, sizeof context->gpr);
    context->flags = 0x202;
    context->gpr[CM_RDI] = (uint64_t)(uintptr_t)argument;
    context->gpr[CM_RSP] = pmu->end - 8;
    memcpy(pmu->stack + GUARD_SIZE + STACK_SIZE - 72, &pmu->end, sizeof pmu->end);
    cm_vector_state_store(&pmu->vector_layout, context->vector);
    context->host_mxcsr = _mm_getcsr();
    __asm__("fnstcw %0" : "=m"(context->host_x87_control));
    cm_predictor_call(pmu->modelled.predictor, pmu->end);
    /* Segment bases: fs points to itself (the ABI for thread-local storage); gs is read. */
    __asm__("movq %%fs:0, %0" : "=r"(pmu->fs_base));
    unsigned long gs_base = 0;
    syscall(SYS_arch_prctl, ARCH_GET_GS, &gs_base);
    pmu->gs_base = gs_base;
}

/* Takes over the state that a called function leaves besides memory: rounding modes and sticky exceptions. */
static void adopt_floating_point_state(const cm_context *context)
{
    uint32_t mxcsr;
    uint16_t control;
    memcpy(&mxcsr, context->vector + MXCSR, sizeof mxcsr);
    _mm_setcsr(mxcsr);
    bool stored = (context->vector[CM_XSTATE_BV] & 1) != 0;
    memcpy(&control, context->vector + X87_CONTROL, sizeof control);
    control = stored ? control : X87_CONTROL_INITIAL;
    __asm__ volatile("fldcw %0" : : "m"(control));
}

/* Steps a function; CM_BAD_ARGUMENT if stepped code calls it. */
static cm_status run_function(void *state, void (*function)(void *argument), void *argument, cm_error *error)
{
    cm_stepper *pmu = state;
    if (pmu->running)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "the stepped code cannot step code itself");
    uint64_t address;
    memcpy(&address, &function, sizeof address);
    pmu->running = true;
    prepare_context(pmu, argument);
    uint64_t start = __rdtsc();
    cm_status status = cm_stepper_run(pmu, address, error);
    cm_memory_settle(&pmu->modelled.memory, pmu->modelled.facts);
    pmu->modelled.facts[CM_FACT_TSC_CYCLES] += __rdtsc() - start;
    if (status == CM_OK)
        adopt_floating_point_state(&pmu->context);
    else
        FORGET_POISON(pmu->stack + GUARD_SIZE, STACK_SIZE);
    pmu->running = false;
    return status;
}

static const uint64_t *facts_of(const void *state)
{
    return ((const cm_stepper *)state)->modelled.facts;
}

static void set_seed(void *state, uint64_t seed)
{
    cm_memory_seed(&((cm_stepper *)state)->modelled.memory, seed);
}

static cm_status set_huge_pages(void *state, uint64_t start, uint64_t size, cm_error *error)
{
    return cm_tlbs_set_huge(&((cm_stepper *)state)->modelled.memory.tlbs, start, size, error);
}

const cm_engine cm_stepper_engine = {create_engine, destroy_engine, run_function, facts_of, set_seed, set_huge_pages};
