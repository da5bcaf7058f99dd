set(processor ppc64le)
set(processor_tools powerpc64le-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
