# `make package`: a .deb for Debian and its relatives, and a .tar.zst that runs from any folder. Both have the command
# with man pages, completion and licences; the library comes by `make install`.

# The command for the .tar.zst: the same objects, linked to look for libraries beside itself first. An RPATH, not a
# RUNPATH: it also holds for libraries that these libraries need.
set(portable_libraries lib/millrace)
add_executable(millrace_portable EXCLUDE_FROM_ALL $<TARGET_OBJECTS:millrace_cli>)
millrace_host_plugins(millrace_portable)
target_link_options(millrace_portable PRIVATE -Wl,--disable-new-dtags)
set_target_properties(millrace_portable PROPERTIES
  OUTPUT_NAME millrace RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable LINKER_LANGUAGE CXX
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../${portable_libraries}")
install(TARGETS millrace_portable RUNTIME DESTINATION bin COMPONENT portable EXCLUDE_FROM_ALL)
# All libraries except those of glibc, which have to fit the kernel and each other: every system has its own.
install(CODE "
  set(millrace_command \"$<TARGET_FILE:millrace_portable>\")
  set(millrace_libraries \"${portable_libraries}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/bundle.cmake\")" COMPONENT portable EXCLUDE_FROM_ALL)
millrace_install_licences(${CMAKE_INSTALL_DATADIR}/doc/millrace/licences licences libcli11-dev)

set(CPACK_GENERATOR DEB TZST)
set(CPACK_PACKAGE_NAME millrace)
set(CPACK_PACKAGE_VENDOR Millrace)
set(CPACK_PACKAGE_CONTACT "The developers of Millrace")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "graph processing over compressed pages")
set(CPACK_PACKAGE_DESCRIPTION "Runs graph algorithms on CPUs and NVIDIA GPUs. Graphs are kept in stores of compressed
pages; those that do not fit in memory are streamed from disk or to the GPU.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
string(TOLOWER ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR} platform)
set(CPACK_PACKAGE_FILE_NAME millrace-${PROJECT_VERSION}-${platform})
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_contents.cmake)

set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmetis5")  # opened where `partition --method metis` asks for it
include(CPack)
