/* For tests: preloaded (LD_PRELOAD), it lets components of PAPI fail where PAPI would call them, since Debian's PAPI
 * takes no component of ours. FAULTY_COMPONENTS is a list, separated by commas, of COMPONENT:WHEN:HOW: WHEN is `init`
 * (PAPI_library_init) or `list` (when its events are asked for), HOW is `crash` (SIGSEGV), `hang` or `exit` (with 3). A
 * component that was disabled does not fail. */
#include <dlfcn.h>
#include <papi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(const char *how)
{
    if (strcmp(how, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL); /* not the sanitizer's */
        raise(SIGSEGV);
    }
    if (strcmp(how, "exit") == 0)
        exit(3);
    for (;;)
        pause();
}

static void fail_where_asked(const char *component, const char *when)
{
    const char *asked = getenv("FAULTY_COMPONENTS");
    char *list = strdup(asked != NULL ? asked : ""), *rest = list;
    for (char *item; list != NULL && (item = strsep(&rest, ",")) != NULL;) {
        const char *name = strsep(&item, ":"), *where = strsep(&item, ":");
        if (where != NULL && item != NULL && strcmp(name, component) == 0 && strcmp(where, when) == 0)
            fail(item);
    }
    free(list);
}

int PAPI_library_init(int version)
{
    int (*real)(int) = (int (*)(int))(uintptr_t)dlsym(RTLD_NEXT, "PAPI_library_init");
    for (int i = 0; i < PAPI_num_components(); i++)
        if (PAPI_get_component_info(i)->disabled == 0)
            fail_where_asked(PAPI_get_component_info(i)->name, "init");
    return real(version);
}

int PAPI_enum_cmp_event(int *code, int modifier, int component)
{
    int (*real)(int *, int, int) = (int (*)(int *, int, int))(uintptr_t)dlsym(RTLD_NEXT, "PAPI_enum_cmp_event");
    const PAPI_component_info_t *info = PAPI_get_component_info(component);
    if (info->disabled <= 0)
        fail_where_asked(info->name, "list");
    return real(code, modifier, component);
}
