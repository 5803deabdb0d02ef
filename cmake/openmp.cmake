# OpenMP through LLVM's libomp whatever the compiler: its waiting can be set by the program, and with
# libomp linked first oneDNN's own regions run on it as well (docs/decisions/threads.md).
find_library(HONE_LIBOMP NAMES omp libomp.so.5 omp5
             PATHS /usr/lib/llvm-14/lib /usr/lib/llvm-15/lib /usr/lib/llvm-16/lib
                   /usr/lib/llvm-17/lib /usr/lib/llvm-18/lib /usr/lib/llvm-19/lib)
if(NOT HONE_LIBOMP)
  message(FATAL_ERROR "LLVM's OpenMP library was not found: install libomp-dev")
endif()
add_library(hone_openmp INTERFACE)
target_compile_options(hone_openmp INTERFACE -fopenmp)
target_link_libraries(hone_openmp INTERFACE "${HONE_LIBOMP}")
