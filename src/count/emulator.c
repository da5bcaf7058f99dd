#include "count/count.h"

#include <elf.h>

#include "software_pmu/qemu/program_facts.h"

static const cm_emulator emulators[] = {
    {"x86_64", "max", "golden-cove-plain", {0}, EM_X86_64, true},
    {"aarch64", "max,sve-default-vector-length=", "neoverse-n1", {256, 2048, 8, ""}, EM_AARCH64, true},
    {"ppc64le", "power10", "power10", {0}, EM_PPC64, false},
    {"riscv64", "rv64,v=true,vext_spec=v1.0,vlen=", "sifive-u74", {256, 1024, 1, ",Zfh=true"}, EM_RISCV, false},
};

/* The same processor, but no emulator: the program is stepped. */
static const cm_emulator stepping = {"x86_64", "", "golden-cove-plain", {0}, EM_X86_64, false};

enum { HEAD = 256 };

/* Adds a word from malloc, and owns it. */
static cm_status add_owned(cm_emulated_command *emulated, char *word, cm_error *error)
{
    char **grown = word != NULL ? cm_grow_by_one(emulated->words, emulated->count, sizeof *grown) : NULL;
    if (grown == NULL) {
        free(word);
        return cm_error_no_memory(error);
    }
    emulated->words = grown;
    grown[emulated->count++] = word;
    return CM_OK;
}

static cm_status add_word(cm_emulated_command *emulated, const char *word, cm_error *error)
{
    return add_owned(emulated, strdup(word), error);
}

void cm_emulated_command_clear(cm_emulated_command *emulated)
{
    cm_free_list(emulated->words, emulated->count);
    *emulated = (cm_emulated_command){0};
}

/* ---- the file to run ---- */

static bool is_program(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || access(path, X_OK) != 0)
        return false;
    if (S_ISREG(status.st_mode))
        return true;
    errno = EACCES;
    return false;
}

static char *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

static char *copy_name(const char *name)
{
    char *copied = strdup(name);
    return copied != NULL ? copied : no_memory();
}

/* Finds a program as execvp does; NULL with errno if there is none, ENOMEM without memory. */
static char *find_in_path(const char *name)
{
    if (strchr(name, '/') != NULL)
        return is_program(name) ? copy_name(name) : NULL;
    const char *path = getenv("PATH");
    int reason = ENOENT;
    for (const char *from = path != NULL ? path : "/bin:/usr/bin"; *from != '\0';) {
        size_t length = strcspn(from, ":");
        char *candidate = NULL;
        if (asprintf(&candidate, "%.*s/%s", (int)length, length > 0 ? from : ".", name) < 0)
            return no_memory();
        if (is_program(candidate))
            return candidate;
        reason = errno == EACCES ? EACCES : reason;
        free(candidate);
        from += length + (from[length] == ':');
    }
    errno = reason;
    return NULL;
}

/* Reads the head of the file; one that may be executed but not read has none. */
static cm_status read_head(const char *path, char head[HEAD], size_t *size, cm_error *error)
{
    int file = cm_input_descriptor(AT_FDCWD, path, 0);
    bool short_of_files = file < 0 && (errno == EMFILE || errno == ENFILE);
    cm_status status = short_of_files ? cm_error_io(error, path, "cannot be read") : CM_OK;
    ssize_t got = file >= 0 ? read(file, head, HEAD - 1) : 0;
    if (file >= 0)
        close(file);
    *size = got > 0 ? (size_t)got : 0;
    head[*size] = '\0';
    return status;
}

/* The emulator for a program of 64 bits, NULL if there is none. */
static const cm_emulator *emulator_of(const char *head, size_t size)
{
    Elf64_Ehdr header;
    if (size < sizeof header || memcmp(head, ELFMAG, SELFMAG) != 0)
        return NULL;
    memcpy(&header, head, sizeof header);
    bool fits = header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
    for (size_t i = 0; fits && i < CM_COUNT_OF(emulators); i++)
        if (emulators[i].elf == header.e_machine)
            return &emulators[i];
    return NULL;
}

