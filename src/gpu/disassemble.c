#include "gpu/gpu.h"

#include <spawn.h>
#include <sys/wait.h>

#include "core/files.h"

extern char **environ;

static const struct disassembler {
    const char *name, *option; /* NULL: none */
} disassemblers[] = {{"nvdisasm", NULL}, {"cuobjdump", "-sass"}};

/* Writes all bytes, however few of them a call takes. */
static cm_status write_all(int file, const char *path, const char *from, size_t size, cm_error *error)
{
    while (size != 0) {
        ssize_t written = write(file, from, size);
        if (written < 0 && errno != EINTR)
            return cm_error_io(error, path, "cannot be written");
        from += written > 0 ? written : 0;
        size -= (size_t)(written > 0 ? written : 0);
    }
    return CM_OK;
}

/* Writes a temporary file; *file is its descriptor, -1 on failure. */
static cm_status write_temporary(const void *code, size_t size, char path[CM_TEMPORARY_SIZE], int *file,
                                 cm_error *error)
{
    *file = cm_temporary_file(path);
    return *file >= 0 ? write_all(*file, path, code, size, error)
                      : cm_error_io(error, path, "no temporary file can be made");
}

/* Starts the program; returns 0, or the number of the system's error. */
static int start_program(const struct disassembler *program, char *path, int output, pid_t *process)
{
    char *const words[] = {(char *)program->name, program->option != NULL ? (char *)program->option : path,
                           program->option != NULL ? path : NULL, NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (failed == 0)
        failed = posix_spawnp(process, program->name, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* If the system reaps children, the program's exit status is unknown: then the text alone decides. */
static cm_status wait_for(pid_t process, const char *name, cm_error *error)
{
    int ended = 0;
    pid_t found;
    while ((found = waitpid(process, &ended, 0)) < 0 && errno == EINTR)
        ;
    if (found != process || (WIFEXITED(ended) && WEXITSTATUS(ended) == 0))
        return CM_OK;
    return CM_FAIL(error, CM_UNSUPPORTED, "%s does not take the driver's code: %s %d", name,
                   WIFEXITED(ended) ? "exit status" : "signal",
                   WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
}

/* *text is NULL if the program is not installed. */
static cm_status run_program(const struct disassembler *program, char *path, char **text, cm_error *error)
{
    FILE *output = tmpfile();
    pid_t process = 0;
    size_t size = 0;
    if (output == NULL)
        return cm_error_io(error, NULL, "no temporary file can be made");
    int failed = start_program(program, path, fileno(output), &process);
    cm_status status = CM_OK;
    if (failed != 0 && failed != ENOENT)
        status = CM_FAIL(error, CM_UNSUPPORTED, "%s cannot be run: %s", program->name, strerror(failed));
    if (failed == 0)
        status = wait_for(process, program->name, error);
    if (failed == 0 && status == CM_OK) {
        rewind(output);
        status = cm_stream_text_read(output, program->name, text, &size, error);
    }
    fclose(output);
    return status;
}

cm_status cm_gpu_disassemble(const void *code, size_t size, char **text, cm_error *error)
{
    char path[CM_TEMPORARY_SIZE];
    int file = -1;
    *text = NULL;
    cm_status status = write_temporary(code, size, path, &file, error);
    for (size_t i = 0; status == CM_OK && *text == NULL && i < CM_COUNT_OF(disassemblers); i++)
        status = run_program(&disassemblers[i], path, text, error);
    if (file >= 0) {
        unlink(path);
        close(file);
    }
    if (status == CM_OK && *text == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "machine code is not checked: neither nvdisasm nor cuobjdump is in PATH; both come with "
                       "NVIDIA's CUDA toolkit (Debian: nvidia-cuda-toolkit)");
    return status;
}
