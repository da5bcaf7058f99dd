/* Kernels for AMD's GPUs through the HIP backend on the software GPU: facts, results, and what can go wrong. */
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cat-kernels/gpu/amdgpu.h"
#include "gpu/gpu.h"
#include "software_pmu/gpu/engine.h"
#include "software_pmu/gpu/device.h"

enum { DEVICES = 2, DEVICE = 1, TURNS = 3 };

static char *library;
static void *opened;
static cm_software_gpu_configure_function *configure;
static cm_software_gpu_facts_function *facts_of;

static void machine(const char *vendor, unsigned target)
{
    cm_pmu_machine modelled = {.gpu_target = target, .gpu_devices = DEVICES};
    strcpy(modelled.gpu, vendor);
    configure(&modelled);
}

static int prepare(void **state)
{
    (void)state;
    cm_error error;
    if (cm_software_gpu_library(&library, &error) != CM_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    opened = dlopen(library, RTLD_NOW);
    assert_non_null(opened);
    *(void **)&configure = dlsym(opened, CM_SOFTWARE_GPU_CONFIGURE);
    *(void **)&facts_of = dlsym(opened, CM_SOFTWARE_GPU_FACTS);
    assert_true(configure != NULL && facts_of != NULL);
    machine("amd", 0x90a);
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    dlclose(opened);
    free(library);
    return 0;
}

static cm_gpu_driver *open_driver(void)
{
    cm_error error;
    cm_gpu_driver *driver = NULL;
    if (cm_gpu_hip.open(library, &driver, &error) != CM_OK)
        fail_msg("%s", error.text);
    return driver;
}

static bool is_of_gfx90a(const cm_gpu_kernel *kernel)
{
    bool all = (cm_gpu_kernel_vendors(kernel) & CM_GPU_AMD) != 0;
    for (size_t i = 0; i < kernel->piece_count; i++)
        all &= cm_gpu_amdgpu_has(kernel->pieces[i].class, "gfx90a");
    return all;
}

/* The memory that the kernel leaves, to be freed; `executed`: its facts. */
static unsigned char *run(cm_gpu_driver *driver, const cm_gpu_kernel *kernel, const cm_gpu_launch *launch,
                          uint64_t executed[CM_FACT_COUNT])
{
    char entry[CM_GPU_ENTRY_SIZE], *text = NULL;
    cm_error error;
    cm_gpu_loaded *loaded = NULL;
    size_t size = cm_gpu_memory_size(kernel->family, launch);
    unsigned char *memory = malloc(size);
    assert_non_null(memory);
    cm_gpu_memory_fill(kernel->family, launch, memory);
    cm_gpu_entry(kernel, entry, sizeof entry);
    if (cm_gpu_amdgpu(kernel, is_of_gfx90a(kernel) ? "gfx90a" : "gfx942", &text, &error) != CM_OK ||
        cm_gpu_hip.load(driver, DEVICE, text, entry, memory, size, cm_gpu_memory_capacity(kernel->family, launch),
                        &loaded, &error) != CM_OK)
        fail_msg("%s: %s", kernel->name, error.text);
    memcpy(executed, facts_of(DEVICE), CM_FACT_COUNT * sizeof *executed);
    assert_int_equal(cm_gpu_hip.launch(loaded, launch, &error), CM_OK);
    assert_int_equal(cm_gpu_hip.wait(loaded, &error), CM_OK);
    for (size_t i = 0; i < CM_FACT_COUNT; i++)
        executed[i] = facts_of(DEVICE)[i] - executed[i];
    assert_int_equal(cm_gpu_hip.read(loaded, memory, &error), CM_OK);
    cm_gpu_hip.unload(loaded);
    free(text);
    return memory;
}

static const cm_gpu_launch launch = {2, 96, TURNS}; /* a whole wavefront and a half one */

static void check_facts(const cm_gpu_kernel *kernel, const uint64_t *executed)
{
    uint64_t expected[CM_GPU_CLASSES] = {0};
    cm_gpu_launch_facts(kernel, &launch, 64, CM_GPU_WARPS, expected);
    for (size_t i = 0; i < CM_GPU_COMPUTING; i++) {
        if (executed[CM_FACT_GPU + i] != expected[i])
            fail_msg("%s: %llu %s, expected %llu", kernel->name, (unsigned long long)executed[CM_FACT_GPU + i],
                     cm_gpu_class_table[i].words, (unsigned long long)expected[i]);
        assert_int_equal(executed[CM_FACT_GPU_WARPS + i], expected[i]);
    }
    assert_int_equal(executed[CM_FACT_GPU_LAUNCHES], 1);
    assert_int_equal(executed[CM_FACT_GPU_BLOCKS], 2);
    assert_int_equal(executed[CM_FACT_GPU_LAUNCHED_WARPS], 4);
    assert_int_equal(executed[CM_FACT_GPU_THREADS], 192);
    if (kernel->family < CM_GPU_MEMORY)
        assert_int_equal(executed[CM_FACT_GPU_LOADS], executed[CM_FACT_GPU_STORES]); /* accumulators */
    assert_true(executed[CM_FACT_GPU_LOADS] > 0 && executed[CM_FACT_GPU_MOVES] > 0);
}

static void test_facts_of_all_kernels(void **state)
{
    (void)state;
    uint64_t executed[CM_FACT_COUNT];
    cm_gpu_driver *driver = open_driver();
    size_t count = 0;
    for (size_t i = 0; i < cm_gpu_kernel_table_size; i++) {
        const cm_gpu_kernel *kernel = &cm_gpu_kernel_table[i];
        if (!is_of_gfx90a(kernel))
            continue;
        free(run(driver, kernel, &launch, executed));
        check_facts(kernel, executed);
        count++;
    }
    assert_true(count > 60);
    cm_gpu_hip.close(driver);
}

/* ---- arithmetic, worked out by this processor ---- */

static double number_at(cm_gpu_family family, const unsigned char *memory, size_t thread, size_t type, size_t slot)
{
    const cm_gpu_layout *layout = cm_gpu_layout_of(family);
    const unsigned char *at = memory + layout->input + layout->output * thread + CM_GPU_SLOT(type, slot);
    int32_t integer;
    memcpy(&integer, at, sizeof integer);
    if (type == CM_GPU_TYPE_MI || type == CM_GPU_TYPE_MI2 || type == CM_GPU_TYPE_MSI)
        return integer;
    float single;
    double real;
    memcpy(&single, at, sizeof single);
    memcpy(&real, at, sizeof real);
    return type == CM_GPU_TYPE_D || type == CM_GPU_TYPE_MD || type == CM_GPU_TYPE_MD4 ? real : (double)single;
}

static const double of_bytes = -1 * 5 + -128 * 60 + 127 * -2 + 1 * 2; /* 0x017f80ff and 0x02fe3c05, byte by byte */

static double step(cm_gpu_class class, double a)
{
    const double c = 1.0 / 64, m = 1.0 - 0x1p-53;
    const float f = (float)a, of = 1.0F / 64, near_one = 1.0F - 0x1p-24F;
    switch (class) {
    case CM_GPU_S_ADD: return (double)(f + of);
    case CM_GPU_S_SUB: return (double)(f - of);
    case CM_GPU_S_MUL: return (double)(f * near_one);
    case CM_GPU_S_FMA: return (double)fmaf(f, near_one, of);
    case CM_GPU_S_SQRT: return (double)sqrtf(f);
    case CM_GPU_D_ADD: return a + c;
    case CM_GPU_D_SUB: return a - c;
    case CM_GPU_D_MUL: return a * m;
    case CM_GPU_D_FMA: return fma(a, m, c);
    case CM_GPU_D_SQRT: return sqrt(a);
    case CM_GPU_MATRIX_S:
    case CM_GPU_MATRIX_D:
    case CM_GPU_MFMA_H_4:
    case CM_GPU_MFMA_B_4:
    case CM_GPU_MFMA_D_4: return a + 4 * 0.25 * 0.25;
    case CM_GPU_SMFMAC_H:
    case CM_GPU_SMFMAC_B:
    case CM_GPU_MATRIX_H:
    case CM_GPU_MATRIX_B: return a + 16 * 0.25 * 0.25;
    case CM_GPU_MFMA_S_4: return a + 0.25 * 0.25;
    case CM_GPU_MFMA_F8:
    case CM_GPU_SMFMAC_F8:
    case CM_GPU_MFMA_BF8: return a + 32 * 0.25 * 0.25;
    case CM_GPU_MFMA_T: return a + 8 * 0.25 * 0.25;
    case CM_GPU_SMFMAC_I: return a + 32 * 3 * 3;
    case CM_GPU_MFMA_I: return a + 4 * of_bytes;
    case CM_GPU_MFMA_I_4: return a + of_bytes;
    case CM_GPU_MFMA_I_K32: return a + 8 * of_bytes;
    default: return a;
    }
}

static void check_arithmetic(cm_gpu_driver *driver, const char *name, size_t chains)
{
    const cm_gpu_kernel *kernel = cm_gpu_kernel_find(name);
    const cm_gpu_class class = kernel->pieces[0].class;
    const size_t type = cm_gpu_class_table[class].type, parts = chains == 2 && type != CM_GPU_TYPE_MD4 ? 4 : 1;
    uint64_t executed[CM_FACT_COUNT];
    unsigned char *before = malloc(cm_gpu_memory_size(kernel->family, &launch)),
                  *memory = run(driver, kernel, &launch, executed);
    assert_non_null(before);
    cm_gpu_memory_fill(kernel->family, &launch, before);
    for (size_t thread = 0; thread < 192; thread++)
        for (size_t slot = 0; slot < chains * parts; slot++) {
            double expected = number_at(kernel->family, before, thread, type, slot),
                   found = number_at(kernel->family, memory, thread, type, slot);
            for (size_t i = 0; i < TURNS * kernel->pieces[0].count / chains; i++)
                expected = step(class, expected);
            if (found != expected)
                fail_msg("%s: thread %zu has %.17g in slot %zu, expected %.17g", name, thread, found, slot, expected);
        }
    free(before);
    free(memory);
}

static void test_arithmetic(void **state)
{
    (void)state;
    static const char *const names[] = {"A_S.24", "S_S.24", "M_S.24", "SQ_S.24", "F_S.12",
                                        "A_D.24", "S_D.24", "M_D.24", "SQ_D.24", "F_D.12"};
    static const char *const matrices[] = {
        "mfma_h.16",      "mfma_b.16",       "matrix_s.16",   "mfma_d.16",   "h_4x4x4.16",    "b_4x4x4.16",
        "s_4x4x1.16",     "d_4x4x4.16",      "i_16x16x16.16", "i_4x4x4.16",  "i_16x16x32.16", "t_16x16x8.16",
        "f8_16x16x32.16", "bf8_16x16x32.16", "h_smfmac.16",   "b_smfmac.16", "f8_smfmac.16",  "i_smfmac.16"};
    cm_gpu_driver *driver = open_driver();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_arithmetic(driver, names[i], CM_GPU_CHAINS);
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        check_arithmetic(driver, matrices[i], 2);
    cm_gpu_hip.close(driver);
}

/* Lanes that are off change nothing, and the wavefront counts all the same. */
static void test_masks(void **state)
{
    (void)state;
    static const cm_gpu_piece pieces[] = {{CM_GPU_D_ADD, 4}, {CM_GPU_S_SUB, 8}, {CM_GPU_INT_LOGIC, 5}};
    const cm_gpu_kernel kernel = {"masked 1", pieces, 3, CM_GPU_BOTH, 3, CM_GPU_FLOPS};
    uint64_t executed[CM_FACT_COUNT];
    cm_gpu_driver *driver = open_driver();
    unsigned char *memory = run(driver, &kernel, &launch, executed);
    check_facts(&kernel, executed);
    for (size_t thread = 0; thread < 192; thread++) {
        const double begun = 1 + (double)(thread % 8) / 8, turns = TURNS;
        assert_true(number_at(CM_GPU_FLOPS, memory, thread, CM_GPU_TYPE_D, 0) ==
                    begun + (thread % 96 % 4 == 0 ? turns / 64 : 0));
        assert_true(number_at(CM_GPU_FLOPS, memory, thread, CM_GPU_TYPE_S, 0) ==
                    begun - (thread % 96 % 4 == 0 ? 2 * turns / 64 : 0));
    }
    free(memory);
    cm_gpu_hip.close(driver);
}

/* ---- what can go wrong ---- */

static void test_devices(void **state)
{
    (void)state;
    cm_error error;
    cm_gpu_device device;
    cm_gpu_driver *driver = open_driver();
    assert_int_equal(cm_gpu_hip.device_count(driver), DEVICES);
    assert_int_equal(cm_gpu_hip.device(driver, 1, &device, &error), CM_OK);
    assert_string_equal(device.target, "gfx90a");
    assert_string_equal(device.name, "software GPU gfx90a");
    assert_true(device.version == 0x90a && device.warp == 64);
    assert_int_equal(cm_gpu_hip.device(driver, DEVICES, &device, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text,
                        "HIP does not describe the device: invalid device ordinal (hipErrorInvalidDevice 101)");
    cm_gpu_hip.close(driver);
    machine("nvidia", 90);
    assert_int_equal(cm_gpu_hip.open(library, &driver, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "HIP does not start: no ROCm-capable device is detected (hipErrorNoDevice 100)");
    machine("amd", 0x90a);
}

static void test_refusals(void **state)
{
    (void)state;
    cm_error error;
    cm_gpu_loaded *loaded = NULL;
    unsigned char memory[CM_GPU_INPUT + CM_GPU_OUTPUT] = {0};
    const cm_gpu_launch one = {1, 1, 1}, too_large = {1, 2, 1}, nothing = {0, 1, 1};
    char *text = NULL;
    cm_gpu_driver *driver = open_driver();
    assert_int_equal(cm_gpu_hip.load(driver, 0, "no code", "x", memory, sizeof memory, sizeof memory, &loaded, &error),
                     CM_UNSUPPORTED);
    assert_string_equal(error.text,
                        "the driver refuses the kernel: device kernel image is invalid (hipErrorInvalidImage 200)");
    assert_int_equal(cm_gpu_amdgpu(cm_gpu_kernel_find("A_D.24"), "gfx942", &text, &error), CM_OK);
    assert_int_equal(cm_gpu_hip.load(driver, 0, text, "other", memory, sizeof memory, sizeof memory, &loaded, &error),
                     CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "named symbol not found (hipErrorNotFound 500)"));
    assert_int_equal(
        cm_gpu_hip.load(driver, 0, text, "catmint_A_D_24", memory, SIZE_MAX / 2, SIZE_MAX / 2, &loaded, &error),
        CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "has no memory for the kernel: out of memory (hipErrorOutOfMemory 2)"));
    assert_int_equal(
        cm_gpu_hip.load(driver, 0, text, "catmint_A_D_24", memory, sizeof memory, sizeof memory, &loaded, &error),
        CM_OK);
    assert_int_equal(cm_gpu_hip.launch(loaded, &nothing, &error), CM_UNSUPPORTED);
    assert_int_equal(cm_gpu_hip.launch(loaded, &too_large, &error), CM_OK);
    assert_int_equal(cm_gpu_hip.wait(loaded, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "illegal memory access was encountered (hipErrorIllegalAddress 700)"));
    assert_int_equal(cm_gpu_hip.launch(loaded, &one, &error), CM_OK);
    assert_int_equal(cm_gpu_hip.wait(loaded, &error), CM_OK);
    cm_gpu_hip.unload(loaded);
    cm_gpu_hip.unload(NULL);
    free(text);
    cm_gpu_hip.close(driver);
}

/* Each device is waited for, not the one that a kernel was launched on last. */
static void test_waiting(void **state)
{
    (void)state;
    cm_error error;
    cm_gpu_loaded *loaded[DEVICES] = {NULL};
    unsigned char memory[CM_GPU_INPUT + CM_GPU_OUTPUT] = {0};
    const cm_gpu_launch launches[DEVICES] = {{1, 2, 1}, {1, 1, 1}}; /* the first one's memory is too small */
    char *text = NULL;
    cm_gpu_driver *driver = open_driver();
    assert_int_equal(cm_gpu_amdgpu(cm_gpu_kernel_find("A_D.24"), "gfx90a", &text, &error), CM_OK);
    for (size_t i = 0; i < DEVICES; i++)
        assert_int_equal(cm_gpu_hip.load(driver, i, text, "catmint_A_D_24", memory, sizeof memory, sizeof memory,
                                         &loaded[i], &error),
                         CM_OK);
    for (size_t i = 0; i < DEVICES; i++)
        assert_int_equal(cm_gpu_hip.launch(loaded[i], &launches[i], &error), CM_OK);
    assert_int_equal(cm_gpu_hip.wait(loaded[0], &error), CM_UNSUPPORTED);
    assert_int_equal(cm_gpu_hip.wait(loaded[1], &error), CM_OK);
    for (size_t i = 0; i < DEVICES; i++)
        cm_gpu_hip.unload(loaded[i]);
    free(text);
    cm_gpu_hip.close(driver);
}

static void test_libraries(void **state)
{
    (void)state;
    cm_error error;
    cm_gpu_driver *driver = NULL;
    assert_int_equal(cm_gpu_hip.open("/no/such/library.so", &driver, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "HIP cannot be loaded: /no/such/library.so"));
    assert_int_equal(cm_gpu_hip.open("libm.so.6", &driver, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "HIP is too old: libm.so.6 has no function hipInit");
}

static void test_what_cannot_be_written(void **state)
{
    (void)state;
    static const cm_gpu_piece pieces[] = {{CM_GPU_S_ADD, 1}};
    const cm_gpu_kernel masks = {"masks", pieces, 1, CM_GPU_BOTH, 64, CM_GPU_FLOPS};
    cm_error error;
    char *text = NULL;
    assert_int_equal(cm_gpu_amdgpu(&masks, "gfx90a", &text, &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, "kernel 'masks' has a mask of lanes that is none");
    assert_int_equal(cm_gpu_amdgpu(cm_gpu_kernel_find("b_add.48"), "gfx90a", &text, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "kernel 'b_add.48' is for NVIDIA's GPUs alone");
}

/* Objects of the build have each kernel as it is described; another one is hiprtc's, which is not here. */
static void test_code_objects(void **state)
{
    (void)state;
    static const cm_gpu_piece pieces[] = {{CM_GPU_D_ADD, 25}};
    const cm_gpu_kernel other = {"A_D.24", pieces, 1, CM_GPU_BOTH, 0, CM_GPU_FLOPS};
    cm_error error;
    char *text = NULL, *object = NULL;
    assert_int_equal(cm_gpu_amdgpu(cm_gpu_kernel_find("A_D.24"), "gfx90a", &text, &error), CM_OK);
    if (cm_gpu_code_object(text, "catmint_A_D_24", "gfx90a", &object, &error) == CM_OK)
        assert_memory_equal(object, "\177ELF", 4);
    else
        assert_non_null(strstr(error.text, "hiprtc"));
    free(object);
    free(text);
    assert_int_equal(cm_gpu_amdgpu(&other, "gfx90a", &text, &error), CM_OK);
    if (cm_gpu_code_object(text, "catmint_A_D_24", "gfx90a", &object, &error) == CM_UNSUPPORTED)
        assert_non_null(strstr(error.text, "hiprtc, which compiles kernels that catmint's code object does not have, "
                                           "cannot be loaded"));
    free(object);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts_of_all_kernels),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_code_objects),
    };
    return cmocka_run_group_tests(tests, prepare, tidy_up);
}
