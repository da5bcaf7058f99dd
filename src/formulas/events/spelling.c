/* Spellings of one event as its parts, the PMU, the name, and qualifiers with their defaults, to be compared. */
#include "formulas/events/events.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MOST_QUALIFIERS = 24, VALUE_SIZE = 24 };

typedef struct qualifier {
    const char *name; /* libpfm4's */
    const char *value;
    char number[VALUE_SIZE]; /* the value, if it is a number */
} qualifier;

/* A name while it is split. */
typedef struct body {
    char text[CM_SPELLING_SIZE]; /* pieces, separators replaced by NUL */
    char name[CM_SPELLING_SIZE];
    size_t name_length;
    qualifier qualifiers[MOST_QUALIFIERS];
    size_t count;
} body;

/* Other names of libpfm4's qualifiers. `bare` ones need no "=1" behind : or a comma, and differ from unit masks in
 * letter case: there the states M, E, S and I of caches are capitals. */
static const struct {
    const char *name, *canonical;
    bool bare;
} synonyms[] = {
    {"e", "e", true},
    {"i", "i", true},
    {"t", "t", true},
    {"u", "u", true},
    {"k", "k", true},
    {"g", "g", true},
    {"h", "h", true},
    {"edge", "e", true},
    {"inv", "i", true},
    {"cmask", "c", false},
    {"any", "t", false},
    {"in_tx", "intx", false},
    {"in_tx_cp", "intxcp", false},
    {"EDGEDETECT", "e", true},
    {"INVERT", "i", true},
    {"THRESHOLD", "c", false},
    {"ANYTHREAD", "t", true},
};

/* Values of qualifiers that are not given. */
static const struct {
    const char *name, *value;
} defaults[] = {
    {"e", "0"},      {"i", "0"},      {"c", "0"},       {"t", "0"},      {"g", "0"},      {"h", "0"},
    {"intx", "0"},   {"intxcp", "0"}, {"precise", "0"}, {"excl", "0"},   {"pinned", "0"}, {"hw_smpl", "0"},
    {"period", "0"}, {"freq", "0"},   {"ldlat", "3"},   {"device", "0"}, {"mg", "0"},
};

static void lower_text(char *text)
{
    for (; *text != '\0'; text++)
        *text = (char)tolower((unsigned char)*text);
}

static bool is_separator(char c)
{
    return c == ':' || c == '.' || c == ',';
}

