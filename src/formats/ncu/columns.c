/* Finds the columns in the CSV of ncu. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/base.h"
#include "formats/ncu/ncu.h"

static size_t find_column(const cm_sheet_row *row, const char *heading)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcasecmp(row->cells[i], heading) == 0)
            return i;
    return SIZE_MAX;
}

cm_status cm_ncu_find_columns(const cm_sheet *sheet, cm_ncu_columns *columns, cm_error *error)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const cm_sheet_row *row = &sheet->rows[i];
        *columns = (cm_ncu_columns){i,
                                    find_column(row, "Kernel Name"),
                                    find_column(row, "ID"),
                                    find_column(row, "Process ID"),
                                    find_column(row, "Device"),
                                    find_column(row, "Block Size"),
                                    find_column(row, "Grid Size"),
                                    find_column(row, "Metric Name"),
                                    find_column(row, "Metric Unit"),
                                    find_column(row, "Metric Value")};
        if (columns->kernel == SIZE_MAX || columns->launch == SIZE_MAX)
            continue;
        if ((columns->metric == SIZE_MAX) == (columns->value == SIZE_MAX))
            return CM_OK;
        return cm_error_set(error, CM_BAD_INPUT, sheet->file, row->line, 0,
                            "expected the columns 'Metric Name' and 'Metric Value', found one of them");
    }
    return cm_error_set(error, CM_BAD_INPUT, sheet->file, sheet->rows[0].line, 0,
                        "expected the CSV of ncu with the headings 'ID' and 'Kernel Name', as 'ncu --csv --page raw' "
                        "writes it");
}

bool cm_ncu_is_launch(const cm_ncu_columns *columns, const cm_sheet_row *row)
{
    const char *launch = cm_sheet_cell(row, columns->launch);
    return isdigit((unsigned char)launch[0]) != 0;
}

/* The product of the numbers in "(80, 1, 1)"; 0 if there are none. */
static double product(const char *size)
{
    double product = 0.0;
    for (size_t length; *size != '\0'; size += length > 0 ? length : 1) {
        double number = 0.0;
        length = cm_number_prefix(size, &number);
        if (length > 0)
            product = (product > 0.0 ? product : 1.0) * number;
    }
    return product;
}

double cm_ncu_threads(const char *grid, const char *block)
{
    return product(grid) * product(block);
}
