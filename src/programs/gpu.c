#include "programs/programs.h"

#include "cat-kernels/gpu/amdgpu.h"

enum { GFX942 = 0x942, PIECES = 48, MOST_OF_PIECE = 8, GPU_WORKS_SHOWN = 3 };

/* Probability that a class is in a program, and that only some of the threads run a program. */
static const double class_probability = 0.9, masked = 0.4;

/* Masks: every other thread, one of four, half of a warp of 32, every other warp. */
enum { MASKS = 4, WHOLE_WARPS = 32 };
static const unsigned masks[MASKS] = {1, 3, 16, WHOLE_WARPS};

/* One turn of 64 threads is one iteration of an AMD wavefront. */
static uint64_t iterations(cm_gpu_vendor vendor)
{
    return vendor == CM_GPU_NVIDIA ? 4 * CM_GPU_ITERATIONS : CM_GPU_ITERATIONS;
}

struct gpu_program {
    char name[CM_PROGRAM_NAME_SIZE];
    cm_kernel kernel;
    cm_gpu_kernel description;
    cm_gpu_piece pieces[PIECES];
};

struct cm_gpu_programs {
    cm_gpu_vendor vendor;
    unsigned target;
    cm_gpu_family family;
    size_t count; /* including the empty one */
    struct gpu_program *items;
};

/* Programs contain nothing that vendors disagree about (pairs, bfloat16, conversions and estimates), and nothing that
 * no kernel isolates (a turn's own comparison and branch). */
static bool is_plain(cm_gpu_class class, cm_gpu_family family)
{
    if (cm_gpu_family_of(class) > family)
        return false;
    if (class >= CM_GPU_COMPUTING)
        return true;
    switch (cm_gpu_class_table[class].type) {
    case CM_GPU_TYPE_H2:
    case CM_GPU_TYPE_S2:
    case CM_GPU_TYPE_B:
    case CM_GPU_TYPE_B2:
    case CM_GPU_TYPE_NONE: return false;
    default: return class != CM_GPU_CONVERT && class != CM_GPU_SPECIAL;
    }
}

/* Whether programs may have the class: no product whose operations are not known, for instance. */
static bool is_available(cm_gpu_class class, const struct cm_gpu_programs *of, unsigned mask)
{
    cm_gpu_elements elements;
    if (cm_gpu_is_matrix(class) && cm_gpu_matrix_operations(of->vendor, class, &elements) == 0)
        return false;
    if (cm_gpu_is_of_groups(class) && mask != 0)
        return false;
    return is_plain(class, of->family) && (mask % WHOLE_WARPS == 0 || !cm_gpu_is_matrix(class)) &&
           (cm_gpu_class_table[class].vendors & of->vendor) != 0 &&
           (of->vendor == CM_GPU_NVIDIA ? cm_gpu_ptx_has(class, of->target)
                                        : cm_gpu_amdgpu_has(class, of->target == GFX942 ? "gfx942" : "gfx90a"));
}

/* Fills the cumulative sums of the classes' weights. */
static double sum_class_weights(uint64_t *state, const struct cm_gpu_programs *of, unsigned mask, double *sums)
{
    double sum = 0.0;
    for (size_t i = 0; i < CM_GPU_CLASSES; i++) {
        sums[i] = sum;
        if (cm_gpu_family_of((cm_gpu_class)i) > of->family)
            continue;
        double share = cm_random_share(state), weight = cm_random_share(state);
        if (share < class_probability && is_available((cm_gpu_class)i, of, mask))
            sum += 0.1 + weight; /* proportions up to one to ten */
        sums[i] = sum;
    }
    return sum;
}

static cm_gpu_class draw_gpu_class(uint64_t *state, const double *sums)
{
    double at = cm_random_share(state) * sums[CM_GPU_CLASSES - 1];
    size_t class = 0;
    while (class + 1 < CM_GPU_CLASSES && sums[class] <= at)
        class ++;
    return (cm_gpu_class) class;
}

