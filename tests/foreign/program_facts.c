/* program_facts create FILE BITS | read FILE: a file of a whole program's facts, read as lines of names and numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "software_pmu/qemu/program_facts.h"

static const cm_pmu_machine machine = {.line_size = 64,
                                       .page_size = 4096,
                                       .l1d_size = 32768,
                                       .l1d_ways = 8,
                                       .predictor = "tage",
                                       .wrong_path_window = 32,
                                       .interrupt_every = 1000,
                                       .interrupt_instructions = 64};

static cm_status print(const char *path, cm_error *error)
{
    uint64_t *facts = calloc(cm_fact_count(), sizeof *facts);
    cm_program_summary summary;
    cm_status status = facts != NULL ? cm_program_facts_read(path, facts, &summary, error) : CM_NO_MEMORY;
    if (status == CM_OK) {
        printf("threads %" PRIu64 "\nuncounted %" PRIu64 "\nother_programs %" PRIu64 "\n", summary.threads,
               summary.uncounted, summary.other_programs);
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            printf("%s %" PRIu64 "\n", cm_fact_name(fact), facts[fact]);
    }
    free(facts);
    return status;
}

int main(int argc, char **argv)
{
    cm_error error = {0};
    cm_status status = CM_BAD_ARGUMENT;
    if (argc == 4 && strcmp(argv[1], "create") == 0)
        status = cm_program_facts_create(argv[2], &machine, (unsigned)atoi(argv[3]), false, NULL, &error);
    else if (argc == 3 && strcmp(argv[1], "read") == 0)
        status = print(argv[2], &error);
    if (status != CM_OK)
        fprintf(stderr, "%s\n", error.text);
    return (int)status;
}
