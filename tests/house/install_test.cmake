# cmake -DBUILD=<build folder> -P install_test.cmake: what is installed runs where it was moved to, under
# both names, with the library that came along.
set(prefix "${BUILD}/install_test")
file(REMOVE_RECURSE "${prefix}" "${prefix}_moved")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${prefix}" "${prefix}_moved")
foreach(name hone llamafactory-cli)
  set(program "${prefix}_moved/bin/${name}")
  execute_process(COMMAND "${program}" version OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${program}"
       RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR lost)
  list(FILTER found INCLUDE REGEX "/libhone\\.so$")
  foreach(library ${found})
    if(NOT library MATCHES "install_test_moved/")
      message(FATAL_ERROR "${name} uses ${library}, not the installed one")
    endif()
  endforeach()
  if(lost OR NOT found)
    message(FATAL_ERROR "${name} does not find: ${lost}; found of ours: ${found}")
  endif()
endforeach()
file(REMOVE_RECURSE "${prefix}_moved")
