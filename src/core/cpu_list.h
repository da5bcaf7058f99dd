/* Lists of processors as the kernel writes them: "0-3,8". */
#ifndef CM_CORE_CPU_LIST_H
#define CM_CORE_CPU_LIST_H

#include <sched.h>
#include <stdbool.h>

/* False if the text is no such list, is empty, or names a processor that the set cannot hold. */
bool cm_cpu_list_parse(const char *list, cpu_set_t *cpus);

#endif
