/* Audits: the verdicts on other people's formulas. */
#include "report/html/html.h"

static const char *class_of(const char *verdict)
{
    return strcmp(verdict, "right") == 0 ? "good" : strcmp(verdict, "wrong") == 0 ? "bad" : "none";
}

static void write_words(const cm_html *html, const cm_view_formula *formula)
{
    cm_html_write(html, "<td class=\"long\">");
    cm_markup_write(formula->measures, html->stream);
    if (formula->measures[0] != '\0' && formula->remark[0] != '\0')
        cm_html_write(html, "; ");
    cm_markup_write(formula->remark, html->stream);
    cm_html_write(html, "</td>");
}

/* Writes the row of a formula. */
static void write_formula(const cm_html *html, const cm_view_formula *formula)
{
    cm_html_write(html, "<tr>");
    cm_html_cell(html, NULL, formula->metric);
    fprintf(html->stream, "<td><span class=\"badge %s\">", class_of(formula->verdict));
    cm_markup_write(formula->verdict, html->stream);
    cm_html_write(html, "</span></td>");
    cm_html_cell(html, NULL, formula->judged_as != NULL ? formula->judged_as : "");
    write_words(html, formula);
    cm_html_cell(html, "name long", formula->formula);
    cm_html_write(html, "<td class=\"name\">");
    cm_markup_write(formula->file, html->stream);
    fprintf(html->stream, ":%.0f</td></tr>\n", formula->line);
}

/* Writes an audit: its numbers of verdicts, and a table of its formulas. */
static void write_audit(const cm_html *html, const cm_view_audit *audit)
{
    static const char *const columns[] = {"Formula", "Verdict", "Judged as", "Measures", "Text", "Location"};
    cm_html_write(html, "<div class=\"panel\"><h3>");
    cm_markup_write(audit->path, html->stream);
    fprintf(html->stream, "</h3>\n<p>%zu %s", audit->formula_count,
            cm_plural(audit->formula_count, "formula", "formulas"));
    for (size_t i = 0; i < audit->verdict_count; i++)
        if (strcmp(audit->verdicts[i].text, "0") != 0) {
            fprintf(html->stream, ", %s ", audit->verdicts[i].text);
            cm_markup_write(audit->verdicts[i].name, html->stream);
        }
    cm_html_write(html, ".</p>\n");
    cm_html_begin_table(html, "Formulas", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < audit->formula_count; i++)
        write_formula(html, &audit->formulas[i]);
    cm_html_end_table(html);
    cm_html_write(html, "</div>\n");
}

void cm_html_audits(const cm_html *html, size_t view)
{
    if (html->views[view]->audit_count == 0)
        return;
    fprintf(html->stream, "<section id=\"audits-%zu\">\n<h2>Audits of formulas</h2>\n", view);
    for (size_t i = 0; i < html->views[view]->audit_count; i++)
        write_audit(html, &html->views[view]->audits[i]);
    cm_html_write(html, "</section>\n");
}
