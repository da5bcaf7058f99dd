/* Streaming kernels compiled, timed, and predicted by ports and by llvm-mca. */
#include "machines/roofline.h"

#include <dlfcn.h>
#include <sys/wait.h>

#include "core/files.h"

enum { PATH = 4096, ARRAYS = 24 * 1024 /* bytes of all */ };

/* The arrays of a kernel fit together into the first cache of every processor. */
static const struct {
    const char *name;
    size_t arrays;
} kernels[] = {
    {"INIT", 1},
    {"COPY", 2},
    {"UPDATE", 1},
    {"ADD", 3},
    {"STREAM_TRIAD", 3},
    {"SUM", 1},
    {"PI", 1},
    {"JACOBI_2D_5", 2},
    {"JACOBI_3D_7", 2},
    {"SCHOENAUER_TRIAD", 4},
    {"JACOBI_3D_11", 2},
    {"JACOBI_3D_27", 2},
    {"GAUSS_SEIDEL_2D_5", 1},
};
static const char *const compilers[] = {"gcc", "clang"};
static const char *const levels[] = {"-O1", "-O2", "-O3", "-Ofast"};
static const char *const predictors[] = {"llvm-mca-19", "llvm-mca"};

enum {
    KERNELS = CM_COUNT_OF(kernels),
    COMPILERS = CM_COUNT_OF(compilers),
    LEVELS = CM_COUNT_OF(levels),
    PREDICTORS = CM_COUNT_OF(predictors),
};

/* One kernel of one compiler, until it becomes a row. */
struct job {
    cm_compiled_kernel row;
    void *library;
    cm_timed_kernel timed;
    size_t bytes;        /* of each array */
    double loops_a_turn; /* turns of the main loop in a turn of the kernel */
};

struct streaming {
    const char *directory, *predictor;
    cm_port_model *ports; /* NULL: no table is of this processor */
    char *source;
    size_t count;
    struct job jobs[KERNELS * COMPILERS * LEVELS];
};

static void write_path(const struct streaming *work, const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", work->directory, name);
}

/* Runs a program of the PATH with stdout into a file; true if it exits with 0. */
static bool run_command(const char *const *command, const char *output)
{
    const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int ended = 0;
    const bool good = file >= 0 && cm_program_run(command, (const int[]){-1, file, -1}, &ended) == 0 && ended == 0;
    if (file >= 0)
        close(file);
    return good;
}

/* Takes the first llvm-mca that knows this processor; if there is none, the note gives the reason. */
static cm_status choose_predictor(struct streaming *work, cm_incore *incore, cm_error *error)
{
    cm_machine machine;
    cm_status status = CM_OK;
    char identity[128], output[PATH], note[384];
    cm_machine_read(&machine);
    snprintf(identity, sizeof identity, "%s-%u-%X-%u", machine.vendor, machine.family, machine.model, machine.stepping);
    write_path(work, "version", output);
    incore->kernels_note = "llvm-mca is not installed, so nothing predicts the streaming kernels";
    for (size_t i = 0; i < PREDICTORS && work->predictor == NULL && status == CM_OK; i++) {
        const char *const command[] = {predictors[i], "--version", NULL};
        char *printed = NULL, host[CM_MCA_NAME];
        size_t size = 0;
        bool knows = false;
        if (!run_command(command, output) || cm_file_text_read(output, &printed, &size, NULL) != CM_OK)
            continue;
        status = cm_mca_knows(printed, identity, host, &knows, error);
        free(printed);
        snprintf(note, sizeof note,
                 "%s does not know this processor (%s), for which it takes '%s': it predicts nothing", predictors[i],
                 identity, host);
        if (status == CM_OK && knows)
            work->predictor = predictors[i];
        else if (status == CM_OK && (incore->kernels_note = cm_arena_text(&incore->arena, note)) == NULL)
            status = cm_error_no_memory(error);
    }
    if (work->predictor != NULL)
        incore->kernels_note = NULL;
    return status;
}

/* ---- compiling ---- */

static bool compile_kernel(const struct streaming *work, const cm_compiled_kernel *row)
{
    char assembly[PATH], macro[64];
    write_path(work, "kernel.s", assembly);
    snprintf(macro, sizeof macro, "-D%s", row->kernel);
    const char *const command[] = {row->compiler, row->level, "-march=native", "-fno-builtin", "-fPIC",
                                   "-S",          macro,      work->source,    "-o",           assembly,
                                   NULL};
    return run_command(command, "/dev/null");
}

