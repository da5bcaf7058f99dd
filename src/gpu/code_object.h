/* Code objects for AMD's GPUs: made of assembly by the build, or by hiprtc at run time. */
#ifndef CM_GPU_CODE_OBJECT_H
#define CM_GPU_CODE_OBJECT_H

#include <catmint/error.h>

/* `assembly`: of one kernel, `entry`, with its description. *object is to be freed. CM_UNSUPPORTED if neither way
 * works, with both reasons. */
cm_status cm_gpu_code_object(const char *assembly, const char *entry, const char *target, char **object,
                             cm_error *error);

/* ---- hip_source.c ---- */

/* The same kernel as HIP source, whose body is the assembly; to be freed. */
cm_status cm_gpu_hip_source(const char *assembly, const char *entry, char **source, cm_error *error);

#endif
