#include "counting/counting.h"

#include <fnmatch.h>

/* Conditions of the machine for which advice is given. */
enum {
    ANY = 0,
    VIRTUAL = 1 << 0,   /* a virtual machine */
    NO_PMU = 1 << 1,    /* the kernel knows no hardware counters */
    COUNTS = 1 << 2,    /* the kernel counts hardware events */
    DENIED = 1 << 3,    /* the kernel has counters, but denies access */
    PARANOID = 1 << 4,  /* perf_event_paranoid is too high for user-mode counting */
    NO_KERNEL = 1 << 5, /* the system call does not exist */
    SECCOMP = 1 << 6,   /* a system call filter is active */
    FORCED = 1 << 7,    /* LIBPFM_FORCE_PMU is set */
    EMULATED = 1 << 8,  /* QEMU runs this program on a processor of another architecture */
};

enum { PARANOID_USER_ALLOWED = 2 }; /* the highest level at which all users may count their own user mode */

/* The first row that fits is used. {paranoid}, {family}, {model}, {vendor} are replaced. */
static const struct {
    const char *component; /* globs */
    const char *reason;
    unsigned needs; /* all must hold */
    const char *advice;
} advices[] = {
    {"perf_event*", "*", EMULATED,
     "QEMU emulates this processor and offers no perf_event: count on a real one, or by the software PMU (--pmu "
     "software)"},
    {"perf_event*", "*", NO_KERNEL | SECCOMP,
     "the container's seccomp filter forbids perf_event_open: start it with --security-opt seccomp=unconfined, or a "
     "profile that allows it, and --cap-add PERFMON"},
    {"perf_event*", "*", NO_KERNEL,
     "this kernel was built without perf_event (CONFIG_PERF_EVENTS): boot one that has it"},
    {"perf_event_uncore", "*paranoid*", ANY,
     "run as root, or `sudo sysctl kernel.perf_event_paranoid=0` (it is {paranoid}): uncore events belong to all "
     "users"},
    {"perf_event*", "*paranoid=3*", ANY,
     "at perf_event_paranoid 3, PAPI 7.0 counts nothing, not even for root: `sudo sysctl "
     "kernel.perf_event_paranoid=2`"},
    {"perf_event*", "*", DENIED | PARANOID,
     "perf_event_paranoid is {paranoid}: `sudo sysctl kernel.perf_event_paranoid=2` lets users count their own "
     "programs; or run as root or with CAP_PERFMON"},
    {"perf_event*", "*", DENIED | SECCOMP,
     "the container's seccomp filter forbids perf_event_open: start it with --security-opt seccomp=unconfined, or a "
     "profile that allows it, and --cap-add PERFMON"},
    {"perf_event*", "*", DENIED, "the kernel denies perf_event_open: run as root or with CAP_PERFMON"},
    {"perf_event*", "*", NO_PMU | VIRTUAL | FORCED,
     "LIBPFM_FORCE_PMU names events, but this virtual machine has no PMU to count them: ask its host for one (KVM: "
     "-cpu host,pmu=on), or run on the machine itself"},
    {"perf_event*", "*", NO_PMU | VIRTUAL,
     "this virtual machine has no PMU: ask its host for one (KVM: -cpu host,pmu=on; in a cloud, a bare-metal "
     "instance), or run on the machine itself; the software PMU counts without one (--pmu software)"},
    {"perf_event", "*libpfm4*", COUNTS,
     "the kernel can count, but libpfm4 does not know this CPU ({vendor} family {family} model {model}): install a "
     "newer PAPI or libpfm4, or try LIBPFM_FORCE_PMU=<the nearest CPU that it knows, such as amd64_fam19h_zen4>"},
    {"perf_event", "*libpfm4*", ANY,
     "neither libpfm4 nor the kernel knows this CPU ({vendor} family {family} model {model}): install a newer kernel "
     "and a newer PAPI or libpfm4"},
    {"perf_event*", "*", NO_PMU,
     "the kernel has no driver for this CPU's counters: see /sys/bus/event_source/devices, "
     "and boot a newer kernel"},
    {"perf_event", "*hardware resource limits*", COUNTS,
     "the counter it needs is taken: the NMI watchdog holds one (`sudo sysctl kernel.nmi_watchdog=0`), or another "
     "program "
     "counts"},
    {"perf_event*", "*ermission*", ANY, "counting beyond one's own user mode needs root or CAP_PERFMON"},
    {"perf_event", "*does not exist*", COUNTS,
     "it needs one of its qualifiers, or this CPU lacks it although libpfm4 lists it"},
    {"perf_event_uncore", "No uncore*", ANY,
     "libpfm4 knows no uncore PMU of this machine; core events do not need one"},
    {"uncore", "*ermi*", ANY,
     "run as root or with CAP_PERFMON, or `sudo sysctl kernel.perf_event_paranoid=0` (it is {paranoid}): what a socket "
     "counts belongs to all its users"},
    {"uncore", "*No such device*", ANY,
     "the container hides the processor that counts for this socket, or it is offline: see the file cpumask of the "
     "device below /sys/bus/event_source/devices"},
    {"sde", "libsde*", ANY, "the program is not linked with libsde: catmint's own library must be, so reinstall it"},
    {"rocm_smi", "*not found*", ANY,
     "only for AMD GPUs: install rocm-smi-lib and set PAPI_ROCMSMI_ROOT to the directory above its lib/"},
    {"*", "No AMD GPU*", ANY, "only for AMD GPUs: there is none here, or its driver (amdgpu) is not loaded"},
    {"*", "*.so*not found*", ANY,
     "install the vendor's library of that name, and let the loader find it (LD_LIBRARY_PATH)"},
    {"*", "timed out while*", ANY, "if it is slow and not broken, give it more time with --component-timeout"},
    {"*", "* while it was initialised", ANY,
     "it, or the vendor's library or driver that it uses, does not work on this machine: see whether PAPI's own "
     "papi_component_avail fails alike"},
    {"*", "* while its events were listed", ANY,
     "it, or the vendor's library or driver that it uses, does not work on this machine: see whether PAPI's own "
     "papi_native_avail fails alike"},
    {"*", "Disabled by PAPI_disable_component*", ANY, "the program that uses catmint switched it off"},
};

