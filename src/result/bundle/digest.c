#include <nettle/sha2.h>

#include "result/bundle/list.h"

struct cm_digest {
    struct sha256_ctx context;
};

cm_digest *cm_digest_create(void)
{
    cm_digest *digest = malloc(sizeof *digest);
    if (digest != NULL)
        sha256_init(&digest->context);
    return digest;
}

void cm_digest_add(cm_digest *digest, const void *bytes, size_t size)
{
    sha256_update(&digest->context, size, bytes);
}

void cm_digest_end(cm_digest *digest, char text[CM_BUNDLE_DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&digest->context, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    free(digest);
}

cm_status cm_digest_file(const char *path, char text[CM_BUNDLE_DIGEST_SIZE], uint64_t *bytes, cm_error *error)
{
    FILE *file = NULL;
    cm_status status = cm_input_open(path, &file, error);
    if (status != CM_OK)
        return status;
    cm_digest *digest = cm_digest_create();
    char *block = malloc(CM_BUNDLE_BLOCK);
    status = digest != NULL && block != NULL ? CM_OK : cm_error_no_memory(error);
    *bytes = 0;
    for (size_t got = 1; status == CM_OK && got != 0; *bytes += got) {
        got = fread(block, 1, CM_BUNDLE_BLOCK, file);
        cm_digest_add(digest, block, got);
    }
    if (status == CM_OK && ferror(file))
        status = cm_error_io(error, path, "cannot be read");
    if (digest != NULL)
        cm_digest_end(digest, text);
    free(block);
    fclose(file);
    return status;
}
