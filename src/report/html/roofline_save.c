/* The figures of a machine as a folder: for programs, for a browser, and as plots. */
#include <stdlib.h>

#include <catmint/version.h>

#include "core/error.h"
#include "core/files.h"
#include "core/folder.h"
#include "report/html/html.h"
#include "report/plots/plots.h"
#include "report/report.h"

enum { MOST_TEAMS = 64, MOST_FILES = 2 + MOST_TEAMS * (CM_PRECISIONS + 1), NAME_SIZE = 48 };

typedef enum file_kind { FIGURES, PAGE, ROOFLINE, SIZES } file_kind;

struct file {
    file_kind kind;
    char name[NAME_SIZE];
    const cm_roofline *roofline;
    size_t cores;           /* of a plot */
    cm_precision precision; /* of a roofline */
};

struct folder {
    size_t count;
    struct file files[MOST_FILES];
    const char *names[MOST_FILES];
};

static void draw(const void *content, FILE *stream)
{
    const struct file *file = content;
    if (file->kind == SIZES)
        cm_plot_sweep(file->roofline, file->cores, stream);
    else
        cm_plot_roofline(file->roofline, file->cores, file->precision, stream);
}

static struct file *add(struct folder *folder, file_kind kind, const cm_roofline *roofline, size_t cores)
{
    struct file *file = &folder->files[folder->count];
    folder->names[folder->count++] = file->name;
    *file = (struct file){.kind = kind, .roofline = roofline, .cores = cores};
    return file;
}

static void list_plots(struct folder *folder, const cm_roofline *roofline, size_t cores)
{
    for (cm_precision precision = CM_DOUBLE; precision < CM_PRECISIONS; precision++) {
        if (!cm_plot_has_roofline(roofline, cores, precision))
            continue;
        struct file *file = add(folder, ROOFLINE, roofline, cores);
        file->precision = precision;
        snprintf(file->name, NAME_SIZE, "roofline-%zu-%s.svg", cores, cm_precision_name(precision));
    }
    if (cm_plot_has_sweep(roofline, cores))
        snprintf(add(folder, SIZES, roofline, cores)->name, NAME_SIZE, "sizes-%zu.svg", cores);
}

static void list_files(struct folder *folder, const cm_roofline *roofline)
{
    size_t teams = cm_roofline_teams(roofline);
    snprintf(add(folder, FIGURES, roofline, 0)->name, NAME_SIZE, "machine.json");
    snprintf(add(folder, PAGE, roofline, 0)->name, NAME_SIZE, "roofline.html");
    for (size_t i = 0; i < teams && i < MOST_TEAMS; i++)
        list_plots(folder, roofline, cm_roofline_team(roofline, i));
}

static cm_status put_page(void *content, FILE *stream, cm_error *error)
{
    (void)error;
    const cm_roofline *roofline = ((const struct file *)content)->roofline;
    const cm_html html = {.title = roofline->processor, .stream = stream};
    cm_html_roofline(&html, roofline);
    return CM_OK;
}

static cm_status put_figures(void *content, FILE *stream, cm_error *error)
{
    return cm_roofline_put_json(((const struct file *)content)->roofline, NULL, stream, error);
}

static cm_status save(cm_folder *folder, struct file *file, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_folder_file(folder, file->name, &path, error);
    if (status != CM_OK)
        return status;
    switch (file->kind) {
    case FIGURES: return cm_document_save(&(cm_document){"the figures", put_figures, file}, path, error);
    case PAGE: return cm_document_save(&(cm_document){"the page", put_page, file}, path, error);
    default: return cm_plot_save(draw, file, path, error);
    }
}

static cm_status commit(cm_folder *folder, cm_error *error)
{
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.roofline-files/1", "catmint", CATMINT_VERSION);
    cm_status status = record != NULL ? cm_folder_commit(folder, record, error) : cm_error_no_memory(error);
    json_decref(record);
    return status;
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

static cm_status save_files(struct folder *files, const char *directory, cm_error *error)
{
    cm_folder *folder = NULL;
    cm_status status = cm_folder_open(directory, &kind, files->names, files->count, &folder, error);
    if (status == CM_OK)
        cm_folder_clean(folder);
    for (size_t i = 0; i < files->count && status == CM_OK; i++)
        status = save(folder, &files->files[i], error);
    if (status == CM_OK)
        status = commit(folder, error);
    if (status != CM_OK)
        cm_folder_name_file(folder, error);
    cm_folder_free(folder);
    return status;
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
