/* What is around the members of a bundle: a bundle that was cut off, or has more behind it than its members, is no
 * longer the file that was written. */
#ifndef CM_BUNDLE_FRAME_H
#define CM_BUNDLE_FRAME_H

#include <stdint.h>

#include <catmint/error.h>

/* `end`: where the last member's bytes end in the tar. CM_BAD_INPUT where the file is not one gzip stream without a
 * name and time, of which length and CRC are as they say, or where more than zeros follow the end. */
cm_status cm_bundle_check_frame(const char *path, uint64_t end, cm_error *error);

#endif
