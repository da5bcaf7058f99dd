/* Signs files and verifies signatures by ssh-keygen -Y: OpenSSH manages keys, agents and lists of signers. */
#include <catmint/bundle.h>

#include "core/files.h"
#include "core/system.h"

#define PROGRAM "ssh-keygen"
#define NAMESPACE "catmint-bundle"
#define SIGNATURE_HEAD "-----BEGIN SSH SIGNATURE-----"

/* Output of the program. */
struct answer {
    char *out, *err; /* err is without the end of its last line */
};

static void clear_answer(struct answer *answer)
{
    CM_FREE(answer->out, answer->err);
}

static cm_status read_back(FILE *stream, char **text, cm_error *error)
{
    size_t size = 0;
    rewind(stream);
    return cm_stream_text_read(stream, PROGRAM, text, &size, error);
}

/* Checks that the paths are regular files, because the program waits for pipes and reads files as a whole: the bundle
 * first, then small ones. Missing files are reported by the program. */
static cm_status check_files(const char *const *paths, size_t count, cm_error *error)
{
    enum { MOST = 1 << 20 };
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        struct stat found;
        FILE *stream = NULL;
        if (i == 0 || access(paths[i], F_OK) == 0)
            status = cm_error_of_input(cm_input_open(paths[i], &stream, error), error);
        if (status == CM_OK && i > 0 && stream != NULL && fstat(fileno(stream), &found) == 0 && found.st_size > MOST)
            status = cm_error_set(error, CM_BAD_INPUT, paths[i], 0, 0, "it is larger than %d bytes", MOST);
        if (stream != NULL)
            fclose(stream);
    }
    return status;
}

/* Runs the program with a file as input. *good: it succeeded. Clear the answer in any case. */
static cm_status run_program(const char *const *command, const char *input, struct answer *answer, bool *good,
                             cm_error *error)
{
    FILE *streams[3] = {NULL};
    int descriptors[3], ended = 0, failed = 0;
    cm_status status = CM_OK;
    *answer = (struct answer){0};
    for (size_t i = 0; i < 3 && failed == 0; i++) {
        streams[i] = i == STDIN_FILENO ? cm_input_stream(input) : tmpfile();
        failed = streams[i] != NULL ? 0 : errno != 0 ? errno : EIO;
        descriptors[i] = streams[i] != NULL ? fileno(streams[i]) : -1;
    }
    if (failed == 0)
        failed = cm_program_run(command, descriptors, &ended);
    if (failed == ENOENT && access(input, R_OK) == 0)
        status = CM_FAIL(error, CM_UNSUPPORTED, PROGRAM " is not installed, which signatures need (OpenSSH's client)");
    else if (failed != 0)
        status = CM_FAIL(error, CM_IO, PROGRAM " cannot be run: %s", strerror(failed));
    *good = status == CM_OK && ended == 0;
    CM_THEN(status, read_back(streams[STDOUT_FILENO], &answer->out, error));
    CM_THEN(status, read_back(streams[STDERR_FILENO], &answer->err, error));
    if (answer->err != NULL)
        answer->err[strcspn(answer->err, "\r\n")] = '\0';
    for (size_t i = 0; i < 3; i++)
        if (streams[i] != NULL)
            fclose(streams[i]);
    return status;
}

cm_status cm_bundle_check_signature_place(const char *signature, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    if (access(signature, F_OK) == 0 && cm_file_text_read(signature, &text, &size, NULL) == CM_OK &&
        strncmp(text, SIGNATURE_HEAD, strlen(SIGNATURE_HEAD)) != 0) {
        free(text);
        return cm_error_set(error, CM_IO, signature, 0, 0,
                            "it is no signature, so it is not replaced: move it away, or name another bundle");
    }
    free(text);
    return cm_output_check(signature, error);
}

/* Writes a text into a file. */
static cm_status save_text(const char *path, const char *text, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        fputs(text, cm_output_stream(output));
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    return status;
}

cm_status cm_bundle_sign(const char *path, const char *key, const char *signature, cm_error *error)
{
    const char *const command[] = {PROGRAM, "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, NULL};
    struct answer answer = {0};
    bool good;
    cm_status status = check_files((const char *const[]){path, key}, 2, error);
    CM_THEN(status, run_program(command, path, &answer, &good, error));
    if (status == CM_OK && (!good || strncmp(answer.out, SIGNATURE_HEAD, strlen(SIGNATURE_HEAD)) != 0))
        status = cm_error_set(error, CM_UNSUPPORTED, key, 0, 0, PROGRAM " does not sign with it: %.300s", answer.err);
    CM_THEN(status, save_text(signature, answer.out, error));
    clear_answer(&answer);
    return status;
}

static cm_status refuse_signature(const char *signature, const char *signers, const char *words, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, signature, 0, 0,
                        "is no signature of this bundle by anybody whom %s lists: %.300s", signers, words);
}

cm_status cm_bundle_verify(const char *path, const char *signature, const char *signers, char **signer, cm_error *error)
{
    const char *const finding[] = {PROGRAM, "-Y", "find-principals", "-s", signature, "-f", signers, NULL};
    struct answer found = {0}, verified = {0};
    bool good;
    cm_status status = check_files((const char *const[]){path, signature, signers}, 3, error);
    CM_THEN(status, run_program(finding, path, &found, &good, error));
    if (status == CM_OK && !good)
        status = refuse_signature(signature, signers, found.err, error);
    if (status == CM_OK) {
        found.out[strcspn(found.out, "\r\n")] = '\0';
        const char *const command[] = {PROGRAM,   "-Y", "verify",  "-f", signers,   "-I",
                                       found.out, "-n", NAMESPACE, "-s", signature, NULL};
        status = run_program(command, path, &verified, &good, error);
    }
    if (status == CM_OK && !good)
        status = refuse_signature(signature, signers, verified.err[0] != '\0' ? verified.err : verified.out, error);
    if (status == CM_OK) {
        *signer = found.out;
        found.out = NULL;
    }
    clear_answer(&found);
    clear_answer(&verified);
    return status;
}