/* ---- the command line ---- */

/* Adds the argument that loads the plugin. */
static cm_status add_plugin(cm_emulated_command *emulated, const char *plugin, const char *facts, cm_error *error)
{
    size_t size = 2 * (strlen(plugin) + strlen(facts)) + 16;
    char *text = malloc(size);
    if (text == NULL)
        return cm_error_no_memory(error);
    char *to = text;
    const char *const parts[] = {plugin, facts};
    for (size_t i = 0; i < 2; i++) {
        to += sprintf(to, "%s", i == 0 ? "" : ",facts=");
        for (const char *from = parts[i]; *from != '\0'; from++) {
            *to++ = *from;
            if (*from == ',') /* QEMU reads two commas as one */
                *to++ = ',';
        }
    }
    *to = '\0';
    return add_owned(emulated, text, error);
}

/* Finds qemu-ARCHITECTURE in PATH. */
static cm_status find_emulator(const cm_emulator *emulator, char **path, cm_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "qemu-%s", emulator->architecture);
    *path = find_in_path(name);
    if (*path == NULL && errno == ENOMEM)
        return cm_error_no_memory(error);
    return *path != NULL ? CM_OK
                         : CM_FAIL(error, CM_UNSUPPORTED,
                                   "the emulated PMU needs %s, which is not installed: 'sudo apt-get install "
                                   "qemu-user' installs it on Debian and Ubuntu",
                                   name);
}

/* Checks the length of vectors, or sets the default. */
static cm_status choose_bits(const cm_emulator *emulator, unsigned *bits, cm_error *error)
{
    const struct cm_scalable *vectors = &emulator->vectors;
    if (*bits == 0)
        *bits = vectors->bits;
    if (vectors->bits == 0 && *bits != 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "%s has no vectors whose length could be chosen", emulator->architecture);
    return *bits <= vectors->most ? CM_OK
                                  : CM_FAIL(error, CM_UNSUPPORTED, "vectors of %s have at most %u bits here, not %u",
                                            emulator->architecture, vectors->most, *bits);
}

static cm_status add_cpu(cm_emulated_command *emulated, const cm_emulator *emulator, unsigned bits, cm_error *error)
{
    char cpu[128];
    if (bits == 0)
        return add_word(emulated, emulator->cpu, error);
    snprintf(cpu, sizeof cpu, "%s%u%s", emulator->cpu, bits / emulator->vectors.unit, emulator->vectors.rest);
    return add_word(emulated, cpu, error);
}

/* Adds the emulator with its arguments. */
static cm_status add_emulator(cm_emulated_command *emulated, const cm_emulator *emulator, unsigned bits,
                              const char *facts, cm_error *error)
{
    char *plugin = NULL, *program = NULL;
    cm_status status = cm_program_plugin(emulator->architecture, &plugin, error);
    CM_THEN(status, find_emulator(emulator, &program, error));
    CM_THEN(status, add_word(emulated, program, error));
    CM_THEN(status, add_word(emulated, "-cpu", error));
    CM_THEN(status, add_cpu(emulated, emulator, bits, error));
    CM_THEN(status, add_word(emulated, "-plugin", error));
    CM_THEN(status, add_plugin(emulated, plugin, facts, error));
    CM_FREE(plugin, program);
    return status;
}

/* Puts the words of a script's first line, an interpreter and at most one argument, before the program's. */
static cm_status add_interpreter(cm_emulated_command *words, char *head, cm_error *error)
{
    char *rest = head + 2 + strspn(head + 2, " \t");
    rest[strcspn(rest, "\n")] = '\0';
    size_t length = strcspn(rest, " \t");
    char *argument = rest + length + strspn(rest + length, " \t");
    rest[length] = '\0';
    cm_status status = add_word(words, rest, error);
    return status == CM_OK && argument > rest + length && argument[0] != '\0' ? add_word(words, argument, error)
                                                                              : status;
}

