/* Preloaded into LIKWID's programs, which know no groups on a processor that they do not know: it is an Ice Lake server
 * then. Counting is as impossible as before. */
#include <dlfcn.h>
#include <stddef.h>

#include <likwid.h>

__attribute__((visibility("default"))) int topology_init(void)
{
    /* Lua loads the library for itself alone, where RTLD_NEXT does not look: it is whose call this is. */
    Dl_info caller;
    void *library =
        dladdr(__builtin_return_address(0), &caller) != 0 ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library == NULL)
        return -1;
    int (*real)(void) = NULL;
    CpuInfo_t (*get_info)(void) = NULL;
    *(void **)&real = dlsym(library, "topology_init");
    *(void **)&get_info = dlsym(library, "get_cpuInfo");
    int result = real != NULL && get_info != NULL ? real() : -1;
    if (result == 0)
        get_info()->short_name = "ICX";
    dlclose(library);
    return result;
}