/* Whether `text`, which may continue, begins with the name. */
static bool begins_with(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

/* ---- the PMU ---- */

/* Copies the PMU in lower case. A component keeps the colons behind it: "sde:::", "sde:::golden-cove". */
static void copy_pmu(const char *text, size_t length, char *pmu)
{
    for (size_t i = 0; i < length; i++)
        pmu[i] = (char)tolower((unsigned char)text[i]);
    pmu[length] = '\0';
}

/* Splits perf's "PMU/EVENT,.../MODIFIERS", in metrics also with @; *inside: the event. False for another form. */
static bool cut_perf(const char *text, char *pmu, char *inside)
{
    size_t length = strcspn(text, ":./@,=");
    const char mark = text[length];
    if (length == 0 || (mark != '/' && mark != '@'))
        return false;
    const char *begin = text + length + 1;
    const char *end = strchr(begin, mark);
    if (end == NULL || end == begin)
        return false;
    copy_pmu(text, length, pmu);
    if (strcmp(pmu, "cpu") == 0 || strcmp(pmu, "cpu_core") == 0) /* the core, on any processor */
        pmu[0] = '\0';
    else
        strcat(pmu, "/"); /* a PMU of perf's, not libpfm4's: cpu_atom, uncore_imc */
    const char *modifiers = end + 1 + (end[1] == ':');
    if (strspn(modifiers, "ukpP") != strlen(modifiers))
        return false;
    /* p and P concern sampling, not counting. */
    snprintf(inside, CM_SPELLING_SIZE, "%.*s%s%s", (int)(end - begin), begin, strchr(modifiers, 'u') ? ":u" : "",
             strchr(modifiers, 'k') ? ":k" : "");
    return true;
}

/* Splits `text` into PMU and the rest. */
static void cut_pmu(const char *text, char *pmu, char *rest)
{
    pmu[0] = '\0';
    if (cut_perf(text, pmu, rest))
        return;
    const char *cut = NULL;
    for (const char *at = strstr(text, "::"); at != NULL; at = strstr(at + 1, "::"))
        cut = at;
    bool component = cut != NULL && cut > text && cut[-1] == ':';
    if (cut != NULL)
        copy_pmu(text, (size_t)(cut - text) + (component ? 2 : 0), pmu);
    snprintf(rest, CM_SPELLING_SIZE, "%s", cut != NULL ? cut + 2 : text);
}

/* The length without the mark of perf's PMUs. */
static size_t size_of(const char *pmu)
{
    size_t length = strlen(pmu);
    return length > 0 && pmu[length - 1] == '/' ? length - 1 : length;
}

/* Whether `part` begins or ends `whole`, at colons. */
static bool is_part(const char *part, const char *whole)
{
    size_t length = size_of(part), all = size_of(whole);
    if (length == 0 || length >= all)
        return false;
    bool begins = strncmp(whole, part, length) == 0 && (whole[length] == ':' || part[length - 1] == ':');
    return begins || (strncmp(whole + all - length, part, length) == 0 && whole[all - length - 1] == ':');
}

bool cm_spelling_is_core(const char *pmu)
{
    const char *last = pmu;
    for (const char *at = strstr(pmu, "::"); at != NULL; at = strstr(at + 1, "::"))
        last = at + 2;
    return strchr(pmu, '/') == NULL && strcmp(last, "perf") != 0 && strcmp(last, "perf_raw") != 0 &&
           strstr(pmu, "_unc") == NULL;
}

/* Whether `component` is perf_event or the like, which has libpfm4's PMUs, and `pmu` one of the core's. */
static bool is_component_of(const char *component, const char *pmu)
{
    return strcmp(component, "perf_event" CM_COMPONENT_MARK) == 0 && strstr(pmu, CM_COMPONENT_MARK) == NULL &&
           cm_spelling_is_core(pmu);
}

cm_pmu_match cm_spelling_match_pmu(const char *wanted, const char *listed)
{
    if (strcmp(wanted, listed) == 0)
        return CM_PMU_SAME;
    if (listed[0] == '\0')
        return cm_spelling_is_core(wanted) ? CM_PMU_COMPATIBLE : CM_PMU_OTHER;
    return wanted[0] == '\0' || is_part(wanted, listed) || is_part(listed, wanted) || is_component_of(wanted, listed) ||
                   is_component_of(listed, wanted)
               ? CM_PMU_COMPATIBLE
               : CM_PMU_OTHER;
}

/* ---- qualifiers ---- */

static const char *canonical_name(const char *name, size_t length, bool bare)
{
    for (size_t i = 0; i < COUNT(synonyms); i++)
        if ((!bare || synonyms[i].bare) && begins_with(name, length, synonyms[i].name))
            return synonyms[i].canonical;
    return NULL;
}

/* Makes "0x10" and "16" the same value. */
static void read_value(qualifier *made, char *value)
{
    lower_text(value);
    made->value = value;
    int base = strncmp(value, "0x", 2) == 0 ? 16 : 10;
    const char *digits = base == 16 ? value + 2 : value;
    if (digits[0] == '\0' || digits[strspn(digits, base == 16 ? "0123456789abcdef" : "0123456789")] != '\0')
        return;
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, base);
    if (errno != 0)
        return;
    snprintf(made->number, sizeof made->number, "%llu", number);
    made->value = made->number;
}

/* Takes a qualifier of perfmon's form: "u0xfc" is umask=0xfc, "c1" is c=1. */
static bool take_short(body *taken, char *piece, char before)
{
    static const struct {
        char letter;
        const char *name;
    } rows[] = {{'u', "umask"}, {'c', "c"}, {'e', "e"}, {'i', "i"}};
    size_t digits = strncmp(piece + 1, "0x", 2) == 0 ? strspn(piece + 3, "0123456789abcdefABCDEF") + 2
                                                     : strspn(piece + 1, "0123456789");
    if (before != ':' || digits == 0 || piece[1 + digits] != '\0')
        return false;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (piece[0] == rows[i].letter) {
            qualifier *made = &taken->qualifiers[taken->count++];
            made->name = rows[i].name;
            read_value(made, piece + 1);
            return true;
        }
    return false;
}

/* Takes the piece if it is a qualifier; `before`: the separator before it, NUL at the beginning. */
static bool take_qualifier(body *taken, char *piece, char before)
{
    char *equal = strchr(piece, '=');
    size_t length = equal != NULL ? (size_t)(equal - piece) : strlen(piece);
    const char *name = canonical_name(piece, length, equal == NULL);
    if (before == '\0' || (equal == NULL && (name == NULL || before == '.')))
        return false;
    qualifier *made = &taken->qualifiers[taken->count++];
    made->name = name != NULL ? name : piece;
    if (equal == NULL) {
        made->value = "1";
        return true;
    }
    *equal = '\0';
    if (name == NULL) {
        lower_text(piece);
        name = canonical_name(piece, length, false);
        made->name = name != NULL ? name : piece;
    }
    read_value(made, equal + 1);
    return true;
}

