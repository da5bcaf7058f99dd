/* The XML of AMD's rocprof, read tag by tag: values may go without quotation marks, and lines that begin with `#` are
 * comments or name a file that is included, so that it is no XML that a library reads. */
#ifndef CM_FORMATS_ROCM_XML_H
#define CM_FORMATS_ROCM_XML_H

#include <stddef.h>

#include <catmint/error.h>

enum { CM_XML_DEPTH = 32, CM_XML_ATTRIBUTES = 16 };

typedef struct cm_xml_attribute {
    const char *name, *value;
    size_t line, column; /* of the value */
} cm_xml_attribute;

/* An opening tag, or a line `#include "FILE"`, whose name is "#include" and whose only attribute is the file. */
typedef struct cm_xml_tag {
    const char *file, *name;
    size_t line, column;
    size_t count;
    cm_xml_attribute attributes[CM_XML_ATTRIBUTES];
} cm_xml_tag;

/* The attribute of that name; NULL: the tag has none. */
const cm_xml_attribute *cm_xml_find(const cm_xml_tag *tag, const char *name);

typedef cm_status (*cm_xml_take)(const cm_xml_tag *tag, void *data, cm_error *error);

/* Reads a file, tag by tag, until `take` refuses one; texts live until then. CM_BAD_INPUT, with the place, if a tag or
 * a value does not end, or tags do not end in their order. */
cm_status cm_xml_each(const char *path, cm_xml_take take, void *data, cm_error *error);

#endif
