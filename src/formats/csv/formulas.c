/* Reads catmint's own files of formulas: metric,formula[,unit][,source][,preset][,description][,parent][,of], and
 * tables whose columns are told. All rows are read before any formula is parsed, because formulas may use metrics of
 * later rows. */
#include "formats/format.h"

/* Records a fault of the relation; the metric loses its expression. */
static cm_status refuse_relation(cm_formulas *formulas, cm_formula *formula, const char *format, const char *name)
{
    cm_expression_free(formula->expression);
    formula->expression = NULL;
    formula->parent = CM_FORMULAS_NONE;
    return cm_formulas_add_fault(formulas, CM_FAULT_SYNTAX, formula->info.line, 0, formula->info.metric, format, name,
                                 CM_FORMULAS_DEPTH);
}

/* Finds the parent and the whole of a metric. */
static cm_status find_names(cm_formulas *formulas, cm_formula *formula)
{
    size_t parent = 0;
    if (formula->parent_name[0] != '\0') {
        if (!cm_name_index_find(formulas->names, formula->parent_name, &parent) ||
            formulas->quantities[parent].kind != CM_QUANTITY_METRIC)
            return refuse_relation(formulas, formula, "the parent '%.100s' is not a metric of this file",
                                   formula->parent_name);
        formula->parent = formulas->quantities[parent].formula;
    }
    if (formula->of_name[0] != '\0' && !cm_name_index_find(formulas->names, formula->of_name, &formula->of))
        return refuse_relation(formulas, formula,
                               "a fraction of '%.100s', which is neither a metric nor an event of this file",
                               formula->of_name);
    return CM_OK;
}

static bool is_too_deep(const cm_formulas *formulas, const cm_formula *formula)
{
    size_t depth = 0;
    for (size_t up = formula->parent; up != CM_FORMULAS_NONE; up = formulas->formulas[up].parent)
        if (++depth > CM_FORMULAS_DEPTH)
            return true;
    return false;
}

/* Records parts that are measured differently and cannot be added. `first`: the first part of each metric. */
static cm_status compare_parts(cm_formulas *formulas, size_t *first)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->count; i++)
        first[i] = CM_FORMULAS_NONE;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &formulas->formulas[i];
        if (formula->parent == CM_FORMULAS_NONE)
            continue;
        size_t *one = &first[formula->parent];
        if (*one == CM_FORMULAS_NONE)
            *one = i;
        const cm_formula *other = &formulas->formulas[*one];
        if (other->of != formula->of)
            status = cm_formulas_add_fault(
                formulas, CM_FAULT_SYNTAX, formula->info.line, 0, formula->info.metric,
                "a fraction of '%.100s', but the metric in line %zu, with the same parent, is a fraction of '%.100s'",
                formula->of_name, other->info.line, other->of_name);
    }
    return status;
}

/* Finds parents and wholes by their names. Faults are recorded, and their formulas lose their expressions. */
static cm_status csv_find_relations(cm_formulas *formulas, cm_error *error)
{
    size_t *first = malloc((formulas->count + 1) * sizeof *first);
    bool *deep = calloc(formulas->count + 1, sizeof *deep);
    cm_status status = first != NULL && deep != NULL ? CM_OK : CM_NO_MEMORY;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        status = find_names(formulas, &formulas->formulas[i]);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        deep[i] = is_too_deep(formulas, &formulas->formulas[i]);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        if (deep[i])
            status = refuse_relation(formulas, &formulas->formulas[i],
                                     "the parents of metric '%.100s' form a cycle, or more than %d levels",
                                     formulas->formulas[i].info.metric);
    CM_THEN(status, compare_parts(formulas, first));
    CM_FREE(first, deep);
    return status == CM_OK ? CM_OK : cm_error_no_memory(error);
}

