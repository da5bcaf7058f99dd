/* llvm-mca beside the table of ports. */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machines/ports/ports.h"

extern char **environ;

enum { MOST = 64 << 20 };

char *cm_port_output_of(const char *const *command, FILE *input)
{
    posix_spawn_file_actions_t actions;
    int ends[2], status = -1;
    pid_t process = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    if (input != NULL)
        posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char *const *arguments = (char *const *)(uintptr_t)command; /* posix_spawn does not change them */
    const bool started = posix_spawnp(&process, command[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char *text = NULL;
    size_t size = 0, used = 0;
    FILE *stream = started ? fdopen(ends[0], "r") : NULL;
    while (stream != NULL && !feof(stream) && used < MOST) {
        char *grown = size - used < 2 ? realloc(text, size = 2 * size + 4096) : text;
        if (grown == NULL)
            break;
        text = grown;
        const size_t got = fread(text + used, 1, size - used - 1, stream);
        used += got;
        text[used] = '\0';
        if (got == 0)
            break;
    }
    stream != NULL ? fclose(stream) : close(ends[0]);
    const bool ended =
        started && waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ended || used == 0) {
        free(text);
        return NULL;
    }
    return text;
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
