# Where things lie. The build folder has the shape of the installation, so that the program finds
# its library by the same relative path in both:
#   bin/hone, bin/llamafactory-cli (a symbolic link to it), lib/libhone.so
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
file(RELATIVE_PATH path_to_libraries "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/${path_to_libraries}")

# hone_install(<program> <library>): the rules of `cmake --install`, and the program's other name.
function(hone_install program library)
  install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(TARGETS ${library} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  set(link "$<TARGET_FILE_DIR:${program}>/llamafactory-cli")
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE_NAME:${program}>" "${link}"
    VERBATIM)
  install(FILES "${link}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()
