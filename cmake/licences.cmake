# Installs the licences of what is inside a package, by header or as a library, as Debian has them.
function(millrace_install_licences destination component)
  string(REGEX MATCH "^[0-9]+" compiler "${CMAKE_CXX_COMPILER_VERSION}")
  foreach(package libcli11-dev nlohmann-json3-dev libfmt-dev zlib1g-dev libzstd-dev liburing-dev gcc-${compiler}-base)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${destination} RENAME ${package}
        COMPONENT ${component} EXCLUDE_FROM_ALL)
    endif()
  endforeach()
endfunction()
