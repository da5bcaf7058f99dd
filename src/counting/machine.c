/* The machine, as the system describes it. */
#include "counting/counting.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "cat-kernels/registry.h"

static void copy_value(char *to, size_t size, const char *value)
{
    snprintf(to, size, "%s", value);
    to[strcspn(to, "\n")] = '\0';
}

/* Reads the first processor of /proc/cpuinfo; missing lines leave values unknown. */
static void read_cpuinfo(cm_machine *machine)
{
    FILE *file = cm_input_stream("/proc/cpuinfo");
    if (file == NULL)
        return;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        char *colon = strchr(line, ':');
        if (colon == NULL)
            continue;
        const char *value = colon[1] == ' ' ? colon + 2 : colon + 1;
        while (colon > line && (colon[-1] == '\t' || colon[-1] == ' '))
            colon--;
        *colon = '\0';
        if (strcmp(line, "vendor_id") == 0)
            copy_value(machine->vendor, sizeof machine->vendor, value);
        else if (strcmp(line, "model name") == 0)
            copy_value(machine->model_name, sizeof machine->model_name, value);
        else if (strcmp(line, "cpu family") == 0)
            machine->family = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(line, "model") == 0)
            machine->model = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(line, "stepping") == 0)
            machine->stepping = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(line, "microcode") == 0)
            copy_value(machine->microcode, sizeof machine->microcode, value);
    }
    fclose(file);
}

/* The level of perf_event_paranoid, CM_PARANOID_UNKNOWN if it cannot be read. */
static int read_paranoid(void)
{
    int level = CM_PARANOID_UNKNOWN;
    FILE *file = cm_input_stream("/proc/sys/kernel/perf_event_paranoid");
    if (file == NULL)
        return level;
    char text[32];
    char *end = text;
    if (fgets(text, sizeof text, file) != NULL) {
        long value = strtol(text, &end, 10);
        if (end != text && value > -1000 && value < 1000)
            level = (int)value;
    }
    fclose(file);
    return level;
}

/* Whether a system call filter is active in this process. */
static bool has_seccomp_filter(void)
{
    FILE *file = cm_input_stream("/proc/self/status");
    if (file == NULL)
        return false;
    char line[256];
    long mode = 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "Seccomp:", 8) == 0)
            mode = strtol(line + 8, NULL, 10);
    fclose(file);
    return mode != 0;
}

/* Asks the kernel directly for its reason, which PAPI hides; returns errno. */
static int try_perf_event_open(void)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    long descriptor = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0)
        return errno;
    close((int)descriptor);
    return 0;
}

void cm_machine_read(cm_machine *machine)
{
    *machine = (cm_machine){0};
    read_cpuinfo(machine);
    /* Of the architectures supported here, only x86-64 has a vendor_id in /proc/cpuinfo. */
    machine->emulated = machine->vendor[0] != '\0' && strcmp(cm_kernel_architecture, "x86_64") != 0;
    machine->hypervisor = cm_hypervisor_read(machine->hypervisor_name);
    struct utsname names;
    if (uname(&names) == 0)
        copy_value(machine->kernel_release, sizeof machine->kernel_release, names.release);
    machine->paranoid = read_paranoid();
    machine->perf_errno = try_perf_event_open();
    machine->seccomp = has_seccomp_filter();
    machine->forced = getenv("LIBPFM_FORCE_PMU") != NULL;
}
