/* Events that a processor has beside those of a preset: the one that the preset asks for, or one that it leaves out. */
#include "formulas/lint/lint.h"

typedef struct better {
    cm_lint *lint;
    const cm_formulas *formulas;
    const cm_formula *formula;
    const char *event, *cpu;
    const cm_known_events *list;
} better;

static cm_status add_better_fault(const better *check, const char *text, const char *other)
{
    const cm_formula_info *info = &check->formula->info;
    const cm_lint *lint = check->lint;
    for (size_t i = lint->count; i > 0 && cm_lint_get(lint, i - 1)->line == info->line; i--)
        if (strcmp(cm_lint_get(lint, i - 1)->metric, info->metric) == 0)
            return CM_OK; /* one of a formula is enough */
    return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info, text, check->event, check->cpu,
                       other);
}

/* Whether an event of the formula has one of the parts in its name. */
static bool has_part(const better *check, const char *const *parts)
{
    for (size_t i = 0; i < check->formula->need_count; i++) {
        const cm_quantity *quantity = &check->formulas->quantities[check->formula->needs[i]];
        for (size_t k = 0; quantity->kind == CM_QUANTITY_EVENT && parts[k] != NULL; k++)
            if (strstr(quantity->name, parts[k]) != NULL)
                return true;
    }
    return false;
}

/* Branches of wrong paths, too, if the processor has an event of retired ones. */
static cm_status check_retired(const better *check)
{
    char retired[CM_LINT_NAME_SIZE + 16];
    if (strncasecmp(check->formula->info.preset, "PAPI_BR_", 8) != 0 || strchr(check->event, ':') != NULL)
        return CM_OK;
    if (strcmp(check->event, "BR_PRED") == 0)
        snprintf(retired, sizeof retired, "BR_RETIRED");
    else
        snprintf(retired, sizeof retired, "%.500s_RETIRED", check->event);
    return cm_known_events_have(check->list, retired)
               ? add_better_fault(check, "%.100s counts branches of wrong paths, too; %.100s has %.120s", retired)
               : CM_OK;
}

/* All precisions by name, without half precision, which the processor counts. */
static cm_status check_half(const better *check)
{
    static const char *const half[] = {"HALF", "INST_RETIRED2", NULL};
    static const char single[] = "SINGLE";
    char name[CM_LINT_NAME_SIZE];
    const char *at = strstr(check->event, single), *colon = strchr(check->event, ':');
    static const char *const presets[] = {"PAPI_FP_OPS", "PAPI_FP_INS", "PAPI_VEC_INS"};
    if (!CM_IS_ONE(check->formula->info.preset, presets) || at == NULL || colon == NULL || colon > at ||
        has_part(check, half))
        return CM_OK;
    /* Intel counts half precision by a second event of the same unit masks. */
    snprintf(name, sizeof name, "%.*s2%.*sHALF%.100s", (int)(colon - check->event), check->event, (int)(at - colon),
             colon, at + sizeof single - 1);
    return cm_known_events_have(check->list, name)
               ? add_better_fault(check, "leaves out half precision: beside %.100s %.100s has %.120s", name)
               : CM_OK;
}

/* Vector instructions of Arm's fixed length alone, if the processor has scalable ones. */
static cm_status check_scalable(const better *check)
{
    static const char *const scalable[] = {"SVE", "SIMD", NULL};
    static const char *const events[] = {"SVE_INST_SPEC", "SVE_INST_RETIRED", "SIMD_INST_RETIRED", NULL};
    if (strcmp(check->formula->info.preset, "PAPI_VEC_INS") != 0 || strncmp(check->event, "ASE_", 4) != 0 ||
        has_part(check, scalable))
        return CM_OK;
    for (size_t i = 0; events[i] != NULL; i++)
        if (cm_known_events_have(check->list, events[i]))
            return add_better_fault(check, "%.100s leaves out instructions of SVE; %.100s has %.120s", events[i]);
    return CM_OK;
}

/* All floating point by name, without x87, which the processor counts by another unit mask of the same event. */
static cm_status check_missing_x87(const better *check)
{
    static const char *const x87[] = {"X87", ":ALL", ":ANY", NULL};
    const char *preset = check->formula->info.preset, *colon = strchr(check->event, ':');
    char name[CM_LINT_NAME_SIZE];
    if ((strcmp(preset, "PAPI_FP_OPS") != 0 && strcmp(preset, "PAPI_FP_INS") != 0) || colon == NULL ||
        has_part(check, x87))
        return CM_OK;
    snprintf(name, sizeof name, "%.*s:X87", (int)(colon - check->event), check->event);
    return cm_known_events_have(check->list, name)
               ? add_better_fault(check, "leaves out x87: beside %.100s %.100s has %.120s", name)
               : CM_OK;
}

cm_status cm_lint_check_better(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula, const char *event,
                               const char *cpu, const cm_known_events *list)
{
    const better check = {lint, formulas, formula, event, cpu, list};
    cm_status status = check_retired(&check);
    CM_THEN(status, check_half(&check));
    CM_THEN(status, check_missing_x87(&check));
    return status == CM_OK ? check_scalable(&check) : status;
}
