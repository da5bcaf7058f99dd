/* Views: made from files or from results, and freed. */
#include "report/view/view.h"

const char *cm_results_view_not_comparable(const cm_results_view *view)
{
    return view->definitions->not_comparable;
}

static cm_status make_view(const char *name, cm_results_view **view, cm_error *error)
{
    *view = calloc(1, sizeof **view);
    if (*view == NULL)
        return cm_error_no_memory(error);
    (*view)->definitions = calloc(1, sizeof *(*view)->definitions);
    (*view)->name = cm_arena_text(&(*view)->arena, name);
    return (*view)->definitions != NULL && (*view)->name != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Orders the view if its definitions were filled, with `status`; else frees it. */
static cm_status finish_view(cm_results_view *made, cm_status status, cm_results_view **view, cm_error *error)
{
    CM_THEN(status, cm_view_show(made, error));
    CM_HAND_OVER(status, view, made, cm_results_view_free);
    return status;
}

cm_status cm_results_view_load(const char *path, cm_results_view **view, cm_error *error)
{
    cm_results_view *made = NULL;
    cm_status status = make_view(path, &made, error);
    CM_THEN(status, cm_definitions_read_file(made->definitions, path, error));
    return finish_view(made, status, view, error);
}

cm_status cm_results_view_create(const cm_results *results, const char *name, cm_results_view **view, cm_error *error)
{
    cm_results_view *made = NULL;
    cm_status status = make_view(name, &made, error);
    CM_THEN(status, cm_definitions_take(made->definitions, results, error));
    return finish_view(made, status, view, error);
}

void cm_results_view_free(cm_results_view *view)
{
    if (view == NULL)
        return;
    cm_definitions_free(view->definitions);
    free(view->audits);
    cm_arena_clear(&view->arena);
    free(view);
}

cm_status cm_results_view_set_name(cm_results_view *view, const char *name, cm_error *error)
{
    const char *copy = cm_arena_text(&view->arena, name);
    if (copy == NULL)
        return cm_error_no_memory(error);
    view->name = copy;
    return CM_OK;
}
