/* Teams: what members do at the same time, and what ends them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/team.h"

enum { SIZE = 3, ROUNDS = 50 };

/* Each adds to its own place; at every meeting all have added as often. */
static cm_status count_together(cm_team_member *member, void *data, cm_error *error)
{
    volatile int *counts = data;
    cm_status status = CM_OK;
    for (int round = 1; status == CM_OK && round <= ROUNDS; round++) {
        counts[member->number]++;
        status = cm_team_meet(member, error);
        for (size_t i = 0; i < member->size; i++)
            if (status == CM_OK && counts[i] < round)
                status = cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "somebody is late");
        if (status == CM_OK)
            status = cm_team_meet(member, error);
        cm_team_alive(member, true);
    }
    return status;
}

static bool note_steps(size_t steps, void *data)
{
    int *counts = data;
    counts[SIZE] = (int)steps;
    return true;
}

static void members_meet(void **state)
{
    (void)state;
    int *counts = cm_team_memory((SIZE + 1) * sizeof *counts);
    assert_non_null(counts);
    cm_team_job job = {.size = SIZE, .work = count_together, .data = counts, .patience = 60, .watch = note_steps};
    size_t failed = 99;
    assert_int_equal(cm_team_run(&job, &failed, NULL), CM_OK);
    assert_int_equal(failed, SIZE);
    for (size_t i = 0; i <= SIZE; i++)
        assert_int_equal(counts[i], ROUNDS);
    cm_team_memory_free(counts, (SIZE + 1) * sizeof *counts);
}

/* Silent for 0.1 s, then for 0.3 s, then for 0.1 s. */
static cm_status say_little(cm_team_member *member, void *data, cm_error *error)
{
    (void)data;
    (void)error;
    static const long milliseconds[] = {100, 300, 100};
    for (size_t i = 0; i < sizeof milliseconds / sizeof milliseconds[0]; i++) {
        nanosleep(&(struct timespec){0, milliseconds[i] * 1000000}, NULL);
        cm_team_alive(member, true);
    }
    return CM_OK;
}

static void the_longest_silence_is_known(void **state)
{
    (void)state;
    double silence = 99.0;
    cm_team_job job = {.size = 1, .work = say_little, .patience = 60, .silence = &silence};
    assert_int_equal(cm_team_run(&job, NULL, NULL), CM_OK);
    if (silence < 0.25) /* the sum is 0.5 s; a busy machine makes it longer only */
        fail_msg("%g s", silence);
}

static cm_status misbehave(cm_team_member *member, void *data, cm_error *error)
{
    const char *how = data;
    if (member->number == 1) {
        if (strcmp(how, "dies") == 0)
            raise(SIGKILL);
        if (strcmp(how, "exits") == 0)
            _exit(7);
        if (strcmp(how, "fails") == 0)
            return cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "no luck");
        while (strcmp(how, "hangs") == 0)
            pause();
    }
    return cm_team_meet(member, error); /* the others wait for it in vain */
}

static cm_status bind_nobody(size_t member, const void *data, cm_error *error)
{
    (void)data;
    return member == 2 ? cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "cannot be bound") : CM_OK;
}

static bool stop_at_once(size_t steps, void *data)
{
    (void)steps;
    (void)data;
    return false;
}

static void what_a_member_does_wrong_ends_the_team_with_a_message(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        bool binds, stops;
        cm_status expected;
        size_t failed;
        const char *text;
    } rows[] = {
        {"dies", false, false, CM_UNSUPPORTED, 1, "member 1 of the team of 3 was ended by signal 9"},
        {"exits", false, false, CM_UNSUPPORTED, 1, "member 1 of the team of 3 ended with status 7"},
        {"fails", false, false, CM_BAD_INPUT, 1, "no luck"},
        {"hangs", false, false, CM_UNSUPPORTED, 1, "member 1 of the team of 3 gave no sign of life for 2 s"},
        {"waits", true, false, CM_UNSUPPORTED, 2, "cannot be bound"},
        {"hangs", false, true, CM_INTERRUPTED, SIZE, "interrupted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_team_job job = {
            .size = SIZE,
            .bind = rows[i].binds ? bind_nobody : NULL,
            .work = misbehave,
            .data = (void *)(uintptr_t)rows[i].how,
            .patience = rows[i].expected == CM_UNSUPPORTED && strcmp(rows[i].how, "hangs") == 0 ? 2 : 60,
            .watch = rows[i].stops ? stop_at_once : NULL,
        };
        cm_error error = {0};
        size_t failed = 99;
        cm_status status = cm_team_run(&job, &failed, &error);
        if (status != rows[i].expected || failed != rows[i].failed || strstr(error.text, rows[i].text) == NULL)
            fail_msg("row %zu: member %zu, %s", i, failed, error.text);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_meet),
        cmocka_unit_test(the_longest_silence_is_known),
        cmocka_unit_test(what_a_member_does_wrong_ends_the_team_with_a_message),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
