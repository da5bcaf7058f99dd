/* Finds events that the processor of a formula does not have. */
#include "formulas/lint/lint.h"

enum { CPU_SIZE = 128 };

typedef struct event_check {
    cm_lint *lint;
    const cm_formulas *formulas;
    cm_event_lists *lists;
    cm_error *error;
} event_check;

/* Whether perf has the event from the kernel on processors that count it, so that its list need not have it. */
static bool has_from_kernel(const cm_known_events *list, const char *name)
{
    static const char *const arms[] = {"L2I_CACHE", "L2I_CACHE_REFILL", "L2I_TLB", "L2I_TLB_REFILL", NULL};
    if (strcmp(name, "slots") == 0)
        return cm_known_events_have(list, "TOPDOWN.SLOTS");
    return cm_text_is_one_of(name, arms) && strstr(cm_known_events_title(list), "arm64/") != NULL;
}

/* Whether the list has the event that a formula names `spelling`; `pmu::` before it must be that of the list. */
static bool has_event(const event_check *check, const cm_known_events *list, const char *cpu, const char *spelling,
                      char name[CM_LINT_NAME_SIZE])
{
    if (!cm_lint_event_name(check->formulas, spelling, name, CM_LINT_NAME_SIZE))
        return true;
    const char *behind = strstr(name, "::");
    if (behind != NULL && strncmp(name, cpu, (size_t)(behind - name)) != 0)
        return true;
    return has_from_kernel(list, name) || cm_known_events_have(list, behind != NULL ? behind + 2 : name);
}

/* Whether the list has an event, or one that the formula takes in its place; `name` is the event's. */
static bool has_any(const event_check *check, const cm_known_events *list, const char *cpu, const cm_quantity *quantity,
                    char name[CM_LINT_NAME_SIZE])
{
    char other[CM_LINT_NAME_SIZE], found[CM_LINT_NAME_SIZE];
    for (const char *at = quantity->others; at != NULL && *at != '\0'; at += strspn(at, "|")) {
        size_t length = strcspn(at, "|");
        snprintf(other, sizeof other, "%.*s", (int)length, at);
        if (has_event(check, list, cpu, other, found))
            return true;
        at += length;
    }
    return has_event(check, list, cpu, quantity->name, name);
}

/* Whether the list has all events that the formula names itself. */
static bool has_all(const event_check *check, const cm_formula *formula, const cm_known_events *list, const char *cpu)
{
    char name[CM_LINT_NAME_SIZE];
    for (size_t i = 0; i < cm_expression_name_count(formula->expression); i++) {
        const cm_quantity *quantity = &check->formulas->quantities[cm_expression_name_index(formula->expression, i)];
        if (quantity->kind == CM_QUANTITY_EVENT && !has_any(check, list, cpu, quantity, name))
            return false;
    }
    return true;
}

