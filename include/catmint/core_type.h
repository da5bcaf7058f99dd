/* Types of cores of a hybrid processor. */
#ifndef CATMINT_CORE_TYPE_H
#define CATMINT_CORE_TYPE_H

enum {
    CM_CORE_TYPES = 8, /* most types of one processor */
    CM_CORE_TEXT = 256,
};

/* Cores that are alike, on a processor that has several types. */
typedef struct cm_core_type {
    char name[CM_CORE_TEXT]; /* the kernel's device that counts on them: "cpu_core", "armv8_cortex_a53" */
    char cpus[CM_CORE_TEXT]; /* "0-7,16"; "" if no processor is known to be of that type, as in models */
    char pmu[CM_CORE_TEXT];  /* libpfm4's name of their PMU, the prefix of their events: "adl_glc"; "": unknown */
} cm_core_type;

#endif
