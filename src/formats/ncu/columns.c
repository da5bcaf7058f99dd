/* Finds the columns in the CSV of ncu. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/number.h"
#include "formats/ncu/ncu.h"

static size_t find(const cm_sheet_row *row, const char *heading)
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
                                    find(row, "Kernel Name"),
                                    find(row, "ID"),
                                    find(row, "Process ID"),
                                    find(row, "Device"),
                                    find(row, "Block Size"),
                                    find(row, "Grid Size"),
                                    find(row, "Metric Name"),
                                    find(row, "Metric Unit"),
                                    find(row, "Metric Value")};
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
