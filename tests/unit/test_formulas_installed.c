/* The tables and groups that Debian's packages of PAPI and LIKWID install parse whole, but for a handful of definitions
 * that are listed with what is wrong with them. */
#include <ftw.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include <catmint/formulas.h>

static cm_formulas *load(const char *path, const char *format)
{
    cm_formulas *formulas = NULL;
    cm_error error = {0};
    if (cm_formulas_load(path, NULL, &formulas, &error) != CM_OK)
        fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.text);
    assert_string_equal(cm_formulas_format(formulas), format);
    for (size_t i = 0; i < cm_formulas_count(formulas); i++) {
        size_t count = 0;
        const cm_formula_info *info = cm_formulas_info(formulas, i);
        const size_t *needs = cm_formulas_needs(formulas, i, &count);
        if (info->metric[0] == '\0' || info->text[0] == '\0' || count == 0 || needs == NULL)
            fail_msg("%s:%zu: metric '%s' needs %zu quantities", path, info->line, info->metric, count);
    }
    return formulas;
}

static void list_faults(const cm_formulas *formulas)
{
    for (size_t i = 0; i < cm_formulas_fault_count(formulas); i++) {
        const cm_formula_fault *fault = cm_formulas_fault(formulas, i);
        printf("%s:%zu:%zu: [%s] %s\n", cm_formulas_file(formulas), fault->line, fault->column,
               cm_formula_fault_kind_name(fault->kind), fault->text);
    }
}

/* Lines that begin with PRESET or EVENT, blanks before them or not. */
static size_t count_definitions(const char *path)
{
    char line[4096];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *text = line + strspn(line, " \t");
        count += strncasecmp(text, "PRESET,", 7) == 0 || strncasecmp(text, "EVENT,", 6) == 0;
    }
    fclose(file);
    return count;
}

static void papi_tables_parse(void **state)
{
    (void)state;
    glob_t found;
    if (glob("/usr/share/papi/*/papi_events.csv", 0, NULL, &found) != 0) {
        printf("skipped: no papi_events.csv in /usr/share/papi\n");
        skip();
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        cm_formulas *formulas = load(found.gl_pathv[i], "papi");
        size_t linear = 0;
        for (size_t j = 0; j < cm_formulas_count(formulas); j++) {
            cm_linear_form above, below;
            linear += cm_formulas_shape(formulas, j, &above, &below) == CM_FORMULA_LINEAR;
        }
        printf("%s: %zu definitions, %zu linear, %zu faults\n", found.gl_pathv[i], cm_formulas_count(formulas), linear,
               cm_formulas_fault_count(formulas));
        list_faults(formulas);
        assert_int_equal(cm_formulas_count(formulas) + cm_formulas_fault_count(formulas),
                         count_definitions(found.gl_pathv[i]));
        assert_true(cm_formulas_fault_count(formulas) * 200 < cm_formulas_count(formulas));
        cm_formulas_free(formulas);
    }
    globfree(&found);
}

static size_t groups, metrics, faults;

static int load_group(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)place;
    size_t length = strlen(path);
    if (kind != FTW_F || length < 4 || strcmp(path + length - 4, ".txt") != 0)
        return 0;
    cm_formulas *formulas = load(path, "likwid");
    groups++;
    metrics += cm_formulas_count(formulas);
    faults += cm_formulas_fault_count(formulas);
    list_faults(formulas);
    cm_formulas_free(formulas);
    return 0;
}

static void likwid_groups_parse(void **state)
{
    (void)state;
    if (nftw("/usr/share/likwid/perfgroups", load_group, 16, FTW_PHYS) != 0 || groups == 0) {
        printf("skipped: no groups in /usr/share/likwid/perfgroups\n");
        skip();
    }
    printf("%zu groups, %zu metrics, %zu faults\n", groups, metrics, faults);
    assert_true(faults * 200 < metrics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papi_tables_parse),
        cmocka_unit_test(likwid_groups_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
