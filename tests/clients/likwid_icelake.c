/* Preloaded into LIKWID's programs, which know no groups on a processor that they do not know: it is an Ice Lake server
 * then. Counting is as impossible as before. */
#include <dlfcn.h>
#include <stddef.h>

#include <likwid.h>

__attribute__((visibility("default"))) int topology_init(void)
{
    int (*real)(void) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "topology_init");
    int result = real != NULL ? real() : -1;
    if (result == 0)
        ((CpuInfo *)get_cpuInfo())->short_name = "ICX";
    return result;
}