/* Quotes the name if necessary. */
static const char *csv_event(const char *event, char *name, size_t size)
{
    bool quoted =
        (!isalpha((unsigned char)event[0]) && event[0] != '_') || cm_dialect_reserves(CM_EXPRESSION_CATMINT, event);
    for (const char *text = event; *text != '\0'; text++)
        quoted = quoted || !(cm_name_is_word(*text) || *text == ':' || *text == '.');
    if (!quoted)
        return cm_name_copy(event, name, size);
    if (strchr(event, '\'') != NULL)
        return "it holds a single quote, which ends names there";
    const char *why = cm_name_copy(event, name + 1, size - 2);
    if (why != NULL)
        return why;
    name[0] = '\'';
    size_t length = strlen(name);
    name[length] = '\'';
    name[length + 1] = '\0';
    return NULL;
}

enum { METRIC, FORMULA, FIXED_COLUMNS };
static const char *const columns[FIXED_COLUMNS] = {"metric", "formula"};

enum { UNIT, SOURCE, PRESET, DESCRIPTION, PARENT, OF, FURTHER_COLUMNS };
static const char *const further[FURTHER_COLUMNS] = {"unit", "source", "preset", "description", "parent", "of"};

/* Columns of the fields. */
typedef struct layout {
    size_t metric, formula;
    size_t columns[FURTHER_COLUMNS]; /* SIZE_MAX: missing */
} layout;

/* Finds a column by its heading, else by its number. */
static cm_status find_column(const cm_csv *csv, const char *name, size_t *column, cm_error *error)
{
    const cm_csv_row header = cm_csv_header(csv);
    char *end = NULL;
    *column = cm_csv_find_column(csv, name);
    unsigned long number = strtoul(name, &end, 10);
    if (*column == SIZE_MAX && isdigit((unsigned char)name[0]) && *end == '\0' && number >= 1 && number <= header.count)
        *column = number - 1;
    if (*column != SIZE_MAX)
        return CM_OK;
    cm_near near = {.wanted = name};
    char meant[CM_NEAR_TEXT];
    for (size_t i = 0; i < header.count; i++)
        cm_near_offer(&near, header.fields[i]);
    return CM_CSV_FAULT(csv, header.line, error, "no column '%.100s'%s", name, cm_near_text(&near, meant));
}

/* Finds the columns that the caller names. */
static cm_status read_told(const cm_csv *csv, const cm_formula_columns *told, layout *found, cm_error *error)
{
    cm_status status = find_column(csv, told->metric, &found->metric, error);
    CM_THEN(status, find_column(csv, told->formula, &found->formula, error));
    return status == CM_OK && told->unit != NULL ? find_column(csv, told->unit, &found->columns[UNIT], error) : status;
}

/* Finds the columns of the header. */
static cm_status read_layout(const cm_csv *csv, const cm_formula_columns *told, layout *found, cm_error *error)
{
    for (size_t i = 0; i < FURTHER_COLUMNS; i++)
        found->columns[i] = SIZE_MAX;
    if (told != NULL)
        return read_told(csv, told, found, error);
    found->metric = METRIC;
    found->formula = FORMULA;
    cm_status status = cm_csv_expect(csv, FIXED_COLUMNS, columns, true, error);
    if (status != CM_OK)
        return status;
    cm_csv_row header = cm_csv_header(csv);
    for (size_t i = FIXED_COLUMNS; i < header.count; i++) {
        size_t known = 0;
        while (known < FURTHER_COLUMNS && strcmp(header.fields[i], further[known]) != 0)
            known++;
        if (known == FURTHER_COLUMNS)
            return CM_CSV_FAULT(csv, header.line, error,
                                "unknown column '%.100s', expected unit, source, preset, description, parent or of",
                                header.fields[i]);
        found->columns[known] = i;
    }
    return CM_OK;
}

static const char *further_field(const cm_csv_row *row, const layout *header, size_t which)
{
    return header->columns[which] != SIZE_MAX ? row->fields[header->columns[which]] : "";
}

/* The name without the apostrophe that protects it in spreadsheets. */
static const char *metric_of(const char *field)
{
    return field[0] == '\'' && field[1] != '\0' && strchr("=+-@", field[1]) != NULL ? field + 1 : field;
}

