/* Arguments of options: words, numbers and lists. */
#include "cli/options.h"

/* The option whose argument is read; NULL: none. */
static const cli_option *reading;

void cli_begin_argument(const cli_option *option)
{
    reading = option;
}

bool cli_wrong(const char *name, const char *argument, const char *expected)
{
    return cli_wrong_near(name, argument, expected, argument);
}

bool cli_wrong_near(const char *name, const char *argument, const char *expected, const char *wanted)
{
    cm_near near = {.wanted = wanted};
    char offered[CM_NEAR_TEXT];
    const char *word;
    for (size_t i = 0; reading != NULL && (word = cli_option_word(reading, i)) != NULL; i++)
        cm_near_offer(&near, word);
    cli_write("%s%s: expected %s, found '%s'%s", name[1] == '\0' ? "-" : "--", name, expected, argument,
              cm_near_text(&near, offered));
    return false;
}

bool cli_append(cli_list *list, const char *item)
{
    if (!CM_GROW_BY_ONE(list->items, list->count)) {
        cli_write("out of memory");
        return false;
    }
    list->items[list->count++] = item;
    return true;
}

bool cli_split(cli_list *list, const char *name, const char *argument, const char *expected)
{
    if (list->text != NULL) {
        cli_write("--%s is given twice, expected one list, as in '--%s A,B'", name, name);
        return false;
    }
    list->text = strdup(argument);
    for (char *rest = list->text, *item; (item = strsep(&rest, ",")) != NULL;) {
        if (item[0] == '\0')
            return cli_wrong(name, argument, expected);
        if (!cli_append(list, item))
            return false;
    }
    return true;
}

bool cli_read_number(const char *text, double *value)
{
    return cm_number_parse(text, value, NULL) == CM_OK;
}

bool cli_read_count(const char *text, double least, double most, size_t *value)
{
    double number = 0.0;
    if (!cli_read_number(text, &number) || number != floor(number) || number < least || number > fmin(most, 0x1p53))
        return false;
    *value = (size_t)number;
    return true;
}

void cli_list_formats(bool contents, char *text, size_t size)
{
    cm_export_format format, next;
    text[0] = '\0';
    for (size_t i = 0; cm_export_format_get(i, &format); i++) {
        bool last = !cm_export_format_get(i + 1, &next), shown = contents && format.content[0] != '\0';
        cm_text_append(text, size, last ? " or " : ", ", "%s%s%s%s", format.name, shown ? " (" : "",
                       shown ? format.content : "", shown ? ")" : "");
    }
}

const char *cli_option_word(const cli_option *option, size_t index)
{
    const cli_choice *choice = option->value.choices;
    if (option->value.word != NULL)
        return option->value.word(index);
    while (choice != NULL && choice->word != NULL && index > 0) {
        choice++;
        index--;
    }
    return choice != NULL ? choice->word : NULL;
}
