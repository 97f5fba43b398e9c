# Compiler flags of everything built here; none of them reaches a project that links the library.

set(CMAKE_CXX_EXTENSIONS OFF)
# The library is also linked into the extension module of Python. With hidden symbols that costs nothing: no function can
# be replaced by another of its name, which may be in the same process.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra>")
# CMake 3.25 does not know that nvcc speaks C++20, so CMAKE_CUDA_STANDARD would be ignored.
set(cuda_options -std=c++20 --expt-relaxed-constexpr --extended-lambda -Xcompiler=-fopenmp,-Wall)
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${cuda_options}>")
# fmt 9 takes nvcc for a compiler without constexpr, and then does not compile as C++20.
add_compile_definitions($<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
# Without it cooperative_groups.h brings a library of atomics into every file with programs.
add_compile_definitions($<$<COMPILE_LANGUAGE:CUDA>:_CG_LIMIT_INCLUDED_DEPENDENCIES>)
add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(MILLRACE_SANITIZE)
  add_compile_options(-fsanitize=${MILLRACE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MILLRACE_SANITIZE})
endif()
if(MILLRACE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MILLRACE_FUZZ needs clang, not ${CMAKE_CXX_COMPILER_ID}: configure with the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Files named after an instruction set are compiled for it, and chosen between at run time.
function(millrace_vectorise)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()  # the files guard their own contents
  endif()
  set(sse42 -msse4.2)
  set(avx2 -mavx2 -mbmi2)
  set(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "_(sse42|avx2|avx512)\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${${CMAKE_MATCH_1}}")
    endif()
  endforeach()
endfunction()
