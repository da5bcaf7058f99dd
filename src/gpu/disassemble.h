/* Machine code as text, by NVIDIA's own disassemblers, which are searched for in PATH when needed. */
#ifndef CM_GPU_DISASSEMBLE_H
#define CM_GPU_DISASSEMBLE_H

#include <stddef.h>

#include <catmint/error.h>

/* Disassembles a cubin by nvdisasm or cuobjdump; *text is to be freed. CM_UNSUPPORTED if neither is installed, with
 * advice, or if it fails; CM_IO if no temporary file can be written. */
cm_status cm_gpu_disassemble(const void *code, size_t size, char **text, cm_error *error);

#endif