/* Finds the program that runs, with its own arguments: `path` itself, or its interpreter. *cannot is errno if there is
 * no such interpreter, else 0. */
static cm_status resolve_program(const char *path, char *const *command, cm_emulated_command *program,
                                 const cm_emulator **emulator, int *cannot, cm_error *error)
{
    char head[HEAD];
    size_t size = 0;
    cm_status status = read_head(path, head, &size, error);
    if (status == CM_OK && size > 2 && memcmp(head, "#!", 2) == 0) {
        status = add_interpreter(program, head, error);
        *cannot = status == CM_OK && !is_program(program->words[0]) ? errno : 0;
        if (status == CM_OK && *cannot == 0)
            status = read_head(program->words[0], head, &size, error);
    }
    if (status != CM_OK || *cannot != 0)
        return status;
    status = add_word(program, path, error);
    for (size_t i = 1; status == CM_OK && command[i] != NULL; i++)
        status = add_word(program, command[i], error);
    *emulator = emulator_of(head, size);
    if (status == CM_OK && *emulator == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "%s is no program of a processor that is emulated: x86_64, aarch64, ppc64le, riscv64", path);
    return status;
}

/* Builds the command line of a program at `path`. */
static cm_status choose_emulator(const char *path, char *const *command, const char *facts,
                                 const cm_emulator **emulator, unsigned *bits, cm_emulated_command *emulated,
                                 int *cannot, cm_error *error)
{
    cm_emulated_command program = {0};
    cm_status status = resolve_program(path, command, &program, emulator, cannot, error);
    if (status != CM_OK || *cannot != 0) {
        cm_emulated_command_clear(&program);
        return status;
    }
    if (facts == NULL && (*emulator)->elf != stepping.elf)
        status = CM_FAIL(error, CM_UNSUPPORTED, "programs of x86_64 alone are stepped, and %s is of %s", path,
                         (*emulator)->architecture);
    if (status == CM_OK && facts == NULL)
        *emulator = &stepping;
    CM_THEN(status, choose_bits(*emulator, bits, error));
    if (status == CM_OK && facts != NULL)
        status = add_emulator(emulated, *emulator, *bits, facts, error);
    for (size_t i = 0; status == CM_OK && i < program.count; i++)
        status = add_word(emulated, program.words[i], error);
    cm_emulated_command_clear(&program);
    if (status == CM_OK) {
        if (!CM_GROW_BY_ONE(emulated->words, emulated->count))
            return cm_error_no_memory(error);
        emulated->words[emulated->count] = NULL;
    }
    return status;
}

cm_status cm_emulator_choose(char *const *command, const char *facts, const cm_emulator **emulator,
                             unsigned *vector_bits, cm_emulated_command *emulated, int *cannot, cm_error *error)
{
    errno = 0;
    char *path = find_in_path(command[0]);
    *cannot = path == NULL ? errno : 0;
    if (path == NULL)
        return *cannot == ENOMEM ? cm_error_no_memory(error) : CM_OK;
    cm_status status = choose_emulator(path, command, facts, emulator, vector_bits, emulated, cannot, error);
    free(path);
    return status;
}

const char *cm_emulator_architecture(const char *program)
{
    char *path = find_in_path(program), *const command[] = {path, NULL};
    cm_emulated_command words = {0};
    const cm_emulator *emulator = NULL;
    int cannot = 0;
    if (path != NULL)
        resolve_program(path, command, &words, &emulator, &cannot, NULL);
    cm_emulated_command_clear(&words);
    free(path);
    return emulator != NULL ? emulator->architecture : NULL;
}

const char *cm_emulator_model(const char *architecture)
{
    return emulators[CM_FIND_BY(architecture, architecture, emulators, CM_COUNT_OF(emulators))].model;
}
