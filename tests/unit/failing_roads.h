/* Goes a road through the library once for each path to an allocation on it, which fails. For one source of a program.
 */
#ifndef FAILING_ROADS_H
#define FAILING_ROADS_H

#include <ftw.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/error.h>

#include "failing_memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Does all that there is to do, and writes what comes of it; what it left elsewhere is for `look`. */
typedef struct test_road {
    const char *name;
    const void *what; /* the road's own */
    cm_status (*go)(const struct test_road *road, FILE *sink, cm_error *error);
    void (*look)(const struct test_road *road, cm_status status); /* NULL: nothing to look at */
    long least;                                                   /* allocations that it has */
    int calls;                                                    /* that make a path, at most MOST_CALLS; 0: CALLS */
} test_road;

typedef struct journey {
    cm_status status;
    cm_error error;
    char *text;
    size_t size;
} journey;

/* `allowed` allocations succeed; negative: all. */
static inline journey travel(const test_road *road, long allowed, bool alone)
{
    journey made = {0};
    FILE *sink = open_memstream(&made.text, &made.size);
    assert_non_null(sink);
    atomic_store(&one_alone, alone);
    atomic_store(&allocations_left, allowed);
    made.status = road->go(road, sink, &made.error);
    atomic_store(&allocations_left, -1);
    atomic_store(&one_alone, false);
    fclose(sink);
    if (road->look != NULL)
        road->look(road, made.status);
    return made;
}

static inline long count_allocations(const test_road *road, journey *whole)
{
    long left = 0;
    FILE *sink = open_memstream(&whole->text, &whole->size);
    path_calls = road->calls != 0 ? road->calls : CALLS;
    atomic_store(&allocations_left, COUNTED_FROM);
    whole->status = road->go(road, sink, &whole->error);
    left = atomic_exchange(&allocations_left, -1);
    fclose(sink);
    if (whole->status != CM_OK)
        fail_msg("%s: %s", road->name, whole->error.text);
    if (road->look != NULL)
        road->look(road, CM_OK);
    return COUNTED_FROM - left;
}

/* CATMINT_EVERY_ALLOCATION=1 tries more than the first of each path: all of a short road, and so many of a long one,
 * others with each CATMINT_SEED. */
static inline bool tries_more(long n, long count)
{
    enum { MOST = 250 };
    const char *seed = getenv("CATMINT_SEED");
    const unsigned long long start = seed != NULL ? strtoull(seed, NULL, 10) : 0,
                             step = 1 + (unsigned long)count / MOST;
    return getenv("CATMINT_EVERY_ALLOCATION") != NULL && ((unsigned long)n + start) % step == 0;
}

/* Which allocations fail: the first of each path that has not been tried yet, on this road or on one that is looked at
 * in the same way. */
static inline void choose(const test_road *road, bool *chosen, long count)
{
    static uint64_t tried[MOST_PATHS];
    static size_t tried_count;
    for (long n = 0; n < count; n++) {
        uint64_t path = allocation_paths[n] ^ (uint64_t)(uintptr_t)road->look;
        size_t at = 0;
        while (at < tried_count && tried[at] != path)
            at++;
        chosen[n] = at == tried_count || tries_more(n, count);
        tried[at] = path;
        tried_count += at == tried_count;
    }
}

static inline bool is_right(const test_road *road, const journey *made, const journey *whole, const char *which)
{
    bool same = made->size == whole->size && memcmp(made->text, whole->text, whole->size) == 0;
    bool refused_well = made->status == CM_NO_MEMORY && made->error.status == CM_NO_MEMORY;
    if (made->status == CM_OK && !same)
        print_error("%s: %s: something else was written:\n%s\n", road->name, which, made->text);
    else if (made->status != CM_OK && !refused_well)
        print_error("%s: %s: status %d, %s\n", road->name, which, (int)made->status, made->error.text);
    return made->status == CM_OK ? same : refused_well;
}

