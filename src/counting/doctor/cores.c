/* Checks for other activity on the cores. */
#include "core/base.h"
#include "counting/doctor/doctor.h"

static const double BUSY = 0.5; /* programs that run or wait beside catmint, mean over one minute */

static void check_watchdog(cm_doctor *doctor, const char *root)
{
    double on;
    if (cm_source_number(root, "proc/sys/kernel/nmi_watchdog", &on) && on != 0)
        cm_doctor_note(doctor, CM_SEVERITY_DISTURBS, "nmi-watchdog", "sudo sysctl kernel.nmi_watchdog=0",
                       "The NMI watchdog holds a counter of each core: events that need that one cannot be counted, "
                       "and sets are smaller.");
}

/* Checks the load, and whether cores have several threads. */
static void check_load(cm_doctor *doctor, const char *root)
{
    double load, smt;
    bool siblings = cm_source_number(root, "sys/devices/system/cpu/smt/active", &smt) && smt != 0;
    bool busy = cm_source_number(root, "proc/loadavg", &load) && load >= BUSY;
    if (busy)
        cm_doctor_note(doctor, CM_SEVERITY_DISTURBS, "load", "Stop the other programs while catmint counts.",
                       "The load was %.2f in the last minute: other programs use the caches%s.", load,
                       siblings ? ", and the second thread of each core" : "");
    else if (siblings)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "smt",
                       "Keep the machine idle while catmint counts, or: echo off | sudo tee "
                       "/sys/devices/system/cpu/smt/control",
                       "Each core has several threads (SMT): programs on one share caches, and on some processors "
                       "counters, with the others.");
}

/* Checks governor and turbo. */
static void check_clock(cm_doctor *doctor, const char *root)
{
    size_t differing;
    char governor[64];
    size_t cpus =
        cm_source_each_cpu(root, "cpufreq/scaling_governor", "performance", &differing, governor, sizeof governor);
    if (differing > 0)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "governor", "sudo cpupower frequency-set -g performance",
                       "The frequency governor of %zu of %zu CPUs is not 'performance' but such as '%s': the clock "
                       "changes, and with it counts of time or cycles.",
                       differing, cpus, governor);
    double value;
    bool turbo = (cm_source_number(root, "sys/devices/system/cpu/intel_pstate/no_turbo", &value) && value == 0) ||
                 (cm_source_number(root, "sys/devices/system/cpu/cpufreq/boost", &value) && value != 0);
    if (turbo)
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "turbo",
                       "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo, or: echo 0 | sudo tee "
                       "/sys/devices/system/cpu/cpufreq/boost",
                       "The clock may rise above its base (turbo): ratios to reference cycles vary.");
}

/* Checks for isolated cores, and limits of this process. */
static void check_isolation(cm_doctor *doctor, const char *root)
{
    char isolated[CM_SOURCE_TEXT], allowed[CM_SOURCE_TEXT], online[CM_SOURCE_TEXT];
    if (cm_source_line(root, "sys/devices/system/cpu/isolated", isolated, sizeof isolated) && isolated[0] != '\0')
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "isolated-cores", "Run 'taskset -c CPU catmint ...' to count on them.",
                       "CPUs %.200s are isolated: counting is quietest there, but the kernel starts no program on "
                       "them by itself.",
                       isolated);
    if (cm_source_value(root, "proc/self/status", "Cpus_allowed_list:", allowed, sizeof allowed) &&
        cm_source_line(root, "sys/devices/system/cpu/online", online, sizeof online) &&
        cm_source_count_cpus(allowed) < cm_source_count_cpus(online))
        cm_doctor_note(doctor, CM_SEVERITY_NOTE, "allowed-cpus",
                       "taskset, cpuset or the batch system decide that; give catmint whole cores.",
                       "This process may run on CPUs %.200s only, of %.200s.", allowed, online);
}

/* Checks that all CPUs have the same microcode. */
static void check_microcode(cm_doctor *doctor, const char *root)
{
    char first[64] = "", other[64] = "";
    size_t differing;
    cm_source_line(root, "sys/devices/system/cpu/cpu0/microcode/version", first, sizeof first);
    cm_source_each_cpu(root, "microcode/version", NULL, &differing, other, sizeof other);
    if (differing > 0)
        cm_doctor_note(doctor, CM_SEVERITY_DISTURBS, "microcode",
                       "Load the same microcode on all CPUs, and boot again.",
                       "The CPUs run different microcode (%s and %s): events need not count the same.", first, other);
}

/* Reports the kinds of cores of a hybrid processor. */
static void check_kinds(cm_doctor *doctor, const char *root)
{
    const cm_pmu_choice hardware = {.kind = CM_PMU_HARDWARE, .root = root};
    cm_core_type types[CM_CORE_TYPES];
    char names[1024] = "";
    size_t count = 0;
    cm_error error; /* a sweep would fail and report it */
    if (cm_core_types_find(&hardware, types, &count, &error) != CM_OK || count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        cm_text_append(names, sizeof names, ", ", "%.96s", types[i].name);
    cm_doctor_note(doctor, CM_SEVERITY_NOTE, "hybrid-cores", "--core TYPE counts on one kind alone.",
                   "This processor has cores of %zu kinds (%s), on each of which an event may mean something else: "
                   "catmint counts each by itself.",
                   count, names);
}

void cm_doctor_check_cores(cm_doctor *doctor, const char *root)
{
    check_watchdog(doctor, root);
    check_load(doctor, root);
    check_clock(doctor, root);
    check_isolation(doctor, root);
    check_microcode(doctor, root);
    check_kinds(doctor, root);
}
