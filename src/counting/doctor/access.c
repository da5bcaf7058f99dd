/* Checks whether, and by whom, hardware events may be counted. */
#include "counting/doctor/doctor.h"

#include <fnmatch.h>
#include <stdlib.h>

enum { CAP_SYS_ADMIN_BIT = 21, CAP_PERFMON_BIT = 38, USER_ALLOWED = 2, CPU_ALLOWED = 0, PAPI_REFUSES = 3 };

static bool is_privileged(const char *root)
{
    char text[64];
    if (!cm_source_value(root, "proc/self/status", "CapEff:", text, sizeof text))
        return false;
    unsigned long long bits = strtoull(text, NULL, 16);
    return ((bits >> CAP_PERFMON_BIT | bits >> CAP_SYS_ADMIN_BIT) & 1) != 0;
}

/* Checks perf_event_paranoid. */
static void check_paranoid(cm_doctor *doctor, const char *root)
{
    double level;
    if (!cm_source_number(root, "proc/sys/kernel/perf_event_paranoid", &level)) {
        cm_doctor_note(doctor, CM_SEVERITY_STOPS, "perf-event-missing",
                       "Boot a kernel with CONFIG_PERF_EVENTS; in a container, ask for one that does not hide "
                       "/proc/sys/kernel.",
                       "There is no /proc/sys/kernel/perf_event_paranoid: this kernel cannot count hardware events.");
        return;
    }
    if (level == PAPI_REFUSES)
        cm_doctor_note(
            doctor, CM_SEVERITY_STOPS, "perf-event-paranoid", "sudo sysctl kernel.perf_event_paranoid=2",
            "perf_event_paranoid is 3: ordinary users may not count, and PAPI 7.0 does not for root either.");
    else if (is_privileged(root))
        return;
    else if (level > USER_ALLOWED)
        cm_doctor_note(doctor, CM_SEVERITY_STOPS, "perf-event-paranoid",
                       "sudo sysctl kernel.perf_event_paranoid=2, or run as root or with CAP_PERFMON.",
                       "perf_event_paranoid is %.0f: ordinary users may not count, not even their own programs.",
                       level);
    else if (level > CPU_ALLOWED)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "perf-event-paranoid",
                       "For memory controllers and other uncore events: sudo sysctl kernel.perf_event_paranoid=0, or "
                       "run as root or with CAP_PERFMON.",
                       "perf_event_paranoid is %.0f: your own programs can be counted, whole CPUs and sockets cannot.",
                       level);
}

/* Whether there is a core PMU. It has another name on each architecture, and with two kinds of cores there are two. */
static bool has_core_pmu(const char *root)
{
    static const char *const patterns[] = {"cpu",     "cpu_core", "armv[0-9]*",      "arm*_pmu*",
                                           "apple_*", "cpu_atom", "power[0-9]*_pmu", "riscv*"};
    char name[256];
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (cm_source_find(root, "sys/bus/event_source/devices", patterns[i], name, sizeof name))
            return true;
    return false;
}

static bool is_virtual(const char *root)
{
    char flags[CM_SOURCE_TEXT];
    return cm_source_exists(root, "sys/hypervisor/type") || cm_source_exists(root, "proc/device-tree/hypervisor") ||
           (cm_source_value(root, "proc/cpuinfo", "flags", flags, sizeof flags) &&
            fnmatch("* hypervisor*", flags, 0) == 0);
}

/* Checks that there is a PMU of the cores, and whether the machine is virtual. */
static void check_pmu(cm_doctor *doctor, const char *root)
{
    bool virtual = is_virtual(root);
    if (cm_source_exists(root, "sys/bus/event_source/devices") && !has_core_pmu(root))
        cm_doctor_note(doctor, CM_SEVERITY_STOPS, "core-pmu-missing",
                       virtual ? "Ask the host for one (KVM: -cpu host,pmu=on; in a cloud, a bare-metal instance)."
                               : "Boot a kernel that knows this processor.",
                       "%s: /sys/bus/event_source/devices lists no PMU of the cores.",
                       virtual ? "This virtual machine has no hardware counters"
                               : "The kernel has no driver for this processor's counters");
    if (virtual)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "hypervisor",
                       "Publish definitions only from runs on the machine itself, or compare both.",
                       "This is a virtual machine: its host may hide events, and stops that it makes are not counted.");
}

/* Checks for devices that count for a socket. Virtual machines usually have none, and are reported before. */
static void check_uncore(cm_doctor *doctor, const char *root)
{
    static const char *const patterns[] = {"uncore_*", "amd_umc*", "amd_df*", "nest_*", "hisi_*", "arm_cmn*"};
    char name[256];
    if (!has_core_pmu(root) || is_virtual(root))
        return;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        if (cm_source_find(root, "sys/bus/event_source/devices", patterns[i], name, sizeof name))
            return;
    cm_doctor_note(doctor, CM_SEVERITY_NOTE, "uncore-pmu-missing",
                   "Load the kernel's driver of them (intel_uncore, amd_uncore), or boot a newer kernel.",
                   "/sys/bus/event_source/devices lists no PMU of memory controllers: --uncore has nothing to count.");
}

static void check_filter(cm_doctor *doctor, const char *root)
{
    char mode[32];
    if (cm_source_value(root, "proc/self/status", "Seccomp:", mode, sizeof mode) && strcmp(mode, "2") == 0)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "seccomp",
                       "If counting is refused: start the container with --security-opt seccomp=unconfined, or a "
                       "profile that allows perf_event_open, and --cap-add PERFMON.",
                       "A system call filter is at work, as in most containers; it may refuse perf_event_open.");
}

/* Checks rdpmc on x86-64, perf_user_access on Arm: both let PAPI read counters without a system call. */
static void check_user_access(cm_doctor *doctor, const char *root)
{
    double value;
    if (cm_source_number(root, "proc/sys/kernel/perf_user_access", &value) && value == 0)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "perf-user-access", "sudo sysctl kernel.perf_user_access=1",
                       "perf_user_access is 0: each reading of a counter is a system call, which the empty kernel "
                       "takes off again.");
    if (cm_source_number(root, "sys/bus/event_source/devices/cpu/rdpmc", &value) && value == 0)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "rdpmc", "echo 1 | sudo tee /sys/bus/event_source/devices/cpu/rdpmc",
                       "rdpmc is 0: each reading of a counter is a system call, which the empty kernel takes off "
                       "again.");
}

void cm_doctor_check_access(cm_doctor *doctor, const char *root)
{
    check_paranoid(doctor, root);
    check_pmu(doctor, root);
    check_uncore(doctor, root);
    check_filter(doctor, root);
    check_user_access(doctor, root);
}
