/* A name that somebody may have meant. */
#ifndef CM_CORE_NEAR_H
#define CM_CORE_NEAR_H

#include <stddef.h>

enum { CM_NEAR_NAME = 128, CM_NEAR_TEXT = CM_NEAR_NAME + 32 };

typedef struct cm_near {
    const char *wanted;
    char name[CM_NEAR_NAME]; /* the nearest so far; "" where none is near */
    size_t distance;
} cm_near;

/* Letter case does not matter; a third of the letters may be others, missing or more. */
void cm_near_offer(cm_near *near, const char *candidate);
/* "; did you mean 'NAME'?", or "". Returns `text`. */
char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT]);

#endif
