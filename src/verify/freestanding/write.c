/* Files of an emitted directory: copies of catmint's sources, and files by instruction set and options. */
#include <inttypes.h>

#include <catmint/data_path.h>

#include "verify/freestanding/freestanding.h"

/* Sources of catmint: %s is the directory of an instruction set's kernels, or that of its start. */
typedef enum origin { SHARED, KERNELS, PROGRAM, TARGET } origin;
static const char *const directories[] = {[SHARED] = "cat-kernels/",
                                          [KERNELS] = "cat-kernels/%s/",
                                          [PROGRAM] = "cat-kernels/freestanding/",
                                          [TARGET] = "cat-kernels/freestanding/%s/"};
typedef struct source {
    origin origin;
    const char *name;
    const char *benchmark; /* whose kernels it has, NULL: all want it */
    bool compiled;
} source;
static const source sources[] = {
    {PROGRAM, "README.md", NULL, false},
    {PROGRAM, "Makefile", NULL, false},
    {TARGET, "target.mk", NULL, false},
    {TARGET, "link.ld", NULL, false},
    {PROGRAM, "harness.h", NULL, false},
    {PROGRAM, "main.c", NULL, true},
    {TARGET, "hooks.c", NULL, true},
    {TARGET, "start.S", NULL, true},
    {TARGET, "measure.S", NULL, true},
    {KERNELS, "body.inc", NULL, false},
    {SHARED, "payload.inc", "cpu-flops", false},
    {KERNELS, "flops.inc", "cpu-flops", false},
    {KERNELS, "flops.S", "cpu-flops", true},
    {KERNELS, "flops_control.S", "cpu-flops", true},
    {KERNELS, "flops_free.S", "cpu-flops", true},
    {SHARED, "branch_loops.inc", "branch", false},
    {SHARED, "jump_loops.inc", "branch", false},
    {KERNELS, "branch.inc", "branch", false},
    {KERNELS, "branch.S", "branch", true},
    {KERNELS, "calls.S", "branch", true},
    {KERNELS, "jumps.S", "branch", true},
    {SHARED, "mem_ops_loops.inc", "mem-ops", false},
    {KERNELS, "mem_ops.S", "mem-ops", true},
    {SHARED, "instruction_loops.inc", "instructions", false},
    {KERNELS, "instructions.S", "instructions", true},
    {KERNELS, "core.S", "core", true},
    {TARGET, "works.inc", CM_EMITTED_PROGRAMS, false},
};
enum { SOURCES = CM_COUNT_OF(sources) };

static bool is_wanted(const cm_emission *emission, const source *from)
{
    return from->benchmark == NULL || cm_emit_has(emission, from->benchmark);
}

/* ---- files that depend on the options ---- */

static void write_config_h(const cm_emission *emission, FILE *stream)
{
    const char *const *fixed = emission->isa.fixed;
    fprintf(stream,
            "#define CM_ISA \"%s\"\n#define CM_COUNTERS %zu\n#define CM_FIXED %d\n#define CM_FIXED_NAMES \"%s\"",
            emission->isa.text, emission->counters, fixed[1] != NULL ? 2 : 1, fixed[0]);
    if (fixed[1] != NULL)
        fprintf(stream, ", \"%s\"", fixed[1]);
    fputc('\n', stream);
}

