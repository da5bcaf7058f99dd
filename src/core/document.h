/* Writes any document to a stream or into a file. */
#ifndef CM_CORE_DOCUMENT_H
#define CM_CORE_DOCUMENT_H

#include <stdio.h>

#include <catmint/error.h>

typedef struct cm_document {
    const char *name; /* for messages, such as "results" */
    /* Writes the content; errors of the stream are checked by the caller. */
    cm_status (*put)(void *content, FILE *stream, cm_error *error);
    void *content;
} cm_document;

/* CM_IO with errno's words if the stream fails. */
cm_status cm_document_write(const cm_document *document, FILE *stream, cm_error *error);

/* Writes the whole file, or leaves it as it was. */
cm_status cm_document_save(const cm_document *document, const char *path, cm_error *error);

#endif
