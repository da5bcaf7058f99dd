/* Writes counters of rocprofv3, as YAML for rocprofiler-sdk. Its arithmetic has only whole numbers (it silently drops
 * fractions) and no sign before a term; so a fraction becomes a single division, at the end. */
#include "formats/rocm/rocm.h"

/* Writes the sum of each counter over the parts of the GPU. */
static void write_expression(const cm_writing_item *item, int64_t denominator, FILE *stream)
{
    bool parts = denominator != 1 && (item->term_count > 1 || item->terms[0].coefficient < 0.0);
    fputs(parts ? "(" : "", stream);
    for (size_t i = 0; i < item->term_count; i++) {
        size_t term = item->order[i];
        int64_t factor = cm_writing_numerator(item->terms[term].coefficient, denominator);
        if (i > 0 || factor < 0)
            fprintf(stream, "%s%c", i == 0 ? "0" : "", factor < 0 ? '-' : '+');
        if (llabs(factor) != 1)
            fprintf(stream, "%lld*", llabs(factor));
        fprintf(stream, "reduce(%s,sum)", item->events[term]);
    }
    fputs(parts ? ")" : "", stream);
    if (denominator != 1)
        fprintf(stream, "/%lld", (long long)denominator);
}

/* Writes a counter. */
static void write_counter(const cm_writing *writing, const cm_writing_item *item, int64_t denominator, FILE *stream)
{
    fprintf(stream, "    - name: %s\n      description: ", item->name);
    cm_rocm_write_quoted(item->description[0] != '\0' ? item->description : item->metric, stream);
    fputs("\n      # ", stream);
    cm_writing_write(item->trust, SIZE_MAX, false, stream);
    fputs("\n      properties: []\n      definitions:\n        - architectures:\n", stream);
    for (size_t i = 0; i < writing->cpu_count; i++)
        fprintf(stream, "            - %s\n", writing->cpus[i]);
    fputs("          expression: ", stream);
    write_expression(item, denominator, stream);
    fputc('\n', stream);
}

/* Whether it is a name such as "gfx90a". */
static bool is_target(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "gfx", 3) == 0 && length > 3 && strspn(name + 3, "0123456789abcdef") == length - 3;
}

/* CM_BAD_ARGUMENT if the GPU is unknown, or not AMD's. */
static cm_status check_targets(const cm_writing *writing, cm_error *error)
{
    for (size_t i = 0; i < writing->cpu_count; i++)
        if (!is_target(writing->cpus[i]))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.200s' is no GPU of AMD's, expected a name like 'gfx90a'",
                           writing->cpus[i]);
    return writing->cpu_count > 0
               ? CM_OK
               : CM_FAIL(
                     error, CM_BAD_ARGUMENT,
                     "the results do not say which GPU the counters are for, expected its name, as in --cpu gfx90a");
}

cm_status cm_rocm_write_counters(cm_writing *writing, FILE *stream, cm_error *error)
{
    cm_status status = check_targets(writing, error);
    if (status != CM_OK)
        return status;
    fprintf(stream,
            "# %s\n# rocprofv3 reads this file with --extra-counters, and counts with --pmc NAME.\n"
            "rocprofiler-sdk:\n  counters-schema-version: 1\n  counters:%s\n",
            writing->origin, writing->count == 0 ? " []" : "");
    for (size_t i = 0; i < writing->count; i++) {
        const cm_writing_item *item = &writing->items[i];
        const char *event = NULL;
        int64_t denominator = cm_writing_denominator(item, INT32_MAX, &event);
        if (denominator == 0) {
            cm_writing_refuse(writing, item,
                              "the coefficient of '%.200s' is not a fraction of whole numbers that rocprofv3 can read",
                              event);
            continue;
        }
        write_counter(writing, item, denominator, stream);
        writing->written++;
    }
    return CM_OK;
}