/* The options of the compiler and of QEMU, and the sources, for make. */
static void write_config_mk(const cm_emission *emission, FILE *stream)
{
    const cm_emit_isa *isa = &emission->isa;
    if (strcmp(emission->isa.family, "riscv") == 0) {
        const char *floats = cm_emit_isa_has(isa, "d") ? "d" : cm_emit_isa_has(isa, "f") ? "f" : "";
        fprintf(stream, "CM_ISA = %s\nCM_ABI = %s%s\nCM_QEMU_CPU = rv%d%s\n", isa->text, isa->wide ? "lp64" : "ilp32",
                floats, isa->wide ? 64 : 32, cm_emit_isa_has(isa, "zfh") ? ",Zfh=true" : "");
    } else {
        fprintf(stream, "CM_ARCH = armv8-a%s\nCM_QEMU_CPU = max\n", isa->text + strlen("aarch64"));
    }
    fprintf(stream, "CM_QEMU = %s\nCM_CLANG_TARGET = %s-unknown-elf\nCM_TURNS = %zu\nCM_SOURCES =", isa->architecture,
            isa->architecture, emission->turns);
    for (size_t i = 0; i < SOURCES; i++)
        if (sources[i].compiled && is_wanted(emission, &sources[i]))
            fprintf(stream, " %s", sources[i].name);
    fputs(emission->programs != NULL ? " programs.S\n" : "\n", stream);
}

/* The function of a kernel, as the sources call it. */
static void write_symbol(const cm_kernel_facts *kernel, FILE *stream)
{
    fprintf(stream, "cm_kernel_%s",
            strcmp(kernel->benchmark, "instructions") == 0 ? "ins_"
            : strcmp(kernel->benchmark, "core") == 0       ? "core_"
                                                           : "");
    for (const char *at = kernel->kernel; *at != '\0'; at++)
        fputc(*at == '.' || *at == '-' ? '_' : *at, stream);
}

static void write_kernels_h(const cm_emission *emission, FILE *stream)
{
    for (size_t i = 0; i < emission->kernel_count; i++) {
        fprintf(stream, "KERNEL(\"%s\", \"%s\", ", emission->kernels[i]->benchmark, emission->kernels[i]->kernel);
        write_symbol(emission->kernels[i], stream);
        fputs(")\n", stream);
    }
}

/* The programs: macros of works.inc. The first one does nothing. */
static void write_programs_s(const cm_emission *emission, FILE *stream)
{
    const cm_emitted_programs *programs = emission->programs;
    fputs("#include \"works.inc\"\n", stream);
    for (size_t i = 0; i < programs->count; i++) {
        const cm_emitted_program *program = &programs->items[i];
        fprintf(stream, "\n        KERNEL  program_%zu_%llu\n", i, (unsigned long long)programs->seed);
        if (program->count == 0)
            fputs("        ret\n", stream);
        else
            fputs("        BEGIN\n", stream);
        for (size_t k = 0; k < program->count; k++)
            fprintf(stream, "        WORK_%s\n", programs->works[program->works[k]]);
        if (program->count > 0)
            fputs("        LOOP\n", stream);
        fprintf(stream, "        END     program_%zu_%llu\n", i, (unsigned long long)programs->seed);
    }
}

static void write_events_h(const cm_emission *emission, FILE *stream)
{
    for (size_t i = 0; i < emission->event_count; i++)
        fprintf(stream, "EVENT(\"%s\", 0x%" PRIx64 ")\n", emission->events[i].name, emission->events[i].value);
}

/* Writes a sum of primitive facts as a field. */
static void write_sum(const cm_fact_table *facts, const double *values, FILE *stream)
{
    bool first = true;
    fputc(',', stream);
    for (size_t i = 0; i < facts->primitive_count; i++) {
        double value = values[facts->primitives[i]];
        if (value == 0.0)
            continue;
        fputs(first ? "" : " + ", stream);
        if (value != 1.0)
            fprintf(stream, "%.12g*", value);
        fputs(cm_fact_name(facts->primitives[i]), stream);
        first = false;
    }
}

/* The facts of each kernel's turn, which an import of its counts needs. */
static void write_kernels_csv(const cm_emission *emission, FILE *stream)
{
    static const char *const roles[] = {
        [CM_KERNEL_BASIS] = "basis", [CM_KERNEL_CONTROL] = "control", [CM_KERNEL_FREE] = "free"};
    fprintf(stream,
            "# What one turn of each kernel does on %s, in catmint's primitive "
            "facts.\nbenchmark,kernel,role,facts,chance,range\n",
            emission->isa.text);
    for (size_t i = 0; i < emission->kernel_count; i++) {
        const cm_kernel_facts *kernel = emission->kernels[i];
        fprintf(stream, "%s,%s,%s", kernel->benchmark, kernel->kernel, roles[kernel->role]);
        write_sum(emission->facts, kernel->values, stream);
        write_sum(emission->facts, kernel->chances, stream);
        write_sum(emission->facts, kernel->ranges, stream);
        fputc('\n', stream);
    }
}

