# The libraries of docs/decisions: found once, named here, linked by the rooms that use them.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
# Not by its own CMake package: Debian's asks for OpenCL, which a CPU's products have no use for.
find_path(HONE_DNNL_INCLUDE dnnl.h REQUIRED)
find_library(HONE_DNNL_LIBRARY dnnl REQUIRED)
add_library(DNNL::dnnl UNKNOWN IMPORTED)
set_target_properties(DNNL::dnnl PROPERTIES
  IMPORTED_LOCATION "${HONE_DNNL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${HONE_DNNL_INCLUDE}")
include(openmp)