/* Whether allocations fail in this way: alone under the sanitizers, which see what nobody looked at, else with all
 * behind them. CATMINT_EVERY_ALLOCATION=1 lets each fail in both ways. */
static inline bool fails_so(bool alone)
{
    if (getenv("CATMINT_EVERY_ALLOCATION") != NULL)
        return true;
#if defined(__SANITIZE_ADDRESS__)
    return alone;
#else
    return !alone;
#endif
}

/* Out of memory, or what always comes of it; never anything else. */
static inline void fail_on_road(const test_road *road)
{
    journey whole = {0};
    static bool chosen[MOST_PATHS];
    long count = count_allocations(road, &whole), wrong = 0;
    assert_in_range(count, road->least, MOST_PATHS - 1); /* else the linker did not lead them here */
    choose(road, chosen, count);
    for (int alone = 0; alone <= 1; alone++)
        for (long n = 0; n < count; n++) {
            char which[64];
            if (!chosen[n] || !fails_so(alone == 1))
                continue;
            snprintf(which, sizeof which, "allocation %ld of %ld%s", n, count, alone == 1 ? " alone" : "");
            journey made = travel(road, n, alone == 1);
            wrong += !is_right(road, &made, &whole, which);
            free(made.text);
        }
    free(whole.text);
    assert_int_equal(wrong, 0);
}

static inline int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    remove(path);
    return 0;
}

/* `path`, of `size` characters, becomes that of the file in the directory. */
static inline void write_file(const char *directory, const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Into a directory of data, in the place of catmint's natural programs: of each row much is allocated. */
static inline void write_few_programs(const char *directory)
{
    char path[1024];
    write_file(
        directory, "bases/natural-programs.csv",
        "class,name,of,low,high,source\n*,instructions,1,1,1,estimate\n*,branches_cond,instructions,0.07,0.2,estimate\n"
        "*,mispredicted_cond,branches_cond,0.001,0.04,estimate\nsure,mispredicted_cond,,0.0001,0.001,estimate\n"
        "unsure,mispredicted_cond,,0.04,0.1,estimate\n",
        path, sizeof path);
}

/* catmint's `name` under that name in the directory. */
static inline void link_data(const char *directory, const char *name)
{
    char target[1024], path[1024];
    snprintf(target, sizeof target, "%s/%s", CM_TEST_SOURCE_DIR, name);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_int_equal(symlink(target, path), 0);
}

/* Makes a directory of catmint's data without its signatures, with few natural programs. `without_kernels`: and with
 * one kernel of each processor. */
static inline void make_few_data(const char *directory, bool without_kernels)
{
    static const char *const processors[] = {"bases",         "bases/aarch64", "bases/ppc64le",
                                             "bases/riscv64", "bases/riscv32", "bases/gpu"};
    char path[1024], facts[2048], text[128];
    glob_t bases;
    assert_int_equal(mkdir(directory, 0700), 0);
    link_data(directory, "data");
    for (size_t i = 0; i < (without_kernels ? COUNT(processors) : 1); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, processors[i]);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(text, sizeof text,
                 "benchmark,kernel,role,facts,chance,range\nbranch,b%zu,basis,2*branches_cond + "
                 "calls,branches_cond,0.5*calls\n",
                 i);
        if (without_kernels)
            write_file(path, "facts.csv", text, facts, sizeof facts);
    }
    assert_int_equal(glob(CM_TEST_SOURCE_DIR "/bases/*", 0, NULL, &bases), 0);
    for (size_t i = 0; i < bases.gl_pathc; i++) {
        const char *name = bases.gl_pathv[i] + sizeof CM_TEST_SOURCE_DIR;
        struct stat there;
        snprintf(path, sizeof path, "%s/%s", directory, name);
        if (strcmp(name, "bases/natural-programs.csv") != 0 && lstat(path, &there) != 0)
            link_data(directory, name);
    }
    globfree(&bases);
    write_few_programs(directory);
}

/* A directory that roads wrote into, with all that is in it. */
static inline void remove_all(const char *path)
{
    nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
