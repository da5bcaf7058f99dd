/* For tests that step functions: include it after cmocka. */
#ifndef CM_TEST_STEPPING_H
#define CM_TEST_STEPPING_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

/* To be asked first in main: return CM_TEST_SKIPPED if it says so. Valgrind steps the stepper: it works, but takes each
 * switch of stacks for an error, and lacks some of the instructions. */
enum { CM_TEST_SKIPPED = 77 };

static inline bool is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded == NULL || strstr(preloaded, "vgpreload") == NULL)
        return false;
    printf("skipped: valgrind takes the stepper's switches of stacks for errors\n");
    return true;
}

/* What a function reads and writes. */
typedef struct work {
    uint64_t words[64] __attribute__((aligned(64)));
    double doubles[64] __attribute__((aligned(64)));
    char text[512];
} work;

typedef struct task {
    void (*body)(work *w);
    work *w;
} task;

static inline void perform(void *argument)
{
    const task *t = argument;
    t->body(t->w);
}

static inline cm_software_pmu *create_stepper(void)
{
    static const cm_pmu_machine machine = {
        .line_size = 64,
        .page_size = 4096,
        .l1d_size = 32768,
        .l1d_ways = 8,
        .predictor = "tage",
        .wrong_path_window = 64,
    };
    cm_software_pmu *pmu = NULL;
    cm_error error;
    if (cm_software_pmu_create(&machine, &pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    return pmu;
}

/* Stepped twice, decoding and decoded, a function must leave what it leaves by itself. */
static inline void expect_the_same(cm_software_pmu *pmu, const char *name, void (*body)(work *w))
{
    static work native, stepped;
    cm_error error;
    for (unsigned time = 0; time < 2; time++) {
        memset(&native, 0, sizeof native);
        memset(&stepped, 0, sizeof stepped);
        task t = {body, &stepped};
        body(&native);
        if (cm_software_pmu_run(pmu, perform, &t, &error) != CM_OK)
            fail_msg("%s: %s", name, error.text);
        if (memcmp(&native, &stepped, sizeof native) != 0)
            fail_msg("%s differs", name);
    }
}

#endif
