/* A page of text for people. */
#ifndef CM_REPORT_PAGE_H
#define CM_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include <catmint/style.h>

/* Where and how text is written. */
typedef struct cm_page {
    FILE *stream;
    size_t width;
    bool colour;
    bool *short_of_memory; /* set where a part could not be written for lack of it */
} cm_page;

typedef enum cm_mark { CM_MARK_PLAIN, CM_MARK_BOLD, CM_MARK_GOOD, CM_MARK_BAD, CM_MARK_DIM } cm_mark;

/* A page of at least 60 columns, 100 where the style leaves them open; *short_of_memory becomes false. */
cm_page cm_page_make(const cm_style *style, FILE *stream, bool *short_of_memory);

/* What follows is written so; nothing without colour. */
void cm_page_mark(const cm_page *page, cm_mark mark);

/* Text, and blanks behind it up to `width` columns. */
void cm_page_put(const cm_page *page, const char *text, size_t width);

/* A label in bold, in a column of its own of this width. */
enum { CM_PAGE_LABEL = 14 };
void cm_page_label(const cm_page *page, const char *label);
/* A label and text beside it, wrapped, and the end of the line. */
void cm_page_labelled(const cm_page *page, const char *label, const char *text);

enum { CM_PAGE_NAMES = 1024 };
/* A list of names with the clause behind it ("a, b, which no kernel has"), from the ninth name on by how many more
 * there are. Returns the list itself if it is as short, else `text`. */
const char *cm_page_names(const char *list, char text[CM_PAGE_NAMES]);

#endif
