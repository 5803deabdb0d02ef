# OpenMP through LLVM's libomp whatever the compiler: its waiting can be set by the program, and with
# libomp searched before libgomp oneDNN's own regions run on it as well (docs/decisions/threads.md).
# Where Debian and Ubuntu put it: llvm-14 is bookworm's and jammy's, 18 noble's, 19 trixie's.
find_library(HONE_LIBOMP NAMES omp libomp.so.5 omp5
             PATHS /usr/lib/llvm-14/lib /usr/lib/llvm-15/lib /usr/lib/llvm-16/lib
                   /usr/lib/llvm-17/lib /usr/lib/llvm-18/lib /usr/lib/llvm-19/lib)
if(NOT HONE_LIBOMP)
  message(FATAL_ERROR "LLVM's OpenMP library was not found: install libomp-dev")
endif()
add_library(hone_openmp INTERFACE)
# Only compiled with -fopenmp, never linked with it: g++ would then add libgomp.
target_compile_options(hone_openmp INTERFACE -fopenmp)
# Kept even where nothing refers to it (Ubuntu's linker drops such libraries): a program whose only
# parallel regions are oneDNN's would otherwise run them on libgomp.
# One linker argument, so that CMake cannot move its parts.
target_link_libraries(hone_openmp INTERFACE
  "-Wl,--push-state,--no-as-needed,${HONE_LIBOMP},--pop-state")

# The thread sanitizer must be told what the runtime's barriers order. LLVM's Archer does that, found by
# libomp only when it is in the process already.
if(HONE_SANITIZE MATCHES thread)
  get_filename_component(llvm_libraries "${HONE_LIBOMP}" DIRECTORY)
  find_library(HONE_ARCHER archer REQUIRED PATHS "${llvm_libraries}")
  target_link_libraries(hone_openmp INTERFACE
    "-Wl,--push-state,--no-as-needed,${HONE_ARCHER},--pop-state,-rpath,${llvm_libraries}")
endif()
