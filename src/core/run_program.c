#include <spawn.h>
#include <sys/wait.h>

#include "core/files.h"
#include "core/system.h"

extern char **environ;

int cm_program_run(const char *const *command, const int streams[3], int *ended)
{
    posix_spawn_file_actions_t actions;
    pid_t process = 0, found = -1;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    for (int i = STDIN_FILENO; failed == 0 && i <= STDERR_FILENO; i++)
        failed = streams[i] >= 0 ? posix_spawn_file_actions_adddup2(&actions, streams[i], i)
                                 : posix_spawn_file_actions_addopen(&actions, i, "/dev/null",
                                                                    i == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    char *const *arguments = (char *const *)(uintptr_t)command; /* posix_spawn does not change them */
    if (failed == 0)
        failed = posix_spawnp(&process, command[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (failed == 0 && (found = waitpid(process, ended, 0)) < 0 && errno == EINTR)
        continue;
    if (found != process)
        *ended = CM_PROGRAM_UNKNOWN;
    return failed;
}
