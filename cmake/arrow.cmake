# Apache Arrow, for Parquet and Arrow files. Not in Debian 12, so it is asked for:
#   HONE_ARROW=system     an installed one, with its CMake packages
#   HONE_ARROW=<folder>   the folder `pyarrow` of Python's wheel, which carries headers and libraries
# Empty: without; such files are then refused in words.
set(HONE_ARROW "" CACHE STRING "Apache Arrow: empty, system, or the folder of a pyarrow wheel")
if(HONE_ARROW)
  add_library(hone_arrow INTERFACE)
  if(HONE_ARROW STREQUAL system)
    find_package(Arrow REQUIRED)
    find_package(Parquet REQUIRED)
    target_link_libraries(hone_arrow INTERFACE Arrow::arrow_shared Parquet::parquet_shared)
  else()
    file(GLOB arrow_libraries "${HONE_ARROW}/libarrow.so.*" "${HONE_ARROW}/libparquet.so.*")
    list(LENGTH arrow_libraries found)
    if(NOT found EQUAL 2)
      message(FATAL_ERROR "HONE_ARROW: no libarrow.so.* and libparquet.so.* in ${HONE_ARROW}")
    endif()
    target_include_directories(hone_arrow SYSTEM INTERFACE "${HONE_ARROW}/include")
    target_link_libraries(hone_arrow INTERFACE ${arrow_libraries})
  endif()
endif()
