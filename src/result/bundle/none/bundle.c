/* No bundles, for builds without libarchive and nettle. */
#include <catmint/bundle.h>

#include "core/base.h"

bool cm_bundle_available(void)
{
    return false;
}

static cm_status unsupported(cm_error *error)
{
    return CM_FAIL(error, CM_UNSUPPORTED, "this catmint was built without libarchive and nettle");
}

cm_status cm_bundle_write(const cm_bundle_part *parts, size_t count, const char *path, cm_bundle_summary *summary,
                          cm_error *error)
{
    (void)parts;
    (void)count;
    (void)path;
    (void)summary;
    return unsupported(error);
}

cm_status cm_bundle_check_derived(const char *unpacked, const char *derived, const char *part, cm_error *error)
{
    (void)unpacked;
    (void)derived;
    (void)part;
    return unsupported(error);
}

cm_status cm_bundle_unpack(const char *path, const char *directory, cm_bundle_summary *summary, cm_error *error)
{
    (void)path;
    (void)directory;
    (void)summary;
    return unsupported(error);
}

cm_status cm_bundle_check_others(const char *unpacked, const cm_bundle_files *measured, const char *const *others,
                                 size_t count, const char *part, cm_error *error)
{
    (void)unpacked;
    (void)measured;
    (void)others;
    (void)count;
    (void)part;
    return unsupported(error);
}

cm_status cm_bundle_write_files(const cm_bundle_files *files, const cm_bundle_part *part, const char *path,
                                cm_bundle_summary *summary, cm_error *error)
{
    (void)files;
    return cm_bundle_write(part, 1, path, summary, error);
}
