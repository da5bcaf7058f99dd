/* Spells counters of AMD's GPUs. */
#include "formulas/events/events.h"
#include "formats/rocm/rocm.h"

/* Whether the name begins with a part of the GPU, as a counter's does. */
static bool is_counter(const char *name)
{
    static const char *const blocks[] = {"CPC_", "CPF_", "GRBM_", "SPI_", "SQC_", "SQ_",
                                         "TA_",  "TCA_", "TCC_",  "TCP_", "TD_"};
    for (size_t i = 0; i < CM_COUNT_OF(blocks); i++)
        if (strncmp(name, blocks[i], strlen(blocks[i])) == 0)
            return true;
    return false;
}

const char *cm_rocm_event(const char *event, char *name, size_t size)
{
    static const char device[] = ":device=";
    const char *bare = cm_component_bare(event), *end = strchr(bare, ':');
    bool named = cm_component_begins(event, "rocm") || cm_component_begins(event, "rocp_sdk");
    if (cm_component_is_named(event) && !named && !cm_component_begins(event, "sde"))
        return "it is no counter of an AMD GPU";
    size_t length = end != NULL ? (size_t)(end - bare) : strlen(bare);
    if (end != NULL && (strncmp(end, device, strlen(device)) != 0 || end[strlen(device)] == '\0' ||
                        end[strlen(device) + strspn(end + strlen(device), "0123456789")] != '\0'))
        return "it has qualifiers other than a device, which AMD's profilers say otherwise";
    if (length >= size)
        return "it is too long";
    for (size_t i = 0; i < length; i++)
        if (!cm_name_is_word(bare[i]))
            return "it is no counter of an AMD GPU";
    memcpy(name, bare, length);
    name[length] = '\0';
    return named || is_counter(name) ? NULL : "it is no counter of an AMD GPU";
}

void cm_rocm_write_quoted(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
            fputc(' ', stream);
        else
            fprintf(stream, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputc('"', stream);
}