static const struct {
    const char *name;
    void (*write)(const cm_emission *emission, FILE *stream);
} made[] = {
    {"config.h", write_config_h}, {"config.mk", write_config_mk},     {"kernels.h", write_kernels_h},
    {"events.h", write_events_h}, {"kernels.csv", write_kernels_csv}, {"programs.S", write_programs_s},
};
enum { MADE = CM_COUNT_OF(made) };

static size_t made_count(const cm_emission *emission)
{
    return emission->programs != NULL ? MADE : MADE - 1;
}

/* ---- the directory ---- */

/* Writes a source; all files lie in one directory, so that none is included by a path. */
static void write_copy(const char *text, FILE *stream)
{
    static const char path[] = "\"cat-kernels/";
    for (const char *next; (next = strstr(text, path)) != NULL; text = next + strlen(path))
        fprintf(stream, "%.*s\"", (int)(next - text), text);
    fputs(text, stream);
}

/* Opens a file of the directory. */
static cm_status open_file(cm_directory *directory, const char *name, cm_output **output, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_directory_file(directory, name, &path, error);
    return status == CM_OK ? cm_output_create(path, output, error) : status;
}

/* Copies a source file that comes with catmint into the emission's directory. */
static cm_status copy_source(const cm_emission *emission, const source *from, cm_directory *directory, cm_error *error)
{
    char name[256], *path = NULL, *text = NULL;
    size_t size = 0;
    cm_output *output = NULL;
    int used = from->origin == KERNELS || from->origin == TARGET
                   ? snprintf(name, sizeof name, directories[from->origin],
                              from->origin == KERNELS ? emission->isa.sources : emission->isa.family)
                   : snprintf(name, sizeof name, "%s", directories[from->origin]);
    snprintf(name + used, sizeof name - (size_t)used, "%s", from->name);
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, cm_file_text_read(path, &text, &size, error));
    CM_THEN(status, open_file(directory, from->name, &output, error));
    if (status == CM_OK) {
        write_copy(text, cm_output_stream(output));
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    CM_FREE(text, path);
    return status;
}

/* Writes one of the files that depend on the instruction set. */
static cm_status make_file(const cm_emission *emission, size_t index, cm_directory *directory, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = open_file(directory, made[index].name, &output, error);
    if (status == CM_OK) {
        made[index].write(emission, cm_output_stream(output));
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    return status;
}

cm_status cm_emit_write(const cm_emission *emission, size_t *files, cm_error *error)
{
    static const cm_directory_kind kind = {".catmint-kernels", ".kernels-", "earlier kernels"};
    const char *names[SOURCES + MADE];
    cm_directory *opened = NULL;
    *files = 0;
    for (size_t i = 0; i < SOURCES; i++)
        if (is_wanted(emission, &sources[i]))
            names[(*files)++] = sources[i].name;
    for (size_t i = 0; i < made_count(emission); i++)
        names[(*files)++] = made[i].name;
    cm_status status = cm_directory_open(emission->options->directory, &kind, names, *files, &opened, error);
    if (status == CM_OK)
        cm_directory_clean(opened);
    for (size_t i = 0; status == CM_OK && i < SOURCES; i++)
        if (is_wanted(emission, &sources[i]))
            status = copy_source(emission, &sources[i], opened, error);
    for (size_t i = 0; status == CM_OK && i < made_count(emission); i++)
        status = make_file(emission, i, opened, error);
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.kernels/1", "isa", emission->isa.text);
    return cm_directory_end(opened, status, record, error);
}
