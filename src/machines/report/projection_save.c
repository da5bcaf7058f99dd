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

static cm_status write_projection_plot(void *content, FILE *stream, cm_error *error)
{
    return cm_plot_write(draw_projection_file, content, stream, error);
}

/* Names the file of the overview and one for each case. */
static void list_projection_files(const cm_projection *made, plot_file *plots, cm_directory_document *files)
{
    for (size_t i = 0; i <= made->case_count; i++) {
        plots[i] = (plot_file){.made = made, .number = i};
        if (i == 0)
            snprintf(plots[i].name, PROJECTION_NAME_SIZE, "projections.svg");
        else
            snprintf(plots[i].name, PROJECTION_NAME_SIZE, "projection-%zu.svg", i);
        files[i] = (cm_directory_document){plots[i].name, {"the plot", write_projection_plot, &plots[i]}};
    }
}

cm_status cm_projection_save_plots(const cm_projection *projection, const char *directory, size_t *files,
                                   cm_error *error)
{
    static const cm_directory_kind kind = {".catmint-projection", ".projection-", "an earlier projection"};
    const size_t count = projection->case_count + 1;
    plot_file *list = calloc(count, sizeof *list);
    cm_directory_document *documents = calloc(count, sizeof *documents);
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.projection-files/1", "catmint", CATMINT_VERSION);
    cm_status status = CM_OK;
    if (list == NULL || documents == NULL) {
        json_decref(record);
        status = cm_error_no_memory(error);
    } else {
        list_projection_files(projection, list, documents);
        status = cm_directory_save(directory, &kind, documents, count, record, error);
    }
    if (status == CM_OK && files != NULL)
        *files = count;
    CM_FREE(documents, list);
    return status;
}
