/* Reads any bytes as formulas and a table of counts, and writes the values in every format. */
#include <string.h>

#include <jansson.h>

#include <catmint/evaluate.h>

#include "fuzz.h"

/* Every fault has a text. */
static void look_at_faults(const cm_evaluation *evaluation)
{
    char text[512];
    for (size_t i = 0; i < cm_evaluation_fault_count(evaluation); i++)
        FUZZ_EXPECT(cm_evaluation_fault(evaluation, i, text, sizeof text)[0] != '\0');
}

/* What was written can be shown, unless two runs have one name, or one has none. */
static void look_at_document(const char *text, size_t size)
{
    cm_formula_values *values = NULL;
    cm_error error = {0};
    cm_status status = cm_formula_values_load(fuzz_file(2, text, size), &values, &error);
    if (status != CM_OK)
        fuzz_expect_refusal(status, &error);
    cm_formula_values_free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_part parts[2];
    (void)fuzz_split(data, size, 2, parts);
    size_t written;
    const cm_evaluate_options options = {.size = sizeof options,
                                         .formulas = fuzz_file(0, parts[0].data, parts[0].size),
                                         .counts = fuzz_file(1, parts[1].data, parts[1].size),
                                         .tolerance = CM_EVALUATE_TOLERANCE};
    cm_evaluation *evaluation = NULL;
    cm_error error = {0};
    cm_status status = cm_evaluation_create(&options, &evaluation, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        return 0;
    }
    look_at_faults(evaluation);
    for (cm_output_format format = CM_FORMAT_TABLE; format <= CM_FORMAT_SVG; format++) {
        const cm_output_style style = {format, 80, true};
        status = cm_evaluation_write(evaluation, &style, fuzz_stream(), &error);
        FUZZ_EXPECT(status == CM_OK || (format == CM_FORMAT_SVG && status == CM_BAD_ARGUMENT));
        if (status != CM_OK)
            continue;
        const char *text = fuzz_written(&written);
        FUZZ_EXPECT(written > 0);
        json_t *document = format == CM_FORMAT_JSON ? json_loadb(text, written, JSON_REJECT_DUPLICATES, NULL) : NULL;
        FUZZ_EXPECT(format != CM_FORMAT_JSON || document != NULL);
        json_decref(document);
        if (format == CM_FORMAT_JSON)
            look_at_document(text, written);
    }
    cm_evaluation_free(evaluation);
    return 0;
}
