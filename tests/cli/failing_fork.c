/* For tests: preloaded (LD_PRELOAD), it lets fork fail as where no further process is allowed. FAILING_FORKS is
 * FIRST:COUNT: the first that fails, from 1, and how many do so; a COUNT of 0: all from there on. */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

pid_t fork(void)
{
    static unsigned long forks;
    pid_t (*real)(void) = (pid_t(*)(void))(uintptr_t)dlsym(RTLD_NEXT, "fork");
    const char *asked = getenv("FAILING_FORKS");
    char *end = NULL;
    unsigned long first = asked != NULL ? strtoul(asked, &end, 10) : 0;
    unsigned long count = first != 0 && *end == ':' ? strtoul(end + 1, NULL, 10) : 0;
    forks++;
    if (first == 0 || forks < first || (count != 0 && forks >= first + count))
        return real();
    errno = EAGAIN;
    return -1;
}
