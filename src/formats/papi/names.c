/* Spells metrics and events for PAPI. */
#include "formats/papi/papi.h"

#include <inttypes.h>

#include "formulas/events/events.h"

static const char of_socket[] = "it counts for a whole socket, which a table of PAPI cannot ask for";

static const char of_cuda[] = "PAPI_CUDA_";

/* Whether it is an event such as "sm__inst_executed:stat=sum", with its component or as in a model. */
static bool is_of_nvidia(const char *event)
{
    const char *bare = cm_component_bare(event);
    bool cuda = cm_component_begins(event, "cuda") || cm_component_begins(event, "sde") || bare == event;
    return cuda && strstr(bare, "__") != NULL && strstr(bare, ":stat=") != NULL;
}

const char *cm_papi_preset(const cm_writing_item *item, char *name, size_t size)
{
    for (size_t k = 0; k < item->term_count; k++)
        if (cm_is_socket_event(item->terms[k].event))
            return of_socket;
    for (size_t k = 0; k < item->term_count && strncmp(item->preset, of_cuda, strlen(of_cuda)) == 0; k++)
        if (!is_of_nvidia(item->terms[k].event))
            return "its preset is for NVIDIA's GPUs";
    if (item->preset[0] == '\0')
        return "it has no preset; --to papi-user exports it";
    for (const char *text = item->preset; *text != '\0'; text++)
        if (!cm_name_is_word(*text))
            return "its preset has characters other than letters, digits and '_'";
    return cm_name_copy(item->preset, name, size);
}

/* The event without the component that tables add to ambiguous names: PAPI's perf_event is the core's, and a model's
 * events stand for a core's. Other components, and events of sde from other libraries, belong to PAPI's names. */
static const char *without_component(const char *event)
{
    const char *bare = cm_component_bare(event);
    bool core = cm_component_begins(event, "perf_event");
    bool model = cm_component_begins(event, "sde") && strstr(bare, "::") == NULL;
    return core || model ? bare : event;
}

/* Spells a code; perf_raw is libpfm4's PMU of codes. */
static const char *spell_code(const cm_event_code *code, char *name, size_t size)
{
    if (!code->packable)
        return "it has fields that libpfm4's perf_raw has no place for";
    snprintf(name, size, "perf_raw::r%" PRIx64, code->config);
    return NULL;
}

const char *cm_papi_event(const char *event, char *name, size_t size)
{
    cm_event_code code;
    if (cm_is_socket_event(event))
        return of_socket;
    if (cm_event_code_parse(cm_component_bare(event), &code))
        return spell_code(&code, name, size);
    if (is_of_nvidia(event)) /* a model's events stand for those of PAPI's component */
        return (size_t)snprintf(name, size, "cuda:::%s", cm_component_bare(event)) < size ? NULL : "it is too long";
    event = without_component(event);
    if (strchr(event, ',') != NULL)
        return "the table cannot quote its comma";
    if (event[0] == ' ' || (event[0] != '\0' && event[strlen(event) - 1] == ' '))
        return "blanks around it would be lost";
    static const char *const words[] = {"NOTE", "LDESC", "SDESC", NULL};
    if (cm_text_is_one_of(event, words))
        return "it is a keyword of the table";
    return cm_name_copy(event, name, size);
}
