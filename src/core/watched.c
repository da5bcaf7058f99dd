#include "core/files.h"

/* The share of the timeout that a process that never sleeps must have run. */
static const double least_share = 0.25;

/* Whether the process runs or waits for a processor, and the seconds that it ran. False if the system hides them. */
static bool is_running(pid_t process, double *used)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    int file = cm_input_descriptor(AT_FDCWD, path, 0);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name may hold anything */
    char state = '\0';
    unsigned long user = 0, system = 0;
    if (name_end == NULL || /* NOLINTNEXTLINE(cert-err34-c): the kernel's numbers fit */
        sscanf(name_end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
        return false;
    *used = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return state == 'R';
}

/* Whether the process waits for a processor: a busy machine may let it wait for longer than any timeout. */
static bool is_starved(cm_watched *watched, double timeout)
{
    double used = 0.0;
    if (!is_running(watched->process, &used))
        return false;
    if (watched->starved && used - watched->used >= least_share * timeout)
        return false;
    if (!watched->starved)
        watched->used = used;
    watched->starved = true;
    return true;
}

cm_watch cm_watched_look(cm_watched *watched, size_t signs, double seconds, double timeout)
{
    if (signs != watched->signs) {
        watched->signs = signs;
        watched->starved = false;
        return CM_WATCH_SIGN;
    }
    if (watched->stopped) {
        watched->standing += seconds;
        return watched->standing > CM_STOPPED_SECONDS ? CM_WATCH_STOPPED : CM_WATCH_WORKING;
    }
    watched->standing = 0.0;
    watched->gap += seconds;
    if (watched->gap <= timeout)
        return CM_WATCH_WORKING;
    if (!is_starved(watched, timeout))
        return CM_WATCH_TIMED_OUT;
    watched->gap = 0.0;
    return CM_WATCH_WORKING;
}
