/* Types of cores of a hybrid processor. */
#ifndef CATMINT_CORE_TYPE_H
#define CATMINT_CORE_TYPE_H

enum {
    CM_CORE_TYPES = 8, /* of one processor, at most */
    CM_CORE_TEXT = 256,
};

/* Cores that are alike, of a processor whose cores are not all. */
typedef struct cm_core_type {
    char name[CM_CORE_TEXT]; /* of the kernel's device that counts on them: "cpu_core", "armv8_cortex_a53" */
    char cpus[CM_CORE_TEXT]; /* "0-7,16"; "" where no processor is said to be of that type, as in models */
    char pmu[CM_CORE_TEXT];  /* libpfm4's name of their PMU, which stands before their events: "adl_glc"; "": unknown */
} cm_core_type;

#endif