static void *link_library(const struct streaming *work, const cm_compiled_kernel *row, const char *assembly,
                          const char *name)
{
    char library[PATH];
    write_path(work, name, library);
    const char *const command[] = {row->compiler, "-shared", assembly, "-o", library, NULL};
    void *linked = run_command(command, "/dev/null") ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
    unlink(library); /* it stays as long as it is loaded */
    return linked;
}

/* Runs the body in a child: code for a compiler's native processor may be beyond a virtual machine or QEMU. */
static bool runs_here(void (*body)(uint64_t, const cm_timed_memory *), const cm_timed_memory *memory)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        body(1, memory);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Counts the turns of each loop in one run of the body. */
static bool count_loops(const struct streaming *work, const cm_compiled_kernel *row, const char *text,
                        const cm_loops *loops, const cm_timed_memory *memory, uint64_t counts[CM_LOOPS_MOST])
{
    char assembly[PATH];
    write_path(work, "counted.s", assembly);
    FILE *file = fopen(assembly, "w");
    if (file == NULL)
        return false;
    cm_loops_write_counted(text, loops, file);
    bool written = fclose(file) == 0;
    void *library = written ? link_library(work, row, assembly, "counted.so") : NULL;
    if (library == NULL)
        return false;
    void (*body)(uint64_t, const cm_timed_memory *) = NULL;
    const uint64_t *(*read)(void) = NULL;
    *(void **)&body = dlsym(library, "body");
    *(void **)&read = dlsym(library, "catmint_counts");
    bool found = body != NULL && read != NULL && runs_here(body, memory);
    if (found) {
        body(1, memory);
        memcpy(counts, read(), sizeof(uint64_t) * CM_LOOPS_MOST);
    }
    dlclose(library);
    return found;
}

/* ---- llvm-mca ---- */

double cm_prediction_error(const cm_compiled_kernel *kernel, double predicted)
{
    return (kernel->measured.median - predicted) / kernel->measured.median;
}

/* Cycles of a turn of the loop as llvm-mca predicts them; NaN: it is not there, or fails. */
static double predict_cycles(const struct streaming *work, const char *text, const cm_loop *loop)
{
    char input[PATH], output[PATH], *printed = NULL;
    size_t size = 0;
    double cycles = NAN;
    write_path(work, "loop.s", input);
    write_path(work, "predicted", output);
    FILE *file = fopen(input, "w");
    if (file == NULL)
        return NAN;
    cm_loops_write(text, loop, file);
    const char *const command[] = {work->predictor, "-mcpu=native", input, NULL};
    if (fclose(file) == 0 && work->predictor != NULL && run_command(command, output) &&
        cm_file_text_read(output, &printed, &size, NULL) == CM_OK)
        cycles = cm_mca_cycles(printed);
    free(printed);
    return cycles;
}

/* The same by the table of ports; NaN: there is none, or it lacks an instruction. */
static double predict_by_ports(const struct streaming *work, const char *text, const cm_loop *found)
{
    const cm_port_range range = {found->first, found->last, 0, "loop"};
    cm_port_loop loop = {0};
    const bool known = work->ports != NULL && cm_port_loop_analyse(work->ports, text, &range, &loop, NULL) == CM_OK &&
                       loop.unknown == 0;
    const double cycles = known ? loop.predicted : NAN;
    cm_port_loop_clear(&loop);
    return cycles;
}

/* ---- one kernel ---- */

/* Takes the loop that executes the most instructions; loops for the remaining elements turn only a few times. */
static bool take_main_loop(const struct streaming *work, struct job *job, const char *text,
                           const cm_timed_memory *memory)
{
    cm_loops loops;
    uint64_t counts[CM_LOOPS_MOST] = {0};
    size_t most = 0;
    if (cm_loops_find(text, "kernel", &loops, NULL) != CM_OK || loops.count == 0 ||
        !count_loops(work, &job->row, text, &loops, memory, counts))
        return false;
    for (size_t i = 1; i < loops.count; i++)
        if (counts[i] * cm_loop_instructions(text, &loops.loops[i]) >
            counts[most] * cm_loop_instructions(text, &loops.loops[most]))
            most = i;
    job->loops_a_turn = (double)counts[most];
    job->row.predicted = predict_cycles(work, text, &loops.loops[most]);
    job->row.by_ports = predict_by_ports(work, text, &loops.loops[most]);
    return counts[most] > 0 && (!isnan(job->row.predicted) || !isnan(job->row.by_ports));
}

