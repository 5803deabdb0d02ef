# A room is a folder of src/: one static library, and the rooms whose headers it may include.
# The calls of hone_room in src/CMakeLists.txt are the include table of the design; `./run check`
# reads the same lines, so build and check cannot disagree.
#
#   hone_room(<folder> [APART|MODULE] USES <folders...> LINKS <libraries...>)
#
# APART: not in libhone.so; only tests link it. MODULE: of the GPU module, compiled by whoever has
# ROCm's headers or a stand-in for them (hone_module_room).
function(hone_room folder)
  cmake_parse_arguments(ROOM "APART;MODULE" "" "USES;LINKS" ${ARGN})
  string(REPLACE "/" "_" target "hone_${folder}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  if(sources AND NOT ROOM_MODULE)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE hone_flags)
    if(NOT ROOM_APART)
      set_property(GLOBAL APPEND PROPERTY HONE_ROOM_LIBRARIES ${target})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(used ${ROOM_USES})
    string(REPLACE "/" "_" used_target "hone_${used}")
    target_link_libraries(${target} ${scope} ${used_target})
  endforeach()
  target_link_libraries(${target} ${scope} ${ROOM_LINKS})
endfunction()

# hone_module_room(<target> <folder> <headers>): the sources of a MODULE room as a static library,
# against the headers of that library. HONE_GPU_TARGETS: what kernels are said to be compiled for.
function(hone_module_room target folder headers)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp")
  add_library(${target} STATIC ${sources})
  string(REPLACE "/" "_" room "hone_${folder}")
  target_link_libraries(${target} PRIVATE hone_flags PUBLIC ${room} ${headers})
  target_compile_definitions(${target} PRIVATE HONE_VERSION="${PROJECT_VERSION}"
                                               HONE_GPU_TARGETS="${HONE_GPU_TARGETS}")
endfunction()
