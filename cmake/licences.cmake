# Installs the licences of what is inside a package, by header or as a library, as Debian has them: of what the library
# has, and of more packages that are named.
function(millrace_install_licences destination component)
  string(REGEX MATCH "^[0-9]+" compiler "${CMAKE_CXX_COMPILER_VERSION}")
  foreach(package ${ARGN} nlohmann-json3-dev libfmt-dev zlib1g-dev libzstd-dev liburing-dev gcc-${compiler}-base)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${destination} RENAME ${package}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endfunction()
