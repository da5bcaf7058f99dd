/* Teams: what members do at the same time, and what ends them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base.h"
#include "core/system.h"

enum { SIZE = 3, ROUNDS = 50 };

/* Each adds to its own place; at every barrier all have added as often. */
static cm_status count_together(cm_team_member *member, void *data, cm_error *error)
{
    volatile int *counts = data;
    cm_status status = CM_OK;
    for (int round = 1; status == CM_OK && round <= ROUNDS; round++) {
        counts[member->number]++;
        status = cm_team_barrier(member, error);
        for (size_t i = 0; i < member->size; i++)
            if (status == CM_OK && counts[i] < round)
                status = cm_error_set(error, CM_BAD_INPUT, NULL, 0, 0, "somebody is late");
        if (status == CM_OK)
            status = cm_team_barrier(member, error);
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

static void members_wait_for_each_other(void **state)
{
    (void)state;
    int *counts = cm_team_memory_create((SIZE + 1) * sizeof *counts);
    assert_non_null(counts);
    cm_team_job job = {.size = SIZE, .work = count_together, .data = counts, .timeout = 60, .watch = note_steps};
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

static void the_longest_gap_is_known(void **state)
{
    (void)state;
    double longest_gap = 99.0;
    cm_team_job job = {.size = 1, .work = say_little, .timeout = 60, .longest_gap = &longest_gap};
    assert_int_equal(cm_team_run(&job, NULL, NULL), CM_OK);
    if (longest_gap < 0.25) /* the sum is 0.5 s; a busy machine makes it longer only */
        fail_msg("%g s", longest_gap);
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
    return cm_team_barrier(member, error); /* the others wait for it in vain */
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
        {"hangs", false, false, CM_UNSUPPORTED, 1, "member 1 of the team of 3 did not respond for 2 s"},
        {"waits", true, false, CM_UNSUPPORTED, 2, "cannot be bound"},
        {"hangs", false, true, CM_INTERRUPTED, SIZE, "interrupted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_team_job job = {
            .size = SIZE,
            .bind = rows[i].binds ? bind_nobody : NULL,
            .work = misbehave,
            .data = (void *)(uintptr_t)rows[i].how,
            .timeout = rows[i].expected == CM_UNSUPPORTED && strcmp(rows[i].how, "hangs") == 0 ? 2 : 60,
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

/* ---- who is to blame ---- */

/* A grandchild sends it, as somebody outside would. */
static void be_sent(int number)
{
    pid_t member = getpid();
    if (fork() == 0) {
        kill(member, number);
        _exit(0);
    }
    for (;;)
        pause();
}

static void touch_what_is_not_there(void)
{
    volatile char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 1;
}

static size_t use_up_the_stack(size_t depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return depth == SIZE_MAX ? 0 : use_up_the_stack(depth + 1) + (size_t)room[0];
}

struct ending {
    const char *how;
    int number;
    atomic_int *lives; /* processes that were started */
};

static cm_status end(cm_team_member *member, void *data, cm_error *error)
{
    (void)member;
    (void)error;
    const struct ending *ending = data;
    atomic_fetch_add(ending->lives, 1);
    struct itimerval soon = {.it_value = {0, 1000}};
    if (strcmp(ending->how, "raise") == 0)
        raise(ending->number);
    else if (strcmp(ending->how, "sent") == 0)
        be_sent(ending->number);
    else if (strcmp(ending->how, "abort") == 0)
        abort();
    else if (strcmp(ending->how, "touch") == 0)
        touch_what_is_not_there();
    else if (strcmp(ending->how, "stack") == 0 && setrlimit(RLIMIT_STACK, &(struct rlimit){1 << 20, 1 << 20}) == 0)
        use_up_the_stack(0);
    else if (strcmp(ending->how, "exit") == 0)
        _exit(7);
    else if (strcmp(ending->how, "once") == 0 && atomic_load(ending->lives) == 1)
        raise(ending->number);
    else if (strcmp(ending->how, "timer") == 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0)
        for (;;)
            pause();
    return CM_OK;
}

static void what_comes_from_outside_is_nobodys_fault(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        int number, expected; /* signal, 0: none */
        bool outside;
        int lives;
    } rows[] = {
        {"raise", SIGSEGV, SIGSEGV, false, 1},
        {"raise", SIGTERM, SIGTERM, false, 1},
        {"raise", SIGUSR1, SIGUSR1, false, 1},
        {"abort", 0, SIGABRT, false, 1},
        {"touch", 0, SIGSEGV, false, 1},
        {"stack", 0, SIGSEGV, false, 1},
        {"timer", 0, SIGALRM, false, 1},
        {"exit", 0, 0, false, 1},
        {"sent", SIGTERM, SIGTERM, true, CM_OUTSIDE_LOSSES},
        {"sent", SIGSEGV, SIGSEGV, true, CM_OUTSIDE_LOSSES},
        {"sent", SIGKILL, SIGKILL, true, CM_OUTSIDE_LOSSES},
        {"sent", SIGXCPU, SIGXCPU, true, CM_OUTSIDE_LOSSES},
        {"once", SIGKILL, 0, false, 2}, /* which nobody can tell from one that was sent */
        {"nothing", 0, 0, false, 1},
    };
    struct ending ending = {.lives = cm_team_memory_create(sizeof *ending.lives)};
    assert_non_null(ending.lives);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_team_loss loss = {0};
        cm_error error = {0};
        ending.how = rows[i].how;
        ending.number = rows[i].number;
        atomic_store(ending.lives, 0);
        cm_team_job job = {.size = 1, .work = end, .data = &ending, .timeout = 60, .loss = &loss};
        cm_status status = cm_team_run(&job, NULL, &error);
        bool lost = rows[i].expected != 0 || strcmp(rows[i].how, "exit") == 0;
        if (status != (lost ? CM_UNSUPPORTED : CM_OK) || loss.signal != rows[i].expected ||
            loss.outside != rows[i].outside || cm_team_blameless(&loss) != rows[i].outside ||
            cm_team_lost(&loss) != lost || atomic_load(ending.lives) != rows[i].lives)
            fail_msg("row %zu: signal %d after %d lives, %s", i, loss.signal, atomic_load(ending.lives), error.text);
        if (rows[i].outside && strstr(error.text, "processes of catmint were killed from outside 8 times") == NULL)
            fail_msg("row %zu: %s", i, error.text);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    }
    cm_team_memory_free(ending.lives, sizeof *ending.lives);
}

static void who_cannot_be_bound_is_not_to_blame(void **state)
{
    (void)state;
    cm_team_loss loss = {0};
    cm_team_job job = {
        .size = SIZE, .bind = bind_nobody, .work = misbehave, .data = "waits", .timeout = 60, .loss = &loss};
    assert_int_equal(cm_team_run(&job, NULL, NULL), CM_UNSUPPORTED);
    assert_true(loss.unstarted && cm_team_blameless(&loss) && !cm_team_lost(&loss));
}

/* ---- time that is not a gap ---- */

/* Seconds: a member is stopped, or its caller is, for longer than its timeout. */
static const double short_timeout = 1.0, long_stop = 2.5;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_for(double seconds)
{
    double end = now() + seconds;
    while (now() < end)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
}

static cm_status stop_itself(cm_team_member *member, void *data, cm_error *error)
{
    (void)member;
    (void)error;
    atomic_store((atomic_int *)data, getpid());
    raise(SIGSTOP);
    return CM_OK;
}

static bool let_go_on(size_t steps, void *data)
{
    (void)steps;
    static double since;
    atomic_int *member = data;
    if (atomic_load(member) == 0)
        return true;
    since = since != 0.0 ? since : now();
    if (now() - since > long_stop)
        kill(atomic_load(member), SIGCONT);
    return true;
}

static void a_stopped_member_does_not_time_out(void **state)
{
    (void)state;
    atomic_int *member = cm_team_memory_create(sizeof *member);
    assert_non_null(member);
    cm_error error = {0};
    cm_team_job job = {.size = 1, .work = stop_itself, .data = member, .timeout = short_timeout, .watch = let_go_on};
    if (cm_team_run(&job, NULL, &error) != CM_OK)
        fail_msg("%s", error.text);
    cm_team_memory_free(member, sizeof *member);
}

static cm_status stop_the_caller(cm_team_member *member, void *data, cm_error *error)
{
    (void)data;
    (void)error;
    pid_t caller = getppid();
    kill(caller, SIGSTOP);
    sleep_for(long_stop);
    kill(caller, SIGCONT);
    cm_team_alive(member, true);
    return CM_OK;
}

static void time_in_which_the_caller_was_stopped_is_no_gap(void **state)
{
    (void)state;
    pid_t caller = fork(); /* not this one, which the shell would miss */
    assert_true(caller >= 0);
    if (caller == 0) {
        double longest_gap = 0.0;
        cm_team_job job = {.size = 1, .work = stop_the_caller, .timeout = short_timeout, .longest_gap = &longest_gap};
        cm_status status = cm_team_run(&job, NULL, NULL);
        _exit(status != CM_OK ? 1 : longest_gap > short_timeout ? 2 : 0);
    }
    int end_state = 0;
    assert_int_equal(waitpid(caller, &end_state, 0), caller);
    assert_int_equal(end_state, 0);
}

/* How members end is not reported where the caller ignores SIGCHLD. */
static void a_caller_that_ignores_its_children_gets_results(void **state)
{
    (void)state;
    int *counts = cm_team_memory_create((SIZE + 1) * sizeof *counts);
    assert_non_null(counts);
    cm_team_job job = {.size = SIZE, .work = count_together, .data = counts, .timeout = 60};
    signal(SIGCHLD, SIG_IGN);
    cm_status status = cm_team_run(&job, NULL, NULL);
    struct ending crash = {"raise", SIGSEGV, (atomic_int *)counts};
    cm_team_loss loss = {0};
    cm_team_job crashing = {.size = 1, .work = end, .data = &crash, .timeout = 60, .loss = &loss};
    cm_status crashed = cm_team_run(&crashing, NULL, NULL);
    signal(SIGCHLD, SIG_DFL);
    assert_int_equal(status, CM_OK);
    assert_int_equal(counts[SIZE - 1], ROUNDS);
    assert_int_equal(crashed, CM_UNSUPPORTED);
    assert_true(loss.signal == SIGSEGV && !loss.outside);
    cm_team_memory_free(counts, (SIZE + 1) * sizeof *counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_wait_for_each_other),
        cmocka_unit_test(the_longest_gap_is_known),
        cmocka_unit_test(what_a_member_does_wrong_ends_the_team_with_a_message),
        cmocka_unit_test(what_comes_from_outside_is_nobodys_fault),
        cmocka_unit_test(who_cannot_be_bound_is_not_to_blame),
        cmocka_unit_test(a_stopped_member_does_not_time_out),
        cmocka_unit_test(time_in_which_the_caller_was_stopped_is_no_gap),
        cmocka_unit_test(a_caller_that_ignores_its_children_gets_results),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
