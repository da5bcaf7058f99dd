/* The file in which plugin and catmint share a program's facts. */
#include "software_pmu/qemu/program_facts.h"

#include "core/files.h"

enum { FILE_SIZE = CM_PROGRAM_SLOTS_AT + CM_PROGRAM_SLOTS * CM_PROGRAM_SLOT_SIZE };

/* Leaves the machine no caches, TLBs, predictor and neighbour. */
static void make_bare(cm_pmu_machine *machine)
{
    machine->l1d_size = machine->l2_size = machine->l3_size = machine->l1i_size = 0;
    machine->dtlb_entries = machine->dtlb_huge_entries = machine->itlb_entries = 0;
    machine->stlb_entries = machine->istlb_entries = 0;
    machine->predictor[0] = '\0';
    machine->interference = 0.0;
}

/* Fills the head of a file of facts: its shape, its machine, and the facts that are wanted. */
static void fill_header(cm_program_header *header, const cm_pmu_machine *machine, unsigned vector_bits,
                        unsigned dependences, const bool *wanted)
{
    *header = (cm_program_header){.magic = CM_PROGRAM_MAGIC,
                                  .fact_count = CM_FACT_COUNT,
                                  .slot_count = CM_PROGRAM_SLOTS,
                                  .slots_at = CM_PROGRAM_SLOTS_AT,
                                  .slot_size = CM_PROGRAM_SLOT_SIZE,
                                  .dependences = dependences,
                                  .vector_bits = vector_bits,
                                  .machine = *machine};
    if ((dependences & CM_PROGRAM_BARE) != 0)
        make_bare(&header->machine);
    for (size_t fact = 0; fact < CM_FACT_COUNT; fact++) {
        snprintf(header->names[fact], CM_PROGRAM_NAME, "%s", cm_fact_name(fact));
        header->wanted[fact] = wanted == NULL || wanted[fact];
    }
}

/* On a full disk, or at a limit, a write may take only the first part; the next write gives the reason. */
static bool write_all(int file, const void *bytes, size_t size)
{
    ssize_t written = 0;
    for (const char *at = bytes; size > 0 && (written = write(file, at, size)) > 0; at += written)
        size -= (size_t)written;
    return size == 0;
}

cm_status cm_program_facts_create(const char *path, const cm_pmu_machine *machine, unsigned vector_bits,
                                  unsigned dependences, const bool *wanted, cm_error *error)
{
    cm_program_header *header = malloc(sizeof *header);
    if (header == NULL)
        return cm_error_no_memory(error);
    fill_header(header, machine, vector_bits, dependences, wanted);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = file >= 0 && write_all(file, header, sizeof *header) &&
                   ftruncate(file, FILE_SIZE) == 0; /* the rest are zeros, which take no space */
    cm_status status = written ? CM_OK : cm_error_io(error, path, "cannot be written");
    if (file >= 0)
        close(file);
    free(header);
    return status;
}

/* Reads how much of a program was counted; a file of another version is bad input. */
static cm_status read_header(int file, const char *path, cm_program_summary *summary, cm_error *error)
{
    cm_program_header *header = malloc(sizeof *header);
    if (header == NULL)
        return cm_error_no_memory(error);
    bool ours = pread(file, header, sizeof *header, 0) == (ssize_t)sizeof *header && cm_program_is_ours(header);
    if (ours)
        *summary = (cm_program_summary){header->threads, header->uncounted, header->other_programs, header->unfinished,
                                        header->handlers};
    free(header);
    return ours ? CM_OK : cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no file of facts of this version of catmint");
}

bool cm_program_facts_has(size_t fact)
{
    return fact != CM_FACT_TSC_CYCLES && (fact < CM_FACT_GPU || fact > CM_FACT_GPU_THREADS) &&
           (fact < CM_FACT_GPU_MATRIX_F16_OPS || fact > CM_FACT_GPU_LANES_END);
}

bool cm_program_facts_has_untimed(size_t fact)
{
    return cm_program_facts_has(fact) && !cm_fact_is_of_time(fact);
}

/* Adds the facts of all threads. */
static cm_status add_slots(int file, const char *path, uint64_t *facts, cm_error *error)
{
    for (size_t slot = 0; slot < CM_PROGRAM_SLOTS; slot++) {
        uint64_t of_slot[CM_FACT_COUNT];
        off_t at = (off_t)(CM_PROGRAM_SLOTS_AT + slot * CM_PROGRAM_SLOT_SIZE);
        if (pread(file, of_slot, sizeof of_slot, at) != (ssize_t)sizeof of_slot)
            return cm_error_io(error, path, "cannot be read");
        for (size_t fact = 0; fact < CM_FACT_COUNT; fact++)
            facts[fact] += of_slot[fact];
    }
    return CM_OK;
}

cm_status cm_program_facts_read(const char *path, uint64_t *facts, cm_program_summary *summary, cm_error *error)
{
    int file = cm_input_descriptor(AT_FDCWD, path, 0);
    if (file < 0)
        return cm_error_io(error, path, "cannot be read");
    memset(facts, 0, CM_FACT_COUNT * sizeof *facts);
    cm_status status = read_header(file, path, summary, error);
    CM_THEN(status, add_slots(file, path, facts, error));
    close(file);
    return status;
}

cm_status cm_program_stepper(char **path, cm_error *error)
{
    cm_status status = cm_plugin_path("libcatmint_step.so", path, error);
    if (status == CM_OK && *path == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "programs are stepped on x86-64 alone, by libcatmint_step.so, which is not in lib/catmint "
                       "beside this program");
    return status;
}

cm_status cm_program_plugin(const char *architecture, char **path, cm_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "libcatmint_qemu_%s.so", architecture);
    cm_status status = cm_plugin_path(name, path, error);
    if (status == CM_OK && *path == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "catmint's plugin of QEMU for %s (%s) is not in lib/catmint beside this program: 'cmake --build "
                       "build --target catmint_qemu_%s' builds it; where QEMU emulates this one, count with the "
                       "catmint of the machine that it runs on",
                       architecture, name, architecture);
    return status;
}
