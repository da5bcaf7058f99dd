/* Text in markup, of HTML and of SVG: nothing of it is ever taken for markup. */
#ifndef CM_REPORT_PLOTS_MARKUP_H
#define CM_REPORT_PLOTS_MARKUP_H

#include <stdio.h>

/* As text.h shows it, escaped for contents of elements and for attributes in double quotes. */
void cm_markup_put(const char *text, FILE *stream);
/* At most `most` characters of it, the last one "..." as one character where there are more. */
void cm_markup_put_short(const char *text, size_t most, FILE *stream);
/* The same with lines as they are, for what is copied: newlines and tabs stay. */
void cm_markup_put_lines(const char *text, FILE *stream);
/* A length, in tenths at most, the same in every locale. */
void cm_markup_put_length(double length, FILE *stream);

#endif
