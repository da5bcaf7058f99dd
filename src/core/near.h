/* Suggests the name that was probably meant. */
#ifndef CM_CORE_NEAR_H
#define CM_CORE_NEAR_H

#include <stddef.h>

enum { CM_NEAR_NAME = 128, CM_NEAR_TEXT = CM_NEAR_NAME + 32 };

typedef struct cm_near {
    const char *wanted;
    char name[CM_NEAR_NAME]; /* the nearest so far; "" if none is near */
    size_t distance;
} cm_near;

/* Ignores case; up to a third of the letters may differ, be missing or be added. */
void cm_near_offer(cm_near *near, const char *candidate);
/* "; did you mean 'NAME'?", or "". Returns `text`. */
char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT]);

#endif
