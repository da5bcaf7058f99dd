/* Checks the parts of a bundle around its members: one that was cut off, or has data behind its members, is not the
 * file that was written. */
#ifndef CM_BUNDLE_FRAME_H
#define CM_BUNDLE_FRAME_H

#include <stdint.h>

#include <catmint/error.h>

/* `end`: the end of the last member in the tar. CM_BAD_INPUT unless the file is one gzip stream without name and time,
 * with the right length and CRC, and only zeros follow the end. */
cm_status cm_bundle_check_frame(const char *path, uint64_t end, cm_error *error);

#endif
