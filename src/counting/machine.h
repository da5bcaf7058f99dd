/* Properties of this machine and its kernel; hints are based on them. */
#ifndef CM_COUNTING_MACHINE_H
#define CM_COUNTING_MACHINE_H

#include <limits.h>
#include <stdbool.h>

#include "core/shared.h"
#include "counting/hypervisor.h"

enum { CM_PARANOID_UNKNOWN = INT_MIN };

typedef struct cm_machine {
    char vendor[32];                  /* "AuthenticAMD", "" if unknown */
    char model_name[128];             /* "" if unknown */
    unsigned family, model, stepping; /* as the vendor writes them (decimal of /proc/cpuinfo), 0 if unknown */
    bool emulated;   /* catmint runs under qemu-user, and this processor below is of another architecture */
    bool hypervisor; /* the processor reports a virtual machine */
    char hypervisor_name[CM_HYPERVISOR_NAME_SIZE]; /* "KVMKVMKVM", "" if unknown */
    char kernel_release[80];
    char microcode[32]; /* its version as the kernel writes it, "0x2b0004d0", "" if unknown */
    int paranoid;       /* /proc/sys/kernel/perf_event_paranoid, CM_PARANOID_UNKNOWN if there is none */
    int perf_errno;     /* from perf_event_open for retired instructions in user mode; 0: the kernel counts them */
    bool seccomp;       /* a system call filter is active, as in most containers */
    bool forced;        /* LIBPFM_FORCE_PMU is set */
} cm_machine;

CM_SHARED void cm_machine_read(cm_machine *machine);

#endif
