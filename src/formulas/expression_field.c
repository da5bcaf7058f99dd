/* Parses expressions in CSV files. Faults alone read the file again, to find a field's place. */
#include "formulas/formulas.h"

/* Parses the text and checks its divisors. */
static cm_status parse_text(const char *text, const cm_expression_source *source, cm_expression_resolve resolve,
                            void *data, cm_expression **expression, cm_error *error)
{
    cm_expression *parsed = NULL;
    cm_status status = cm_expression_parse(text, source, resolve, data, &parsed, error);
    CM_THEN(status, cm_expression_check_divisors(parsed, error));
    CM_HAND_OVER(status, expression, parsed, cm_expression_free);
    return status;
}

cm_status cm_expression_parse_field(const cm_csv *csv, const cm_csv_row *row, size_t field,
                                    const cm_expression_source *source, cm_expression_resolve resolve, void *data,
                                    cm_expression **expression, cm_error *error)
{
    cm_expression_source placed = *source;
    placed.file = cm_csv_path(csv);
    placed.line = row->line;
    cm_status status = parse_text(row->fields[field], &placed, resolve, data, expression, NULL);
    if (status == CM_OK || status == CM_NO_MEMORY)
        return status == CM_OK ? CM_OK : cm_error_no_memory(error);
    cm_csv_locate(cm_csv_path(csv), row->line, field, &placed.line, &placed.column, NULL);
    return parse_text(row->fields[field], &placed, resolve, data, expression, error);
}
