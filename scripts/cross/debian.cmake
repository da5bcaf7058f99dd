# Builds for another processor, with Debian's cross compiler: PROCESSOR.cmake says which. scripts/foreign sets CATMINT_SYSROOT to what
# scripts/cross/sysroot has unpacked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${processor})
set(CMAKE_C_COMPILER ${processor_tools}-gcc)
set(CMAKE_ASM_COMPILER ${processor_tools}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${processor_tools})
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CATMINT_SYSROOT)
set(CMAKE_SYSROOT "${CATMINT_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CATMINT_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CATMINT_SYSROOT}/usr/lib/${processor_tools}/pkgconfig:${CATMINT_SYSROOT}/usr/share/pkgconfig")
# Before what the compiler has itself, which may be of another release than the sysroot.
set(CMAKE_C_FLAGS_INIT "-isystem ${CATMINT_SYSROOT}/usr/include/${processor_tools} -isystem ${CATMINT_SYSROOT}/usr/include")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT
        "-B${CATMINT_SYSROOT}/usr/lib/${processor_tools} -L${CATMINT_SYSROOT}/usr/lib/${processor_tools}")
endforeach()
