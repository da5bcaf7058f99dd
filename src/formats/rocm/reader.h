/* The common part of readers of AMD's profilers' files. */
#ifndef CM_FORMATS_ROCM_READER_H
#define CM_FORMATS_ROCM_READER_H

#include <stdbool.h>

#include "formats/rocm/rocm.h"
#include "formats/rocm/xml.h"
#include "formats/rocm/yaml.h"

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

#endif
