/* The time that a sweep says is left: on sequences made up here, so that no clock is asked. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sweep/plan/plan.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A benchmark as it goes: repetitions of `seconds`, those from `change` on of `seconds_then`. `grown` repetitions more
 * are found to be needed, one with each that is done. The one at `stop` takes `stopped` seconds more, for nothing was
 * done meanwhile. */
typedef struct course {
    const char *name;
    double expected;
    size_t planned;
    double seconds;
    size_t change;
    double seconds_then;
    size_t grown;
    size_t stop;
    double stopped;
    double later, truly_later; /* what benchmarks behind it are expected to take, and do */
    double factor;             /* within which it must be right, once a tenth is done */
    size_t jumps;              /* most times that it may say more than a second before */
} course;

static double takes(const course *of, size_t repetition)
{
    double seconds = repetition >= of->change ? of->seconds_then : of->seconds;
    return repetition == of->stop ? seconds + of->stopped : seconds;
}

static size_t all_of(const course *of)
{
    return of->planned + of->grown;
}

static void follow(const course *of)
{
    cm_pace pace;
    cm_pace_begin(&pace, of->expected, of->planned, NAN);
    double end = 0.0, over = 0.0, said = NAN, highest_for = 0.0;
    size_t done = 0, jumps = 0;
    for (size_t i = 0; i < all_of(of); i++)
        end += takes(of, i);
    over = takes(of, 0);
    for (double now = 0.0; now < end; now += 1.0) {
        while (done < all_of(of) && now >= over)
            over += takes(of, ++done);
        size_t planned = of->planned + (done < of->grown ? done : of->grown);
        double left = cm_pace_left(&pace, planned, done, now, (cm_pace_later){.seconds = of->later});
        if (isnan(left)) {
            assert_true(isnan(of->expected) && done == 0);
            continue;
        }
        bool grew = left > said + 0.5;
        jumps += grew;
        highest_for = grew ? highest_for + 1.0 : 0.0;
        said = left;
        double truly = end - now + of->truly_later;
        bool stopped_yet = done > of->stop; /* nobody can know before */
        if (left < 0.0 || highest_for > 5.0)
            fail_msg("%s: after %g s %g s are left, more for %g s", of->name, now, left, highest_for);
        if (done * 10 >= all_of(of) && truly > 10.0 && stopped_yet &&
            (left > of->factor * truly || left < truly / of->factor))
            fail_msg("%s: after %g s %g s are left, truly %g", of->name, now, left, truly);
    }
    if (jumps > of->jumps)
        fail_msg("%s: it grew %zu times", of->name, jumps);
}

static void it_falls_and_comes_true(void **state)
{
    (void)state;
    static const course rows[] = {
        {.name = "as expected", .expected = 10, .planned = 50, .seconds = 10, .factor = 1.1},
        {.name = "unknown before", .expected = NAN, .planned = 50, .seconds = 10, .factor = 1.1, .jumps = 1},
        {.name = "fast", .expected = 1, .planned = 1000, .seconds = 0.3, .factor = 1.2},
        {.name = "slower than expected", .expected = 2, .planned = 60, .seconds = 10, .factor = 1.4, .jumps = 12},
        {.name = "faster than expected", .expected = 10, .planned = 60, .seconds = 2, .factor = 1.5},
        {.name = "much slower", .expected = 0.1, .planned = 30, .seconds = 60, .factor = 1.4, .jumps = 30},
        {.name = "slower later",
         .expected = 2,
         .planned = 100,
         .seconds = 2,
         .change = 50,
         .seconds_then = 4,
         .factor = 2.2,
         .jumps = 4},
        {.name = "plans that grow",
         .expected = 3,
         .planned = 100,
         .seconds = 3,
         .grown = 40,
         .factor = 2.1,
         .jumps = 8},
        {.name = "stopped for an hour",
         .expected = 5,
         .planned = 100,
         .seconds = 5,
         .stop = 20,
         .stopped = 3600,
         .factor = 1.5,
         .jumps = 4},
        {.name = "benchmarks behind it",
         .expected = 1,
         .planned = 20,
         .seconds = 1,
         .later = 300,
         .truly_later = 200,
         .factor = 1.6},
        {.name = "one repetition", .expected = 30, .planned = 1, .seconds = 40, .factor = 2, .jumps = 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        course of = rows[i];
        of.change = of.change != 0 ? of.change : SIZE_MAX;
        follow(&of);
    }
}

static void what_is_said_at_once(void **state)
{
    (void)state;
    static const struct {
        double expected;
        size_t first, planned, done;
        double seconds;
        cm_pace_later later;
        double shown, left; /* NaN: unknown */
    } rows[] = {
        {2, 10, 10, 0, 0, {0, 0}, NAN, 20},
        {2, 10, 10, 0, 1, {0, 0}, NAN, 19},
        {2, 10, 10, 0, 0, {100, 5}, NAN, 130},
        {2, 10, 10, 10, 20, {100, 5}, NAN, 110},
        {2, 10, 10, 10, 20, {0, 0}, NAN, 0},
        {2, 0, 0, 0, 0, {0, 0}, NAN, 0},
        {NAN, 10, 10, 0, 5, {0, 0}, NAN, NAN},
        {NAN, 10, 10, 5, 10, {0, 0}, NAN, 10},
        {NAN, 10, 10, 12, 24, {0, 3}, NAN, 6}, /* more than planned */
        {2, 10, 15, 5, 10, {0, 0}, NAN, 40},   /* one more with each: as many again for what is left */
        {2, 10, 100, 5, 10, {0, 0}, NAN, 380}, /* and no more than that */
        /* what was said before stands where it is not wrong by much */
        {2, 10, 10, 0, 0, {0, 0}, 19, 19},
        {2, 10, 10, 0, 0, {0, 0}, 21, 20},
        {2, 10, 10, 0, 0, {0, 0}, 15, 20},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_pace pace;
        cm_pace_begin(&pace, rows[i].expected, rows[i].first, rows[i].shown);
        double left = cm_pace_left(&pace, rows[i].planned, rows[i].done, rows[i].seconds, rows[i].later);
        if (isnan(rows[i].left) ? !isnan(left) : fabs(left - rows[i].left) > 1e-9)
            fail_msg("row %zu: %g", i, left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_falls_and_comes_true),
        cmocka_unit_test(what_is_said_at_once),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