/* The conditions that hold on the machine. */
static unsigned conditions_of(const cm_machine *machine)
{
    unsigned conditions = 0;
    if (machine->hypervisor)
        conditions |= VIRTUAL;
    if (machine->paranoid != CM_PARANOID_UNKNOWN && machine->paranoid > PARANOID_USER_ALLOWED)
        conditions |= PARANOID;
    if (machine->seccomp)
        conditions |= SECCOMP;
    if (machine->forced)
        conditions |= FORCED;
    if (machine->emulated)
        conditions |= EMULATED;
    switch (machine->perf_errno) {
    case 0: conditions |= COUNTS; break;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP: conditions |= NO_PMU; break;
    case EACCES:
    case EPERM: conditions |= DENIED; break;
    case ENOSYS: conditions |= NO_KERNEL; break;
    default: break;
    }
    return conditions;
}

/* The text that replaces a placeholder. */
static void placeholder_value(const cm_machine *machine, const char *name, size_t length, char *value, size_t size)
{
    if (strncmp(name, "{paranoid}", length) == 0)
        snprintf(value, size, "%d", machine->paranoid);
    else if (strncmp(name, "{family}", length) == 0)
        snprintf(value, size, "%u", machine->family);
    else if (strncmp(name, "{model}", length) == 0)
        snprintf(value, size, "%u", machine->model);
    else
        snprintf(value, size, "%s", machine->vendor[0] != '\0' ? machine->vendor : "unknown");
}

/* Copies the advice with its placeholders replaced. */
static char *fill_in(const cm_machine *machine, const char *advice, char *buffer, size_t size)
{
    size_t used = 0;
    while (*advice != '\0' && used + 1 < size) {
        const char *end = advice[0] == '{' ? strchr(advice, '}') : NULL;
        if (end == NULL) {
            buffer[used++] = *advice++;
            continue;
        }
        char value[64];
        placeholder_value(machine, advice, (size_t)(end + 1 - advice), value, sizeof value);
        int written = snprintf(buffer + used, size - used, "%s", value);
        used += written < 0 ? 0 : (size_t)written;
        advice = end + 1;
    }
    buffer[used < size ? used : size - 1] = '\0';
    return buffer;
}

char *cm_counting_hint(const cm_machine *machine, const char *component, const char *reason, char *buffer, size_t size)
{
    unsigned conditions = conditions_of(machine);
    for (size_t i = 0; i < CM_COUNT_OF(advices); i++)
        if ((advices[i].needs & conditions) == advices[i].needs && fnmatch(advices[i].component, component, 0) == 0 &&
            fnmatch(advices[i].reason, reason, 0) == 0)
            return fill_in(machine, advices[i].advice, buffer, size);
    buffer[0] = '\0';
    return buffer;
}
