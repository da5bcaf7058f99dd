/* Code objects for AMD's GPUs: what was made of assembly when catmint was built, or hiprtc makes of it now. */
#ifndef CM_GPU_CODE_OBJECT_H
#define CM_GPU_CODE_OBJECT_H

#include <catmint/error.h>

/* `assembly`: of one kernel, `entry`, with its description. *object is to be freed. CM_UNSUPPORTED where neither road
 * leads there, with what is in the way of both. */
cm_status cm_gpu_code_object(const char *assembly, const char *entry, const char *target, char **object,
                             cm_error *error);

/* ---- hip_source.c ---- */

/* The same kernel as HIP, whose body is the assembly; to be freed. */
cm_status cm_gpu_hip_source(const char *assembly, const char *entry, char **source, cm_error *error);

#endif
