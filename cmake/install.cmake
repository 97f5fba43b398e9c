# `cmake --install`, and the package that find_package(Millrace) finds. The components `command` and `documents` are what
# cmake/package.cmake packs; `library` is for programs.
include(CMakePackageConfigHelpers)

install(TARGETS millrace_cli COMPONENT command)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/millrace RENAME copyright COMPONENT documents)
# The man pages and the completion of shells, printed by the command itself.
if(NOT CMAKE_CROSSCOMPILING)
  set(documents ${PROJECT_BINARY_DIR}/generated/documents)
  install(CODE "
    set(millrace_command \"$<TARGET_FILE:millrace_cli>\")
    set(millrace_documents \"${documents}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/documents.cmake\")" COMPONENT documents)
  install(DIRECTORY ${documents}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT documents)
  install(DIRECTORY ${documents}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT documents)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Millrace)
install(TARGETS millrace EXPORT MillraceTargets COMPONENT library)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/millrace COMPONENT library
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN "cli" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/generated/millrace/version.h ${PROJECT_BINARY_DIR}/generated/millrace/interface.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/millrace COMPONENT library)
install(EXPORT MillraceTargets NAMESPACE millrace:: DESTINATION ${package_dir} COMPONENT library)

configure_package_config_file(cmake/MillraceConfig.cmake.in MillraceConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(MillraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/MillraceConfig.cmake
  ${PROJECT_BINARY_DIR}/MillraceConfigVersion.cmake
  cmake/MillracePrograms.cmake
  DESTINATION ${package_dir} COMPONENT library)
