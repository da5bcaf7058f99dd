/* Intervals for spreadsheets: a row for each program and memory. */
#include "machines/report/report.h"

cm_status cm_projection_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_projection *made = content;
    fputs("program,memory,memory_bandwidth,vector_bits,lowest,highest,spread_lowest,spread_highest,"
          "bound_lowest,bound_highest,bound_spread_lowest,bound_spread_highest\n",
          stream);
    for (size_t i = 0; i < made->case_count; i++) {
        const cm_projected_speed *result = &made->cases[i].result;
        const double values[] = {
            result->bandwidth,           result->vector_bits,         result->lowest,       result->highest,
            result->spread_lowest,       result->spread_highest,      result->bound_lowest, result->bound_highest,
            result->bound_spread_lowest, result->bound_spread_highest};
        cm_csv_write_cell(stream, result->program);
        fputc(',', stream);
        cm_csv_write_cell(stream, result->memory);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            char text[CM_NUMBER_TEXT_SIZE] = "";
            if (!isnan(values[k]))
                cm_number_write(values[k], text);
            fprintf(stream, ",%s", text);
        }
        fputc('\n', stream);
    }
    return CM_OK;
}