/* Compiles a kernel and loads it with its main loop's prediction; false: it cannot run or be predicted. */
static bool prepare_job(const struct streaming *work, struct job *job, const cm_timed_memory *memory)
{
    char assembly[PATH], library[64], *text = NULL;
    size_t size = 0;
    write_path(work, "kernel.s", assembly);
    bool ready = compile_kernel(work, &job->row) && cm_file_text_read(assembly, &text, &size, NULL) == CM_OK &&
                 take_main_loop(work, job, text, memory);
    free(text);
    if (!ready)
        return false;
    snprintf(library, sizeof library, "kernel-%zu.so", work->count); /* the loader knows libraries by their names */
    job->library = link_library(work, &job->row, assembly, library);
    if (job->library != NULL)
        *(void **)&job->timed.body = dlsym(job->library, "body");
    job->timed.operation = "schoenauer"; /* four arrays, the most of all kernels */
    return job->timed.body != NULL;
}

/* Prepares every kernel of every compiler and level. */
static void prepare_all(struct streaming *work, const cm_arrays *arrays)
{
    for (size_t c = 0; c < COMPILERS; c++)
        for (size_t l = 0; l < LEVELS; l++)
            for (size_t k = 0; k < KERNELS; k++) {
                struct job *job = &work->jobs[work->count];
                *job = (struct job){.row = {.kernel = kernels[k].name, .compiler = compilers[c], .level = levels[l]},
                                    .bytes = ARRAYS / kernels[k].arrays / CM_TIMED_STEP * CM_TIMED_STEP};
                const cm_timed_memory memory = cm_arrays_fill(arrays, job->bytes);
                if (prepare_job(work, job, &memory))
                    work->count++;
                else if (job->library != NULL)
                    dlclose(job->library);
            }
}

/* ---- all ---- */

/* Adds the times of a job as cycles of its kernel, a loop at a time. */
static cm_status add_row(cm_incore *incore, const struct job *job, const cm_timing *timing, cm_error *error)
{
    if (!CM_GROW_BY_ONE(incore->kernels, incore->kernel_count))
        return cm_error_no_memory(error);
    cm_compiled_kernel *row = &incore->kernels[incore->kernel_count++];
    *row = job->row;
    row->measured = (cm_reading){timing->cycles.median / job->loops_a_turn, timing->cycles.lowest / job->loops_a_turn,
                                 timing->cycles.highest / job->loops_a_turn};
    row->undisturbed = timing->undisturbed;
    return CM_OK;
}

/* Times the compiled loops, and adds a row for each. */
static cm_status time_all(cm_incore *incore, const cm_timing_options *options, const struct streaming *work,
                          cm_error *error)
{
    cm_timing *timings = calloc(work->count + 1, sizeof *timings);
    if (timings == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < work->count; i++)
        timings[i] = (cm_timing){.kernel = &work->jobs[i].timed, .bytes = work->jobs[i].bytes};
    cm_status status = work->count > 0 ? cm_time_kernels(options, timings, work->count, error) : CM_OK;
    for (size_t i = 0; i < work->count && status == CM_OK; i++)
        status = add_row(incore, &work->jobs[i], &timings[i], error);
    free(timings);
    return status;
}

/* Prepares all kernels and times them. */
static cm_status measure_jobs(cm_incore *incore, const cm_timing_options *options, struct streaming *work,
                              cm_error *error)
{
    cm_arrays arrays = {0};
    cm_status status = cm_arrays_map(&arrays, ARRAYS, error);
    if (status == CM_OK) {
        prepare_all(work, &arrays);
        if (work->count == 0 && incore->kernels_note == NULL)
            incore->kernels_note = "neither gcc nor clang made kernels that run here and that llvm-mca could predict";
        status = time_all(incore, options, work, error);
    }
    for (size_t i = 0; i < work->count; i++)
        dlclose(work->jobs[i].library);
    cm_arrays_unmap(&arrays);
    return status;
}

cm_status cm_streaming_measure(cm_incore *incore, const cm_timing_options *options, const char *directory,
                               cm_error *error)
{
    if (!cm_loops_are_known()) {
        incore->kernels_note = "the loops of the streaming kernels are found in assembly of x86-64 alone";
        return CM_OK;
    }
    struct streaming *work = calloc(1, sizeof *work);
    if (work == NULL)
        return cm_error_no_memory(error);
    work->directory = directory;
    cm_status status = choose_predictor(work, incore, error);
    CM_THEN(status, cm_port_model_load_own(&work->ports, error));
    const bool any = work->predictor != NULL || work->ports != NULL;
    if (status == CM_OK && any)
        status = cm_data_path("data/streaming/kernels.c", &work->source, error);
    incore->predictor = work->predictor;
    incore->ports = work->ports != NULL ? cm_arena_text(&incore->arena, work->ports->name) : NULL;
    if (status == CM_OK && any)
        status = measure_jobs(incore, options, work, error);
    cm_port_model_free(work->ports);
    CM_FREE(work->source, work);
    return status;
}
