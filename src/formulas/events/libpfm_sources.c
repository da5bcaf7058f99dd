/* Reads libpfm4's tables of events as the C that they are written in: designated initialisers of arrays. */
#include "formulas/events/events.h"

#include <dirent.h>

#include "core/files.h"

enum { NAME_SIZE = 256 };

/* A PMU of a C file. */
typedef struct source_pmu {
    const char *name;  /* ends in '*' if a macro adds the rest */
    const char *table; /* the array that has its events */
    const char *file;  /* without the directory */
    bool core;
} source_pmu;

struct cm_libpfm_sources {
    cm_arena arena;
    const char *lib;
    size_t count;
    source_pmu *pmus;
};

/* ---- C ---- */

/* The first character behind a comment, text or character constant at `at`; `at` itself if there is none. */
static const char *behind_literal(const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '"' && at[0] != '\'')
        return at;
    const char *end = at + 1;
    while (*end != '\0' && *end != at[0])
        end += 1 + (end[0] == '\\' && end[1] != '\0');
    return end + (*end != '\0');
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The value of the member `.key =` at `at`; NULL if another member begins there. */
static const char *member_value(const char *at, const char *key)
{
    size_t length = strlen(key);
    if (at[0] != '.' || strncmp(at + 1, key, length) != 0 || is_word_character(at[1 + length]))
        return NULL;
    at += 1 + length;
    at += strspn(at, " \t\r\n");
    return *at != '=' ? NULL : at + 1 + strspn(at + 1, " \t\r\n");
}

/* Copies the text in quotes, or the word, at `at`; false if there is neither, or it is too long. */
static bool copy_value(const char *at, bool quoted, char name[NAME_SIZE])
{
    size_t length = 0;
    if (quoted && *at++ != '"')
        return false;
    while (quoted ? at[length] != '"' && at[length] != '\0' : is_word_character(at[length]))
        length++;
    if (length == 0 || length >= NAME_SIZE)
        return false;
    memcpy(name, at, length);
    name[length] = '\0';
    return true;
}

/* The opening brace of the array `name[] = {`; NULL if it is not defined in the text. */
static const char *find_array(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const char *next = at + length + strspn(at + length, " \t");
        if ((at > text && is_word_character(at[-1])) || *next != '[')
            continue;
        next += strcspn(next, "];");
        next += *next == ']';
        next += strspn(next, " \t\r\n");
        if (*next != '=')
            continue;
        next += 1 + strspn(next + 1, " \t\r\n");
        if (*next == '{')
            return next;
    }
    return NULL;
}

/* ---- events ---- */

/* How the flags of a unit mask end that counts alone: INTEL_X86_NCOMBO, AMD64_FL_NCOMBO. */
static const char alone[] = "NCOMBO";

typedef struct event_reader {
    const char *text;  /* of all headers of the PMU's file */
    const char *table; /* the array that has the PMU's events */
    char event[NAME_SIZE];
    char same[NAME_SIZE]; /* the event of which that is another name */
    bool found;           /* while that is looked for */
    cm_libpfm_take take;
    void *data;
    cm_error *error;
} event_reader;

bool cm_libpfm_masks_join(cm_libpfm_masks *masks, const cm_libpfm_name *mask)
{
    enum { MOST_GROUPS = 64 };
    uint64_t group = mask->group >= 0 && mask->group < MOST_GROUPS ? UINT64_C(1) << mask->group : 0;
    masks->alone |= mask->alone ? group : 0;
    bool fits = (masks->groups & masks->alone & group) == 0;
    masks->groups |= group;
    return fits;
}

/* Gives the current event with a unit mask, whose members are from `at` to the end of its braces. */
static cm_status give_mask(const event_reader *reader, const char *mask, const char *at)
{
    char text[2 * NAME_SIZE + 1];
    cm_libpfm_name name = {.event = text};
    snprintf(text, sizeof text, "%s:%s", reader->event, mask);
    while (*at != '\0' && *at != '}') {
        const char *behind = behind_literal(at), *value = NULL;
        if ((value = member_value(at, "grpid")) != NULL)
            name.group = strtol(value, NULL, 0);
        name.alone = name.alone || strncmp(at, alone, strlen(alone)) == 0;
        at = behind > at ? behind : at + 1;
    }
    return reader->take(&name, reader->data, reader->error);
}

/* Whether a member that names an event or unit mask begins here. */
static bool read_name(const char *at, char name[NAME_SIZE])
{
    static const char *const keys[] = {"name", "pme_name", "uname"};
    const char *value = NULL;
    for (size_t i = 0; i < CM_COUNT_OF(keys) && value == NULL; i++)
        value = member_value(at, keys[i]);
    return value != NULL && copy_value(value, true, name);
}

