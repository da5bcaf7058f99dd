/* The cycles of a turn of each innermost loop, on Zen 4, whatever
 * processor this is: loop_cycles FILE.s */
#include <stdio.h>

#include <catmint/machines.h>

int main(int argc, char **argv)
{
    cm_ports_options options = {.size = sizeof options};
    cm_output_style style = {.format = CM_FORMAT_TABLE};
    cm_ports *ports = NULL;
    cm_error error;
    if (argc != 2)
        return 2;
    options.assembly = argv[1];
    options.machine = "zen4";
    cm_status status = cm_ports_create(&options, &ports, &error);
    if (status == CM_OK)
        status = cm_ports_write(ports, &style, stdout, &error);
    cm_ports_free(ports);
    if (status != CM_OK)
        fprintf(stderr, "%s\n", error.text);
    return status != CM_OK;
}
