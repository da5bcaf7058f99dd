/* The figures of a machine as a directory: JSON for programs, a page, and plots. */
#include <stdlib.h>

#include <catmint/version.h>

#include "core/base.h"
#include "core/files.h"
#include "machines/report/report.h"

enum { MOST_FILES = 2 + 64 * (CM_PRECISIONS + 1), NAME_SIZE = CM_PLOT_NAME + sizeof ".svg" };

typedef enum file_kind { FIGURES, PAGE, PLOT } file_kind;

struct file {
    file_kind kind;
    char name[NAME_SIZE];
    const cm_roofline *roofline;
    size_t plot; /* of PLOT: its number */
};

struct folder {
    size_t count;
    struct file files[MOST_FILES];
    const char *names[MOST_FILES];
};

static void draw_plot(const void *content, FILE *stream)
{
    const struct file *file = content;
    cm_roofline_draw_plot(file->roofline, file->plot, stream);
}

static void add_file(struct folder *folder, file_kind kind, const char *name, const cm_roofline *roofline, size_t plot)
{
    struct file *file = &folder->files[folder->count];
    folder->names[folder->count++] = file->name;
    *file = (struct file){.kind = kind, .roofline = roofline, .plot = plot};
    snprintf(file->name, NAME_SIZE, "%s", name);
}

/* Names the JSON, the page, and each plot that has something to show. */
static void list_files(struct folder *folder, const cm_roofline *roofline)
{
    char stem[CM_PLOT_NAME], name[NAME_SIZE];
    add_file(folder, FIGURES, "machine.json", roofline, 0);
    add_file(folder, PAGE, "roofline.html", roofline, 0);
    for (size_t plot = 0; plot < cm_roofline_plot_count(roofline) && folder->count < MOST_FILES; plot++) {
        if (!cm_roofline_name_plot(roofline, plot, stem))
            continue;
        snprintf(name, sizeof name, "%s.svg", stem);
        add_file(folder, PLOT, name, roofline, plot);
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
    return cm_roofline_write_json(((const struct file *)content)->roofline, NULL, stream, error);
}

/* Writes one file of the directory, as its kind demands. */
static cm_status save_file(cm_folder *folder, struct file *file, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_folder_file(folder, file->name, &path, error);
    if (status != CM_OK)
        return status;
    switch (file->kind) {
    case FIGURES: return cm_document_save(&(cm_document){"the figures", write_figures, file}, path, error);
    case PAGE: return cm_document_save(&(cm_document){"the page", write_page, file}, path, error);
    default: return cm_plot_save(draw_plot, file, path, error);
    }
}

static const cm_folder_kind kind = {".catmint-roofline", ".roofline-", "an earlier roofline"};

cm_status cm_roofline_check_directory(const char *directory, cm_error *error)
{
    static const char *const names[] = {"machine.json", "roofline.html"};
    cm_folder *folder = NULL;
    cm_status status = cm_folder_open(directory, &kind, names, sizeof names / sizeof names[0], &folder, error);
    cm_folder_free(folder);
    return status;
}

/* Writes all files into the directory, or none. */
static cm_status save_files(struct folder *files, const char *directory, cm_error *error)
{
    cm_folder *folder = NULL;
    cm_status status = cm_folder_open(directory, &kind, files->names, files->count, &folder, error);
    if (status == CM_OK)
        cm_folder_clean(folder);
    for (size_t i = 0; i < files->count && status == CM_OK; i++)
        status = save_file(folder, &files->files[i], error);
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.roofline-files/1", "catmint", CATMINT_VERSION);
    return cm_folder_end(folder, status, record, error);
}

cm_status cm_roofline_save(const cm_roofline *roofline, const char *directory, size_t *files, cm_error *error)
{
    struct folder *folder = calloc(1, sizeof *folder);
    if (folder == NULL)
        return cm_error_no_memory(error);
    list_files(folder, roofline);
    cm_status status = save_files(folder, directory, error);
    if (status == CM_OK && files != NULL)
        *files = folder->count;
    free(folder);
    return status;
}