/* Takes the member at `at`, `depth` braces within an array. */
typedef cm_status (*take_member)(event_reader *reader, const char *at, int depth);

/* Passes each character of an array, outside of comments and texts, to `take`. */
static cm_status read_array(event_reader *reader, const char *name, take_member take)
{
    const char *at = find_array(reader->text, name);
    cm_status status = CM_OK;
    for (int depth = 0; at != NULL && *at != '\0' && status == CM_OK;) {
        const char *behind = behind_literal(at);
        depth += (*at == '{') - (*at == '}');
        if (depth == 0)
            break;
        if (behind == at && *at == '.')
            status = take(reader, at, depth);
        at = behind > at ? behind : at + 1;
    }
    return status;
}

/* Gives the unit masks in an array, or in braces within an event. */
static cm_status read_mask(event_reader *reader, const char *at, int depth)
{
    char mask[NAME_SIZE];
    (void)depth;
    return read_name(at, mask) ? give_mask(reader, mask, at) : CM_OK;
}

/* The depth of an event's members in a table. */
enum { OF_EVENT = 2 };

/* Gives the unit masks of the event `same` behind the current event, which is another name of it. */
static cm_status read_same(event_reader *reader, const char *at, int depth)
{
    char name[NAME_SIZE];
    const char *masks = depth == OF_EVENT ? member_value(at, "umasks") : NULL;
    if (reader->found && masks != NULL && copy_value(masks, false, name))
        return read_array(reader, name, read_mask);
    if (!read_name(at, name))
        return CM_OK;
    if (depth == OF_EVENT)
        reader->found = strcmp(name, reader->same) == 0;
    return depth != OF_EVENT && reader->found ? give_mask(reader, name, at) : CM_OK;
}

/* Reads the member that begins here: an event, a unit mask, or a list of these. */
static cm_status read_member(event_reader *reader, const char *at, int depth)
{
    char name[NAME_SIZE];
    const char *masks = depth == OF_EVENT ? member_value(at, "umasks") : NULL;
    const char *same = depth == OF_EVENT ? member_value(at, "equiv") : NULL;
    if (same != NULL && copy_value(same, true, reader->same))
        return read_array(reader, reader->table, read_same);
    if (masks != NULL && copy_value(masks, false, name))
        return read_array(reader, name, read_mask);
    if (!read_name(at, name))
        return CM_OK;
    if (depth != OF_EVENT)
        return give_mask(reader, name, at);
    memcpy(reader->event, name, sizeof name);
    return reader->take(&(cm_libpfm_name){.event = name}, reader->data, reader->error);
}

/* ---- files ---- */

static cm_status read_file(const cm_libpfm_sources *sources, const char *name, char **text, cm_error *error)
{
    size_t size = 0;
    char *path = cm_path_join(sources->lib, name, "");
    cm_status status = path != NULL ? cm_file_text_read(path, text, &size, error) : cm_error_no_memory(error);
    free(path);
    return status;
}

