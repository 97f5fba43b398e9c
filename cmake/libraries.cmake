# Libraries without a CMake package of their own.

find_path(MILLRACE_ZSTD_INCLUDE zstd.h REQUIRED)
find_library(MILLRACE_ZSTD_LIBRARY zstd REQUIRED)
# Static where it can be had, so that a binary also runs where the library is missing; without it, reads use threads.
find_path(MILLRACE_URING_INCLUDE liburing.h)
find_library(MILLRACE_URING_LIBRARY NAMES liburing.a uring)
set(MILLRACE_WITH_URING 0)
if(MILLRACE_URING_INCLUDE AND MILLRACE_URING_LIBRARY)
  set(MILLRACE_WITH_URING 1)
endif()
# The header alone: the library is opened when it is asked for, so that a binary runs where it is missing. Debian has no
# static one.
find_path(MILLRACE_METIS_INCLUDE metis.h)
set(MILLRACE_WITH_METIS 0)
if(MILLRACE_METIS_INCLUDE)
  set(MILLRACE_WITH_METIS 1)
endif()
mark_as_advanced(MILLRACE_METIS_INCLUDE)
mark_as_advanced(MILLRACE_ZSTD_INCLUDE MILLRACE_ZSTD_LIBRARY MILLRACE_URING_INCLUDE MILLRACE_URING_LIBRARY)

function(millrace_link_libraries target)
  target_include_directories(${target} PRIVATE ${MILLRACE_ZSTD_INCLUDE})
  target_link_libraries(${target} PRIVATE ${MILLRACE_ZSTD_LIBRARY})
  target_compile_definitions(${target} PRIVATE MILLRACE_WITH_URING=${MILLRACE_WITH_URING})
  if(MILLRACE_WITH_URING)
    target_include_directories(${target} PRIVATE ${MILLRACE_URING_INCLUDE})
    target_link_libraries(${target} PRIVATE ${MILLRACE_URING_LIBRARY})
  endif()
  target_compile_definitions(${target} PRIVATE MILLRACE_WITH_METIS=${MILLRACE_WITH_METIS})
  if(MILLRACE_WITH_METIS)
    target_include_directories(${target} PRIVATE ${MILLRACE_METIS_INCLUDE})
  endif()
endfunction()
