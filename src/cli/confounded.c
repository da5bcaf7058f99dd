#include "cli/confounded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"

enum { INDENT = 2, HANGING = 4, TEXT_SIZE = 4096 };

/* "8 x loads that hit": a coefficient of 1 goes without saying. */
static void add_member(char *text, const char *before, const cm_fact_member *member)
{
    size_t length = strlen(text);
    double size = fabs(member->coefficient);
    if (size == 1.0)
        snprintf(text + length, TEXT_SIZE - length, "%s%s", before, member->words);
    else
        snprintf(text + length, TEXT_SIZE - length, "%s%.4g x %s", before, size, member->words);
}

/* "bytes stored = 8 x stores that hit the first-level cache (yet to separate: widths)". */
static void print_set(const cm_fact_set *set, size_t width)
{
    char text[TEXT_SIZE] = "";
    add_member(text, "", &set->members[0]);
    for (size_t i = 1; i < set->count; i++) {
        bool minus = set->members[i].coefficient < 0.0;
        add_member(text, i == 1 ? (minus ? " = -" : " = ") : (minus ? " - " : " + "), &set->members[i]);
    }
    size_t length = strlen(text);
    if (set->left_to[0] != '\0')
        snprintf(text + length, TEXT_SIZE - length, " (left to: %s)", set->left_to);
    printf("%*s", INDENT, "");
    cli_wrap(text, INDENT, HANGING, width);
    putchar('\n');
}

/* Sets of one fact, or of several. */
static void print_sets(const cm_confounded *found, bool alone, const char *heading, size_t width)
{
    bool any = false;
    for (size_t i = 0; i < found->set_count; i++) {
        if ((found->sets[i].count == 1) != alone)
            continue;
        if (!any)
            printf("\n%s\n", heading);
        any = true;
        print_set(&found->sets[i], width);
    }
}

cli_exit cli_list_confounded(void)
{
    cm_error error;
    cm_confounded *found = NULL;
    if (cm_confounded_find(NULL, &found, &error) != CM_OK)
        return cli_fail(&error);
    size_t width = cli_width(stdout), failures = found->failures;
    printf("%zu kernels tell %zu of %zu primitive facts apart\n", found->kernel_count, found->rank, found->fact_count);
    print_sets(found, false, "Confounded: on every kernel the one is the sum of the others", width);
    print_sets(found, true, "Exercised by no kernel", width);
    cm_confounded_free(found);
    if (failures == 0)
        return CLI_DONE;
    cli_say("facts that must be separate and are not: %zu", failures);
    return CLI_PARTLY;
}
