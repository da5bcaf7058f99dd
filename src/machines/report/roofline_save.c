/* The figures of a machine as a directory: JSON for programs, a page, and plots. */
#include <catmint/version.h>

#include "machines/report/report.h"

enum { MOST_FILES = 2 + 64 * (CM_PRECISIONS + 1), ROOFLINE_NAME_SIZE = CM_PLOT_NAME + sizeof ".svg" };

typedef enum file_kind { FIGURES, PAGE, PLOT } file_kind;

struct file {
    file_kind kind;
    char name[ROOFLINE_NAME_SIZE];
    const cm_roofline *roofline;
    size_t plot; /* of PLOT: its number */
};

struct file_list {
    size_t count;
    struct file files[MOST_FILES];
    const char *names[MOST_FILES];
};

static void draw_roofline_file(const void *content, FILE *stream)
{
    const struct file *file = content;
    cm_roofline_draw_plot(file->roofline, file->plot, stream);
}

static void add_file(struct file_list *list, file_kind kind, const char *name, const cm_roofline *roofline, size_t plot)
{
    struct file *file = &list->files[list->count];
    list->names[list->count++] = file->name;
    *file = (struct file){.kind = kind, .roofline = roofline, .plot = plot};
    snprintf(file->name, ROOFLINE_NAME_SIZE, "%s", name);
}

/* Names the JSON, the page, and each plot that has something to show. */
static void list_roofline_files(struct file_list *list, const cm_roofline *roofline)
{
    char stem[CM_PLOT_NAME], name[ROOFLINE_NAME_SIZE];
    add_file(list, FIGURES, "machine.json", roofline, 0);
    add_file(list, PAGE, "roofline.html", roofline, 0);
    for (size_t plot = 0; plot < cm_roofline_plot_count(roofline) && list->count < MOST_FILES; plot++) {
        if (!cm_roofline_name_plot(roofline, plot, stem))
            continue;
        snprintf(name, sizeof name, "%s.svg", stem);
        add_file(list, PLOT, name, roofline, plot);
    }
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

/* Writes one file of the directory, as its kind demands. */
static cm_status save_file(cm_directory *directory, struct file *file, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_directory_file(directory, file->name, &path, error);
    if (status != CM_OK)
        return status;
    switch (file->kind) {
    case FIGURES: return cm_document_save(&(cm_document){"the figures", write_figures, file}, path, error);
    case PAGE: return cm_document_save(&(cm_document){"the page", write_page, file}, path, error);
    default: return cm_plot_save(draw_roofline_file, file, path, error);
    }
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

/* Writes all files into the directory, or none. */
static cm_status save_roofline_files(struct file_list *files, const char *directory, cm_error *error)
{
    cm_directory *opened = NULL;
    cm_status status = cm_directory_open(directory, &kind, files->names, files->count, &opened, error);
    if (status == CM_OK)
        cm_directory_clean(opened);
    for (size_t i = 0; i < files->count && status == CM_OK; i++)
        status = save_file(opened, &files->files[i], error);
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.roofline-files/1", "catmint", CATMINT_VERSION);
    return cm_directory_end(opened, status, record, error);
}

cm_status cm_roofline_save(const cm_roofline *roofline, const char *directory, size_t *files, cm_error *error)
{
    struct file_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return cm_error_no_memory(error);
    list_roofline_files(list, roofline);
    cm_status status = save_roofline_files(list, directory, error);
    if (status == CM_OK && files != NULL)
        *files = list->count;
    free(list);
    return status;
}
