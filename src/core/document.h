/* Documents that go to a stream or into a file, whatever is in them. */
#ifndef CM_CORE_DOCUMENT_H
#define CM_CORE_DOCUMENT_H

#include <stdio.h>

#include <catmint/error.h>

typedef struct cm_document {
    const char *name; /* for messages, such as "results" */
    /* Need not look whether the stream has failed. */
    cm_status (*put)(void *content, FILE *stream, cm_error *error);
    void *content;
} cm_document;

/* CM_IO where the stream fails, with errno's words. */
cm_status cm_document_write(const cm_document *document, FILE *stream, cm_error *error);

/* Into a file, which is whole or as it was before. */
cm_status cm_document_save(const cm_document *document, const char *path, cm_error *error);

#endif
