# Runs when the extension is installed: puts the libraries that it needs into a folder beside it, under the names that
# it looks for, except those of glibc and of C++, which every Python has. Needs: millrace_module.
file(GET_RUNTIME_DEPENDENCIES MODULES ${millrace_module} RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|resolv|util|stdc\\+\\+|gcc_s)\\.so\\." "^ld-linux.*\\.so")
set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/millrace/lib)
file(MAKE_DIRECTORY ${folder})
foreach(library IN LISTS needed)
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} file)
  file(COPY_FILE ${file} ${folder}/${name})
  # With its licence, where the system is one of Debian's. Some packages know their files as below /lib.
  foreach(known IN ITEMS ${file} /usr${file})
    string(REGEX REPLACE "^/usr/usr" "" known ${known})
    execute_process(COMMAND dpkg-query -S ${known} OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE unknown)
    if(unknown STREQUAL "0")
      string(REGEX REPLACE ":.*" "" owner ${owner})
      set(licence /usr/share/doc/${owner}/copyright)
      if(EXISTS ${licence})
        file(COPY_FILE ${licence} ${folder}/${name}.licence.txt)
      endif()
      break()
    endif()
  endforeach()
endforeach()
