/* llvm-mca beside the table of ports. */
#include "core/files.h"
#include "core/system.h"
#include "machines/ports/ports.h"

char *cm_port_output_of(const char *const *command, FILE *input)
{
    FILE *output = tmpfile();
    char *text = NULL;
    int ended = 0;
    size_t size = 0;
    if (output == NULL)
        return NULL;
    const int streams[] = {input != NULL ? fileno(input) : -1, fileno(output), -1};
    if (cm_program_run(command, streams, &ended) == 0 && ended == 0) {
        rewind(output);
        cm_stream_text_read(output, command[0], &text, &size, NULL);
    }
    fclose(output);
    if (size != 0)
        return text;
    free(text);
    return NULL;
}

static double figure_behind(const char *printed, const char *label)
{
    const char *found = strstr(printed, label);
    return found != NULL ? strtod(found + strlen(label), NULL) : NAN;
}

double cm_mca_cycles(const char *printed)
{
    return figure_behind(printed, "Total Cycles:") / figure_behind(printed, "Iterations:");
}

double cm_port_mca(const cm_port_model *model, const cm_port_loop *loop)
{
    static const char *const predictors[] = {"llvm-mca-19", "llvm-mca"};
    char processor[CM_PORT_NAME + 8];
    double cycles = NAN;
    FILE *input = model->mca[0] != '\0' && loop->unknown < loop->count ? tmpfile() : NULL;
    if (input == NULL)
        return NAN;
    for (size_t i = 0; i < loop->count; i++)
        fprintf(input, "\t%.*s\n", (int)loop->instructions[i].length, loop->instructions[i].text);
    snprintf(processor, sizeof processor, "-mcpu=%s", model->mca);
    for (size_t i = 0; i < CM_COUNT_OF(predictors) && isnan(cycles) && fflush(input) == 0; i++) {
        const char *const command[] = {
            predictors[i], model->isa == CM_PORT_X86_64 ? "-mtriple=x86_64" : "-mtriple=aarch64", processor, "-", NULL};
        rewind(input);
        char *printed = cm_port_output_of(command, input);
        cycles = printed != NULL ? cm_mca_cycles(printed) : NAN;
        free(printed);
    }
    fclose(input);
    return cycles;
}