/* Whether it is one of LIKWID's counters of the core, all of which count the same. */
static bool is_counter(const char *piece, char before)
{
    size_t letters = strspn(piece, "PMCFIX");
    return before == ':' && (begins_with(piece, letters, "PMC") || begins_with(piece, letters, "FIXC")) &&
           piece[letters] != '\0' && piece[letters + strspn(piece + letters, "0123456789")] == '\0';
}

/* Splits the text into name and qualifiers; false if it is no name of an event. */
static bool take_apart(body *taken)
{
    char before = '\0';
    for (char *piece = taken->text, *end;; piece = end + 1) {
        for (end = piece; *end != '\0' && !is_separator(*end);)
            end++;
        char separator = *end;
        *end = '\0';
        if (taken->count == MOST_QUALIFIERS)
            return false;
        if (!is_counter(piece, before) && !take_short(taken, piece, before) && !take_qualifier(taken, piece, before)) {
            if (before != '\0')
                taken->name[taken->name_length++] = before;
            for (const char *c = piece; *c != '\0'; c++)
                taken->name[taken->name_length++] = (char)toupper((unsigned char)*c);
        }
        if (separator == '\0')
            break;
        before = separator;
    }
    taken->name[taken->name_length] = '\0';
    return strchr(taken->name, '=') == NULL && taken->name[strspn(taken->name, ":.,_-")] != '\0';
}

static const char *value_of(const body *taken, const char *name)
{
    const size_t i = CM_FIND_BY(name, name, taken->qualifiers, taken->count);
    return i < taken->count ? taken->qualifiers[i].value : NULL;
}

static bool is_value(const body *taken, const char *name, const char *value)
{
    const char *given = value_of(taken, name);
    return given != NULL && strcmp(given, value) == 0;
}

/* Whether the qualifier has its default value, beside the others. */
static bool is_default(const body *taken, const qualifier *one)
{
    for (size_t i = 0; i < COUNT(defaults); i++)
        if (strcmp(one->name, defaults[i].name) == 0 && strcmp(one->value, defaults[i].value) == 0)
            return true;
    /* Guests in addition to the host. */
    if (strcmp(one->name, "mh") == 0 || strcmp(one->name, "mg") == 0)
        return is_value(taken, "mh", "1");
    /* k=0 alone counts nothing, k=1 alone only the kernel. */
    if (strcmp(one->name, "u") == 0 || strcmp(one->name, "k") == 0)
        return is_value(taken, "u", "1") && (value_of(taken, "k") == NULL || is_value(taken, "k", "0"));
    return false;
}

static int by_name(const void *left, const void *right)
{
    const qualifier *const *l = left, *const *r = right;
    int order = strcmp((*l)->name, (*r)->name);
    return order != 0 ? order : strcmp((*l)->value, (*r)->value);
}

/* Writes the qualifiers without defaults, sorted, each as ":name=value". */
static void write_qualifiers(const body *taken, char *text, size_t size)
{
    const qualifier *kept[MOST_QUALIFIERS];
    size_t count = 0;
    for (size_t i = 0; i < taken->count; i++)
        if (!is_default(taken, &taken->qualifiers[i]))
            kept[count++] = &taken->qualifiers[i];
    if (count > 1)
        qsort(kept, count, sizeof kept[0], by_name);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        cm_text_append(text, size, "", ":%s=%s", kept[i]->name, kept[i]->value);
}

bool cm_spelling_parse(const char *text, cm_spelling *spelling)
{
    body taken;
    taken.count = taken.name_length = 0;
    char qualifiers[CM_SPELLING_KEY_SIZE - CM_SPELLING_SIZE];
    if (strlen(text) > CM_SPELLING_LIMIT)
        return false;
    cut_pmu(text, spelling->pmu, taken.text);
    if (!take_apart(&taken))
        return false;
    write_qualifiers(&taken, qualifiers, sizeof qualifiers);
    snprintf(spelling->event, sizeof spelling->event, "%s::%s%s", spelling->pmu, taken.name, qualifiers);
    for (char *c = taken.name; *c != '\0'; c++)
        if (is_separator(*c) || *c == '-')
            *c = '_';
    snprintf(spelling->key, sizeof spelling->key, "%s%s", taken.name, qualifiers);
    return true;
}
