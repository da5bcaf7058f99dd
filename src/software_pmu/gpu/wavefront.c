/* Kernels for AMD's GPUs executed wavefront by wavefront. */
#include "software_pmu/gpu/device.h"

#include <stdlib.h>

#include "cat-kernels/gpu/amdgpu.h"

/* ---- the description ---- */

static bool find_class(const char *name, size_t length, cm_gpu_class *class)
{
    for (size_t i = 0; i < CM_GPU_CLASSES; i++)
        if (strlen(cm_gpu_class_table[i].name) == length && strncmp(cm_gpu_class_table[i].name, name, length) == 0) {
            *class = (cm_gpu_class)i;
            return (cm_gpu_class_table[i].vendors & CM_GPU_AMD) != 0;
        }
    return false;
}

/* Reads a piece like " h_add:24", from behind the blank on; returns its end, NULL if it is no piece. */
static const char *read_piece(const char *text, cm_wavefront_program *program)
{
    int used = 0;
    size_t length = strcspn(text, ":; ");
    cm_gpu_piece *piece = &program->pieces[program->piece_count];
    if (program->piece_count == CM_GPU_MOST_PIECES || !find_class(text, length, &piece->class) ||
        sscanf(text + length, ":%u%n", &piece->count, &used) != 1)
        return NULL;
    program->piece_count++;
    return text + length + used;
}

/* Reads the kernel's description from the assembly's comment; false if it is none. */
static bool read_description(const char *assembly, cm_wavefront_program *program)
{
    const char *at = strstr(assembly, CM_GPU_DESCRIPTION);
    int used = 0;
    if (at == NULL || sscanf(at + strlen(CM_GPU_DESCRIPTION), "%127s %u%n", program->entry, &program->mask, &used) != 2)
        return false;
    at += strlen(CM_GPU_DESCRIPTION) + (size_t)used;
    unsigned family = CM_GPU_FLOPS;
    if (sscanf(at, "@%u%n", &family, &used) == 1)
        at += used;
    if (family >= CM_GPU_FAMILIES)
        return false;
    program->family = (cm_gpu_family)family;
    while (at != NULL && *at == ' ' && at[1] != ';')
        at = read_piece(at + 1, program);
    return at != NULL && *at == ' ';
}

