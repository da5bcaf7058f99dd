/* The page of a machine's figures. */
#ifndef CM_REPORT_HTML_ROOFLINE_H
#define CM_REPORT_HTML_ROOFLINE_H

#include "machines/roofline.h"
#include "report/html/html.h"

void cm_html_roofline(const cm_html *html, const cm_roofline *roofline);

#endif
