/* Finds the columns in the CSV of ncu and rocprofv3. */
#include "formats/ncu/ncu.h"

static size_t find_column(const cm_sheet_row *row, const char *heading)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcasecmp(row->cells[i], heading) == 0)
            return i;
    return SIZE_MAX;
}

/* The columns of ncu's headings, or of rocprofv3's. */
static cm_ncu_columns columns_of(const cm_sheet_row *row, size_t heading, bool of_rocprofv3)
{
    static const char *const headings[][2] = {{"Kernel Name", "Kernel_Name"},   {"ID", "Dispatch_Id"},
                                              {"Process ID", "Process_Id"},     {"Device", "Agent_Id"},
                                              {"Block Size", "Workgroup_Size"}, {"Grid Size", "Grid_Size"},
                                              {"Metric Name", "Counter_Name"},  {"Metric Unit", "Counter_Unit"},
                                              {"Metric Value", "Counter_Value"}};
    size_t at[CM_COUNT_OF(headings)];
    for (size_t i = 0; i < CM_COUNT_OF(headings); i++)
        at[i] = find_column(row, headings[i][of_rocprofv3]);
    return (cm_ncu_columns){heading, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], of_rocprofv3};
}

cm_status cm_ncu_find_columns(const cm_sheet *sheet, cm_ncu_columns *columns, cm_error *error)
{
    for (size_t i = 0; i < sheet->count; i++) {
        const cm_sheet_row *row = &sheet->rows[i];
        *columns = columns_of(row, i, find_column(row, "Dispatch_Id") != SIZE_MAX);
        if (columns->kernel == SIZE_MAX || columns->launch == SIZE_MAX)
            continue;
        if ((columns->metric == SIZE_MAX) == (columns->value == SIZE_MAX))
            return CM_OK;
        return cm_error_set(error, CM_BAD_INPUT, sheet->file, row->line, 0,
                            "expected the columns '%s' and '%s', found one of them",
                            columns->of_rocprofv3 ? "Counter_Name" : "Metric Name",
                            columns->of_rocprofv3 ? "Counter_Value" : "Metric Value");
    }
    return cm_error_set(error, CM_BAD_INPUT, sheet->file, sheet->rows[0].line, 0,
                        "expected the CSV of ncu with the headings 'ID' and 'Kernel Name', as 'ncu --csv --page raw' "
                        "writes it, or that of 'rocprofv3 --pmc' with 'Dispatch_Id' and 'Kernel_Name'");
}

bool cm_ncu_is_launch(const cm_ncu_columns *columns, const cm_sheet_row *row)
{
    const char *launch = cm_sheet_cell(row, columns->launch);
    const bool cut = launch[strspn(launch, "0123456789")] == '\0'; /* else a row of one cell is a program's text */
    return isdigit((unsigned char)launch[0]) != 0 && (row->count > 1 || cut);
}

bool cm_ncu_is_same_row(const cm_sheet_row *row, const cm_sheet_row *other)
{
    size_t i = 0;
    while (i < row->count && i < other->count && strcmp(row->cells[i], other->cells[i]) == 0)
        i++;
    return i == row->count && i == other->count;
}

/* The product of the numbers in "(80, 1, 1)"; 0 if there are none or more than three, or one is 0. */
static double product(const char *size)
{
    double product = 1.0;
    size_t found = 0;
    for (size_t length; *size != '\0'; size += length > 0 ? length : 1) {
        double number = 0.0;
        length = cm_number_prefix(size, &number);
        found += length > 0;
        product *= length > 0 ? number : 1.0;
    }
    return found > 0 && found <= 3 ? product : 0.0;
}

cm_status cm_ncu_check_launch(const cm_sheet *sheet, const cm_ncu_columns *columns, const cm_sheet_row *row,
                              cm_error *error)
{
    const cm_sheet_row *heading = &sheet->rows[columns->heading];
    const size_t sizes[] = {columns->block, columns->grid};
    if (row->count != heading->count)
        return cm_error_set(error, CM_BAD_INPUT, sheet->file, row->line, 0,
                            "expected %zu cells, as headings, found %zu", heading->count, row->count);
    for (size_t i = 0; i < CM_COUNT_OF(sizes); i++) {
        const char *size = cm_sheet_cell(row, sizes[i]);
        if (sizes[i] != SIZE_MAX && (size[strspn(size, "0123456789(), ")] != '\0' || !(product(size) > 0.0)))
            return cm_error_set(error, CM_BAD_INPUT, sheet->file, row->line, 0,
                                "column %zu, '%s': expected a size as in '(256, 1, 1)', found '%.60s'", sizes[i] + 1,
                                heading->cells[sizes[i]], size);
    }
    return CM_OK;
}

double cm_ncu_threads(const cm_ncu_columns *columns, const cm_sheet_row *row)
{
    enum { WAVEFRONT = 64 };
    const double grid = product(cm_sheet_cell(row, columns->grid));
    return columns->of_rocprofv3 ? grid / WAVEFRONT : grid * product(cm_sheet_cell(row, columns->block));
}
