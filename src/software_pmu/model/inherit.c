/* Models that inherit: a file `inherits` names the model that one begins with, and may end with the word `listed`. */
#include "software_pmu/model/model.h"

enum { WORDS_SIZE = 4096 };

/* The first line of the file that is neither blank nor a comment; "" if there is none. */
static cm_status read_line(const char *path, char line[WORDS_SIZE], cm_error *error)
{
    FILE *stream = NULL;
    bool found = false;
    cm_status status = cm_input_open(path, &stream, error);
    while (status == CM_OK && !found && fgets(line, WORDS_SIZE, stream) != NULL)
        found = line[0] != '#' && line[strspn(line, " \t\r\n")] != '\0';
    if (!found)
        line[0] = '\0';
    if (stream != NULL)
        fclose(stream);
    return status;
}

/* Reads the model's name or directory, and whether only listed events stay. */
static cm_status read_inherits(const char *path, char model[WORDS_SIZE], bool *listed, cm_error *error)
{
    char *rest = model;
    cm_status status = read_line(path, model, error);
    if (status != CM_OK)
        return status;
    const char *name = strsep(&rest, " \t\r\n");
    rest = rest != NULL ? rest + strspn(rest, " \t\r\n") : NULL;
    const char *word = strsep(&rest, " \t\r\n");
    *listed = word != NULL && strcmp(word, "listed") == 0;
    if (name[0] == '\0' || (word != NULL && word[0] != '\0' && !*listed))
        return cm_error_set(error, CM_BAD_INPUT, path, 1, 0,
                            "expected the name or directory of a model, and behind it 'listed' or nothing");
    return CM_OK;
}

cm_status cm_model_layer_file(const cm_model_layers *layers, size_t layer, const char *name, char **path,
                              cm_error *error)
{
    struct stat found;
    *path = cm_path_join(layers->directories[layer], name, "");
    if (*path == NULL)
        return cm_error_no_memory(error);
    if (stat(*path, &found) != 0 && errno == ENOENT) {
        free(*path);
        *path = NULL;
    }
    return CM_OK;
}

cm_status cm_model_layer_lacks(const cm_model_layers *layers, size_t layer, const char *name, cm_error *error)
{
    char *path = cm_path_join(layers->directories[layer], name, "");
    if (path == NULL)
        return cm_error_no_memory(error);
    cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                 "no such file: the directory of a PMU model holds events.csv and machine.csv");
    free(path);
    return CM_BAD_INPUT;
}

/* Adds the layer below the last one; *more is false if that inherits nothing. */
static cm_status add_layer(cm_model_layers *layers, bool *more, cm_error *error)
{
    char *path = NULL, model[WORDS_SIZE] = "";
    size_t last = layers->count - 1;
    cm_status status = cm_model_layer_file(layers, last, "inherits", &path, error);
    *more = status == CM_OK && path != NULL;
    if (*more && layers->count == CM_MODEL_LAYERS)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                              "more than %d models inherit from each other, or one from itself", CM_MODEL_LAYERS - 1);
    else if (*more)
        status = read_inherits(path, model, &layers->listed[last], error);
    if (*more && status == CM_OK)
        status = cm_pmu_model_find(model, &layers->directories[layers->count], error);
    if (status == CM_BAD_ARGUMENT)
        status = cm_error_set(error, CM_BAD_INPUT, path, 1, 0, "unknown model '%.80s', expected a name or a directory",
                              model);
    layers->count += *more && status == CM_OK;
    free(path);
    return status;
}

cm_status cm_model_layers_find(const char *directory, cm_model_layers *layers, cm_error *error)
{
    *layers = (cm_model_layers){.count = 1, .directories = {strdup(directory)}};
    bool more = layers->directories[0] != NULL;
    cm_status status = more ? CM_OK : cm_error_no_memory(error);
    while (status == CM_OK && more)
        status = add_layer(layers, &more, error);
    return status;
}

void cm_model_layers_clear(cm_model_layers *layers)
{
    for (size_t i = 0; i < CM_MODEL_LAYERS; i++)
        free(layers->directories[i]);
    *layers = (cm_model_layers){0};
}