/* Whether a scalar instruction loads, branches, waits or ends. */
static bool is_no_arithmetic(const char *code)
{
    static const char *const others[] = {"s_load", "s_cbranch", "s_waitcnt", "s_nop", "s_endpgm"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strncmp(code, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

/* Counts the instructions from one line to another: indented lines that are no directives. */
static void count_lines(const char *from, const char *to, cm_wavefront_around *around)
{
    static const char indent[] = "    ";
    for (const char *line = from; line < to; line += strcspn(line, "\n") + 1) {
        const char *code = line + strlen(indent);
        if (strncmp(line, indent, strlen(indent)) != 0 || *code == '.')
            continue;
        around->instructions++;
        around->loads += strncmp(code, "global_load", 11) == 0;
        around->stores += strncmp(code, "global_store", 12) == 0;
        around->moves += strncmp(code + 1, "_mov_", 5) == 0;
        around->vectors += strncmp(code, "v_", 2) == 0;
        around->scalars += strncmp(code, "s_", 2) == 0 && !is_no_arithmetic(code);
    }
}

/* Counts the instructions before and after the entry's loop; false: the assembly has no such loop. */
static bool look_around(const char *assembly, cm_wavefront_program *program)
{
    char label[CM_WAVEFRONT_NAME + 32];
    snprintf(label, sizeof label, "\n%s:\n", program->entry);
    const char *begin = strstr(assembly, label);
    snprintf(label, sizeof label, "\n%s_loop:\n", program->entry);
    const char *loop = begin != NULL ? strstr(begin, label) : NULL;
    snprintf(label, sizeof label, "s_cbranch_scc1 %s_loop\n", program->entry);
    const char *branch = loop != NULL ? strstr(loop, label) : NULL;
    const char *end = branch != NULL ? strstr(branch, "    .size") : NULL;
    if (end == NULL)
        return false;
    count_lines(begin + 1, loop + 1, &program->around);
    count_lines(branch + strlen(label), end, &program->around);
    return true;
}

cm_wavefront_program *cm_wavefront_read(const char *assembly)
{
    cm_wavefront_program *program = calloc(1, sizeof *program);
    if (program != NULL && (!read_description(assembly, program) || !look_around(assembly, program))) {
        free(program);
        program = NULL;
    }
    return program;
}

/* ---- execution ---- */

enum { MATRICES = 2, LANE_SLOTS = CM_GPU_SLOTS };

typedef struct lane {
    uint64_t slots[CM_GPU_TYPES][LANE_SLOTS], t[CM_GPU_CHAINS];
    unsigned char *memory;
} lane;

typedef struct wavefront {
    const cm_wavefront_run *run;
    const cm_gpu_layout *layout;
    unsigned first, lanes;       /* threads of the block */
    unsigned like[CM_WAVEFRONT]; /* the first lane with the same numbers: it is executed for both */
    lane lane[CM_WAVEFRONT];
    uint64_t constants[CM_GPU_TYPES][2];
    unsigned turns[CM_GPU_TYPES], accesses[CM_GPU_CLASSES]; /* of each type and class, in the turn */
    cm_wavefront_access place;
    uint32_t cursors[CM_WAVEFRONT]; /* of the lanes' streams, which are in the first slot of no type */
    bool converting;
    unsigned of;
    unsigned left_out; /* a section's mask */
} wavefront;

static bool is_matrix(size_t type)
{
    return (type >= CM_GPU_TYPE_MH && type <= CM_GPU_TYPE_MD) || type > CM_GPU_TYPE_I;
}

static unsigned accumulators(size_t type)
{
    return is_matrix(type) ? MATRICES : type == CM_GPU_TYPE_I ? CM_GPU_INTEGERS : CM_GPU_CHAINS;
}

/* The parts of an accumulator, in slots of their own. */
static unsigned parts(size_t type)
{
    return is_matrix(type) && type != CM_GPU_TYPE_MD4 ? 4 : 1;
}

static bool is_active(const wavefront *wave, unsigned at)
{
    return cm_gpu_enters(wave->run->program->mask, wave->first + at) && (at & wave->left_out) == 0;
}

/* Whether two lanes begin with the same numbers, and are both active or both not: then they also end with the same. */
static bool are_alike(const wavefront *wave, unsigned one, unsigned other)
{
    return memcmp(wave->lane[one].slots, wave->lane[other].slots, sizeof wave->lane[one].slots) == 0 &&
           is_active(wave, one) == is_active(wave, other) &&
           (wave->run->program->family != CM_GPU_INSTRUCTIONS ||
            (one & CM_GPU_SECTION_LANES) == (other & CM_GPU_SECTION_LANES));
}

static void find_alike(wavefront *wave)
{
    for (unsigned i = 0; i < wave->lanes; i++) {
        wave->like[i] = 0;
        while (!(wave->like[wave->like[i]] == wave->like[i] && are_alike(wave, wave->like[i], i)))
            wave->like[i]++;
    }
}

/* Loads the accumulators and constants of a wavefront's lanes. */
static void begin_lanes(wavefront *wave, unsigned block, unsigned first)
{
    const cm_wavefront_run *run = wave->run;
    unsigned char *memory = (unsigned char *)(uintptr_t)run->memory;
    memset(wave->lane, 0, sizeof wave->lane);
    wave->first = first;
    wave->lanes = run->threads - first < CM_WAVEFRONT ? run->threads - first : CM_WAVEFRONT;
    for (size_t type = CM_GPU_TYPE_NONE + 1; type < wave->layout->types; type++)
        memcpy(wave->constants[type], memory + CM_GPU_INPUT_AT(type), sizeof wave->constants[type]);
    for (unsigned i = 0; i < wave->lanes; i++) {
        lane *one = &wave->lane[i];
        one->memory = memory + wave->layout->input + wave->layout->output * ((size_t)block * run->threads + first + i);
        memcpy(one->slots, one->memory, wave->layout->types * sizeof one->slots[0]);
        wave->cursors[i] = (uint32_t)one->slots[CM_GPU_TYPE_NONE][0];
    }
    find_alike(wave);
}

/* Finds the addresses of the wavefront's accesses to memory. */
static void begin_accesses(wavefront *wave, unsigned block)
{
    const cm_wavefront_run *run = wave->run;
    wave->place = (cm_wavefront_access){.run = run, .lanes = wave->lanes};
    wave->place.wave = (block * run->threads + wave->first) / CM_WAVEFRONT;
    for (unsigned i = 0; i < wave->lanes; i++)
        wave->place.active |= (uint64_t)is_active(wave, i) << i;
    if (run->program->family >= CM_GPU_MEMORY)
        cm_wavefront_warm_up(&wave->place);
}

static void end_lanes(const wavefront *wave)
{
    for (unsigned i = 0; i < wave->lanes; i++) {
        memcpy(wave->lane[i].memory, wave->lane[wave->like[i]].slots,
               wave->layout->types * sizeof wave->lane[i].slots[0]);
        if (wave->run->program->family >= CM_GPU_MEMORY)
            memcpy(wave->lane[i].memory, &wave->cursors[i], sizeof wave->cursors[i]);
    }
}

static void count_class(const wavefront *wave, cm_gpu_class class, uint64_t times)
{
    uint64_t *facts = wave->run->facts;
    facts[cm_fact_gpu(class)] += times;
    facts[cm_fact_gpu_warp(class)] += times;
    facts[CM_FACT_GPU_INSTRUCTIONS] += times;
    facts[CM_FACT_GPU_WARP_INSTRUCTIONS] += times;
    cm_wavefront_count_operations(class, times, facts);
}

/* Counts vector instructions of the lanes that are on; all work on matrices. */
static void count_vectors(const wavefront *wave, bool matrix, uint64_t times)
{
    uint64_t active = 0;
    for (unsigned i = 0; i < CM_WAVEFRONT; i++)
        active |= (uint64_t)(matrix || (i < wave->lanes && is_active(wave, i))) << i;
    cm_wavefront_count_vectors(wave->run, times, active);
}

/* Executes the next instruction of a class, in all active lanes; the second of two conversions converts back. */
static void execute_next(wavefront *wave, const cm_gpu_piece *piece)
{
    size_t type = cm_gpu_class_table[piece->class].type;
    bool convert = piece->class == CM_GPU_CONVERT, back = convert && wave->converting;
    unsigned count_of = accumulators(type), at = back ? wave->of : wave->turns[type]++ % count_of;
    unsigned part = at * parts(type);
    for (unsigned i = 0; i < wave->lanes; i++) {
        lane *one = &wave->lane[i];
        if (wave->like[i] != i || (!is_active(wave, i) && !is_matrix(type)))
            continue;
        const cm_wavefront_operands operands = {.parts = &one->slots[type][part],
                                                .t = &one->t[at % CM_GPU_CHAINS],
                                                .c = wave->constants[type][0],
                                                .m = wave->constants[type][1],
                                                .y = one->slots[type][(at + 1) % count_of],
                                                .z = one->slots[type][(at + 2) % count_of],
                                                .back = back};
        cm_wavefront_compute(piece->class, &operands);
    }
    if (convert) {
        wave->converting = !back;
        wave->of = at;
    }
}

static void count_branch(const wavefront *wave)
{
    count_class(wave, CM_GPU_BRANCH, 1);
    wave->run->facts[CM_FACT_GPU_LANES + CM_GPU_BRANCH_SLOTS]++;
}

/* Counts a scalar instruction or load. */
static void count_others(const wavefront *wave, cm_gpu_lane_fact fact)
{
    uint64_t *facts = wave->run->facts;
    facts[CM_FACT_GPU_LANES + fact]++;
    facts[CM_FACT_GPU_INSTRUCTIONS]++;
    facts[CM_FACT_GPU_WARP_INSTRUCTIONS]++;
}

/* Executes and counts integer additions of the lanes that are on. */
static void execute_additions(wavefront *wave, unsigned times)
{
    const cm_gpu_piece addition = {CM_GPU_INT_ADD, 1};
    for (unsigned i = 0; i < times; i++)
        execute_next(wave, &addition);
    count_class(wave, CM_GPU_INT_ADD, times);
    count_vectors(wave, false, times);
}

/* Executes a section of the program, its branch or mask included. */
static void execute_section(wavefront *wave, const cm_gpu_section *section)
{
    switch (section->way) {
    case CM_GPU_WAY_SCALAR: count_others(wave, CM_GPU_SCALARS); return;
    case CM_GPU_WAY_SCALAR_LOAD: count_others(wave, CM_GPU_SCALAR_LOADS); return;
    case CM_GPU_WAY_PART:
        count_others(wave, CM_GPU_SCALARS);
        wave->left_out = section->mask;
        execute_additions(wave, CM_GPU_INSIDE);
        wave->left_out = 0;
        count_others(wave, CM_GPU_SCALARS);
        return;
    case CM_GPU_WAY_TESTED: count_others(wave, CM_GPU_SCALARS); break;
    default: break;
    }
    count_branch(wave);
    if (section->way == CM_GPU_WAY_TAKEN)
        wave->turns[CM_GPU_TYPE_I]++; /* past an addition */
    else
        execute_additions(wave, 1);
}

/* Executes and counts one turn of the loop. */
static void execute_turn(wavefront *wave)
{
    const cm_wavefront_program *program = wave->run->program;
    memset(wave->turns, 0, sizeof wave->turns);
    memset(wave->accesses, 0, sizeof wave->accesses);
    wave->converting = false;
    for (size_t i = 0; i < program->piece_count; i++) {
        const cm_gpu_piece *piece = &program->pieces[i];
        const cm_gpu_access *access = cm_gpu_access_of(piece->class);
        const cm_gpu_section *section = cm_gpu_section_of(piece->class);
        for (unsigned k = 0; section != NULL && k < piece->count; k++)
            execute_section(wave, section);
        for (unsigned k = 0; access != NULL && k < piece->count; k++)
            cm_wavefront_execute_access(&wave->place, access, wave->accesses[piece->class]++, wave->cursors);
        if (access != NULL || section != NULL)
            continue;
        for (unsigned k = 0; k < piece->count; k++)
            execute_next(wave, piece);
        count_class(wave, piece->class, piece->count);
        count_vectors(wave, cm_gpu_is_matrix(piece->class), piece->count);
    }
    count_class(wave, CM_GPU_INT_ADD, 1);
    count_class(wave, CM_GPU_COMPARE, 1);
    count_branch(wave);
}

/* Counts the instructions before and behind the loop, once a launched wavefront. */
static void count_around(const cm_wavefront_run *run)
{
    const cm_wavefront_around *around = &run->program->around;
    run->facts[CM_FACT_GPU_INSTRUCTIONS] += around->instructions;
    run->facts[CM_FACT_GPU_WARP_INSTRUCTIONS] += around->instructions;
    run->facts[CM_FACT_GPU_LOADS] += around->loads;
    run->facts[CM_FACT_GPU_STORES] += around->stores;
    run->facts[CM_FACT_GPU_MOVES] += around->moves;
    run->facts[CM_FACT_GPU_LANES + CM_GPU_VECTORS] += around->vectors;
    run->facts[CM_FACT_GPU_LANES + CM_GPU_SCALARS] += around->scalars;
    run->facts[CM_FACT_GPU_LAUNCHED_WARPS]++;
}

static void execute_wavefront(wavefront *wave, unsigned block, unsigned first)
{
    begin_lanes(wave, block, first);
    begin_accesses(wave, block);
    for (uint32_t turn = 0; turn < wave->run->trips && wave->run->program->mask != CM_GPU_NOBODY; turn++)
        execute_turn(wave);
    end_lanes(wave);
    count_around(wave->run);
}

size_t cm_wavefront_reach(const cm_wavefront_run *run)
{
    const cm_gpu_launch launch = {run->blocks, run->threads, run->trips};
    return cm_gpu_memory_capacity(run->program->family, &launch);
}

void cm_wavefront_execute(const cm_wavefront_run *run)
{
    static wavefront wave; /* too large for some stacks; only one thread at a time works for a driver */
    wave.run = run;
    wave.layout = cm_gpu_layout_of(run->program->family);
    run->facts[CM_FACT_GPU_LAUNCHES]++;
    run->facts[CM_FACT_GPU_BLOCKS] += run->blocks;
    run->facts[CM_FACT_GPU_THREADS] += (uint64_t)run->blocks * run->threads;
    cm_hierarchy_begin_launch(run->hierarchy);
    for (unsigned block = 0; block < run->blocks; block++) {
        cm_hierarchy_begin_block(run->hierarchy);
        for (unsigned first = 0; first < run->threads; first += CM_WAVEFRONT)
            execute_wavefront(&wave, block, first);
    }
}
