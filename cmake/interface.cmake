# generated/millrace/interface.h: a digest of everything that a plug-in is compiled against. Millrace refuses a plug-in with
# another digest. Made when the library is built, since headers change between two runs of CMake; this file is also the
# script that makes it.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(interface ${PROJECT_BINARY_DIR}/generated/millrace/interface.h)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS src/*.h src/*.cuh)
  add_custom_command(OUTPUT ${interface}
    COMMAND ${CMAKE_COMMAND} -D source=${PROJECT_SOURCE_DIR}/src -D generated=${PROJECT_BINARY_DIR}/generated
      -D version=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${headers} ${CMAKE_CURRENT_LIST_FILE} ${PROJECT_BINARY_DIR}/generated/millrace/version.h
    VERBATIM COMMENT "")
  target_sources(millrace PRIVATE ${interface})
  return()
endif()

file(GLOB_RECURSE headers RELATIVE ${source} ${source}/*.h ${source}/*.cuh)
list(FILTER headers EXCLUDE REGEX "^cli/")
list(SORT headers)
file(SHA256 ${generated}/millrace/version.h digests)
foreach(header IN LISTS headers)
  file(SHA256 ${source}/${header} digest)
  string(APPEND digests "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
file(WRITE ${generated}/millrace/interface.h "// What plug-ins are compiled against. Written by CMake.
#pragma once

#define MILLRACE_INTERFACE \"${version}-${digest}\"
")
