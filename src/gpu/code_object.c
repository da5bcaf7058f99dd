#include "core/files.h"
#include "gpu/driver.h"

static const char described[] = "catmint-kernel ";
/* The same versions as HIP's. */
static const char *const hiprtc_libraries[] = {"libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5",
                                               NULL};

/* ---- code objects of the build ---- */

/* Whether the object has exactly this kernel: its description stands in both. */
static bool has_kernel(const char *object, size_t size, const char *assembly)
{
    const char *from = strstr(assembly, described), *to = from != NULL ? strchr(from, ';') : NULL;
    return to != NULL && memmem(object, size, from, (size_t)(to - from)) != NULL;
}

/* *object is NULL if there is none with that kernel. */
static cm_status find_built(const char *assembly, const char *target, char **object, cm_error *error)
{
    char name[64], *path = NULL;
    size_t size = 0;
    snprintf(name, sizeof name, "%.40s.co", target);
    cm_status status = cm_plugin_path(name, &path, error);
    if (status == CM_OK && path != NULL)
        status = cm_file_text_read(path, object, &size, error);
    if (status == CM_OK && *object != NULL && !has_kernel(*object, size, assembly)) {
        free(*object);
        *object = NULL;
    }
    free(path);
    return status;
}

/* ---- compiled at run time ---- */

#define FUNCTION(name, member)                                                                                         \
    {                                                                                                                  \
        name, offsetof(cm_hiprtc, member)                                                                              \
    }
static const cm_gpu_symbol hiprtc_symbols[] = {
    FUNCTION("hiprtcCreateProgram", create),       FUNCTION("hiprtcCompileProgram", compile),
    FUNCTION("hiprtcGetProgramLogSize", log_size), FUNCTION("hiprtcGetProgramLog", log),
    FUNCTION("hiprtcGetCodeSize", code_size),      FUNCTION("hiprtcGetCode", code),
    FUNCTION("hiprtcDestroyProgram", destroy),     FUNCTION("hiprtcGetErrorString", error_string),
};
#undef FUNCTION

/* CM_UNSUPPORTED with the compiler's log. */
static cm_status refuse_source(const cm_hiprtc *rtc, void *program, int result, const char *entry, cm_error *error)
{
    size_t size = 0;
    char *log = NULL;
    if (program != NULL && rtc->log_size(program, &size) == 0 && size > 1 && (log = calloc(size + 1, 1)) != NULL &&
        rtc->log(program, log) != 0)
        log[0] = '\0';
    CM_FAIL(error, CM_UNSUPPORTED, "hiprtc refuses kernel '%.100s': %s%s%.600s", entry, rtc->error_string(result),
            log != NULL ? ": " : "", log != NULL ? log : "");
    free(log);
    return CM_UNSUPPORTED;
}

/* Compiles the source for the target. */
static cm_status compile_source(const cm_hiprtc *rtc, const char *source, const char *entry, const char *target,
                                char **object, cm_error *error)
{
    char option[64];
    const char *options[] = {option, "-O3"};
    void *program = NULL;
    size_t size = 0;
    snprintf(option, sizeof option, "--offload-arch=%.40s", target);
    int result = rtc->create(&program, source, entry, 0, NULL, NULL);
    if (result == 0)
        result = rtc->compile(program, 2, options);
    if (result == 0)
        result = rtc->code_size(program, &size);
    if (result == 0 && (*object = malloc(size + 1)) == NULL) {
        rtc->destroy(&program);
        return cm_error_no_memory(error);
    }
    if (result == 0)
        result = rtc->code(program, *object);
    cm_status status = result == 0 ? CM_OK : refuse_source(rtc, program, result, entry, error);
    if (status != CM_OK) {
        free(*object);
        *object = NULL;
    }
    if (program != NULL)
        rtc->destroy(&program);
    return status;
}

/* Compiles the kernel with hiprtc. */
static cm_status compile_now(const char *assembly, const char *entry, const char *target, char **object,
                             cm_error *error)
{
    cm_hiprtc rtc;
    void *library = NULL;
    char *source = NULL;
    cm_status status =
        cm_gpu_library_open(hiprtc_libraries,
                            "hiprtc, which compiles kernels that catmint's code object "
                            "does not have,",
                            hiprtc_symbols, sizeof hiprtc_symbols / sizeof hiprtc_symbols[0], &rtc, &library, error);
    CM_THEN(status, cm_gpu_hip_source(assembly, entry, &source, error));
    CM_THEN(status, compile_source(&rtc, source, entry, target, object, error));
    free(source);
    cm_gpu_library_close(library);
    return status;
}

cm_status cm_gpu_code_object(const char *assembly, const char *entry, const char *target, char **object,
                             cm_error *error)
{
    *object = NULL;
    cm_status status = find_built(assembly, target, object, error);
    if (status == CM_OK && *object == NULL)
        status = compile_now(assembly, entry, target, object, error);
    return status;
}
