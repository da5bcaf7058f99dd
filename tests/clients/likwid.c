/* Prints what LIKWID's library makes of the performance groups of an architecture: likwid FOLDER ARCHITECTURE GROUP...
 *
 *   listed GROUP SHORT
 *   event COUNTER EVENT     of the groups that are named
 *   metric NAME FORMULA
 *   unread GROUP
 */
#include <stdio.h>
#include <string.h>

#include <likwid.h>

static void list_groups(const char *folder, const char *architecture)
{
    char **names = NULL, **shorts = NULL, **longs = NULL;
    int count = perfgroup_getGroups(folder, architecture, &names, &shorts, &longs);
    for (int i = 0; i < count; i++)
        printf("listed\t%s\t%s\n", names[i], shorts[i]);
    if (count > 0)
        perfgroup_returnGroups(count, names, shorts, longs);
}

static void read_group(const char *folder, const char *architecture, const char *name)
{
    GroupInfo group;
    memset(&group, 0, sizeof group);
    if (perfgroup_readGroup(folder, architecture, name, &group) < 0) {
        printf("unread\t%s\n", name);
        return;
    }
    for (int i = 0; i < group.nevents; i++)
        printf("event\t%s\t%s\n", group.counters[i], group.events[i]);
    for (int i = 0; i < group.nmetrics; i++)
        printf("metric\t%s\t%s\n", group.metricnames[i], group.metricformulas[i]);
    perfgroup_returnGroup(&group);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    list_groups(argv[1], argv[2]);
    for (int i = 3; i < argc; i++)
        read_group(argv[1], argv[2], argv[i]);
    return 0;
}
