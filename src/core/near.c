#include "core/base.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* The Levenshtein distance, row by row. Source: Wagner, Fischer, "The String-to-String Correction Problem", 1974. */
static size_t distance(const char *left, const char *right)
{
    size_t row[CM_NEAR_NAME], length = strlen(right);
    for (size_t k = 0; k <= length; k++)
        row[k] = k;
    for (size_t i = 1; left[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= length; k++) {
            size_t above = row[k];
            bool same = tolower((unsigned char)left[i - 1]) == tolower((unsigned char)right[k - 1]);
            row[k] = least(row[k] + 1, row[k - 1] + 1, diagonal + !same);
            diagonal = above;
        }
    }
    return row[length];
}

void cm_near_offer(cm_near *near, const char *candidate)
{
    size_t length = strlen(near->wanted);
    if (candidate[0] == '\0' || length >= CM_NEAR_NAME || strlen(candidate) >= CM_NEAR_NAME)
        return;
    size_t found = distance(near->wanted, candidate), limit = length / 3 > 2 ? length / 3 : 2;
    if (found > limit || found >= length || (near->name[0] != '\0' && found >= near->distance))
        return;
    snprintf(near->name, sizeof near->name, "%s", candidate);
    near->distance = found;
}

char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT])
{
    snprintf(text, CM_NEAR_TEXT, near->name[0] != '\0' ? "; did you mean '%s'?" : "", near->name);
    return text;
}

const char *cm_text_near(const char *wanted, const char *const *names, size_t count)
{
    cm_near near = {.wanted = wanted};
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        cm_near_offer(&near, names[i]);
    while (at < count && (near.name[0] == '\0' || strcmp(names[at], near.name) != 0))
        at++;
    return at < count ? names[at] : NULL;
}
