/* Reads any bytes as formulas and a table of counts, and writes the values in every format. */
#include <string.h>

#include <jansson.h>

#include <catmint/evaluate.h>

#include "fuzz.h"

static void note(const char *text, void *data)
{
    FUZZ_EXPECT(text[0] != '\0');
    ++*(size_t *)data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_part parts[2];
    (void)fuzz_split(data, size, 2, parts);
    size_t notes = 0, written;
    cm_evaluate_options options = {.formulas = fuzz_file(0, parts[0].data, parts[0].size),
                                   .counts = fuzz_file(1, parts[1].data, parts[1].size),
                                   .tolerance = CM_EVALUATE_TOLERANCE,
                                   .width = 80,
                                   .colour = true,
                                   .note = note,
                                   .note_data = &notes};
    for (cm_evaluate_format format = CM_EVALUATE_TABLE; format <= CM_EVALUATE_JSON; format++) {
        cm_evaluate_summary summary = {0};
        cm_error error = {0};
        options.format = format;
        notes = 0;
        cm_status status = cm_evaluate(&options, fuzz_stream(), &summary, &error);
        const char *text = fuzz_written(&written);
        if (status != CM_OK) {
            fuzz_expect_refusal(status, &error);
            return 0;
        }
        FUZZ_EXPECT(notes == summary.faults && written > 0);
        json_t *document = format == CM_EVALUATE_JSON ? json_loadb(text, written, JSON_REJECT_DUPLICATES, NULL) : NULL;
        FUZZ_EXPECT(format != CM_EVALUATE_JSON || document != NULL);
        json_decref(document);
    }
    return 0;
}
