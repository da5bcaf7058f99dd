#include "report/plots/plots.h"

/* Writes name="LENGTH" after a blank. */
static void write_attribute(const char *name, double length, FILE *stream)
{
    fprintf(stream, " %s=\"", name);
    cm_markup_write_length(length, stream);
    fputc('"', stream);
}

void cm_svg_begin(double least_width, double height, FILE *stream, const char *format, ...)
{
    enum { LEFT = 12, TITLE_LETTER = 9 };
    char title[256];
    CM_PRINT_ARGUMENTS(vsnprintf, title, format);
    const double width = fmax(least_width, TITLE_LETTER * (double)cm_text_width(title) + LEFT);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\"", stream);
    write_attribute("width", width, stream);
    write_attribute("height", height, stream);
    fputs(" viewBox=\"0 0 ", stream);
    cm_markup_write_length(width, stream);
    fputc(' ', stream);
    cm_markup_write_length(height, stream);
    fputs("\" aria-label=\"", stream);
    cm_markup_write(title, stream);
    fputs("\">\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", stream);
    cm_svg_text("title", LEFT, 20, CM_SVG_START, title, stream);
}

void cm_svg_end(FILE *stream)
{
    fputs("</svg>\n", stream);
}

void cm_svg_line(const char *class, double x1, double y1, double x2, double y2, FILE *stream)
{
    fprintf(stream, "<line class=\"%s\"", class);
    write_attribute("x1", x1, stream);
    write_attribute("y1", y1, stream);
    write_attribute("x2", x2, stream);
    write_attribute("y2", y2, stream);
    fputs("/>\n", stream);
}

void cm_svg_begin_text(const char *class, double x, double y, cm_svg_anchor anchor, bool rotated, FILE *stream)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(stream, "<text class=\"%s\" text-anchor=\"%s\"", class, anchors[anchor]);
    if (rotated) {
        fputs(" transform=\"translate(", stream);
        cm_markup_write_length(x, stream);
        fputc(' ', stream);
        cm_markup_write_length(y, stream);
        fputs(") rotate(-90)\"", stream);
    } else {
        write_attribute("x", x, stream);
        write_attribute("y", y, stream);
    }
    fputc('>', stream);
}

void cm_svg_begin_sloped_text(const char *class, double x, double y, double degrees, FILE *stream)
{
    fprintf(stream, "<text class=\"%s\" transform=\"translate(", class);
    cm_markup_write_length(x, stream);
    fputc(' ', stream);
    cm_markup_write_length(y, stream);
    fputs(") rotate(", stream);
    cm_markup_write_length(-degrees, stream);
    fputs(")\">", stream);
}

void cm_svg_text(const char *class, double x, double y, cm_svg_anchor anchor, const char *text, FILE *stream)
{
    cm_svg_begin_text(class, x, y, anchor, false, stream);
    cm_markup_write(text, stream);
    fputs("</text>\n", stream);
}

size_t cm_svg_name_length(const char *name, size_t most)
{
    size_t width = cm_text_width(name);
    return width < most ? width : most;
}

void cm_svg_name(double x, double y, cm_svg_anchor anchor, bool rotated, const char *name, size_t most, FILE *stream)
{
    cm_svg_begin_text("name", x, y, anchor, rotated, stream);
    cm_markup_write_short(name, most, stream);
    if (cm_text_width(name) > most) {
        fputs("<title>", stream);
        cm_markup_write(name, stream);
        fputs("</title>", stream);
    }
    fputs("</text>\n", stream);
}

void cm_svg_begin_mark(const char *class, cm_svg_shape shape, double x, double y, FILE *stream)
{
    static const char *const paths[] = {
        [CM_SVG_DIAMOND] = "m0-5 5 5-5 5-5-5z",
        [CM_SVG_DOT] = "m-3 0a3 3 0 1 0 6 0 3 3 0 1 0-6 0",
        [CM_SVG_TRIANGLE] = "m0-4 4 7h-8z",
        [CM_SVG_CROSS] = "m-3-3 6 6m0-6-6 6",
        [CM_SVG_SQUARE] = "m-3-3h6v6h-6z",
        [CM_SVG_DASH] = "m-3 0h6",
        [CM_SVG_RING] = "m-4 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0",
    };
    fprintf(stream, "<path class=\"m %s\" d=\"M", class);
    cm_markup_write_length(x, stream);
    fputc(' ', stream);
    cm_markup_write_length(y, stream);
    fprintf(stream, "%s\"", paths[shape]);
}

void cm_svg_begin_box(const char *class, double x, double y, double width, double height, FILE *stream)
{
    fprintf(stream, "<rect class=\"m %s\"", class);
    write_attribute("x", x, stream);
    write_attribute("y", y, stream);
    write_attribute("width", width, stream);
    write_attribute("height", height, stream);
}
