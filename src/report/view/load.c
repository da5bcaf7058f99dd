/* Views: where they come from and go to. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file_text.h"
#include "core/json_build.h"
#include "core/memory_stream.h"
#include "definitions/definitions.h"
#include "report/results.h"
#include "report/view/view.h"

static cm_status read_document(cm_view *view, const json_t *document, const char *file, const char *text,
                               cm_error *error)
{
    cm_json_reader reader = {.file = file, .text = text, .arena = &view->arena, .error = error};
    cm_status status = cm_definitions_read(view->definitions, document, file, text, error);
    return status == CM_OK ? cm_view_read(view, document, &reader) : status;
}

const char *cm_view_not_comparable(const cm_view *view)
{
    return view->definitions->not_comparable;
}

static cm_status make_view(const char *name, cm_view **view, cm_error *error)
{
    *view = calloc(1, sizeof **view);
    if (*view == NULL)
        return cm_error_no_memory(error);
    (*view)->definitions = calloc(1, sizeof *(*view)->definitions);
    (*view)->name = cm_arena_text(&(*view)->arena, name);
    return (*view)->definitions != NULL && (*view)->name != NULL ? CM_OK : cm_error_no_memory(error);
}

static cm_status read_text(const char *name, const char *file, const char *text, size_t size, cm_view **view,
                           cm_error *error)
{
    json_t *document = NULL;
    cm_view *made = NULL;
    cm_status status = cm_json_parse(file, text, size, JSON_REJECT_DUPLICATES, "the JSON that catmint analyze writes",
                                     &document, error);
    if (status == CM_OK)
        status = make_view(name, &made, error);
    if (status == CM_OK)
        status = read_document(made, document, file, text, error);
    json_decref(document);
    if (status == CM_OK)
        *view = made;
    else
        cm_view_free(made);
    return status;
}

cm_status cm_view_load(const char *path, cm_view **view, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cm_status status = cm_file_text_read(path, &text, &size, error);
    if (status == CM_OK)
        status = read_text(path, path, text, size, view, error);
    free(text);
    return status;
}

cm_status cm_view_of_results_create(const cm_results *results, const char *name, cm_view **view, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    const cm_style style = {.format = CM_FORMAT_JSON};
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_results_put_json(results, &style, stream, error);
    if (fclose(stream) != 0 && status == CM_OK)
        status = cm_error_no_memory(error);
    if (status == CM_OK)
        status = read_text(name, NULL, text, size, view, error);
    free(text);
    return status;
}

void cm_view_free(cm_view *view)
{
    if (view == NULL)
        return;
    cm_definitions_free(view->definitions);
    free(view->audits);
    cm_arena_clear(&view->arena);
    free(view);
}

cm_status cm_view_set_name(cm_view *view, const char *name, cm_error *error)
{
    const char *copy = cm_arena_text(&view->arena, name);
    if (copy == NULL)
        return cm_error_no_memory(error);
    view->name = copy;
    return CM_OK;
}
