/* Writes a section file of Nsight Compute: text of Protocol Buffers. Its documentation has only whole numbers and no
 * parentheses in expressions, so nothing else is written. */
#include "formulas/events/events.h"
#include "formats/ncu/ncu.h"

/* Writes sm__inst_executed.sum for "cuda:::sm__inst_executed:stat=sum". */
static const char *name_event(const char *event, char *name, size_t size)
{
    static const char statistic[] = ":stat=", device[] = ":device=";
    const char *bare = cm_component_bare(event), *at = strstr(bare, statistic);
    if (cm_component_is_named(event) && !cm_component_begins(event, "cuda") && !cm_component_begins(event, "sde"))
        return "it is no metric of an NVIDIA GPU";
    if (at == NULL || strstr(bare, "__") == NULL)
        return "it is no metric of an NVIDIA GPU with a statistic (NAME:stat=sum)";
    const char *value = at + strlen(statistic), *end = strstr(value, device);
    size_t length = end != NULL ? (size_t)(end - value) : strlen(value);
    if (strlen(bare) >= size)
        return "it is too long";
    snprintf(name, size, "%.*s.%.*s", (int)(at - bare), bare, (int)length, value);
    for (const char *c = name; *c != '\0'; c++)
        if (!cm_name_is_word(*c) && *c != '.')
            return "it has characters other than letters, digits and '_'";
    return NULL;
}

/* Writes catmint__dp_ops for "DP Ops.". */
static const char *name_metric(const cm_writing_item *item, char *name, size_t size)
{
    static const char prefix[] = "catmint__";
    const char *why = cm_name_identifier(item, name, size);
    if (why != NULL || strlen(name) + sizeof prefix > size)
        return why != NULL ? why : "it is too long";
    memmove(name + strlen(prefix), name, strlen(name) + 1);
    memcpy(name, prefix, strlen(prefix));
    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    return NULL;
}

static void write_quoted(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text != '\0'; text++)
        fprintf(stream, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", (unsigned char)*text < ' ' ? ' ' : *text);
    fputc('"', stream);
}

/* Why a definition cannot be written; NULL: it can, as a sum with whole coefficients that begins with no sign. */
static const char *find_obstacle(const cm_writing_item *item)
{
    for (size_t k = 0; k < item->term_count; k++) {
        double factor = fabs(item->terms[k].coefficient);
        if (factor != floor(factor) || factor > INT32_MAX)
            return "it has coefficients that are no whole numbers";
    }
    return item->terms[item->order[0]].coefficient < 0.0 ? "it begins with a subtraction" : NULL;
}

/* Writes the definition of a metric. */
static void write_definition(const cm_writing_item *item, FILE *stream)
{
    fputs("  # ", stream);
    cm_writing_write(item->trust, SIZE_MAX, false, stream);
    fprintf(stream, "\n  MetricDefinitions {\n    Name: \"%s\"\n    Expression: \"", item->name);
    for (size_t i = 0; i < item->term_count; i++) {
        size_t term = item->order[i];
        double factor = item->terms[term].coefficient;
        fprintf(stream, "%s%s", i == 0 ? "" : factor < 0.0 ? " - " : " + ", item->events[term]);
        if (fabs(factor) != 1.0)
            fprintf(stream, " * %.0f", fabs(factor));
    }
    fputs("\"\n  }\n", stream);
}

static void write_row(const cm_writing_item *item, FILE *stream)
{
    fputs("      Metrics {\n        Label: ", stream);
    write_quoted(item->metric, stream);
    fprintf(stream, "\n        Name: \"%s\"\n      }\n", item->name);
}

/* Writes the table that shows the metrics. */
static void write_rows(const cm_writing *writing, FILE *stream)
{
    fprintf(stream,
            "Header {\n  Rows: 1\n}\nBody {\n  Items {\n    Table {\n      Label: \"catmint\"\n      Rows: %zu\n"
            "      Columns: 1\n",
            writing->written);
    for (size_t i = 0; i < writing->count; i++)
        if (find_obstacle(&writing->items[i]) == NULL)
            write_row(&writing->items[i], stream);
    fputs("    }\n  }\n}\n", stream);
}

/* Writes all metrics that ncu can compute; others are refused with the reason. */
static cm_status write_section(cm_writing *writing, FILE *stream, cm_error *error)
{
    (void)error;
    fprintf(stream,
            "# %s\n# ncu reads this file from a directory that --section-folder names: ncu --section catmint\n"
            "Identifier: \"catmint\"\nDisplayName: \"catmint\"\nDescription: \"Metrics as catmint defined them\"\n"
            "MetricDefinitions {\n",
            writing->origin);
    for (size_t i = 0; i < writing->count; i++) {
        const cm_writing_item *item = &writing->items[i];
        const char *obstacle = find_obstacle(item);
        if (obstacle != NULL) {
            cm_writing_refuse(writing, item, "%s, which no document of Nsight Compute shows in an expression",
                              obstacle);
            continue;
        }
        write_definition(item, stream);
        writing->written++;
    }
    fputs("}\n", stream);
    write_rows(writing, stream);
    return CM_OK;
}

const cm_foreign_format cm_format_ncu_section = {
    .name = "ncu-section",
    .content = "",
    .renames = true,
    .name_metric = name_metric,
    .name_event = name_event,
    .write = write_section,
};
