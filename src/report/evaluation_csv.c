/* Values for spreadsheets. */
#include "report/report.h"

cm_status cm_evaluation_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_evaluation *evaluation = content;
    fputs("metric,unit,parent,of", stream);
    for (size_t run = 0; run < evaluation->run_count; run++) {
        fputc(',', stream);
        cm_csv_write_cell(stream, evaluation->counts->value_names[run]);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < evaluation->set->count; i++) {
        size_t index = evaluation->rows[i];
        const cm_formula *metric = &evaluation->set->formulas[index];
        const char *const texts[] = {metric->info.metric, metric->info.unit, metric->parent_name, metric->of_name};
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) {
            fputs(j > 0 ? "," : "", stream);
            cm_csv_write_cell(stream, texts[j]);
        }
        for (size_t run = 0; run < evaluation->run_count; run++) {
            const cm_cell *cell = &evaluation->cells[index * evaluation->run_count + run];
            char text[CM_NUMBER_TEXT_SIZE] = "";
            if (cell->state == CM_CELL_VALUE)
                cm_number_write(cell->value, text);
            fprintf(stream, ",%s", text);
        }
        fputc('\n', stream);
    }
    return CM_OK;
}
