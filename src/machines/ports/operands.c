/* Operands of a line of assembly, and the registers that an instruction reads and writes. */
#include "machines/ports/ports.h"

bool cm_port_begins(const char *text, const char *const *prefixes)
{
    for (size_t i = 0; prefixes[i] != NULL; i++)
        if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

size_t cm_port_split(const char *operands, const char *starts[CM_PORT_OPERANDS], size_t lengths[CM_PORT_OPERANDS])
{
    size_t count = 0, depth = 0;
    const char *start = operands + strspn(operands, " \t");
    for (const char *at = start; count < CM_PORT_OPERANDS && *start != '\0'; at++) {
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= (*at == ')' || *at == ']' || *at == '}') && depth > 0;
        if (*at != '\0' && (*at != ',' || depth > 0))
            continue;
        starts[count] = start;
        lengths[count] = (size_t)(at - start);
        while (lengths[count] > 0 && isspace((unsigned char)start[lengths[count] - 1]))
            lengths[count]--;
        count++;
        if (*at == '\0')
            break;
        start = at + 1 + strspn(at + 1, " \t");
    }
    return count;
}

long cm_port_number(const char *text)
{
    const long most = (long)UINT32_MAX, number = strtol(text, NULL, 0);
    return number > most ? most : number < -most ? -most : number;
}

void cm_port_read(cm_port_instruction *one, unsigned reg)
{
    for (size_t i = 0; i < one->read_count; i++)
        if (one->reads[i] == reg)
            return;
    if (reg < CM_PORT_REGISTERS && one->read_count < CM_PORT_READS)
        one->reads[one->read_count++] = (uint8_t)reg;
}

void cm_port_write(cm_port_instruction *one, unsigned reg)
{
    if (reg < CM_PORT_REGISTERS && one->write_count < CM_PORT_WRITES)
        one->writes[one->write_count++] = (uint8_t)reg;
}
