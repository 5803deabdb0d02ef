# The .deb that `./run package` makes: what `cmake --install` copies, the licence and the examples.
# It is built on the distribution that it is for; dpkg-shlibdeps reads what it needs there from the
# binaries.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/hone RENAME copyright)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/" DESTINATION share/doc/hone/examples
        PATTERN demo EXCLUDE)

cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hone)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "the hone authors <authors@hone.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Fine-tunes large language models, from LLaMA-Factory's configurations")
set(CPACK_PACKAGE_DESCRIPTION
    "One program, without Python and PyTorch. It takes the YAML, data sets and models that
LLaMA-Factory takes and writes what transformers, PEFT and llama.cpp read.
The name llamafactory-cli lies in /usr/${HONE_COMPAT_DIR}, to be put on the PATH by
whoever wants it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${distribution_ID}${distribution_VERSION_ID}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
include(CPack)
