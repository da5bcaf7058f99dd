/* Units of metrics, and how much of them an event counts for. */
#include "formulas/lint/lint.h"

/* Cuts `end` off; whether it was there. */
static bool cut_end(char *text, const char *end)
{
    size_t length = strlen(text), less = strlen(end);
    if (length < less || strcasecmp(text + length - less, end) != 0)
        return false;
    text[length - less] = '\0';
    return true;
}

/* Reads the prefix and the word behind it. */
static void read_word(cm_unit *unit, const char *word)
{
    static const char *const bytes[] = {"Byte", "Bytes", NULL}, *const operations[] = {"FLOP", "FLOPS", NULL},
                             *const watts[] = {"W", "Watt", "Watts", NULL},
                             *const joules[] = {"J", "Joule", "Joules", NULL};
    static const struct {
        char prefix;
        double scale, binary;
    } prefixes[] = {
        {'k', 1e3, 0x1p10}, {'K', 1e3, 0x1p10}, {'M', 1e6, 0x1p20}, {'G', 1e9, 0x1p30}, {'T', 1e12, 0x1p40}};
    double scale = 1.0;
    for (size_t i = 0; i < CM_COUNT_OF(prefixes); i++)
        if (word[0] == prefixes[i].prefix && word[1] != '\0') {
            scale = word[1] == 'i' ? prefixes[i].binary : prefixes[i].scale;
            word += word[1] == 'i' ? 2 : 1;
            break;
        }
    unit->scale = unit->number * scale;
    unit->bytes = cm_text_is_one_of(word, bytes) || (scale > 1.0 && strcmp(word, "B") == 0);
    unit->operations = cm_text_is_one_of(word, operations);
    unit->energy = cm_text_is_one_of(word, joules) || cm_text_is_one_of(word, watts);
    unit->rate |= cm_text_is_one_of(word, watts);
}

cm_unit cm_unit_of(const cm_formula_info *info, const cm_vocabulary *vocabulary)
{
    cm_unit unit = {.scale = 1.0, .number = 1.0};
    char word[sizeof unit.text], *end = NULL;
    const char *last = strrchr(info->metric, ' ');
    const char *text = info->unit[0] != '\0' ? info->unit
                       : last != NULL        ? last + 1 + strspn(last + 1, "([")
                                             : info->metric;
    double number = strtod(text, &end);
    unsigned said = cm_vocabulary_of(vocabulary, info->unit[0] != '\0' ? info->unit : info->metric);
    bool power = (said & CM_WORD_POWER) != 0, energy = (said & CM_WORD_ENERGY) != 0;
    unit.percent = (said & CM_WORD_PERCENT) != 0;
    if (isdigit((unsigned char)info->unit[0]))
        unit.number = number;
    else
        end = (char *)text;
    if (strlen(text) >= sizeof word)
        return unit;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(end, info->unit[0] != '\0' ? "" : ")]"), end);
    snprintf(unit.text, sizeof unit.text, "%s", text);
    unit.rate =
        cut_end(word, "/s") || cut_end(word, "/sec") || cut_end(word, " per second") || cut_end(word, "per_sec");
    read_word(&unit, word);
    unit.energy |= power != energy;
    unit.rate |= power && !energy;
    return unit;
}

double cm_unit_per_event(const cm_unit *unit, const cm_formula *formula, size_t event)
{
    const cm_linear_form *below = &formula->denominator;
    double divisor = below->count == 0 ? below->constant : below->coefficients[0];
    if (below->count > 1 || (below->count == 1 && below->constant != 0.0))
        return NAN;
    return formula->numerator.coefficients[event] / divisor * unit->scale;
}
