/* The range in which a definition holds, in words. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/csv.h"
#include "result/result.h"

/* A fact that is looked up, and where its words go. */
typedef struct sought_fact {
    const char *name;
    size_t length, words; /* of its name; the column of words */
    FILE *stream;
    bool found;
} sought_fact;

static cm_status write_if_sought(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    enum { NAME };
    sought_fact *fact = data;
    (void)csv;
    (void)error;
    if (strlen(row->fields[NAME]) != fact->length || strncmp(row->fields[NAME], fact->name, fact->length) != 0)
        return CM_OK;
    fputs(row->fields[fact->words], fact->stream);
    fact->found = true;
    return CM_OK;
}

/* Writes what the fact means, or its name if it is no fact of kernels. */
static void write_fact(const char *name, size_t length, FILE *stream)
{
    static const char *const primitive[] = {"fact", "kind", "tolerance", "separate", "architecture", "words"};
    static const char *const derived[] = {"fact", "expression", "words"};
    sought_fact fact = {name, length, 5, stream, false};
    cm_csv_each_data("bases/primitive-facts.csv", 6, primitive, write_if_sought, &fact, NULL);
    fact.words = 2;
    if (!fact.found)
        cm_csv_each_data("bases/derived-facts.csv", 3, derived, write_if_sought, &fact, NULL);
    if (!fact.found)
        fwrite(name, 1, length, stream);
}

char *cm_facts_in_words(const char *facts)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = cm_memory_stream(&text, &size);
    const bool several = strpbrk(facts, "+-*/(") != NULL;
    if (stream == NULL)
        return NULL;
    while (*facts != '\0') {
        size_t length = 0;
        while (isalnum((unsigned char)facts[length]) || facts[length] == '_')
            length++;
        if (length == 0 || isdigit((unsigned char)*facts)) {
            length = length > 0 ? length : 1;
            fwrite(facts, 1, length, stream);
        } else {
            fputs(several ? "(" : "", stream);
            write_fact(facts, length, stream);
            fputs(several ? ")" : "", stream);
        }
        facts += length;
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

char *cm_range_text(const cm_defined_range *range)
{
    char *fact = cm_facts_in_words(range->fact), *per = cm_facts_in_words(range->per), *text = NULL;
    size_t size = 0;
    FILE *stream = fact != NULL && per != NULL ? cm_memory_stream(&text, &size) : NULL;
    bool made = stream != NULL;
    if (made)
        fprintf(stream, "the ratio of %s to %s is above %.3g", fact, per, range->share);
    made = made && fclose(stream) == 0;
    free(fact);
    free(per);
    if (made)
        return text;
    free(text);
    return NULL;
}

void cm_ranges_write(const cm_defined_range *ranges, size_t count, double programs, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        char *text = cm_range_text(&ranges[i]);
        fprintf(stream, "%s%s", i == 0 ? "" : ", and ", text != NULL ? text : "");
        free(text);
    }
    if (count > 0 && isfinite(programs))
        fprintf(stream, " (%.0f %% of natural programs)", 100.0 * programs);
}
