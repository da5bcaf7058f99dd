/* Links formulas: orders them by their dependencies, and removes those that cannot be computed. */
#include "formulas/formulas.h"

typedef enum mark { NEW, OPEN, DONE, BAD } mark;

/* A depth-first walk over formulas and those that they use. */
typedef struct formula_walk {
    cm_formulas *formulas;
    mark *marks;
    size_t *stack, *next; /* open formulas, and the index of the next name of each */
    size_t depth, done;
} formula_walk;

static cm_status drop_fault(formula_walk *walk, size_t formula, cm_formula_fault_kind kind, const char *why,
                            const char *used)
{
    const cm_formula_info *info = &walk->formulas->formulas[formula].info;
    walk->marks[formula] = BAD;
    return cm_formulas_add_fault(walk->formulas, kind, info->line, info->column, info->metric, why, info->metric, used);
}

/* Records a fault for each formula of a circle: the open ones from `first` on. */
static cm_status break_circle(formula_walk *walk, size_t first)
{
    cm_status status = CM_OK;
    for (bool within = false; walk->depth > 0 && !within && status == CM_OK;) {
        size_t formula = walk->stack[--walk->depth];
        within = formula == first;
        status =
            drop_fault(walk, formula, CM_FAULT_CIRCLE, "the formula of metric '%.100s' depends on its own value", "");
    }
    return status;
}

/* One step with the formula on top of the stack. */
static cm_status step_walk(formula_walk *walk)
{
    size_t formula = walk->stack[walk->depth - 1];
    const cm_expression *expression = walk->formulas->formulas[formula].expression;
    if (walk->next[walk->depth - 1] == cm_expression_name_count(expression)) {
        walk->marks[formula] = DONE;
        walk->formulas->order[walk->done++] = formula;
        walk->depth--;
        return CM_OK;
    }
    const cm_quantity *used =
        &walk->formulas->quantities[cm_expression_name_index(expression, walk->next[walk->depth - 1])];
    if (used->kind != CM_QUANTITY_METRIC || walk->marks[used->formula] == DONE) {
        walk->next[walk->depth - 1]++;
        return CM_OK;
    }
    switch (walk->marks[used->formula]) {
    case OPEN: return break_circle(walk, used->formula);
    case BAD:
        walk->depth--;
        return drop_fault(walk, formula, CM_FAULT_USES_FAULTY,
                          "the formula of metric '%.100s' uses '%.100s', which has a fault", used->name);
    default:
        walk->stack[walk->depth] = used->formula;
        walk->next[walk->depth] = 0;
        walk->marks[used->formula] = OPEN;
        walk->depth++;
        return CM_OK;
    }
}

/* Walks from every formula. */
static cm_status walk_all(formula_walk *walk)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < walk->formulas->count; i++)
        walk->marks[i] = walk->formulas->formulas[i].expression != NULL ? NEW : BAD;
    for (size_t i = 0; i < walk->formulas->count && status == CM_OK; i++) {
        if (walk->marks[i] != NEW)
            continue;
        walk->marks[i] = OPEN;
        walk->stack[0] = i;
        walk->next[0] = 0;
        for (walk->depth = 1; walk->depth > 0 && status == CM_OK;)
            status = step_walk(walk);
    }
    return status;
}

/* Fills the order of the formulas. */
static cm_status write_in_order(cm_formulas *formulas, mark *marks, cm_error *error)
{
    formula_walk walk = {.formulas = formulas};
    walk.marks = marks;
    walk.stack = calloc(formulas->count + 1, sizeof *walk.stack);
    walk.next = calloc(formulas->count + 1, sizeof *walk.next);
    formulas->order = calloc(formulas->count + 1, sizeof *formulas->order);
    cm_status status = CM_NO_MEMORY;
    if (walk.stack != NULL && walk.next != NULL && formulas->order != NULL)
        status = walk_all(&walk);
    CM_FREE(walk.stack, walk.next);
    return status == CM_OK ? CM_OK : cm_error_no_memory(error);
}

/* Keeps the formulas that are done, and renumbers them in all lists. `indices` is a buffer. */
static void drop_bad(cm_formulas *formulas, const mark *marks, size_t *indices)
{
    size_t kept = 0;
    for (size_t i = 0; i < formulas->count; i++) {
        indices[i] = CM_FORMULAS_NONE;
        if (marks[i] == DONE) {
            formulas->formulas[kept] = formulas->formulas[i];
            indices[i] = kept++;
        } else {
            cm_formula_clear(&formulas->formulas[i]);
        }
    }
    formulas->count = kept;
    for (size_t i = 0; i < kept; i++) {
        cm_formula *formula = &formulas->formulas[i];
        formulas->order[i] = indices[formulas->order[i]];
        if (formula->parent != CM_FORMULAS_NONE)
            formula->parent = indices[formula->parent];
    }
    for (size_t i = 0; i < formulas->quantity_count; i++)
        if (formulas->quantities[i].kind == CM_QUANTITY_METRIC)
            formulas->quantities[i].formula = indices[formulas->quantities[i].formula];
    for (size_t i = 0; i < kept; i++) {
        size_t of = formulas->formulas[i].of;
        if (of != CM_FORMULAS_NONE && formulas->quantities[of].kind == CM_QUANTITY_METRIC &&
            formulas->quantities[of].formula == CM_FORMULAS_NONE)
            formulas->formulas[i].of = CM_FORMULAS_NONE;
    }
}

static void measure_depth(cm_formulas *formulas)
{
    for (size_t i = 0; i < formulas->count; i++) {
        cm_formula *formula = &formulas->formulas[i];
        formula->depth = 0;
        for (size_t up = formula->parent; up != CM_FORMULAS_NONE; up = formulas->formulas[up].parent)
            formula->depth++;
    }
}

cm_status cm_formulas_link(cm_formulas *formulas, cm_error *error)
{
    mark *marks = calloc(formulas->count + 1, sizeof *marks);
    size_t *indices = calloc(formulas->count + 1, sizeof *indices);
    cm_status status = CM_OK;
    if (marks == NULL || indices == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, write_in_order(formulas, marks, error));
    if (status == CM_OK) {
        drop_bad(formulas, marks, indices);
        measure_depth(formulas);
    }
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        status = cm_formulas_find_shape(formulas, formulas->order[i], error);
    CM_FREE(marks, indices);
    return status;
}
