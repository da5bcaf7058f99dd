/* The figures of a machine as a directory: JSON for programs, a page, and plots. */
#include <catmint/version.h>

#include "machines/report/report.h"

enum { MOST_FILES = 2 + 64 * (CM_PRECISIONS + 1), ROOFLINE_NAME_SIZE = CM_PLOT_NAME + sizeof ".svg" };

struct file {
    char name[ROOFLINE_NAME_SIZE];
    const cm_roofline *roofline;
    size_t plot; /* the number of a plot */
};

struct file_list {
    size_t count;
    struct file files[MOST_FILES];
    cm_directory_document documents[MOST_FILES];
};

static void draw_roofline_file(const void *content, FILE *stream)
{
    const struct file *file = content;
    cm_roofline_draw_plot(file->roofline, file->plot, stream);
}

static cm_status write_roofline_plot(void *content, FILE *stream, cm_error *error)
{
    return cm_plot_write(draw_roofline_file, content, stream, error);
}

static cm_status write_page(void *content, FILE *stream, cm_error *error)
{
    (void)error;
    const cm_roofline *roofline = ((const struct file *)content)->roofline;
    const cm_html html = {.title = roofline->processor, .stream = stream};
    cm_html_roofline(&html, roofline);
    return CM_OK;
}

static cm_status write_figures(void *content, FILE *stream, cm_error *error)
{
    return cm_json_print(cm_roofline_json(((const struct file *)content)->roofline), stream, error);
}

static void add_file(struct file_list *list, const char *name, const char *ending, struct file added,
                     cm_document document)
{
    struct file *file = document.content = &list->files[list->count];
    *file = added;
    snprintf(file->name, ROOFLINE_NAME_SIZE, "%s%s", name, ending);
    list->documents[list->count++] = (cm_directory_document){file->name, document};
}

/* Names the JSON, the page, and each plot that has something to show. */
static void list_roofline_files(struct file_list *list, const cm_roofline *roofline)
{
    char stem[CM_PLOT_NAME];
    struct file file = {.roofline = roofline};
    add_file(list, "machine", ".json", file, (cm_document){"the figures", write_figures, NULL});
    add_file(list, "roofline", ".html", file, (cm_document){"the page", write_page, NULL});
    for (; file.plot < cm_roofline_plot_count(roofline) && list->count < MOST_FILES; file.plot++)
        if (cm_roofline_name_plot(roofline, file.plot, stem))
            add_file(list, stem, ".svg", file, (cm_document){"the plot", write_roofline_plot, NULL});
}

static const cm_directory_kind kind = {".catmint-roofline", ".roofline-", "an earlier roofline"};

cm_status cm_roofline_check_directory(const char *directory, cm_error *error)
{
    static const char *const names[] = {"machine.json", "roofline.html"};
    cm_directory *opened = NULL;
    cm_status status = cm_directory_open(directory, &kind, names, CM_COUNT_OF(names), &opened, error);
    cm_directory_free(opened);
    return status;
}

cm_status cm_roofline_save(const cm_roofline *roofline, const char *directory, size_t *files, cm_error *error)
{
    struct file_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return cm_error_no_memory(error);
    list_roofline_files(list, roofline);
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.roofline-files/1", "catmint", CATMINT_VERSION);
    cm_status status = cm_directory_save(directory, &kind, list->documents, list->count, record, error);
    if (status == CM_OK && files != NULL)
        *files = list->count;
    free(list);
    return status;
}
