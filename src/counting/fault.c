#include "counting/counting.h"

#include <signal.h>

void cm_pmu_fault_show(cm_pmu_fault fault, cm_pmu_fault crash, cm_pmu_fault hang)
{
    if (fault == crash)
        raise(SIGSEGV);
    if (fault == hang)
        for (;;)
            pause();
}
