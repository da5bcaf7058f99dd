/* Programs composed by seed, run as kernels, and their facts. */
#include "programs/programs.h"

enum { CODE_BYTES = 32768, ALL_CODE_BYTES = CODE_BYTES + CM_PROGRAM_FAR_BYTES };

struct program {
    char name[CM_PROGRAM_NAME_SIZE];
    cm_kernel kernel;
    cm_composition composition;
    double *once, *each;        /* facts of a run, and of an iteration */
    double *skipped;            /* for each plane, the facts of skipped works, for iterations whose bit is not set */
    size_t set[CM_WORK_PLANES]; /* iterations in which a plane's bit is set */
};

struct cm_programs {
    size_t count; /* including the empty one */
    struct program *items;
    uint64_t iterations;
    cm_natural *natural;
    cm_program_pages data, functions, bits, code;
    cm_program_memory memory;
};

/* Each plane has its share of ones exactly, rounded to a whole number, in random order. */
static void fill_plane(uint64_t *state, size_t ones, uint64_t iterations, unsigned plane, unsigned char *bits)
{
    for (uint64_t left = iterations; left > 0; left--) {
        bool set = cm_random_below(state, left) < ones;
        bits[left - 1] = (unsigned char)(bits[left - 1] | (unsigned)set << plane);
        ones -= set;
    }
}

/* The zeros come all together, anywhere. */
static void fill_phase(uint64_t *state, size_t ones, uint64_t iterations, unsigned plane, unsigned char *bits)
{
    uint64_t from = cm_random_below(state, ones + 1), zeros = iterations - ones;
    for (uint64_t i = 0; i < iterations; i++)
        bits[i] = (unsigned char)(bits[i] | (unsigned)(i < from || i >= from + zeros) << plane);
}

static bool is_phase(const cm_composition *composition, size_t plane)
{
    return plane + composition->phases >= CM_WORK_PLANES;
}

static void fill_bits(uint64_t seed, uint64_t iterations, struct program *program, unsigned char *bits)
{
    uint64_t state = ~seed;
    for (unsigned plane = 0; plane < CM_WORK_PLANES; plane++) {
        program->set[plane] = (size_t)lround(program->composition.shares[plane] * (double)iterations);
        (is_phase(&program->composition, plane) ? fill_phase : fill_plane)(&state, program->set[plane], iterations,
                                                                           plane, bits);
    }
}

/* The memory as the program goes through it. */
static cm_program_memory memory_of(const cm_programs *programs, size_t index)
{
    const cm_composition *composition = &programs->items[index].composition;
    cm_program_memory memory = programs->memory;
    memory.bits = programs->bits.start + index * CM_PROGRAM_ITERATIONS;
    for (size_t i = 0; composition->class[0] != '\0' && i < CM_WORK_BUFFERS; i++) {
        memory.buffers[i] = (unsigned char *)memory.buffers[i] + composition->starts[i];
        memory.sizes[i] = composition->sizes[i];
        memory.strides[i] = composition->strides[i];
    }
    return memory;
}

/* Writes the program's code and makes it a kernel. */
static cm_status emit_program(cm_programs *programs, size_t index, unsigned isa, cm_error *error)
{
    struct program *program = &programs->items[index];
    cm_program_memory memory = memory_of(programs, index);
    cm_program_emission emission = {.composition = index != 0 ? &program->composition : NULL,
                                    .memory = &memory,
                                    .code = programs->code.start + index * ALL_CODE_BYTES,
                                    .size = CODE_BYTES,
                                    .once = program->once,
                                    .each = program->each,
                                    .skipped = program->skipped};
    cm_status status = cm_emit(&emission, isa, error);
    void *entry = emission.code + emission.entry;
    program->kernel = (cm_kernel){.name = program->name,
                                  .benchmark = CM_PROGRAMS_BENCHMARK,
                                  .isa = isa,
                                  .iterations = programs->iterations,
                                  .software_iterations = programs->iterations};
    *(void **)&program->kernel.body = entry; /* POSIX' way to turn an object's address into a function's */
    return status;
}

/* Composes a program: every third, from the first on, in free proportions, the others of the natural classes in turn.
 */
static cm_status compose_one(size_t index, uint64_t seed, const bool *available, const cm_natural *natural,
                             cm_composition *composition, cm_error *error)
{
    if (index % 3 == 1)
        return cm_compose(seed, available, composition, error);
    size_t class = (index - (index + 2) / 3 - 1) % natural->class_count;
    return cm_compose_natural(seed, available, natural, class, composition, error);
}