/* Adds a row; one whose metric has no name, or a name in use, is a fault and not a metric. */
static cm_status add_row(cm_formulas *formulas, const cm_csv *csv, const cm_csv_row *row, const layout *header,
                         cm_error *error)
{
    cm_formula_info info = {.metric = metric_of(row->fields[header->metric]),
                            .preset = further_field(row, header, PRESET),
                            .unit = further_field(row, header, UNIT),
                            .description = further_field(row, header, DESCRIPTION),
                            .source = further_field(row, header, SOURCE),
                            .text = row->fields[header->formula],
                            .line = row->line};
    cm_error fault = {0};
    size_t index = 0, quantity = 0;
    if (cm_csv_name(csv, row, header->metric, &fault) != CM_OK)
        return cm_formulas_add_fault(formulas, CM_FAULT_SYNTAX, row->line, fault.column, "", "%s", fault.text);
    if (cm_name_index_find(formulas->names, info.metric, &quantity))
        return cm_formulas_add_fault(formulas, CM_FAULT_DUPLICATE, row->line, 0, info.metric,
                                     "metric '%.100s' appears twice, first in line %zu", info.metric,
                                     formulas->formulas[formulas->quantities[quantity].formula].info.line);
    cm_status status = cm_formulas_add(formulas, &info, &index, error);
    if (status != CM_OK)
        return status;
    cm_formula *added = &formulas->formulas[index];
    const char *parent = further_field(row, header, PARENT), *of = further_field(row, header, OF);
    added->parent_name = cm_formulas_keep(formulas, parent, strlen(parent));
    added->of_name = cm_formulas_keep(formulas, of, strlen(of));
    ptrdiff_t self = cm_formulas_metric(formulas, index);
    if (added->parent_name == NULL || added->of_name == NULL || self < 0)
        return cm_error_no_memory(error);
    return cm_name_index_add(formulas->names, added->info.metric, (size_t)self, error);
}

/* Reads all rows. */
static cm_status read_rows(cm_csv *csv, cm_formulas *formulas, layout *header, cm_error *error)
{
    bool any = false;
    cm_csv_row row;
    cm_status status = read_layout(csv, formulas->columns, header, error);
    while (cm_csv_more(csv, &row, &status, error)) {
        any = true;
        status = add_row(formulas, csv, &row, header, error);
    }
    if (status == CM_OK && !any)
        return cm_error_set(error, CM_BAD_INPUT, formulas->file, cm_csv_header(csv).line, 0,
                            "no row, expected at least one metric");
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : status;
}

static ptrdiff_t resolve_name(const char *name, void *data)
{
    return cm_formulas_quantity(data, CM_QUANTITY_EVENT, name);
}

/* Parses all formulas. To locate a field the file is read again, so this is done only for faults. */
static cm_status parse_all(cm_formulas *formulas, const layout *header, cm_error *error)
{
    const cm_formula_fault_kind kind = CM_FAULT_SYNTAX;
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula_info *info = &formulas->formulas[i].info;
        cm_expression_source source = {
            .file = formulas->file, .line = info->line, .name_characters = ":.", .names_are = "name"};
        if (cm_expression_parse(info->text, &source, resolve_name, formulas, &formulas->formulas[i].expression, NULL) ==
            CM_OK)
            continue;
        cm_csv_locate(formulas->file, info->line, header->formula, &source.line, &source.column, NULL);
        status = cm_formulas_parse(formulas, i, info->text, &kind, &source, resolve_name, formulas, error);
    }
    return status;
}

/* Reads all rows, then parses their formulas and finds the metrics' parents. */
static cm_status read_formulas(cm_formulas *formulas, cm_error *error)
{
    cm_csv *csv = NULL;
    layout header = {0};
    cm_status status = cm_csv_open(formulas->file, &csv, error);
    CM_THEN(status, read_rows(csv, formulas, &header, error));
    cm_csv_close(csv);
    CM_THEN(status, parse_all(formulas, &header, error));
    CM_THEN(status, csv_find_relations(formulas, error));
    return status;
}

const cm_foreign_format cm_format_csv = {
    .name = "csv",
    .rules = {.title = "csv"},
    .looks = "a CSV file with the columns metric,formula",
    .beginning = CM_WORDS("metric", "\"metric\""),
    .at_top = true,
    .read = read_formulas,
    .content = "",
    .name_metric = cm_name_plain_metric,
    .name_event = csv_event,
    .write = cm_csv_write_formulas,
};
