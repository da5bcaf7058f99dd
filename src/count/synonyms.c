/* The words that people type for the work of programs: data/synonyms.csv, and perf's spellings of an event. */
#include "count/count.h"

typedef struct synonym_search {
    const char *plain; /* NULL: rows that count one name, for `visit` */
    bool any_number;   /* one and many are alike */
    cm_synonym *found;
    const char *counted;
} synonym_search;

/* Whether a row without a note names one count. */
static bool names_one(const char *counts, const char *note)
{
    return counts[0] != '\0' && strchr(counts, '|') == NULL && note[0] == '\0';
}

bool cm_synonym_next(const char **list, char name[CM_NEAR_NAME])
{
    const size_t length = strcspn(*list, "|");
    snprintf(name, CM_NEAR_NAME, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == '|');
    return length > 0;
}

/* Whether two texts are the same but for plurals: "cache miss", "cache misses". */
static bool is_same(const char *one, const char *other, bool any_number)
{
    static const char ending[] = "es";
    while (*one != '\0' && *one == *other) {
        one++, other++;
        if (any_number && *one != *other) {
            one += strspn(one, ending);
            other += strspn(other, ending);
        }
    }
    return *one == *other;
}

/* Whether the words have one that is `plain`, or one with a star that is a part of it. */
static bool have_plain(const char *words, const synonym_search *in)
{
    char word[CM_NEAR_NAME], made[CM_NEAR_NAME];
    while (cm_synonym_next(&words, word)) {
        cm_text_plain(word, made, sizeof made);
        if (word[0] == '*' ? strstr(in->plain, made) != NULL : is_same(made, in->plain, in->any_number))
            return true;
    }
    return false;
}

/* Copies the row if it is sought. */
static cm_status look_at_synonym(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    synonym_search *in = data;
    cm_synonym *found = in->found;
    const char *words = row->fields[0], *counts = row->fields[1], *metrics = row->fields[2], *note = row->fields[3];
    for (size_t i = 0; i < row->count; i++)
        if (strlen(row->fields[i]) >= CM_SYNONYM_TEXT)
            return CM_CSV_FAULT(csv, row->line, error, "a field is longer than %d bytes", CM_SYNONYM_TEXT - 1);
    if (in->counted != NULL ? !names_one(counts, note) || strcmp(counts, in->counted) != 0 : !have_plain(words, in))
        return CM_OK;
    snprintf(found->words, sizeof found->words, "%s", words);
    snprintf(found->counts, sizeof found->counts, "%s", counts);
    snprintf(found->metrics, sizeof found->metrics, "%s", metrics);
    snprintf(found->note, sizeof found->note, "%s", note);
    return CM_OK;
}

/* Finds the row by one of its words, or by a name that it counts. */
static cm_status find_row(synonym_search *in, cm_synonym *synonym, cm_error *error)
{
    static const char *const columns[] = {"words", "counts", "metrics", "note"};
    *synonym = (cm_synonym){.words = ""};
    in->found = synonym;
    return cm_csv_each_data("data/synonyms.csv", 4, columns, look_at_synonym, in, error);
}

cm_status cm_synonym_find(const char *word, cm_synonym *synonym, cm_error *error)
{
    char plain[CM_NEAR_NAME];
    synonym_search in = {.plain = cm_text_plain(word, plain, sizeof plain)};
    cm_status status = find_row(&in, synonym, error);
    in.any_number = true;
    return status == CM_OK && synonym->words[0] == '\0' ? find_row(&in, synonym, error) : status;
}

cm_status cm_synonym_of_count(const char *counted, cm_synonym *synonym, cm_error *error)
{
    synonym_search in = {.counted = counted};
    return find_row(&in, synonym, error);
}

bool cm_synonym_counts_one(const cm_synonym *synonym)
{
    return names_one(synonym->counts, synonym->note);
}

char *cm_synonym_offer(const cm_synonym *synonym, const char *list, char *text, size_t size)
{
    const char *rest = list;
    char name[CM_NEAR_NAME];
    snprintf(text, size, "%s%s", synonym->note[0] != '\0' ? ": " : "", synonym->note);
    for (bool first = true; cm_synonym_next(&rest, name); first = false)
        cm_text_append(text, size, "", "%s'%s'", first ? "; did you mean " : *rest == '\0' ? " or " : ", ", name);
    if (list[0] != '\0')
        cm_text_append(text, size, "", "?");
    return text;
}

unsigned cm_perf_name_read(const char *name, char plain[CM_NEAR_NAME])
{
    static const char device[] = "cpu/", modes[] = "ukhpPGHSDWeI";
    const bool of_device = strncmp(name, device, strlen(device)) == 0;
    const char *begin = of_device ? name + strlen(device) : name, *colon = strrchr(begin, ':');
    const char *end = of_device ? strrchr(begin, '/') : colon;
    const char *mode = end != NULL ? end + 1 : "";
    if (end == NULL || (!of_device && mode[0] == '\0') || mode[strspn(mode, modes)] != '\0')
        end = begin + strlen(begin), mode = "";
    snprintf(plain, CM_NEAR_NAME, "%.*s", (int)(end - begin), begin);
    const unsigned kernel = strpbrk(mode, "kh") != NULL ? CM_MODE_KERNEL : 0;
    return kernel == 0 || strchr(mode, 'u') != NULL ? kernel | CM_MODE_USER : kernel;
}