/* Appends the header that the text includes at `at`; one that is not there is left out. */
static cm_status join_header(const cm_libpfm_sources *sources, const char *at, char **joined, cm_error *error)
{
    char name[NAME_SIZE], *text = NULL;
    if (!copy_value(at, true, name))
        return CM_OK;
    cm_status status = read_file(sources, name, &text, error);
    if (status != CM_OK)
        return status == CM_NO_MEMORY ? status : CM_OK;
    size_t length = *joined != NULL ? strlen(*joined) : 0, more = strlen(text);
    char *grown = realloc(*joined, length + more + 1);
    if (grown != NULL) {
        memcpy(grown + length, text, more + 1);
        *joined = grown;
    }
    free(text);
    return grown != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Joins the tables that a C file includes, and the file itself. */
static cm_status join_headers(const cm_libpfm_sources *sources, const char *file, char **joined, cm_error *error)
{
    static const char include[] = "#include \"events/";
    cm_status status = read_file(sources, file, joined, error);
    char *text = status == CM_OK ? strdup(*joined) : NULL;
    if (status == CM_OK && text == NULL)
        status = cm_error_no_memory(error);
    for (const char *at = text; status == CM_OK && at != NULL && (at = strstr(at, include)) != NULL; at++)
        status = join_header(sources, at + strlen("#include "), joined, error);
    free(text);
    return status;
}

/* Copies the name of a PMU; one to which a macro adds its argument, as in "amd64_k8_"#n, gets a '*' there. */
static bool copy_name(const char *at, char name[NAME_SIZE])
{
    if (!copy_value(at, true, name))
        return false;
    size_t length = strlen(name);
    const char *behind = at + length + 2;
    behind += strspn(behind, " \t");
    if (*behind == '#' && length + 1 < NAME_SIZE)
        memcpy(name + length, "*", 2);
    return true;
}

static cm_status add_pmu(cm_libpfm_sources *sources, const char *name, const char *table, const char *file, bool core,
                         cm_error *error)
{
    if (!CM_GROW_BY_ONE(sources->pmus, sources->count))
        return cm_error_no_memory(error);
    source_pmu *added = &sources->pmus[sources->count];
    *added = (source_pmu){cm_arena_text(&sources->arena, name), cm_arena_text(&sources->arena, table), file, core};
    sources->count++;
    return added->name != NULL && added->table != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Finds the PMUs of a C file: each has a name, and behind that its table of events. */
static cm_status find_pmus(cm_libpfm_sources *sources, const char *name, cm_error *error)
{
    char pmu[NAME_SIZE] = "", type[NAME_SIZE] = "", table[NAME_SIZE], *text = NULL;
    const char *file = cm_arena_text(&sources->arena, name);
    cm_status status = file != NULL ? read_file(sources, name, &text, error) : cm_error_no_memory(error);
    for (const char *at = text; at != NULL && *at != '\0' && status == CM_OK;) {
        const char *behind = behind_literal(at), *value = NULL;
        if ((value = member_value(at, "name")) != NULL && !copy_name(value, pmu))
            pmu[0] = '\0';
        if ((value = member_value(at, "type")) != NULL && !copy_value(value, false, type))
            type[0] = '\0';
        if (pmu[0] != '\0' && (value = member_value(at, "pe")) != NULL && copy_value(value, false, table))
            status = add_pmu(sources, pmu, table, file, strstr(type, "UNCORE") == NULL, error);
        at = behind > at ? behind : at + 1;
    }
    free(text);
    return status;
}

static bool is_source(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "pfmlib_", 7) == 0 && length > 2 && strcmp(name + length - 2, ".c") == 0;
}

cm_status cm_libpfm_sources_load(const char *lib, cm_libpfm_sources **sources, cm_error *error)
{
    DIR *opened = opendir(lib);
    if (opened == NULL)
        return errno == ENOMEM ? cm_error_no_memory(error) : CM_OK;
    cm_libpfm_sources *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && (made->lib = cm_arena_text(&made->arena, lib)) == NULL)
        status = cm_error_no_memory(error);
    for (const struct dirent *entry; status == CM_OK && (entry = readdir(opened)) != NULL;)
        if (is_source(entry->d_name))
            status = find_pmus(made, entry->d_name, error);
    closedir(opened);
    if (status == CM_OK && made->count > 0)
        *sources = made;
    else
        cm_libpfm_sources_free(made);
    return status;
}

void cm_libpfm_sources_free(cm_libpfm_sources *sources)
{
    if (sources == NULL)
        return;
    cm_arena_clear(&sources->arena);
    CM_FREE(sources->pmus, sources);
}

static bool is_pmu(const char *name, const char *pmu)
{
    size_t length = strcspn(name, "*");
    return strncmp(name, pmu, length) == 0 && (name[length] == '*' ? pmu[length] != '\0' : pmu[length] == '\0');
}

static const source_pmu *find_pmu(const cm_libpfm_sources *sources, const char *pmu)
{
    for (size_t i = 0; i < sources->count; i++)
        if (is_pmu(sources->pmus[i].name, pmu))
            return &sources->pmus[i];
    return NULL;
}

bool cm_libpfm_sources_is_core(const cm_libpfm_sources *sources, const char *pmu)
{
    const source_pmu *found = find_pmu(sources, pmu);
    return found == NULL || found->core;
}

void cm_libpfm_sources_offer(const cm_libpfm_sources *sources, cm_near *near)
{
    for (size_t i = 0; i < sources->count; i++)
        cm_near_offer(near, sources->pmus[i].name);
}

cm_status cm_libpfm_sources_each(const cm_libpfm_sources *sources, const char *pmu, cm_libpfm_take take, void *data,
                                 cm_error *error)
{
    const source_pmu *found = find_pmu(sources, pmu);
    char *text = NULL;
    if (found == NULL)
        return CM_OK;
    cm_status status = join_headers(sources, found->file, &text, error);
    event_reader reader = {.text = text, .table = found->table, .take = take, .data = data, .error = error};
    CM_THEN(status, read_array(&reader, found->table, read_member));
    free(text);
    return status;
}
