/* HIP source for hiprtc, which does not accept assembly: a kernel whose body is one asm statement. The compiler passes
 * the values that the assembly's first instructions would have read from the dispatch, and does not use the assembly's
 * registers. */
#include "core/base.h"
#include "gpu/gpu.h"

/* Registers of the assembly: offset and thread in v1 and v0, memory in s[6:7], turns in s8. */
enum { VECTORS = 112, FIRST_SCALAR = 6, SCALARS = 24 };

static const char begin[] = "s_mov_b64 s[10:11], exec\n", end[] = "    s_endpgm";

static void write_registers(char kind, int from, int to, FILE *stream)
{
    for (int i = from; i < to; i++)
        fprintf(stream, ", \"%c%d\"", kind, i);
}

/* Writes the kernel around the assembly's lines. */
static void write_source(const char *from, const char *to, const char *entry, FILE *stream)
{
    fprintf(stream,
            "extern \"C\" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(1, 1024)))\n"
            "void %s(unsigned char *memory, unsigned trips)\n{\n"
            "    unsigned thread = __builtin_amdgcn_workitem_id_x();\n"
            "    unsigned offset = 1024 * (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + "
            "thread);\n"
            "    asm volatile(\n"
            "        \"s_mov_b64 s[6:7], %%0\\n\"\n        \"s_mov_b32 s8, %%1\\n\"\n"
            "        \"v_mov_b32 v0, %%2\\n\"\n        \"v_mov_b32 v1, %%3\\n\"\n",
            entry);
    for (const char *line = from; line < to;) {
        size_t length = strcspn(line, "\n");
        fputs("        \"", stream);
        fwrite(line, 1, length, stream);
        fputs("\\n\"\n", stream);
        line += length + 1;
    }
    fputs(
        "        :: \"s\"(memory), \"s\"(trips), \"v\"(thread), \"v\"(offset)\n        : \"memory\", \"scc\", \"vcc\"",
        stream);
    write_registers('v', 0, VECTORS, stream);
    write_registers('s', FIRST_SCALAR, SCALARS, stream);
    fputs(");\n}\n", stream);
}

cm_status cm_gpu_hip_source(const char *assembly, const char *entry, char **source, cm_error *error)
{
    const char *from = strstr(assembly, begin), *to = from != NULL ? strstr(from, end) : NULL;
    if (to == NULL)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "kernel '%.100s' is not catmint's assembly", entry);
    FILE *stream = cm_memory_stream(source, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    write_source(from, to, entry, stream);
    if (fclose(stream) == 0)
        return CM_OK;
    free(*source);
    *source = NULL;
    return cm_error_no_memory(error);
}
