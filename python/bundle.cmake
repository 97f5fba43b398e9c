# Runs when the extension is installed: puts the libraries that it needs into a folder beside it, under the names that
# it looks for, except those of glibc and of C++, of which every system has its own. Needs: millrace_module.
file(GET_RUNTIME_DEPENDENCIES MODULES ${millrace_module} RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)\\.so\\." "^ld-linux.*\\.so")
set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/millrace/lib)
file(MAKE_DIRECTORY ${folder})
foreach(library IN LISTS needed)
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} file)
  file(COPY_FILE ${file} ${folder}/${name})
endforeach()
