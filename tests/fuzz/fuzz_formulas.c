/* Reads any bytes as a file of formulas, of the format that is built in, and does with it all that can be done. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catmint/formulas.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void evaluate_all(const cm_formulas *formulas)
{
    size_t quantities = cm_formulas_quantity_count(formulas);
    double *values = malloc((quantities + 1) * sizeof *values);
    if (values == NULL)
        return;
    for (size_t i = 0; i < quantities; i++)
        values[i] = (double)(i % 7);
    for (size_t i = 0; i < cm_formulas_count(formulas); i++) {
        double value = 0.0;
        cm_linear_form above, below;
        size_t count = 0;
        cm_status status = cm_formulas_evaluate(formulas, i, values, &value, NULL);
        const size_t *needs = cm_formulas_needs(formulas, i, &count);
        cm_formula_shape shape = cm_formulas_shape(formulas, i, &above, &below);
        for (size_t j = 0; j < count; j++)
            if (needs[j] >= quantities || cm_formulas_quantity_kind(formulas, needs[j]) == CM_QUANTITY_METRIC)
                abort();
        if ((status != CM_OK && status != CM_BAD_INPUT) || (shape == CM_FORMULA_OTHER && above.count + below.count > 0))
            abort();
    }
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    cm_formulas *formulas = NULL;
    cm_lint *lint = NULL;
    if (file < 0) {
        file = memfd_create("formulas", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        return 0;
    cm_error error = {0};
    cm_status status = cm_formulas_load(path, CM_FUZZ_FORMAT, &formulas, &error);
    if (status != CM_OK) {
        if (status != CM_BAD_INPUT || error.text[0] == '\0' || formulas != NULL)
            abort();
        return 0;
    }
    for (size_t i = 0; i < cm_formulas_fault_count(formulas); i++)
        if (cm_formulas_fault(formulas, i)->line == 0 || cm_formulas_fault(formulas, i)->text[0] == '\0')
            abort();
    evaluate_all(formulas);
    if (cm_lint_create(formulas, &lint, NULL) != CM_OK || cm_lint_count(lint) < cm_formulas_fault_count(formulas))
        abort();
    cm_lint_free(lint);
    cm_formulas_free(formulas);
    return 0;
}
