/* Every public function refuses options whose size is not that of their structure, before it reads any other member. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/catmint.h>
#include <catmint/machines.h>

#define REFUSES(name, call)                                                                                            \
    do {                                                                                                               \
        name options;                                                                                                  \
        name##_default(&options);                                                                                      \
        assert_int_equal(options.size, sizeof options);                                                                \
        for (options.size = 0; options.size <= sizeof options + 8; options.size += sizeof options + 8) {               \
            cm_error error = {0};                                                                                      \
            assert_int_equal(call, CM_BAD_ARGUMENT);                                                                   \
            if (strstr(error.text, "begin with " #name "_default") == NULL)                                            \
                fail_msg("%s: %s", #call, error.text);                                                                 \
        }                                                                                                              \
    } while (0)

static void test_sizes(void **unused)
{
    (void)unused;
    cm_verification *verifications[CM_EMITTED_BENCHMARKS];
    size_t count = 0;
    REFUSES(cm_audit_options, cm_audit_create(&options, NULL, &error));
    REFUSES(cm_count_options, cm_count_program(&options, NULL, &error));
    REFUSES(cm_doctor_options, cm_doctor_create(&options, NULL, &error));
    REFUSES(cm_evaluate_options, cm_evaluation_create(&options, NULL, &error));
    REFUSES(cm_export_options, cm_export_write(NULL, &options, NULL, NULL, &error));
    REFUSES(cm_export_options, cm_export_save(NULL, &options, NULL, NULL, &error));
    REFUSES(cm_export_options, cm_export_patch(NULL, &options, NULL, NULL, NULL, &error));
    REFUSES(cm_export_options, cm_export_install(NULL, &options, NULL, false, NULL, &error));
    REFUSES(cm_lint_options, cm_lint_create_for(NULL, &options, NULL, &error));
    REFUSES(cm_emit_options, cm_emit_kernels(&options, NULL, &error));
    REFUSES(cm_emit_options, cm_verifications_of_trace_create(NULL, &options, verifications, &count, &error));
    REFUSES(cm_import_options, cm_import_cat(&options, NULL, &error));
    REFUSES(cm_console_import_options, cm_import_console(&options, NULL, &error));
    REFUSES(cm_ncu_import_options, cm_import_ncu(&options, NULL, &error));
    REFUSES(cm_table_import_options, cm_import_table(&options, NULL, &error));
    REFUSES(cm_incore_options, cm_incore_measure(&options, NULL, &error));
    REFUSES(cm_ports_options, cm_ports_create(&options, NULL, &error));
    REFUSES(cm_roofline_options, cm_roofline_measure(&options, NULL, &error));
    REFUSES(cm_project_options, cm_projection_create(&options, NULL, &error));
    REFUSES(cm_analyze_options, cm_results_analyze_create(NULL, &options, NULL, &error));
    REFUSES(cm_sweep_options, cm_sweep(NULL, &options, NULL, &error));
    REFUSES(cm_sweep_options, cm_sweep_check(&options, &error));
    REFUSES(cm_sweep_options, cm_sweep_forecast_create(NULL, &options, NULL, &error));
    REFUSES(cm_validation_options, cm_validation_count(NULL, &options, NULL, &error));
    REFUSES(cm_page_options, cm_results_views_write_page((cm_results_view *[1]){NULL}, 1, &options, NULL, &error));
    REFUSES(cm_page_options, cm_results_views_save_page((cm_results_view *[1]){NULL}, 1, &options, NULL, &error));
    REFUSES(cm_page_options,
            cm_results_views_save_plots((cm_results_view *[1]){NULL}, 1, &options, NULL, NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