/* Draws a mask and the pieces of a program. */
static void compose_program(uint64_t seed, const struct cm_gpu_programs *of, struct gpu_program *program)
{
    uint64_t state = seed;
    double sums[CM_GPU_CLASSES] = {0.0};
    unsigned mask = cm_random_share(&state) < masked ? masks[cm_random_below(&state, MASKS)] : 0;
    while (!(sum_class_weights(&state, of, mask, sums) > 0.0))
        continue;
    for (size_t i = 0; i < PIECES; i++) {
        cm_gpu_piece *piece = &program->pieces[i];
        piece->class = draw_gpu_class(&state, sums);
        piece->count = 1 + (unsigned)cm_random_below(&state, MOST_OF_PIECE);
    }
    program->description.mask = mask;
    program->description.piece_count = PIECES;
}

/* Makes the program of a number; the first is empty, so that its cost can be taken off. */
static void create_gpu_program(cm_gpu_programs *programs, size_t index, uint64_t seed)
{
    struct gpu_program *program = &programs->items[index];
    snprintf(program->name, sizeof program->name, index != 0 ? "program-%zu" : "empty", index);
    program->description =
        (cm_gpu_kernel){.name = program->name, .pieces = program->pieces, .vendors = programs->vendor};
    program->description.family = programs->family;
    program->kernel = (cm_kernel){.name = program->name,
                                  .benchmark = CM_PROGRAMS_BENCHMARK,
                                  .iterations = iterations(programs->vendor),
                                  .software_iterations = iterations(programs->vendor),
                                  .body = cm_gpu_run_body};
    if (index != 0)
        compose_program(seed, programs, program);
}

cm_status cm_gpu_programs_create(uint64_t seed, size_t count, cm_gpu_vendor vendor, unsigned target,
                                 cm_gpu_family family, cm_gpu_programs **programs, cm_error *error)
{
    cm_gpu_programs *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    if (!CM_ALLOCATE(created->items, count + 1)) {
        free(created);
        return cm_error_no_memory(error);
    }
    created->vendor = vendor;
    created->target = target;
    created->family = family;
    created->count = count + 1;
    uint64_t state = seed;
    for (size_t i = 0; i < created->count; i++)
        create_gpu_program(created, i, cm_random_next(&state));
    *programs = created;
    return CM_OK;
}

void cm_gpu_programs_free(cm_gpu_programs *programs)
{
    if (programs == NULL)
        return;
    CM_FREE(programs->items, programs);
}

CM_GETTER(const cm_kernel *cm_gpu_programs_kernel(const cm_gpu_programs *programs, size_t kernel),
          &programs->items[kernel].kernel)
CM_GETTER(const cm_gpu_kernel *cm_gpu_programs_description(const cm_gpu_programs *programs, size_t kernel),
          &programs->items[kernel].description)

void cm_gpu_programs_describe(const cm_gpu_programs *programs, size_t kernel, char *text, size_t size)
{
    const cm_gpu_kernel *description = &programs->items[kernel].description;
    unsigned counts[CM_GPU_CLASSES] = {0};
    text[0] = '\0';
    for (size_t i = 0; i < description->piece_count; i++)
        counts[description->pieces[i].class] += description->pieces[i].count;
    for (size_t shown = 0; shown < GPU_WORKS_SHOWN; shown++) {
        size_t most = 0;
        for (size_t i = 0; i < CM_GPU_CLASSES; i++)
            most = counts[i] > counts[most] ? i : most;
        if (counts[most] == 0)
            return;
        cm_text_append(text, size, ", ", "%s", cm_gpu_class_table[most].words);
        counts[most] = 0;
    }
}

enum { WARP = 32, WAVEFRONT = 64 };

/* The fact that counts the access's instructions in the program's unit. */
static cm_fact instructions_of(const cm_gpu_access *access)
{
    bool loads = access->kind == CM_GPU_KIND_LOAD || access->kind == CM_GPU_KIND_CHASE;
    if (access->place == CM_GPU_PLACE_SHARED)
        return loads ? CM_FACT_GPU_SHARED_LOADS : CM_FACT_GPU_SHARED_STORES;
    return loads ? CM_FACT_GPU_LOADS : CM_FACT_GPU_STORES;
}

