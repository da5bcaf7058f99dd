#include "gpu/gpu.h"

#include <sys/wait.h>

#include "core/files.h"
#include "core/system.h"

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

/* *text is NULL if the program is not installed. If its exit status is unknown, the text alone decides. */
static cm_status run_disassembler(const struct disassembler *program, const char *path, char **text, cm_error *error)
{
    const char *const plain[] = {program->name, path, NULL}, *const with[] = {program->name, program->option, path,
                                                                              NULL};
    FILE *output = tmpfile();
    int ended = 0;
    size_t size = 0;
    if (output == NULL)
        return cm_error_io(error, NULL, "no temporary file can be made");
    const int streams[] = {STDIN_FILENO, fileno(output), STDERR_FILENO};
    const int failed = cm_program_run(program->option != NULL ? with : plain, streams, &ended);
    cm_status status = CM_OK;
    if (failed == 0 && ended != 0 && ended != CM_PROGRAM_UNKNOWN) {
        status = CM_FAIL(error, CM_UNSUPPORTED, "%s does not take the driver's code: %s %d", program->name,
                         WIFEXITED(ended) ? "exit status" : "signal",
                         WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended));
    } else if (failed == 0) {
        rewind(output);
        status = cm_stream_text_read(output, program->name, text, &size, error);
    } else if (failed != ENOENT) {
        status = CM_FAIL(error, CM_UNSUPPORTED, "%s cannot be run: %s", program->name, strerror(failed));
    }
    fclose(output);
    return status;
}

cm_status cm_gpu_disassemble(const void *code, size_t size, char **text, cm_error *error)
{
    char path[CM_TEMPORARY_SIZE];
    *text = NULL;
    int file = cm_temporary_file(path);
    cm_status status = file >= 0 ? write_all(file, path, code, size, error)
                                 : cm_error_io(error, path, "no temporary file can be made");
    for (size_t i = 0; status == CM_OK && *text == NULL && i < CM_COUNT_OF(disassemblers); i++)
        status = run_disassembler(&disassemblers[i], path, text, error);
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
