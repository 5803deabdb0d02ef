# Language, warnings, sanitizers. Nothing here changes arithmetic: no -ffast-math anywhere.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(HONE_CCACHE ccache)
if(HONE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${HONE_CCACHE}")
endif()

# Every target of ours links this one.
add_library(hone_flags INTERFACE)
target_compile_options(hone_flags INTERFACE -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor
                                            -Wold-style-cast -Woverloaded-virtual)
# GCC from 13 on takes every reference that a function returns for one to a temporary among its
# arguments: to look something up by a name made on the spot is then an error.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(hone_flags INTERFACE -Wno-dangling-reference)
endif()
# A trapped float operation is not observable here, and sqrt need not set errno: both block
# vectorization, neither changes a result.
target_compile_options(hone_flags INTERFACE -fno-math-errno -fno-trapping-math)

set(HONE_SANITIZE "" CACHE STRING "Value for -fsanitize=, e.g. address,undefined or thread")
if(HONE_SANITIZE)
  target_compile_options(hone_flags INTERFACE -fsanitize=${HONE_SANITIZE} -fno-omit-frame-pointer
                                              -fno-sanitize-recover=all)
  target_link_options(hone_flags INTERFACE -fsanitize=${HONE_SANITIZE})
endif()
