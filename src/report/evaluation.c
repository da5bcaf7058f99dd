/* Evaluates a file of formulas and writes what comes out. */
#include <catmint/evaluate.h>

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"
#include "core/text.h"
#include "core/output.h"
#include "core/document.h"
#include "evaluate/evaluation.h"

static void note_faults(const cm_evaluation *evaluation, const cm_evaluate_options *options)
{
    for (size_t i = 0; i < evaluation->fault_count && options->note != NULL; i++) {
        const cm_value_fault *fault = &evaluation->faults[i];
        bool every = fault->run == CM_FORMULAS_NONE;
        char text[512];
        cm_text_print(text, sizeof text, "%.100s, %s%.100s: %s", evaluation->set->formulas[fault->metric].info.metric,
                      every ? "every run" : "run ", every ? "" : evaluation->counts->value_names[fault->run],
                      fault->text);
        options->note(text, options->note_data);
    }
}

typedef struct styled {
    const cm_evaluation *evaluation;
    const cm_evaluate_options *options;
} styled;

static cm_status put(void *content, FILE *stream, cm_error *error)
{
    const styled *what = content;
    const cm_evaluate_options *options = what->options;
    bool enough = true;
    switch (options->format) {
    case CM_EVALUATE_TABLE:
        enough = cm_evaluation_table(what->evaluation, options->width, options->colour, stream);
        break;
    case CM_EVALUATE_CSV: cm_evaluation_csv(what->evaluation, stream); break;
    case CM_EVALUATE_JSON: enough = cm_evaluation_json(what->evaluation, stream); break;
    }
    return enough ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_evaluate(const cm_evaluate_options *options, FILE *stream, cm_evaluate_summary *summary, cm_error *error)
{
    cm_evaluation *evaluation = NULL;
    if (options->formulas == NULL || options->counts == NULL || !(options->tolerance >= 0.0))
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                            "formulas and counts must be given, and a tolerance of 0 or more");
    cm_status status = cm_evaluation_create(options->formulas, options->counts, options->tolerance, &evaluation, error);
    if (status == CM_OK)
        status = cm_document_write(&(cm_document){"results", put, &(styled){evaluation, options}}, stream, error);
    if (status == CM_OK) {
        note_faults(evaluation, options);
        if (summary != NULL)
            *summary = (cm_evaluate_summary){evaluation->set->count, evaluation->run_count, evaluation->fault_count};
    }
    cm_evaluation_free(evaluation);
    return status;
}

cm_status cm_evaluate_save(const cm_evaluate_options *options, const char *path, cm_evaluate_summary *summary,
                           cm_error *error)
{
    cm_output *output = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_evaluate(options, stream, summary, error);
    if (fclose(stream) != 0 && status == CM_OK)
        status = cm_error_no_memory(error);
    if (status == CM_OK)
        status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        /* A stream that fails is reported by the commit, with the path. */
        fwrite(text, 1, size, cm_output_stream(output));
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    free(text);
    return status;
}