/* Composes one program, its random bits and its code; program 0 is the empty one. */
static cm_status create_program(cm_programs *programs, size_t index, uint64_t seed, const bool *available,
                                cm_error *error)
{
    struct program *program = &programs->items[index];
    cm_status status = CM_OK;
    if (index != 0)
        snprintf(program->name, sizeof program->name, "program-%zu", index);
    else
        snprintf(program->name, sizeof program->name, "empty");
    program->composition.class = "";
    if (!CM_ALLOCATE(program->once, cm_fact_count() + 1) || !CM_ALLOCATE(program->each, cm_fact_count() + 1) ||
        !CM_ALLOCATE(program->skipped, CM_WORK_PLANES * cm_fact_count()))
        return cm_error_no_memory(error);
    if (index != 0)
        status = compose_one(index, seed, available, programs->natural, &program->composition, error);
    if (status == CM_OK && index != 0)
        fill_bits(seed, programs->iterations, program, programs->bits.start + index * CM_PROGRAM_ITERATIONS);
    return status == CM_OK ? emit_program(programs, index, cm_isa_available(), error) : status;
}

bool cm_programs_available(void)
{
    for (size_t i = 0; i < cm_work_table_size; i++)
        if (cm_emit_available(&cm_work_table[i], cm_isa_available()))
            return true;
    return false;
}

/* Each program has a seed of its own, which depends only on the first seed and its number. */
static cm_status create_all(cm_programs *programs, uint64_t seed, cm_error *error)
{
    bool *available = calloc(cm_work_table_size, sizeof *available), any = false;
    cm_status status = available != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < cm_work_table_size; i++) {
        available[i] = cm_emit_available(&cm_work_table[i], cm_isa_available());
        any = any || available[i];
    }
    if (status == CM_OK && !any)
        status = CM_FAIL(error, CM_UNSUPPORTED, "programs cannot be written for this processor");
    uint64_t state = seed;
    for (size_t i = 0; status == CM_OK && i < programs->count; i++)
        status = create_program(programs, i, cm_random_next(&state), available, error);
    free(available);
    return status;
}

/* The functions called on many pages. */
static cm_status create_functions(cm_programs *programs, cm_error *error)
{
    cm_program_pages *pages = &programs->functions;
    cm_status status = cm_program_pages_map(2 * programs->memory.sizes[0], pages, error);
    if (status != CM_OK)
        return status;
    cm_emit_functions(pages->start, pages->size);
    programs->memory.functions = pages->start;
    return cm_program_pages_execute(pages, error);
}

cm_status cm_programs_create(uint64_t seed, size_t count, uint64_t iterations, cm_programs **programs, cm_error *error)
{
    cm_programs *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->iterations = iterations;
    created->items = calloc(count + 1, sizeof *created->items);
    created->count = created->items != NULL ? count + 1 : 0;
    cm_status status =
        created->items != NULL ? cm_natural_load(NULL, &created->natural, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_program_memory_create(&created->data, &created->memory, error));
    CM_THEN(status, create_functions(created, error));
    CM_THEN(status, cm_program_pages_map(created->count * CM_PROGRAM_ITERATIONS, &created->bits, error));
    CM_THEN(status, cm_program_pages_map(created->count * ALL_CODE_BYTES, &created->code, error));
    CM_THEN(status, create_all(created, seed, error));
    CM_THEN(status, cm_program_pages_execute(&created->code, error));
    CM_HAND_OVER(status, programs, created, cm_programs_free);
    return status;
}

void cm_programs_free(cm_programs *programs)
{
    if (programs == NULL)
        return;
    for (size_t i = 0; i < programs->count; i++) {
        cm_composition_clear(&programs->items[i].composition);
        CM_FREE(programs->items[i].once, programs->items[i].each, programs->items[i].skipped);
    }
    free(programs->items);
    cm_natural_free(programs->natural);
    cm_program_pages_unmap(&programs->data);
    cm_program_pages_unmap(&programs->functions);
    cm_program_pages_unmap(&programs->bits);
    cm_program_pages_unmap(&programs->code);
    free(programs);
}

CM_GETTER(const cm_kernel *cm_programs_kernel(const cm_programs *programs, size_t kernel),
          &programs->items[kernel].kernel)
CM_GETTER(const char *cm_programs_class(const cm_programs *programs, size_t kernel),
          programs->items[kernel].composition.class)

void cm_programs_describe(const cm_programs *programs, size_t kernel, char *text, size_t size)
{
    cm_composition_describe(&programs->items[kernel].composition, text, size);
}

/* ---- facts ---- */

/* Steady branches, the loop's and those in it, are learnt within two mispredictions each. */
static void bound_learning(const struct program *program, double *values, double *ranges)
{
    double sites = 1.0;
    for (size_t i = 0; i < program->composition.count; i++) {
        cm_work_kind kind = program->composition.works[i].kind;
        sites += kind == CM_WORK_TAKEN || kind == CM_WORK_NOT_TAKEN || kind == CM_WORK_RANDOM;
    }
    values[CM_FACT_MISPREDICTED_COND] += sites;
    ranges[CM_FACT_MISPREDICTED_COND] += sites;
}

/* A predictor of one constant outcome is wrong as often as the rarer outcome comes; a random one in proportion, as
 * often as its draw and the outcome differ. */
static void bound_mispredictions(double executed, double taken, double *values, double *ranges)
{
    double share = executed > 0.0 ? taken / executed : 0.0;
    double least = fmin(taken, executed - taken), most = 2.0 * share * (1.0 - share) * executed;
    values[CM_FACT_MISPREDICTED_COND] += (least + most) / 2.0;
    ranges[CM_FACT_MISPREDICTED_COND] += (most - least) / 2.0;
}

