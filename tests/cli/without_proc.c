/* For tests: preloaded (LD_PRELOAD), it hides /proc, as where nobody has mounted it. */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

int openat(int folder, const char *path, int flags, ...)
{
    int (*real)(int, const char *, int, int) =
        (int (*)(int, const char *, int, int))(uintptr_t)dlsym(RTLD_NEXT, "openat");
    if (strncmp(path, "/proc/", 6) != 0)
        return real(folder, path, flags, 0666);
    errno = ENOENT;
    return -1;
}
