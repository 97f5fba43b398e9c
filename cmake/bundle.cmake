# Runs when the portable command is installed: puts the libraries that it needs beside it, except those of glibc.
# Needs: millrace_command, millrace_libraries.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${millrace_command} RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|resolv|util)\\.so\\." "^ld-linux.*\\.so")
foreach(library IN LISTS needed)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${millrace_libraries} TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN
    FILES ${library})
endforeach()
