/* The page of a machine's figures. */
#ifndef CM_REPORT_HTML_ROOFLINE_H
#define CM_REPORT_HTML_ROOFLINE_H

#include "machines/roofline.h"
#include "report/html/html.h"

void cm_html_roofline(const cm_html *html, const cm_roofline *roofline);
/* The same within a page: a section of plots for each number of cores, and a table of programs. */
void cm_html_roofline_plots(const cm_html *html);

#endif
