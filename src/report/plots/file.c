#include "report/plots/plots.h"

struct drawing {
    cm_plot_draw draw;
    const void *content;
};

/* The style stands behind the first tag. */
cm_status cm_plot_write(cm_plot_draw draw, const void *content, FILE *stream, cm_error *error)
{
    char *text = NULL;
    FILE *element = cm_memory_stream(&text, NULL);
    if (element == NULL)
        return cm_error_no_memory(error);
    draw(content, element);
    if (cm_memory_text(element, &text) == NULL)
        return cm_error_no_memory(error);
    size_t head = strcspn(text, ">") + 1;
    fwrite(text, 1, head, stream);
    fprintf(stream, "\n<style>\n%s</style>", cm_plots_style);
    fputs(text + head, stream);
    free(text);
    return CM_OK;
}

static cm_status write_content(void *content, FILE *stream, cm_error *error)
{
    const struct drawing *drawing = content;
    return cm_plot_write(drawing->draw, drawing->content, stream, error);
}

cm_status cm_plot_save(cm_plot_draw draw, const void *content, const char *path, cm_error *error)
{
    struct drawing drawing = {draw, content};
    return cm_document_save(&(cm_document){"the plot", write_content, &drawing}, path, error);
}
