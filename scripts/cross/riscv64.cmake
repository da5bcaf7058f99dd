set(processor riscv64)
set(processor_tools riscv64-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
