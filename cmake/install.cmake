# `cmake --install`, and the package that find_package(Millrace) finds.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Millrace)
install(TARGETS millrace_cli)
install(TARGETS millrace EXPORT MillraceTargets)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/millrace
  FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN "cli" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/generated/millrace/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/millrace)
install(EXPORT MillraceTargets NAMESPACE millrace:: DESTINATION ${package_dir})

configure_package_config_file(cmake/MillraceConfig.cmake.in MillraceConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(MillraceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/MillraceConfig.cmake
  ${PROJECT_BINARY_DIR}/MillraceConfigVersion.cmake
  DESTINATION ${package_dir})
