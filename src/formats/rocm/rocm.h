/* Derived metrics of AMD's profilers for GPUs. */
#ifndef CM_FORMATS_ROCM_ROCM_H
#define CM_FORMATS_ROCM_ROCM_H

#include "formats/format.h"

/* Writes counters of rocprofv3 (--extra-counters). */
cm_status cm_rocm_write_counters(cm_writing *writing, FILE *stream, cm_error *error);
/* Writes a panel of rocprof-compute (--config-dir). */
cm_status cm_rocm_write_panel(cm_writing *writing, FILE *stream, cm_error *error);

/* Writes SQ_WAVES for "rocm:::SQ_WAVES:device=0". */
const char *cm_rocm_event(const char *event, char *name, size_t size);

/* Writes text in double quotes for YAML. */
void cm_rocm_write_quoted(const char *text, FILE *stream);

/* ---- xml ---- */

/* The XML of AMD's rocprof, read tag by tag: values may go without quotation marks, and lines that begin with `#` are
 * comments or name a file that is included, so that it is no XML that a library reads. */

enum { CM_XML_DEPTH = 32, CM_XML_ATTRIBUTES = 16 };

typedef struct cm_xml_attribute {
    const char *name, *value;
    size_t line, column; /* of the value */
} cm_xml_attribute;

/* An opening tag, or a line `#include "FILE"`, whose name is "#include" and whose only attribute is the file. */
typedef struct cm_xml_tag {
    const char *file, *name;
    size_t line, column, count;
    cm_xml_attribute attributes[CM_XML_ATTRIBUTES];
} cm_xml_tag;

/* The attribute of that name; NULL: the tag has none. */
const cm_xml_attribute *cm_xml_find(const cm_xml_tag *tag, const char *name);

typedef cm_status (*cm_xml_take)(const cm_xml_tag *tag, void *data, cm_error *error);

/* Reads a file, tag by tag, until `take` refuses one; texts live until then. CM_BAD_INPUT, with the place, if a tag or
 * a value does not end, or tags do not end in their order. */
cm_status cm_xml_each(const char *path, cm_xml_take take, void *data, cm_error *error);

/* ---- YAML, read entry by entry ---- */

enum { CM_YAML_DEPTH = 32 };

/* A key and its value, or an item of a list, whose key is "". */
typedef struct cm_yaml_entry {
    const char *file;
    size_t depth;            /* at least 1 */
    const char *const *keys; /* from the outermost to its own */
    const char *value;       /* "" if more entries are inside; lines keep their blanks, so that locations hold */
    size_t line, column;     /* of the value */
} cm_yaml_entry;

typedef cm_status (*cm_yaml_take)(const cm_yaml_entry *entry, void *data, cm_error *error);

/* Reads a file, entry by entry, until `take` refuses one. CM_BAD_INPUT if it is no YAML, or nested too deep. */
cm_status cm_yaml_each(const char *path, cm_yaml_take take, void *data, cm_error *error);

/* ---- The common part of readers of AMD's profilers' files ---- */

/* A counter that the file describes, with the GPUs that have it. */
typedef struct cm_rocm_named {
    char *name, *targets;
} cm_rocm_named;

typedef struct cm_rocm_reader {
    cm_formulas *formulas;
    char name[256], targets[1024]; /* of the current entries; GPUs between slashes */
    bool counters;                 /* of rocprofv3, of which files describe the counters, too */
    bool xml;                      /* of rocprof: counters that a GPU takes over from others are its own, too */
    bool included;                 /* by the file, to describe counters alone */
    size_t basic_count, current;   /* formula */
    cm_rocm_named *basics;
    size_t chain_count;
    cm_rocm_named *chains; /* of rocprof: the GPUs that each takes over from, itself first */
    char *unknown;         /* the first name in the current formula that the file does not have; NULL: none */
    cm_error *error;
} cm_rocm_reader;

/* Keeps a name with its GPUs in a list. */
cm_status cm_rocm_keep_named(cm_rocm_named **list, size_t *count, const char *name, const char *targets,
                             cm_error *error);
/* Adds a GPU to the current ones. */
void cm_rocm_append_target(cm_rocm_reader *reader, const char *target);
/* Adds a formula of the current name. */
cm_status cm_rocm_add(cm_rocm_reader *reader, const cm_yaml_entry *entry, const char *section, const char *unit);

/* Takes a tag of rocprof's: <metric name= expr=> is a derived counter, <metric name= block= event=> one that the GPU
 * has, anything else a GPU. */
cm_status cm_rocm_take_tag(const cm_xml_tag *tag, void *data, cm_error *error);

/* ---- units ---- */

/* Adds a remark if the peak of a panel's metric is not the GPU's (data/gpu-peaks.csv), or not of the whole GPU in a
 * second; none if the directory names no GPU, or the peak has other names. */
cm_status cm_rocm_check_peak(cm_rocm_reader *reader, const cm_yaml_entry *entry);
/* Adds a remark if a formula multiplies cycles that are added up over dies with a property of the whole GPU. */
cm_status cm_rocm_check_dies(cm_rocm_reader *reader, const cm_formula_info *info);

#endif
