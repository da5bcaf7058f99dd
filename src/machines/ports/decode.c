/* A line of assembly: mnemonic, operands, and the row of the table that it fits. */
#include "machines/ports/ports.h"

enum { MNEMONIC = 32, OPERANDS = 160 };

/* The row of the form with another letter for memory. */
static const cm_port_row *find_without_memory(const cm_port_model *model, const cm_port_instruction *one, char letter)
{
    char form[CM_PORT_FORM_SIZE];
    snprintf(form, sizeof form, "%s", one->form);
    for (char *at = strchr(form, ' '); at != NULL && *at != '\0'; at++)
        if (*at == 'm')
            *at = letter;
    return cm_port_row_find(model, CM_PORT_FORM, form);
}

/* Finds the rows: of the whole form, or of the load, the store, and the work beside them: by M for memory, or else by a
 * register for it. */
static void find_rows(const cm_port_model *model, cm_port_instruction *one)
{
    const char letter[2] = {one->letter, '\0'};
    one->change = one->updated != CM_PORT_NONE ? cm_port_row_find(model, CM_PORT_FORM, "update") : NULL;
    one->row = cm_port_row_find(model, CM_PORT_FORM, one->form);
    one->known = one->row != NULL;
    if (one->known)
        return;
    one->row = find_without_memory(model, one, 'M');
    if (one->row == NULL)
        one->row = find_without_memory(model, one, one->letter);
    one->load = one->loads ? cm_port_row_find(model, CM_PORT_LOAD, letter) : NULL;
    one->store = one->stores ? cm_port_row_find(model, CM_PORT_STORE, letter) : NULL;
    one->known = (one->loads || one->stores) && one->row != NULL && one->loads == (one->load != NULL) &&
                 one->stores == (one->store != NULL);
    if (!one->known)
        one->row = one->load = one->store = NULL;
}

static size_t shorter(size_t one, size_t other)
{
    return one < other ? one : other;
}

bool cm_port_decode(const cm_port_model *model, const char *line, size_t length, cm_port_instruction *one)
{
    char mnemonic[MNEMONIC], operands[OPERANDS] = "";
    const char *at = line + strspn(line, " \t");
    const char *end = line + length;
    const size_t word = shorter(strcspn(at, " \t\r\n"), (size_t)(end - at));
    *one = (cm_port_instruction){.text = at,
                                 .moved = CM_PORT_NONE,
                                 .updated = CM_PORT_NONE,
                                 .address = {.base = CM_PORT_NONE, .index = CM_PORT_NONE}};
    if (!isalpha((unsigned char)*at) || word >= sizeof mnemonic || at[word - 1] == ':')
        return false;
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)word, at);
    const char *rest = at + word + strspn(at + word, " \t");
    size_t left = rest < end ? strcspn(rest, model->isa == CM_PORT_X86_64 ? "#\n\r" : "\n\r") : 0;
    left = rest < end ? shorter(left, (size_t)(end - rest)) : 0;
    for (size_t i = 0; i + 1 < left; i++) /* comments of aarch64 */
        if (rest[i] == '/' && rest[i + 1] == '/')
            left = i;
    left = left < sizeof operands ? left : sizeof operands - 1;
    while (left > 0 && isspace((unsigned char)rest[left - 1]))
        left--;
    snprintf(operands, sizeof operands, "%.*s", (int)left, rest);
    one->length = left > 0 ? (size_t)(rest - at) + left : word;
    (model->isa == CM_PORT_X86_64 ? cm_port_decode_x86_64 : cm_port_decode_aarch64)(mnemonic, operands, one);
    find_rows(model, one);
    return true;
}
