/* Status and error: every catmint function that can fail returns a cm_status and fills the caller's cm_error.
 *
 * Conventions, stated once for all headers: results come through out-parameters, which are left untouched on failure;
 * `error` may be NULL; the caller owns the objects of a `_create` or `_load` and gives them back with the matching
 * `_free`, which accepts NULL; pointers to `const` returned by accessors belong to the object and live as long as it.
 * Text is UTF-8. The library never prints, exits or aborts.
 *
 * A structure of options, cm_NAME_options, starts from its `_default`, or from an initialiser that sets `size`, its
 * first member, to the size of the structure: `{.size = sizeof options, ...}`. Functions refuse any other size with
 * CM_BAD_ARGUMENT: 0 are options that nothing set, another number those of other headers. In all but two, `_default`
 * sets the other members to 0, NULL and false, which stand for the default that a member's comment names;
 * cm_analyze_options and cm_sweep_options have further defaults, and so has cm_thresholds.
 *
 * Threads may call the library at the same time on different objects; one object, and one directory or file that is
 * written, is for one thread at a time. A function that differs says so. Functions that measure (sweeps, validations,
 * verifications, rooflines, in-core figures) fork processes: meanwhile no other thread calls the library. */
#ifndef CATMINT_ERROR_H
#define CATMINT_ERROR_H

#include <stddef.h>
#include <string.h>

#include <catmint/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_status {
    CM_OK = 0,
    CM_BAD_ARGUMENT, /* the caller asked for something impossible */
    CM_BAD_INPUT,    /* a file or table is wrong, at `file` and `line` */
    CM_UNSUPPORTED,  /* this machine cannot do it */
    CM_NO_MEMORY,    /* or the process has as many files open as it may */
    CM_IO,           /* reading or writing failed */
    CM_INTERRUPTED,  /* the caller's stop flag was raised */
} cm_status;

enum { CM_ERROR_FILE_SIZE = 512, CM_ERROR_TEXT_SIZE = 1024 };

typedef struct cm_error {
    cm_status status;
    char file[CM_ERROR_FILE_SIZE]; /* "" if no file is concerned; a long path keeps its end */
    size_t line;                   /* 1-based, 0 if unknown */
    size_t column;                 /* 1-based character of the line, 0 if unknown */
    char text[CM_ERROR_TEXT_SIZE]; /* the error and the expectation; one line, no final full stop or newline; quoted
                                    * text is shown as text.h says */
} cm_error;

/* Writes "FILE:LINE:COLUMN: text" without the parts that are unknown, the file's name shown as text.h says; returns
 * `buffer`. Truncates, always terminates. */
CM_API char *cm_error_format(const cm_error *error, char *buffer, size_t size);

/* A few words for a status: "bad input". Never NULL. */
CM_API const char *cm_status_text(cm_status status);

/* Defines a structure of options' `_default`. It is compiled into the program, so that `size` is the
 * structure's size there. */
#define CM_OPTIONS_DEFAULT(name)                                                                                       \
    static inline void name##_default(name *options)                                                                   \
    {                                                                                                                  \
        memset(options, 0, sizeof *options);                                                                           \
        options->size = sizeof *options;                                                                               \
    }

#ifdef __cplusplus
}
#endif
#endif