/* Adds the facts of random branches: how many are taken, and the range of mispredictions. */
static void add_random_facts(const struct program *program, uint64_t iterations, double *values, double *ranges)
{
    double all = (double)iterations;
    for (size_t i = 0; i < program->composition.count; i++) {
        const cm_work *work = &program->composition.works[i];
        if (work->kind != CM_WORK_RANDOM)
            continue;
        double taken = (double)program->set[work->plane];
        values[CM_FACT_BRANCHES_COND_TAKEN] += taken;
        if (is_phase(&program->composition, work->plane)) {
            /* A phase begins and ends; each is learnt within so many mispredictions. */
            enum { LEARNT = 4 };
            values[CM_FACT_MISPREDICTED_COND] += LEARNT;
            ranges[CM_FACT_MISPREDICTED_COND] += LEARNT;
        } else {
            bound_mispredictions(all, taken, values, ranges);
        }
    }
}

/* Adds the facts of skipped works, for the iterations that do not skip them. */
static void add_skipped(const struct program *program, uint64_t iterations, double *values)
{
    for (size_t plane = 0; plane < CM_WORK_PLANES; plane++) {
        double times = (double)(iterations - program->set[plane]);
        for (size_t i = 0; i < cm_fact_count(); i++)
            values[i] += times * program->skipped[plane * cm_fact_count() + i];
    }
}

/* Facts that construction does not determine. */
static const cm_fact unknown[] = {
    CM_FACT_L1D_LOAD_HIT,
    CM_FACT_L1D_LOAD_MISS,
    CM_FACT_L1D_STORE_HIT,
    CM_FACT_L1D_STORE_MISS,
    CM_FACT_L2_LOAD_HIT,
    CM_FACT_L2_LOAD_MISS,
    CM_FACT_L2_STORE_HIT,
    CM_FACT_L2_STORE_MISS,
    CM_FACT_L3_LOAD_HIT,
    CM_FACT_L3_LOAD_MISS,
    CM_FACT_L3_STORE_HIT,
    CM_FACT_L3_STORE_MISS,
    CM_FACT_L1D_WRITTEN_BACK,
    CM_FACT_L2_WRITTEN_BACK,
    CM_FACT_L3_WRITTEN_BACK,
    CM_FACT_L1D_PREFETCH_MISS,
    CM_FACT_L2_PREFETCH_HIT,
    CM_FACT_L2_PREFETCH_MISS,
    CM_FACT_L3_PREFETCH_HIT,
    CM_FACT_L3_PREFETCH_MISS,
    CM_FACT_L1D_PREFETCH_USED,
    CM_FACT_L2_PREFETCH_USED,
    CM_FACT_L1D_LOAD_FILL_HIT,
    CM_FACT_L1I_FETCH_HIT,
    CM_FACT_L1I_FETCH_MISS,
    CM_FACT_L2_FETCH_HIT,
    CM_FACT_L2_FETCH_MISS,
    CM_FACT_L3_FETCH_HIT,
    CM_FACT_L3_FETCH_MISS,
    CM_FACT_DTLB_LOAD_MISS,
    CM_FACT_DTLB_STORE_MISS,
    CM_FACT_ITLB_MISS,
    CM_FACT_LOAD_WALKS,
    CM_FACT_STORE_WALKS,
    CM_FACT_FETCH_WALKS,
    CM_FACT_TSC_CYCLES,
    CM_FACT_MISPREDICTED_COND_TAKEN,
    CM_FACT_MISPREDICTED_COND_NTAKEN,
    CM_FACT_MISPREDICTED_INDIRECT,
    CM_FACT_MISPREDICTED_RETURNS,
    CM_FACT_COND_EXECUTED,
    CM_FACT_COND_EXECUTED_TAKEN,
    CM_FACT_WRONG_PATH_COND_NTAKEN,
    CM_FACT_UNCOND_EXECUTED,
};

bool cm_fact_is_of_machine(size_t fact)
{
    for (size_t i = 0; i < CM_COUNT_OF(unknown); i++)
        if (fact == unknown[i])
            return true;
    return fact == CM_FACT_MISPREDICTED_COND || cm_fact_is_of_time(fact) || cm_fact_is_of_habit(fact);
}

void cm_programs_facts(const cm_programs *programs, size_t kernel, double *values, double *ranges)
{
    const struct program *program = &programs->items[kernel];
    for (size_t i = 0; i < cm_fact_count(); i++) {
        values[i] = program->once[i] + (double)programs->iterations * program->each[i];
        ranges[i] = cm_fact_is_of_habit(i) ? INFINITY : 0.0;
    }
    if (kernel != 0)
        bound_learning(program, values, ranges);
    add_random_facts(program, programs->iterations, values, ranges);
    add_skipped(program, programs->iterations, values);
    for (size_t i = 0; i < CM_COUNT_OF(unknown); i++)
        ranges[unknown[i]] = INFINITY;
}
