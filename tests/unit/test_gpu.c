/* GPUs: drivers that fail, kernels that are not what is said of them, and PTX that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/verify.h>

#include "cat-kernels/gpu/run.h"
#include "software_pmu/gpu/engine.h"

static const cm_pmu_machine hopper = {
    .line_size = 128, .page_size = 4096, .predictor = "none", .gpu = "nvidia", .gpu_target = 90};

/* ---- drivers that fail ---- */

/* Opens the made-up driver, loads a kernel and runs it, as far as that goes. */
static cm_status run_on(const char *library, const char *name, cm_error *error)
{
    cm_gpu_session *session = NULL;
    cm_gpu_run run = {0};
    cm_status status = cm_gpu_session_open(&cm_gpu_cuda, library, &session, error);
    if (status == CM_OK)
        status = cm_gpu_run_open(&run, session, cm_gpu_kernel_find(name), error);
    if (status == CM_OK) {
        cm_kernel_data data = {.buffer = &run};
        cm_gpu_run_body(CM_GPU_ITERATIONS, &data);
        status = cm_gpu_run_outcome(cm_kernel_find(cm_gpu_benchmarks[CM_GPU_FLOPS], name), &data, error);
    }
    cm_gpu_run_close(&run);
    cm_gpu_session_close(session);
    return status;
}

static void drivers_fail_in_their_own_words(void **state)
{
    (void)state;
    static const struct {
        const char *library, *how, *text;
    } rows[] = {
        {"/no/such/libcuda.so.1", "", "the NVIDIA driver cannot be loaded: /no/such/libcuda.so.1: cannot open"},
        {CM_TEST_OLD_DRIVER, "",
         "the NVIDIA driver is too old: " CM_TEST_OLD_DRIVER " has no function cuDevicePrimaryCtxRetain"},
        {CM_TEST_DRIVER, "start",
         "the NVIDIA driver does not start: words of the driver (CUDA_ERROR_SYSTEM_NOT_READY 802)"},
        {CM_TEST_DRIVER, "no-device", "the NVIDIA driver has no device"},
        {CM_TEST_DRIVER, "context", "the device takes no context: CUDA-capable device(s) is/are busy or unavailable"},
        {CM_TEST_DRIVER, "memory", "the device has no memory for the kernel: out of memory (CUDA_ERROR 2)"},
        {CM_TEST_DRIVER, "refuses", "(CUDA_ERROR 218): ptxas: unknown instruction"},
        {CM_TEST_DRIVER, "gone", "the kernel failed on the device: CUDA-capable device(s) is/are busy or unavailable"},
        {CM_TEST_DRIVER, "first-gone", "the kernel failed on the device: CUDA-capable device(s) is/are busy or"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        setenv("CATMINT_TEST_DRIVER", rows[i].how, 1);
        assert_int_equal(run_on(rows[i].library, "A_S.24", &error), CM_UNSUPPORTED);
        if (strstr(error.text, rows[i].text) == NULL)
            fail_msg("%s: '%s' is not in '%s'", rows[i].how, rows[i].text, error.text);
    }
    setenv("CATMINT_TEST_DRIVER", "", 1);
    assert_int_equal(run_on(CM_TEST_DRIVER, "A_S.24", NULL), CM_OK);
}

/* ---- kernels that are not what is said of them ---- */

cm_status __real_cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error);
cm_status __wrap_cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error);

static void (*mutate)(char *text); /* NULL: nothing */

/* Between the generator and the driver. */
cm_status __wrap_cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error)
{
    cm_status status = __real_cm_gpu_ptx(kernel, target, text, error);
    if (status == CM_OK && mutate != NULL)
        mutate(*text);
    return status;
}

static void swap_add_and_multiply(char *text)
{
    for (char *at = text; (at = strstr(at, ".rn.")) != NULL; at++) {
        if (memcmp(at - 3, "add", 3) == 0)
            memcpy(at - 3, "mul", 3);
        else if (memcmp(at - 3, "mul", 3) == 0)
            memcpy(at - 3, "add", 3);
    }
}

/* The first line of the loop behind its pragma; NULL where the loop is empty, or not there. */
static char *first_of_loop(char *text)
{
    const char *pragma = strstr(text, "nounroll");
    if (pragma == NULL)
        return NULL;
    char *line = strchr(pragma, '\n') + 1;
    return strncmp(line, "\tadd.s32 %trips", 15) != 0 ? line : NULL;
}

static void drop_one(char *text)
{
    char *line = first_of_loop(text);
    if (line != NULL)
        memset(line, ' ', (size_t)(strchr(line, '\n') - line));
}

static void hoist_one(char *text)
{
    char *line = first_of_loop(text), *loop = strstr(text, "loop:"), kept[256];
    if (line == NULL)
        return;
    size_t length = (size_t)(strchr(line, '\n') + 1 - line);
    assert_true(length < sizeof kept);
    memcpy(kept, line, length);
    memmove(loop + length, loop, (size_t)(line - loop));
    memcpy(loop, kept, length);
}

static const cm_verified_kernel *find_kernel(const cm_verification *verification, const char *name)
{
    for (size_t i = 0; i < verification->kernel_count; i++)
        if (strcmp(verification->kernels[i].kernel, name) == 0)
            return &verification->kernels[i];
    return NULL;
}

