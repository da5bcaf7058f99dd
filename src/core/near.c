#include "core/base.h"

/* A distance of a part of a candidate stands behind those of whole candidates. */
enum { OF_PART = 1 << 16, LEAST_OF_PART = 5 };

/* Letters in lower case, all that separates words as one character: "DP Ops" and "dp_ops" are alike. */
static char fold_letter(char letter)
{
    return letter != '\0' && strchr(" _-.:", letter) != NULL ? ' ' : (char)tolower((unsigned char)letter);
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* The distance of Levenshtein, in which two letters that changed places are one error, row by row; `within`: to the
 * part of `right` that is nearest. Sources: Lowrance, Wagner, "An Extension of the String-to-String Correction
 * Problem", 1975, restricted to neighbours; Sellers, "The Theory and Computation of Evolutionary Distances", 1980. */
static size_t distance(const char *left, const char *right, bool within)
{
    size_t rows[3][CM_NEAR_NAME] = {{0}}, length = strlen(right), i = 1;
    for (size_t k = 0; k <= length; k++)
        rows[0][k] = within ? 0 : k;
    for (; left[i - 1] != '\0'; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3];
        const size_t *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= length; k++) {
            const char one = fold_letter(left[i - 1]), other = fold_letter(right[k - 1]);
            row[k] = least(row[k - 1] + 1, above[k] + 1, above[k - 1] + (one != other));
            if (i > 1 && k > 1 && one == fold_letter(right[k - 2]) && fold_letter(left[i - 2]) == other)
                row[k] = least(row[k], row[k], two_above[k - 2] + 1);
        }
    }
    const size_t *last = rows[(i - 1) % 3];
    size_t found = last[length];
    for (size_t k = 0; within && k <= length; k++)
        found = least(found, found, last[k]);
    return found;
}

/* How far the candidate is from the wanted name; SIZE_MAX: too far. Of equally near parts the shortest whole wins. */
static size_t how_far(const char *wanted, const char *candidate)
{
    const size_t length = strlen(wanted), limit = length >= 9 ? length / 3 : length > 4 ? 2 : 1;
    size_t found = distance(wanted, candidate, false);
    if (found <= limit && found < length)
        return found;
    found = length >= LEAST_OF_PART ? distance(wanted, candidate, true) : SIZE_MAX;
    return found <= length / 4 ? OF_PART + found * CM_NEAR_NAME + strlen(candidate) : SIZE_MAX;
}

void cm_near_offer(cm_near *near, const char *candidate)
{
    if (near->wanted[0] == '\0' || candidate[0] == '\0' || strlen(near->wanted) >= CM_NEAR_NAME ||
        strlen(candidate) >= CM_NEAR_NAME)
        return;
    const size_t found = how_far(near->wanted, candidate);
    if (found == SIZE_MAX || (near->name[0] != '\0' && found >= near->distance))
        return;
    snprintf(near->name, sizeof near->name, "%s", candidate);
    near->distance = found;
}

char *cm_text_plain(const char *text, char *made, size_t size)
{
    size_t length = 0;
    for (; *text != '\0' && length < size - 1; text++) {
        if (isalnum((unsigned char)*text))
            made[length++] = (char)tolower((unsigned char)*text);
        else if (length > 0 && made[length - 1] != ' ')
            made[length++] = ' ';
    }
    while (length > 0 && made[length - 1] == ' ')
        length--;
    made[length] = '\0';
    return made;
}

char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT])
{
    snprintf(text, CM_NEAR_TEXT, near->name[0] != '\0' ? "; did you mean '%s'?" : "", near->name);
    return text;
}

cm_status cm_refuse_benchmark(const char *name, const char *const *known, size_t count, cm_error *error)
{
    cm_near near = {.wanted = name};
    char offered[CM_NEAR_TEXT], names[256] = "";
    for (size_t i = 0, used = 0; i < count; i++) {
        cm_near_offer(&near, known[i]);
        if (used + strlen(known[i]) + 3 <= sizeof names && !CM_HAS(known[i], known, i))
            used += (size_t)sprintf(names + used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return CM_FAIL(error, CM_BAD_ARGUMENT, "unknown benchmark '%s', expected one of %s%s", name, names,
                   cm_near_text(&near, offered));
}
