#include <dlfcn.h>

#include "cat-kernels/registry.h"
#include "core/files.h"
#include "core/system.h"
#include "verify/snippet/snippet.h"

enum { SOFTWARE_TURNS = 16, WORDS = 8 };

const char *const cm_snippet_benchmark = "measure";

/* The system's C compiler, which calls the assembler and the linker. */
static const char *compiler(void)
{
    const char *named = getenv("CC");
    return named != NULL && named[0] != '\0' ? named : "cc";
}

/* Runs the compiler; *said is its output, NULL if it succeeded. */
static cm_status compile_words(const char *const words[WORDS], char **said, cm_error *error)
{
    FILE *output = tmpfile();
    int ended = 0;
    size_t size = 0;
    if (output == NULL)
        return cm_error_io(error, NULL, "no temporary file can be made");
    const int failed = cm_program_run(words, (const int[]){STDIN_FILENO, fileno(output), fileno(output)}, &ended);
    rewind(output);
    cm_status status = CM_OK;
    if (failed != 0)
        status = CM_FAIL(error, CM_UNSUPPORTED,
                         "no assembler: the compiler '%.100s' cannot be run: %s: install gcc or clang, or name one in "
                         "the variable CC",
                         words[0], strerror(failed));
    else if (ended != 0 && ended != CM_PROGRAM_UNKNOWN)
        status = cm_stream_text_read(output, words[0], said, &size, error);
    fclose(output);
    return status;
}

/* The first complaint, "add.s:3: Error: no such instruction: ...", or clang's "add.s:3:2: error: ...": its words, of
 * *length bytes, and its line if it is of the file, else 0. The linker's own is its line of missing symbols. */
static const char *find_complaint(const char *said, const char *file, int *length, size_t *line)
{
    const char *at = strstr(said, "undefined reference"), *words = at;
    if (at == NULL)
        at = strcasestr(said, "error:");
    const char *begin = at != NULL ? at : said;
    while (begin > said && begin[-1] != '\n')
        begin--;
    const size_t name = strlen(file);
    *line = strncmp(begin, file, name) == 0 && begin[name] == ':' ? strtoul(begin + name + 1, NULL, 10) : 0;
    if (words == NULL)
        words = at != NULL ? at + strlen("error:") : said;
    words += strspn(words, " ");
    *length = (int)strcspn(words, "\n");
    return words;
}

/* Compiles `source`; the snippet's error begins with `fault`, and has the line if the compiler names `source`. */
static cm_status compile_for(const char *file, const char *source, const char *fault, const char *const words[WORDS],
                             cm_error *error)
{
    char *said = NULL;
    cm_status status = compile_words(words, &said, error);
    if (status == CM_OK && said != NULL) {
        int length = 0;
        size_t line = 0;
        const char *complaint = find_complaint(said, source, &length, &line);
        status =
            cm_error_set(error, CM_BAD_INPUT, file, line, 0, "%s: %.*s", fault, length < 300 ? length : 300, complaint);
    }
    free(said);
    return status;
}

/* Assembles the snippet alone, for its own faults. A name that begins with a hyphen is no option. */
static cm_status check_alone(const char *file, const char *object, cm_error *error)
{
    char *source = NULL;
    if (asprintf(&source, "%s%s", file[0] == '-' ? "./" : "", file) < 0)
        return cm_error_no_memory(error);
    const char *const words[WORDS] = {compiler(), "-c", "-x", "assembler", "-o", object, source};
    cm_status status =
        source != NULL ? compile_for(file, source, "it cannot be assembled", words, error) : cm_error_no_memory(error);
    free(source);
    return status;
}

/* Assembles the loops, which have each label as often as the snippet. */
static cm_status build_library(const char *file, const char *loops, const char *library, cm_error *error)
{
    const char *const words[WORDS] = {compiler(), "-shared", "-nostdlib", "-Wl,-z,defs", "-o", library, loops};
    return compile_for(file, file,
                       "it can be assembled alone, but not repeated: its labels must be numbers, as in '1:' and "
                       "'jnz 1b', and it must call nothing else",
                       words, error);
}

/* Loads the loops as kernels. */
static cm_status load_loops(const char *library, const cm_snippet_options *options, cm_snippet_code *code,
                            cm_error *error)
{
    static const char *const names[CM_SNIPPET_LOOPS] = {"loop", "copies", "twice"};
    code->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (code->library == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "the assembled snippet cannot be loaded: %.300s", dlerror());
    code->fault = dlsym(code->library, "catmint_fault");
    for (size_t i = 0; i < CM_SNIPPET_LOOPS; i++) {
        char symbol[32];
        snprintf(symbol, sizeof symbol, "catmint_loop_%zu", i);
        void *address = dlsym(code->library, symbol);
        if (address == NULL || code->fault == NULL)
            return cm_error_set(error, CM_BAD_INPUT, options->file, 0, 0, "it has a name that begins with catmint_");
        code->kernels[i] = (cm_kernel){.name = names[i],
                                       .benchmark = cm_snippet_benchmark,
                                       .iterations = options->turns != 0 ? options->turns : CM_SNIPPET_TURNS,
                                       .software_iterations = SOFTWARE_TURNS};
        memcpy(&code->kernels[i].body, &address, sizeof address);
    }
    return CM_OK;
}

/* Copies the snippet, so that the loops include a path of no strange characters. */
static cm_status copy_snippet(const char *file, const char *to, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cm_output *output = NULL;
    cm_status status = cm_file_text_read(file, &text, &size, error);
    CM_THEN(status, cm_output_create(to, &output, error));
    if (status == CM_OK) {
        fwrite(text, 1, size, cm_output_stream(output));
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    free(text);
    return status;
}

cm_status cm_snippet_assemble(const cm_snippet_options *options, cm_snippet_code *code, cm_error *error)
{
    *code = (cm_snippet_code){0};
    if (strcmp(cm_kernel_architecture, "x86_64") != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "snippets are measured on x86-64 alone, and this processor is of %s",
                       cm_kernel_architecture);
    char *object = cm_path_join(options->directory, "alone", ".o"),
         *copied = cm_path_join(options->directory, "snippet", ".s");
    char *loops = cm_path_join(options->directory, "loops", ".s"),
         *library = cm_path_join(options->directory, "loops", ".so");
    const size_t copies = options->copies != 0 ? options->copies : CM_SNIPPET_COPIES;
    cm_status status =
        object != NULL && copied != NULL && loops != NULL && library != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, copy_snippet(options->file, copied, error));
    CM_THEN(status, check_alone(options->file, object, error));
    CM_THEN(status, cm_snippet_write_loops(loops, copied, copies, error));
    CM_THEN(status, build_library(options->file, loops, library, error));
    CM_THEN(status, load_loops(library, options, code, error));
    CM_FREE(object, copied, loops, library);
    return status;
}

void cm_snippet_code_clear(cm_snippet_code *code)
{
    if (code->library != NULL)
        dlclose(code->library);
    *code = (cm_snippet_code){0};
}
