/* Calls of programs whose targets move with a buffer's pointer: wherever its way begins, and however often it comes
 * round, they stay among the functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "core/system.h"
#include "programs/programs.h"
#include "stepping.h"

enum { SEEDS = 100, CODE_BYTES = 8192, ITERATIONS = 4096, LEAST_SIZE = CM_PROGRAM_PAGE, MOST_STRIDE = 4 * LEAST_SIZE };

typedef struct fixture {
    cm_program_pages data, code;
    cm_program_memory memory;
    unsigned char *around; /* pages without access, the functions, and such pages again */
    size_t size;           /* of each of the three */
    unsigned char bits[ITERATIONS + 1];
    double *facts;
} fixture;

static unsigned below(uint64_t *random, size_t limit)
{
    return (unsigned)cm_random_below(random, limit);
}

/* The buffer's way: its size is a power of two, it begins at any line, and its stride is at most its size. */
static void draw_way(const fixture *with, uint64_t *random, unsigned buffer, cm_program_memory *memory)
{
    size_t whole = with->memory.sizes[buffer], size = whole;
    while (size > LEAST_SIZE && below(random, 2) == 0)
        size /= 2;
    size_t start = below(random, whole / size) / 2 * 2 * size + below(random, size / CM_WORK_LINE) * CM_WORK_LINE;
    memory->buffers[buffer] = (unsigned char *)memory->buffers[buffer] + start;
    memory->sizes[buffer] = size;
    memory->strides[buffer] =
        (below(random, (size < MOST_STRIDE ? size : MOST_STRIDE) / CM_WORK_LINE) + 1) * (size_t)CM_WORK_LINE;
}

/* Runs a program of calls through pointers that come round. */
static void run_drawn(const fixture *with, uint64_t random)
{
    cm_work works[] = {{.kind = CM_WORK_CALL_FAR}, {.kind = CM_WORK_CALL_ELSEWHERE}};
    const cm_composition composition = {.class = "", .count = 2, .works = works};
    cm_program_memory memory = with->memory;
    cm_program_emission emission = {.composition = &composition,
                                    .memory = &memory,
                                    .code = with->code.start,
                                    .size = CODE_BYTES,
                                    .once = with->facts,
                                    .each = with->facts + cm_fact_count(),
                                    .skipped = with->facts + 2 * cm_fact_count()};
    works[1].buffer = below(&random, CM_WORK_BUFFERS);
    works[1].offset = below(&random, CM_WORK_SPAN);
    for (unsigned i = 0; i < CM_WORK_BUFFERS; i++)
        draw_way(with, &random, i, &memory);
    cm_error error = {0};
    void (*body)(uint64_t iterations) = NULL;
    if (cm_emit(&emission, cm_isa_available(), &error) != CM_OK)
        fail_msg("%s", error.text);
    *(void **)&body = emission.code + emission.entry;
    body(ITERATIONS);
}

static void calls_stay_among_the_functions(void **state)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        run_drawn(*state, seed);
}

static int set_up(void **state)
{
    cm_error error = {0};
    fixture *with = calloc(1, sizeof *with);
    assert_non_null(with);
    assert_int_equal(cm_program_memory_create(&with->data, &with->memory, &error), CM_OK);
    assert_int_equal(cm_program_pages_map(CODE_BYTES + CM_PROGRAM_FAR_BYTES, &with->code, &error), CM_OK);
    assert_int_equal(mprotect(with->code.start, with->code.size, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    with->size = 2 * with->memory.sizes[0];
    with->around = mmap(NULL, 3 * with->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(with->around != MAP_FAILED);
    with->memory.functions = with->around + with->size;
    assert_int_equal(mprotect(with->around + with->size, with->size, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    cm_emit_functions(with->around + with->size, with->size);
    with->memory.bits = with->bits;
    with->facts = calloc((2 + CM_WORK_PLANES) * cm_fact_count(), sizeof *with->facts);
    assert_non_null(with->facts);
    *state = with;
    return 0;
}

static int tear_down(void **state)
{
    fixture *with = *state;
    cm_program_pages_unmap(&with->data);
    cm_program_pages_unmap(&with->code);
    munmap(with->around, 3 * with->size);
    free(with->facts);
    free(with);
    return 0;
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_stay_among_the_functions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
