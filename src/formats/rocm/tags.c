/* Takes the tags of rocprof's XML: GPUs, which may take over from others, and their counters. */
#include "formats/rocm/rocm.h"

cm_status cm_rocm_add(cm_rocm_reader *reader, const cm_yaml_entry *entry, const char *section, const char *unit)
{
    const cm_formula_info info = {.metric = reader->name,
                                  .section = section,
                                  .unit = unit,
                                  .text = entry->value,
                                  .line = entry->line,
                                  .column = entry->column};
    size_t formula = 0;
    return cm_formulas_add(reader->formulas, &info, &formula, reader->error);
}

cm_status cm_rocm_keep_named(cm_rocm_named **list, size_t *count, const char *name, const char *targets,
                             cm_error *error)
{
    if (!CM_GROW_BY_ONE(*list, *count))
        return cm_error_no_memory(error);
    (*list)[*count] = (cm_rocm_named){strdup(name), strdup(targets)};
    ++*count;
    return (*list)[*count - 1].name != NULL && (*list)[*count - 1].targets != NULL ? CM_OK : cm_error_no_memory(error);
}

void cm_rocm_append_target(cm_rocm_reader *reader, const char *target)
{
    cm_text_append(reader->targets, sizeof reader->targets, "/", "%s", target);
}

/* Copies the name of a GPU: derived counters have it with "_expr" behind. */
static void copy_gpu(char name[64], const char *from)
{
    snprintf(name, 64, "%s", from);
    char *end = strstr(name, "_expr");
    if (end != NULL)
        *end = '\0';
}

/* A GPU, which may take over from another: <gfx906 base="gfx9">. */
static cm_status take_gpu(cm_rocm_reader *reader, const cm_xml_tag *tag)
{
    char name[64], other[64];
    const cm_xml_attribute *base = cm_xml_find(tag, "base");
    copy_gpu(name, tag->name);
    snprintf(reader->targets, sizeof reader->targets, "%s", strncmp(name, "gfx", 3) == 0 ? name : "");
    if (base != NULL) {
        copy_gpu(other, base->value);
        size_t i = reader->chain_count;
        while (i > 0 && strcmp(reader->chains[i - 1].name, other) != 0)
            i--;
        if (strcmp(name, other) != 0)
            cm_rocm_append_target(reader, i > 0 ? reader->chains[i - 1].targets : other);
    }
    return cm_rocm_keep_named(&reader->chains, &reader->chain_count, name, reader->targets, reader->error);
}

/* Reads the counters that the included file describes; a file that is not there describes none. */
static cm_status take_included(cm_rocm_reader *reader, const cm_xml_tag *tag)
{
    const char *place = reader->formulas->place, *directory = strrchr(place, '/');
    char *path = NULL;
    cm_error none;
    if (reader->included)
        return CM_OK;
    if (asprintf(&path, "%.*s%s", directory != NULL ? (int)(directory + 1 - place) : 0, place,
                 tag->attributes[0].value) < 0)
        return cm_error_no_memory(reader->error);
    reader->included = true;
    cm_status status = cm_xml_each(path, cm_rocm_take_tag, reader, &none);
    reader->included = false;
    free(path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(reader->error) : CM_OK;
}

cm_status cm_rocm_take_tag(const cm_xml_tag *tag, void *data, cm_error *error)
{
    cm_rocm_reader *reader = data;
    (void)error;
    if (strcmp(tag->name, "#include") == 0)
        return take_included(reader, tag);
    if (strcmp(tag->name, "metric") != 0)
        return take_gpu(reader, tag);
    const cm_xml_attribute *name = cm_xml_find(tag, "name"), *formula = cm_xml_find(tag, "expr");
    if (name == NULL || name->value[0] == '\0')
        return reader->included ? CM_OK
                                : cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, tag->line, tag->column, "",
                                                        "a metric without a name");
    snprintf(reader->name, sizeof reader->name, "%s", name->value);
    if (formula == NULL || reader->included)
        return cm_rocm_keep_named(&reader->basics, &reader->basic_count, reader->name, reader->targets, reader->error);
    const char *const keys[] = {"expr"};
    const cm_yaml_entry entry = {tag->file, 1, keys, formula->value, formula->line, formula->column};
    return cm_rocm_add(reader, &entry, reader->targets, "");
}
