/* The plots of a projection as a directory. */
#include <catmint/version.h>

#include "machines/report/report.h"

enum { PROJECTION_NAME_SIZE = 40 };

/* A file; the first has all intervals, the others a case each. */
typedef struct plot_file {
    const cm_projection *made;
    size_t number;
    char name[PROJECTION_NAME_SIZE];
} plot_file;

static void draw_projection_file(const void *content, FILE *stream)
{
    const plot_file *file = content;
    if (file->number == 0)
        cm_plot_projections(file->made, stream);
    else
        cm_plot_projection(file->made, &file->made->cases[file->number - 1], stream);
}

/* Names the file of the overview and one for each case. */
static void list_projection_files(const cm_projection *made, plot_file *files, const char **names)
{
    for (size_t i = 0; i <= made->case_count; i++) {
        files[i] = (plot_file){.made = made, .number = i};
        if (i == 0)
            snprintf(files[i].name, PROJECTION_NAME_SIZE, "projections.svg");
        else
            snprintf(files[i].name, PROJECTION_NAME_SIZE, "projection-%zu.svg", i);
        names[i] = files[i].name;
    }
}

/* Writes all files into the directory, or none. */
static cm_status save_projection_files(const plot_file *files, const char **names, size_t count, const char *directory,
                                       cm_error *error)
{
    static const cm_directory_kind kind = {".catmint-projection", ".projection-", "an earlier projection"};
    cm_directory *opened = NULL;
    cm_status status = cm_directory_open(directory, &kind, names, count, &opened, error);
    if (status == CM_OK)
        cm_directory_clean(opened);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const char *path = NULL;
        status = cm_directory_file(opened, files[i].name, &path, error);
        CM_THEN(status, cm_plot_save(draw_projection_file, &files[i], path, error));
    }
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.projection-files/1", "catmint", CATMINT_VERSION);
    return cm_directory_end(opened, status, record, error);
}

cm_status cm_projection_save_plots(const cm_projection *projection, const char *directory, size_t *files,
                                   cm_error *error)
{
    const size_t count = projection->case_count + 1;
    plot_file *list = calloc(count, sizeof *list);
    const char **names = calloc(count, sizeof *names);
    cm_status status = CM_OK;
    if (list == NULL || names == NULL)
        status = cm_error_no_memory(error);
    if (status == CM_OK) {
        list_projection_files(projection, list, names);
        status = save_projection_files(list, names, count, directory, error);
    }
    if (status == CM_OK && files != NULL)
        *files = count;
    CM_FREE(names, list);
    return status;
}
