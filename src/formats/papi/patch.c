#include "formats/papi/papi.h"

#include "core/files.h"

/* PAPI's table: its lines, and the section of each. */
struct papi_file {
    char *text;
    bool ended;
    size_t count, capacity;
    cm_changed_line *lines;
    bool *own;    /* one a line: its section is for these PMUs alone */
    bool *shared; /* one a line: its section is for one of them, and for others */
    const char *const *pmus;
    size_t pmu_count;
};

static bool begins_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* ---- sections ---- */

static bool is_named(const struct papi_file *file, const char *line)
{
    const char *name = line + strlen("CPU,");
    size_t length = strcspn(name, ", \t\r");
    for (size_t i = 0; i < file->pmu_count; i++)
        if (strlen(file->pmus[i]) == length && memcmp(file->pmus[i], name, length) == 0)
            return true;
    return false;
}

/* Marks the lines of sections that name the PMUs. */
static void find_sections(struct papi_file *file)
{
    bool heading = false, own = false, others = false;
    for (size_t i = 0; i < file->count; i++) {
        const char *line = file->lines[i].text;
        if (begins_with(line, "CPU,")) {
            own = (heading && own) || is_named(file, line);
            others = (heading && others) || !is_named(file, line);
            heading = true;
        } else if (line[0] != '#' && line[strspn(line, " \t\r")] != '\0') {
            heading = false; /* lines without a definition may stand between the PMUs of a section */
        }
        file->own[i] = own && !others;
        file->shared[i] = own && others;
    }
}

/* The last line that is marked. The first lines of a heading are not marked yet, but presets are, which is enough. */
static size_t last_line(const struct papi_file *file, const bool *of)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < file->count; i++)
        if (of[i] && begins_with(file->lines[i].text, "PRESET,"))
            found = i;
    return found;
}

/* ---- definitions ---- */

/* The length of "PRESET,NAME," at the beginning of a line. */
static size_t name_end(const char *line)
{
    const char *name = line + strlen("PRESET,");
    return strlen("PRESET,") + strcspn(name, ",") + 1;
}

/* The length of the definition without its note. */
static size_t bare_length(const char *line)
{
    const char *note = strstr(line, ",NOTE,");
    return note != NULL ? (size_t)(note - line) : strlen(line);
}

static bool define_the_same(const char *one, const char *other)
{
    return bare_length(one) == bare_length(other) && strncmp(one, other, bare_length(one)) == 0;
}

/* The last definition of the preset for these PMUs. */
static size_t find_preset(const struct papi_file *file, const char *line)
{
    size_t found = SIZE_MAX, length = name_end(line);
    for (size_t i = 0; i < file->count; i++)
        if ((file->own[i] || file->shared[i]) && strncmp(file->lines[i].text, line, length) == 0)
            found = i;
    return found;
}

static cm_status add_text(char **text, const char *more, cm_error *error)
{
    char *joined = NULL;
    if (asprintf(&joined, "%s%s\n", *text != NULL ? *text : "", more) < 0)
        return cm_error_no_memory(error);
    free(*text);
    *text = joined;
    return CM_OK;
}

/* Replaces a preset, or collects its line in `added`, for a section of its own. */
static cm_status write_preset(struct papi_file *file, const char *line, char **added, size_t *changed, cm_error *error)
{
    size_t at = find_preset(file, line);
    if (at != SIZE_MAX && define_the_same(file->lines[at].text, line))
        return CM_OK;
    ++*changed;
    if (at == SIZE_MAX || !file->own[at])
        return add_text(added, line, error);
    free(file->lines[at].instead);
    file->lines[at].instead = strdup(line);
    return file->lines[at].instead != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Adds a section with the lines in `added`, or adds these to an existing section. */
static cm_status add_section(struct papi_file *file, const char *origin, const char *added, cm_error *error)
{
    size_t own = last_line(file, file->own), shared = last_line(file, file->shared), behind = file->count - 1;
    bool in_own = own != SIZE_MAX && (shared == SIZE_MAX || own > shared);
    if (own != SIZE_MAX || shared != SIZE_MAX)
        behind = in_own ? own : shared;
    char *text = NULL;
    cm_status status = in_own ? CM_OK : add_text(&text, "", error);
    CM_THEN(status, add_text(&text, origin, error));
    for (size_t i = 0; status == CM_OK && !in_own && i < file->pmu_count; i++) {
        char *cpu = NULL;
        status = asprintf(&cpu, "CPU,%s", file->pmus[i]) >= 0 ? CM_OK : cm_error_no_memory(error);
        CM_THEN(status, add_text(&text, cpu, error));
        free(cpu);
    }
    if (status == CM_OK && asprintf(&file->lines[behind].behind, "%s%s", text, added) < 0) {
        file->lines[behind].behind = NULL;
        status = cm_error_no_memory(error);
    }
    free(text);
    return status;
}

/* Splits the written table into lines and puts in its presets. */
static cm_status patch_table(struct papi_file *file, char *table, size_t *changed, cm_error *error)
{
    const char *origin = table;
    char *added = NULL, *rest = table;
    cm_status status = CM_OK;
    for (char *line; status == CM_OK && (line = strsep(&rest, "\n")) != NULL;)
        if (begins_with(line, "PRESET,"))
            status = write_preset(file, line, &added, changed, error);
    if (status == CM_OK && added != NULL)
        status = add_section(file, origin, added, error);
    free(added);
    return status;
}

/* ---- the file ---- */

/* Splits the text of the file into lines. */
static cm_status cut_up(struct papi_file *file, cm_error *error)
{
    for (char *line, *rest = file->text; rest != NULL && *rest != '\0';) {
        if (!CM_GROW(file->lines, file->count + 1, &file->capacity))
            return cm_error_no_memory(error);
        file->ended = strchr(rest, '\n') != NULL;
        line = strsep(&rest, "\n");
        file->lines[file->count++] = (cm_changed_line){.text = line};
    }
    file->own = calloc(file->count + 1, sizeof *file->own);
    file->shared = calloc(file->count + 1, sizeof *file->shared);
    return file->own != NULL && file->shared != NULL ? CM_OK : cm_error_no_memory(error);
}

/* The path in the patch: relative, so that it applies in this directory; of another path only the file's name. */
static const char *name_in_patch(const char *path)
{
    const char *slash = strrchr(path, '/');
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    bool here = path[0] != '/' && strncmp(path, "../", 3) != 0 && strstr(path, "/../") == NULL;
    return here || slash == NULL ? path : slash + 1;
}

cm_status cm_papi_patch(const char *table, const char *path, const char *const *pmus, size_t pmu_count, FILE *stream,
                        size_t *changed, cm_error *error)
{
    struct papi_file file = {.pmus = pmus, .pmu_count = pmu_count};
    size_t size = 0;
    char *copy = strdup(table);
    *changed = 0;
    cm_status status = copy != NULL ? cm_error_of_input(cm_file_text_read(path, &file.text, &size, error), error)
                                    : cm_error_no_memory(error);
    if (status == CM_OK && (size == 0 || strlen(file.text) != size))
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "expected a table of PAPI's presets");
    CM_THEN(status, cut_up(&file, error));
    if (status == CM_OK) {
        find_sections(&file);
        status = patch_table(&file, copy, changed, error);
    }
    if (status == CM_OK)
        cm_hunks_write(file.lines, file.count, file.ended, name_in_patch(path), stream);
    free(copy);
    for (size_t i = 0; i < file.count; i++)
        CM_FREE(file.lines[i].instead, file.lines[i].behind);
    CM_FREE(file.lines, file.own, file.shared, file.text);
    return status;
}
