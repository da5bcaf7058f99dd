/* Holds the names of presets against those of their events: their names say all that they ask for. */
#include "formulas/lint/lint.h"

static bool ends_with(const char *preset, const char *const *ends)
{
    size_t length = strlen(preset);
    for (; *ends != NULL; ends++)
        if (length >= strlen(*ends) && strcasecmp(preset + length - strlen(*ends), *ends) == 0)
            return true;
    return false;
}

/* An event of the formula for which `is` does not hold; NULL: none, and *one is one for which it does. */
static const char *find_other(const cm_quantity_check *check, bool (*is)(const char *event), const char **one)
{
    *one = NULL;
    for (size_t i = 0; i < check->formula->need_count; i++) {
        const cm_quantity *quantity = &check->formulas->quantities[check->formula->needs[i]];
        if (quantity->kind != CM_QUANTITY_EVENT)
            continue;
        if (!is(quantity->name))
            return quantity->name;
        *one = quantity->name;
    }
    return NULL;
}

static bool is_of_loads(const char *event)
{
    static const char *const loads[] = {"LOAD", "LD_", "_LD", NULL}, *const others[] = {"STORE", "ST_",  "_ST", "LDST",
                                                                                        "ANY",   "FILL", NULL};
    return cm_text_has_part(event, loads) && !cm_text_has_part(event, others);
}

static bool is_of_x87(const char *event)
{
    static const char *const words[] = {"X87", NULL}, *const others[] = {"SSE", "MMX", "AVX", NULL};
    return cm_text_has_part(event, words) && !cm_text_has_part(event, others);
}

/* Finds presets of all accesses whose events count loads alone. */
static const char *check_loads(const cm_quantity_check *check, const char *preset, const char **event)
{
    static const char *const both[] = {"PAPI_LST_INS", "PAPI_L1_DCA", "PAPI_L1_TCA", NULL};
    if (!ends_with(preset, both) || find_other(check, is_of_loads, event) != NULL || *event == NULL)
        return NULL;
    return "%.100s counts loads alone, where stores count, too";
}

/* All floating-point operations, of x87 alone. */
static const char *check_x87_alone(const cm_quantity_check *check, const char *preset, const char **event)
{
    static const char *const all[] = {"PAPI_FP_OPS", "PAPI_FP_INS", NULL};
    if (!ends_with(preset, all) || find_other(check, is_of_x87, event) != NULL || *event == NULL)
        return NULL;
    return "%.100s counts x87 alone, which leaves SSE and AVX out";
}

/* Accesses and misses of lines, counted in pieces of a line, which the event's name tells the bytes of. */
static const char *check_pieces(const cm_quantity_check *check, const char *preset, const char **event)
{
    static const char *const lines[] = {"_ICA", "_ICR", "_ICM", "_ICH", "_TCA", "_TCM", "_TCH", NULL};
    for (size_t i = 0; ends_with(preset, lines) && i < check->formula->need_count; i++) {
        const cm_quantity *quantity = &check->formulas->quantities[check->formula->needs[i]];
        size_t digits = strspn(quantity->name, "0123456789");
        *event = quantity->name;
        if (quantity->kind == CM_QUANTITY_EVENT && digits > 0 && strncasecmp(*event + digits, "_BYTE_", 6) == 0)
            return "%.100s counts pieces of a line, not lines";
    }
    return NULL;
}

cm_status cm_lint_check_presets(const cm_quantity_check *check)
{
    static const char *(*const checks[])(const cm_quantity_check *, const char *,
                                         const char **) = {check_loads, check_x87_alone, check_pieces};
    const cm_formula_info *info = &check->formula->info;
    cm_status status = CM_OK;
    for (size_t i = 0; info->preset[0] != '\0' && i < CM_COUNT_OF(checks) && status == CM_OK; i++) {
        const char *event = NULL, *text = checks[i](check, info->preset, &event);
        if (text != NULL)
            status = cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info, text, event);
    }
    return status;
}
