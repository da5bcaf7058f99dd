/* Holds formulas against clocks: seconds from ticks, the ticks of one unit of several, and slots per cycle. */
#include "formulas/lint/lint.h"

static const char *name_in(const cm_quantity_check *check, size_t name)
{
    return check->formulas->quantities[cm_expression_name_index(check->formula->expression, name)].name;
}

/* Whether the formula itself has that number. */
static bool has_number(const cm_expression *expression, double number)
{
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind == CM_EXPRESSION_NUMBER && node->number == number)
            return true;
    }
    return false;
}

/* Nanoseconds and gigahertz, made of the ticks of a clock without any time or frequency. */
static cm_status check_seconds(const cm_quantity_check *check)
{
    static const char *const of_time[] = {"latency", "frequency", NULL}, *const ticks[] = {"CLOCKTICKS", NULL},
                             *const known[] = {"time", "FREQ", "TSC", NULL};
    const cm_formula *formula = check->formula;
    const char *clock = NULL;
    if (!cm_text_has_part(formula->info.metric, of_time) || strncmp(check->formulas->format, "perf", 4) != 0 ||
        !has_number(formula->expression, 1e9))
        return CM_OK;
    for (size_t i = 0; i < formula->need_count; i++) {
        const char *name = check->formulas->quantities[formula->needs[i]].name;
        if (cm_text_has_part(name, known))
            return CM_OK;
        clock = clock == NULL && cm_text_has_part(name, ticks) ? name : clock;
    }
    return clock == NULL
               ? CM_OK
               : cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                             "%.100s are no ticks per second: without the time that was counted for, this is "
                             "right for one second alone",
                             clock);
}

/* The letters of the block in UNC_BLOCK_...; 0: the event is of none. */
static size_t block_of(const char *event, const char **block)
{
    *block = strstr(event, "UNC_");
    return *block != NULL ? strcspn(*block + 4, "_") + 4 : 0;
}

/* Whether the event is of one unit, as in pcu_0/UNC_P_CLOCKTICKS/. */
static bool is_of_one_unit(const char *event)
{
    size_t device = strcspn(event, "/");
    return event[device] == '/' && device > 2 && event[device - 2] == '_' && event[device - 1] >= '0' &&
           event[device - 1] <= '9';
}

/* An event of one unit beside another that all units of the same block count. */
static cm_status check_one_unit(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    for (size_t i = 0; i < cm_expression_name_count(formula->expression); i++) {
        const char *one = name_in(check, i), *block = NULL, *beside = NULL;
        size_t length = block_of(one, &block);
        if (length == 0 || !is_of_one_unit(one))
            continue;
        for (size_t k = 0; k < cm_expression_name_count(formula->expression); k++) {
            const char *other = name_in(check, k);
            if (block_of(other, &beside) == length && strncmp(beside, block, length) == 0 && !is_of_one_unit(other))
                return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column,
                                   &formula->info, "%.80s counts one unit, and %.80s beside it all of them", one,
                                   other);
        }
    }
    return CM_OK;
}

/* The slots of the pipeline per cycle of the processors whose groups LIKWID has in this directory, if not 4;
 * 0: they are, or nobody knows. Intel, Software Optimization Reference Manual. */
static double slots_per_cycle(const char *file)
{
    static const struct {
        const char *directory;
        double slots;
    } others[] = {{"/ICL/", 5.0}, {"/ICX/", 5.0}, {"/TGL/", 5.0}, {"/RKL/", 5.0},
                  {"/SPR/", 6.0}, {"/EMR/", 6.0}, {"/GNR/", 6.0}};
    for (size_t i = 0; i < CM_COUNT_OF(others); i++)
        if (strstr(file, others[i].directory) != NULL)
            return others[i].slots;
    return 0.0;
}

/* Finds top-down formulas that take four slots for each cycle, on processors that have more. */
static cm_status check_slots(const cm_quantity_check *check)
{
    static const char *const cycles[] = {"CPU_CLK_UNHALTED_CORE", "CYCLES", NULL};
    const cm_formula *formula = check->formula;
    const cm_expression *expression = formula->expression;
    double slots = strcmp(check->formulas->format, "likwid") == 0 ? slots_per_cycle(check->formulas->place) : 0.0;
    if (slots == 0.0 || strncmp(formula->info.section, "TMA", 3) != 0)
        return CM_OK;
    for (size_t i = 0; i < cm_expression_node_count(expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(expression, i);
        if (node->kind != CM_EXPRESSION_MULTIPLY)
            continue;
        const cm_expression_node *number = cm_expression_get_node(expression, node->left),
                                 *name = cm_expression_get_node(expression, node->right);
        if (number->kind != CM_EXPRESSION_NUMBER || number->number != 4.0 || name->kind != CM_EXPRESSION_NAME ||
            !cm_text_has_part(check->formulas->quantities[name->name].name, cycles))
            continue;
        return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                           "4 slots for each of %.80s, but the processor has %.0f",
                           check->formulas->quantities[name->name].name, slots);
    }
    return CM_OK;
}

cm_status cm_lint_check_clocks(const cm_quantity_check *check)
{
    cm_status status = check_seconds(check);
    CM_THEN(status, check_one_unit(check));
    return status == CM_OK ? check_slots(check) : status;
}