/* Adds the launch's instructions of each class, counted by that unit. */
static void add_facts(const cm_gpu_programs *programs, size_t kernel, cm_gpu_unit unit, size_t first, size_t all,
                      double *values)
{
    const cm_gpu_launch launch = cm_gpu_launch_of(programs->vendor, programs->family, iterations(programs->vendor));
    uint64_t counts[CM_GPU_CLASSES] = {0};
    cm_gpu_launch_facts(&programs->items[kernel].description, &launch,
                        programs->vendor == CM_GPU_NVIDIA ? WARP : WAVEFRONT, unit, counts);
    for (size_t i = 0; i < CM_GPU_CLASSES; i++) {
        const cm_gpu_access *access = cm_gpu_access_of((cm_gpu_class)i);
        if (i < CM_GPU_COMPUTING)
            values[first + i] += (double)counts[i];
        values[all] += cm_gpu_section_of((cm_gpu_class)i) == NULL ? (double)counts[i] : 0.0;
        if (access != NULL && all == CM_FACT_GPU_INSTRUCTIONS)
            values[instructions_of(access)] += (double)counts[i];
    }
}

/* The lanes of a warp, which begins with that thread, that do not skip the loop. */
static uint64_t active_lanes(unsigned mask, unsigned first, unsigned lanes)
{
    uint64_t active = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        active |= (uint64_t)cm_gpu_enters(mask, first + lane) << lane;
    return active;
}

/* Adds the facts of a launch's accesses to memory. */
static void add_accesses(const cm_gpu_programs *programs, size_t kernel, double *values)
{
    const cm_gpu_kernel *description = &programs->items[kernel].description;
    const cm_gpu_launch launch = cm_gpu_launch_of(programs->vendor, programs->family, iterations(programs->vendor));
    const cm_gpu_sectors sectors = cm_gpu_sectors_of(programs->vendor, programs->target);
    unsigned lanes = programs->vendor == CM_GPU_NVIDIA ? WARP : WAVEFRONT;
    for (size_t i = 0; i < description->piece_count; i++) {
        const cm_gpu_access *access = cm_gpu_access_of(description->pieces[i].class);
        uint64_t facts[CM_GPU_ACCESS_FACTS] = {0};
        for (unsigned first = 0; access != NULL && first < launch.threads; first += lanes)
            cm_gpu_access_facts(access, active_lanes(description->mask, first, lanes), &sectors, facts);
        for (size_t fact = 0; fact < CM_GPU_ACCESS_FACTS; fact++)
            values[CM_FACT_GPU_ACCESSES + fact] +=
                (double)(facts[fact] * description->pieces[i].count * launch.blocks * launch.trips);
    }
}

/* Adds facts of warps and their lanes, and scalar instructions and loads to all instructions. */
static void add_lanes(const cm_gpu_programs *programs, size_t kernel, double *values)
{
    const cm_gpu_launch launch = cm_gpu_launch_of(programs->vendor, programs->family, iterations(programs->vendor));
    uint64_t facts[CM_GPU_LANE_FACTS] = {0};
    cm_gpu_lane_facts(&programs->items[kernel].description, &launch, programs->vendor, facts);
    for (size_t fact = 0; fact < CM_GPU_LANE_FACTS; fact++)
        values[CM_FACT_GPU_LANES + fact] += (double)facts[fact];
    double scalars = (double)(facts[CM_GPU_SCALARS] + facts[CM_GPU_SCALAR_LOADS]);
    values[CM_FACT_GPU_INSTRUCTIONS] += scalars;
    values[CM_FACT_GPU_WARP_INSTRUCTIONS] += scalars;
}

/* Adds the operations of products of matrices. */
static void add_operations(const cm_gpu_programs *programs, double *values)
{
    cm_gpu_elements elements;
    for (size_t i = 0; i < CM_GPU_COMPUTING; i++) {
        unsigned operations = cm_gpu_matrix_operations(programs->vendor, (cm_gpu_class)i, &elements);
        if (operations != 0)
            values[CM_FACT_GPU_MATRIX_F16_OPS + elements] += operations * values[CM_FACT_GPU_WARPS + i];
    }
}

void cm_gpu_programs_facts(const cm_gpu_programs *programs, size_t kernel, double *values)
{
    memset(values, 0, cm_fact_count() * sizeof *values);
    add_facts(programs, kernel, cm_gpu_program_unit(programs->vendor), CM_FACT_GPU, CM_FACT_GPU_INSTRUCTIONS, values);
    add_facts(programs, kernel, CM_GPU_WARPS, CM_FACT_GPU_WARPS, CM_FACT_GPU_WARP_INSTRUCTIONS, values);
    add_operations(programs, values);
    add_accesses(programs, kernel, values);
    add_lanes(programs, kernel, values);
}
