# Where things lie. The build folder has the shape of the installation, so that the program finds
# its library by the same relative path in both:
#   bin/hone, lib/libhone.so
# and the program's other name, llamafactory-cli, as a symbolic link: beside it in the build folder,
# in a folder of its own when installed, so that it shadows no LLaMA-Factory that is there.
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
file(RELATIVE_PATH path_to_libraries "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/${path_to_libraries}")
set(HONE_COMPAT_DIR "lib/hone/compat")

# hone_install(<program> <library>): the rules of `cmake --install`, and the program's other name.
function(hone_install program library)
  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(TARGETS ${library} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE_NAME:${program}>"
            "$<TARGET_FILE_DIR:${program}>/llamafactory-cli"
    VERBATIM)
  get_target_property(name ${program} OUTPUT_NAME)
  file(RELATIVE_PATH installed "/${HONE_COMPAT_DIR}" "/${CMAKE_INSTALL_BINDIR}/${name}")
  set(link "${CMAKE_BINARY_DIR}/compat/llamafactory-cli")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/compat")
  file(CREATE_LINK "${installed}" "${link}" SYMBOLIC)
  install(FILES "${link}" DESTINATION "${HONE_COMPAT_DIR}")
endfunction()
