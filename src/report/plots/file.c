#include "report/plots/plots.h"

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