static void the_proof_notices(void **state)
{
    (void)state;
    static const struct {
        void (*mutate)(char *text);
        const char *kernel, *text;
    } rows[] = {
        {NULL, "A_H.24", ""},
        {swap_add_and_multiply, "A_H.24", "gpu_h_add 0 instead of 24, gpu_h_mul 24 instead of 0"},
        {swap_add_and_multiply, "M_D.96", "gpu_d_add 96 instead of 0, gpu_d_mul 0 instead of 96"},
        {drop_one, "F_S.12", "gpu_s_fma 11 instead of 12, gpu_instructions 14 instead of 15"},
        {drop_one, "matrix_h.16",
         "gpu_matrix_h 15 instead of 16, gpu_matrix_f16_ops 1920 instead of 2048, gpu_instructions 18 instead of 19"},
        {hoist_one, "S_D.48", "gpu_d_sub 47 instead of 48, gpu_instructions 50 instead of 51"},
        {hoist_one, "int_logic.48", "gpu_int_logic 47 instead of 48, gpu_instructions 50 instead of 51"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_verification *verification = NULL;
        mutate = rows[i].mutate;
        assert_int_equal(cm_verification_create(cm_gpu_benchmarks[CM_GPU_FLOPS], NULL, &hopper, &verification, NULL),
                         CM_OK);
        const cm_verified_kernel *kernel = find_kernel(verification, rows[i].kernel);
        assert_string_equal(kernel->text, rows[i].text);
        assert_int_equal(verification->failures != 0, rows[i].mutate != NULL);
        assert_int_equal(kernel->ok, rows[i].mutate == NULL);
        cm_verification_free(verification);
    }
    mutate = NULL;
}

/* ---- PTX that is none ---- */

static void break_text(char *text)
{
    memcpy(strstr(text, "add.rn.f32"), "xadd", 4);
}

static void lose_label(char *text)
{
    memcpy(strstr(text, "bra loop"), "bra lopp", 8);
}

static void lose_register(char *text)
{
    memcpy(strstr(text, "%s0, %s0"), "%q0, %s0", 8);
}

static void want_newer(char *text)
{
    memcpy(strstr(text, "sm_90"), "sm_99", 5);
}

static void diverge(char *text)
{
    memcpy(strstr(text, "%thread, 0;"), "%thread, 1;", 11);
}

static void lengthen_label(char *text)
{
    char *line = strstr(text, "\tcvta.to");
    memset(line, 'x', 70);
    line[70] = ':';
}

static void leave_predicate_alone(char *text)
{
    memcpy(strstr(text, "@%turn bra"), "@%turn;//x", 10);
}

static void open_brace(char *text)
{
    char *end = strstr(strstr(text, "mma.sync"), "};");
    *end = ' ';
}

static void load_a_register(char *text)
{
    memcpy(strstr(text, "[trips]"), "[%size]", 7);
}

static void want_registers(char *text)
{
    memcpy(strstr(text, "%mh<8>;"), "%mh<99999999>;", 14);
}

static void miss_memory(char *text)
{
    memcpy(strstr(text, "add.s64 %mine, %memory, %offset"), "add.s64 %mine, %offset, %offset", 31);
}

static void the_software_gpu_refuses_what_it_cannot_do(void **state)
{
    (void)state;
    static const struct {
        void (*mutate)(char *text);
        const char *kernel, *text;
    } rows[] = {
        {break_text, "A_S.24",
         "the driver refuses the kernel: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX 218): line "},
        {break_text, "A_S.24", ": unknown instruction xadd"},
        {lose_label, "A_S.24", "the label lopp is nowhere"},
        {lose_register, "A_S.24", "unknown register %q0"},
        {want_newer, "A_S.24", "it is for sm_99, the device is sm_90"},
        {diverge, "matrix_h.16", "the kernel failed on the device: unspecified launch failure"},
        {lengthen_label, "A_S.24", " is too long"},
        {leave_predicate_alone, "A_S.24", ": a predicate without an instruction"},
        {open_brace, "matrix_h.16", ": a { without its }"},
        {load_a_register, "A_S.24", ": ld.param.u32 loads something that is no parameter"},
        {want_registers, "A_S.24", ": more than 4096 registers"},
        {miss_memory, "A_S.24", "the kernel failed on the device: an illegal memory access"},
    };
    cm_software_pmu *pmu = NULL;
    char *library = NULL;
    assert_int_equal(cm_software_pmu_create(&hopper, &pmu, NULL), CM_OK);
    assert_int_equal(cm_software_gpu_library(&library, NULL), CM_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        mutate = rows[i].mutate;
        assert_int_equal(run_on(library, rows[i].kernel, &error), CM_UNSUPPORTED);
        if (strstr(error.text, rows[i].text) == NULL)
            fail_msg("'%s' is not in '%s'", rows[i].text, error.text);
    }
    mutate = diverge; /* all but matrices may */
    assert_int_equal(run_on(library, "A_S.24", NULL), CM_OK);
    mutate = NULL;
    assert_int_equal(run_on(library, "A_S.24", NULL), CM_OK);
    cm_software_pmu_free(pmu);
    free(library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_fail_in_their_own_words),
        cmocka_unit_test(the_proof_notices),
        cmocka_unit_test(the_software_gpu_refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
