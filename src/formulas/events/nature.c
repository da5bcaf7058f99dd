#include "formulas/events/events.h"

static const char of_time[] = "counts time", of_the_system[] = "counts what the system does";

/* Words in names of events, as libpfm4, the kernel and vendors spell them. */
static const struct {
    const char *word, *nature;
} words[] = {{"CLOCK", of_time},
             {"CLOCKTICKS", of_time},
             {"CLOCKS", of_time},
             {"CLK", of_time},
             {"CPUCLK", of_time},
             {"CYC", of_time},
             {"CYCLE", of_time},
             {"CYCLES", of_time},
             {"SLOTS", of_time},
             {"TIME", of_time},
             {"TSC", of_time},
             {"FAULTS", of_the_system},
             {"SWITCHES", of_the_system},
             {"MIGRATIONS", of_the_system},
             {"IRQ", of_the_system},
             {"INTERRUPTS", of_the_system},
             {"SMI", of_the_system},
             {"ENERGY", of_the_system}};

static const char *nature_of(const char *word, size_t length)
{
    for (size_t i = 0; i < CM_COUNT_OF(words); i++)
        if (strlen(words[i].word) == length && strncasecmp(words[i].word, word, length) == 0)
            return words[i].nature;
    return NULL;
}

const char *cm_event_nature(const char *event)
{
    const char *nature = NULL;
    for (const char *at = event; *at != '\0' && nature == NULL;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]))
            length++;
        nature = nature_of(at, length);
        at += length > 0 ? length : 1;
    }
    return nature;
}
