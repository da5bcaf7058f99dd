/* Machine code as text, by NVIDIA's own disassemblers: programs that are looked for in PATH when they are needed. */
#ifndef CM_GPU_DISASSEMBLE_H
#define CM_GPU_DISASSEMBLE_H

#include <stddef.h>

#include <catmint/error.h>

/* Of a cubin, by nvdisasm or cuobjdump; *text is to be freed. CM_UNSUPPORTED where neither is there, with what to
 * install, or where it fails; CM_IO where no temporary file can be written. */
cm_status cm_gpu_disassemble(const void *code, size_t size, char **text, cm_error *error);

#endif