/* Whether a section is for the processor. */
static bool is_for_processor(const char *section, const char *cpu)
{
    size_t length = strlen(cpu);
    for (const char *at = section; (at = strstr(at, cpu)) != NULL; at += length)
        if ((at == section || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Whether another section defines the metric for this processor, with events that it has. */
static bool is_defined_elsewhere(const event_check *check, const cm_formula *formula, const cm_known_events *list,
                                 const char *cpu)
{
    for (size_t i = 0; i < check->formulas->count; i++) {
        const cm_formula *other = &check->formulas->formulas[i];
        if (other != formula && strcasecmp(other->info.metric, formula->info.metric) == 0 &&
            is_for_processor(other->info.section, cpu) && has_all(check, other, list, cpu))
            return true;
    }
    return false;
}

/* The name of a list in messages: its path from the root of the tree that the file is in. */
static const char *title_of(const cm_known_events *list)
{
    const char *title = cm_known_events_title(list);
    for (const char *at = title; (at = strstr(at, "../")) != NULL; at += 3)
        title = at + 3;
    return title;
}

/* Adds the fault of an event that the processors `cpus` lack. */
static cm_status add_event_fault(const event_check *check, const cm_formula *formula, const cm_quantity *quantity,
                                 const char *name, const char *cpus, const cm_known_events *list)
{
    cm_near near = {.wanted = name};
    char meant[CM_NEAR_TEXT];
    if (cm_known_events_clash(list, name))
        return cm_lint_add(check->lint, CM_FAULT_UNKNOWN_EVENT, formula->info.line, 0, &formula->info,
                           "'%.200s' on %s: %.100s takes these unit masks one at a time; add up events of "
                           "one each",
                           name, cpus, title_of(list));
    cm_known_events_offer(list, &near);
    for (size_t i = 0; i < check->formulas->count; i++)
        cm_near_offer(&near, check->formulas->formulas[i].info.metric);
    return cm_lint_add(check->lint, CM_FAULT_UNKNOWN_EVENT, quantity->line != 0 ? quantity->line : formula->info.line,
                       0, &formula->info, "no event '%.100s' on %s (%.100s)%s", name,
                       cpus[0] != '\0' ? cpus : "this processor", title_of(list), cm_near_text(&near, meant));
}

/* Writes the next name of a section; false behind the last. */
static bool next_cpu(const char **section, char cpu[CPU_SIZE])
{
    size_t length = strcspn(*section, ",");
    if (length == 0)
        return false;
    snprintf(cpu, CPU_SIZE, "%.*s", (int)length, *section);
    *section += length + ((*section)[length] == ',');
    return true;
}

/* Looks an event up for each processor of the section. */
static cm_status check_for_cpus(const event_check *check, const cm_formula *formula, const cm_quantity *quantity)
{
    char cpu[CPU_SIZE], cpus[2 * CPU_SIZE] = "", name[CM_LINT_NAME_SIZE], missing[CM_LINT_NAME_SIZE] = "";
    const cm_known_events *list = NULL, *lacking = NULL;
    cm_status status = CM_OK;
    for (const char *at = formula->info.section; status == CM_OK && next_cpu(&at, cpu);) {
        status = cm_event_lists_get(check->lists, cpu, &list, check->error);
        if (status != CM_OK || list == NULL)
            continue;
        bool core = cm_event_lists_is_core(check->lists, cpu);
        if (has_any(check, list, cpu, quantity, name)) {
            status = core ? cm_lint_check_better(check->lint, check->formulas, formula, name, cpu, list) : CM_OK;
            if (!core)
                return CM_OK; /* of another PMU of the processor */
            continue;
        }
        if (!core || is_defined_elsewhere(check, formula, list, cpu))
            continue;
        cm_text_append(cpus, sizeof cpus, ", ", "%s", cpu);
        snprintf(missing, sizeof missing, "%s", name);
        lacking = list;
    }
    if (status == CM_OK && lacking != NULL)
        status = add_event_fault(check, formula, quantity, missing, cpus, lacking);
    return status;
}

/* Whether the formula has this fault already, or any has it of an event that the file lists, as LIKWID's do. */
static bool is_known_to_lack(const event_check *check, const cm_formula *formula, const cm_quantity *quantity,
                             const char *name)
{
    char quoted[CM_LINT_NAME_SIZE + 2];
    snprintf(quoted, sizeof quoted, "'%.100s'", name);
    for (size_t i = 0; i < check->lint->count; i++) {
        const cm_formula_fault *fault = cm_lint_get(check->lint, i);
        if (fault->kind == CM_FAULT_UNKNOWN_EVENT &&
            (quantity->line > 0 || strcmp(fault->metric, formula->info.metric) == 0) &&
            strstr(fault->text, quoted) != NULL)
            return true;
    }
    return false;
}

/* perfmon's own scripts look names up in their letter case. */
static cm_status check_case(const event_check *check, const cm_formula *formula, const cm_quantity *quantity,
                            const cm_known_events *list)
{
    char name[CM_LINT_NAME_SIZE];
    if (strcmp(check->formulas->format, "perf") != 0 || strstr(check->formulas->place, "/metrics/perf/") == NULL ||
        !cm_lint_event_name(check->formulas, quantity->name, name, CM_LINT_NAME_SIZE))
        return CM_OK;
    const char *spelled = cm_known_events_spell(list, name);
    if (spelled == NULL || strcmp(spelled, name) == 0 || strcasecmp(spelled, name) != 0)
        return CM_OK;
    return cm_lint_add(check->lint, CM_FAULT_FOREIGN, formula->info.line, 0, &formula->info,
                       "'%.100s': the list of events (%.100s) has '%.100s', in other letters", name, title_of(list),
                       spelled);
}

/* Looks an event of a formula up. */
static cm_status check_event(const event_check *check, const cm_formula *formula, const cm_quantity *quantity)
{
    const cm_known_events *list = NULL, *lacking = NULL;
    char name[CM_LINT_NAME_SIZE];
    if (cm_event_lists_by_cpu(check->lists))
        return check_for_cpus(check, formula, quantity);
    for (size_t i = 0; (list = cm_event_lists_at(check->lists, i)) != NULL; i++) {
        if (has_any(check, list, "", quantity, name))
            return check_case(check, formula, quantity, list);
        lacking = lacking != NULL ? lacking : list;
    }
    if (lacking == NULL || is_known_to_lack(check, formula, quantity, name))
        return CM_OK;
    return add_event_fault(check, formula, quantity, name, "", lacking);
}

/* Whether both have the same digits; names of generations differ in these. */
static bool have_same_digits(const char *one, const char *other)
{
    static const char digits[] = "0123456789";
    one += strcspn(one, digits);
    other += strcspn(other, digits);
    while (*one == *other && *one != '\0') {
        one += 1 + strcspn(one + 1, digits);
        other += 1 + strcspn(other + 1, digits);
    }
    return *one == *other;
}

/* Adds a fault of a processor that libpfm4 does not know, but has one of a name like that. Capitals and blanks are of
 * the libraries before it; without the tree's libpfm4 the processor may be newer than the lists. */
static cm_status check_cpu(const event_check *check, const cm_formula *formula, const char *cpu)
{
    cm_near near = {.wanted = cpu};
    const cm_known_events *list = NULL;
    cm_status status = cm_event_lists_get(check->lists, cpu, &list, check->error);
    if (status != CM_OK || list != NULL || cpu[strspn(cpu, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0' ||
        strlen(cpu) < 4)
        return status;
    status = cm_event_lists_offer(check->lists, &near, check->error);
    bool slip = near.name[0] != '\0' && near.distance == 1 && have_same_digits(cpu, near.name);
    if (status != CM_OK || near.distance == 0 || (!slip && !cm_event_lists_of_tree(check->lists)))
        return status == CM_IO ? CM_OK : status;
    return cm_lint_add(check->lint, CM_FAULT_IGNORED, formula->info.line, 0, NULL,
                       "unknown processor '%.100s': no such libpfm4 PMU; nearest %s", cpu, near.name);
}

/* Looks the processors of each section up. */
static cm_status check_cpus(const event_check *check)
{
    char cpu[CPU_SIZE];
    const char *section = "";
    cm_status status = CM_OK;
    for (size_t i = 0; i < check->formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &check->formulas->formulas[i];
        bool same = strcmp(formula->info.section, section) == 0;
        section = formula->info.section;
        for (const char *at = section; !same && status == CM_OK && next_cpu(&at, cpu);)
            status = check_cpu(check, formula, cpu);
    }
    return status;
}

cm_status cm_lint_check_events(cm_lint *lint, const cm_formulas *formulas, cm_event_lists *lists, cm_error *error)
{
    const event_check check = {lint, formulas, lists, error};
    cm_status status = cm_event_lists_by_cpu(lists) ? check_cpus(&check) : CM_OK;
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++) {
        const cm_formula *formula = &formulas->formulas[i];
        for (size_t k = 0; k < cm_expression_name_count(formula->expression) && status == CM_OK; k++) {
            const cm_quantity *quantity = &formulas->quantities[cm_expression_name_index(formula->expression, k)];
            if (quantity->kind == CM_QUANTITY_EVENT)
                status = check_event(&check, formula, quantity);
        }
    }
    return status;
}
