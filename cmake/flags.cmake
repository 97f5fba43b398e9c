# Compiler flags of everything built here; none of them reaches a project that links the library.

set(CMAKE_CXX_EXTENSIONS OFF)
# The library is also linked into the extension module of Python.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra>")
# Plug-ins call the library in the program that loads them, so its symbols are not hidden. Calls inside of the library
# cost nothing more: no function is replaced by another of its name, which may be in the same process.
function(millrace_export target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default CUDA_VISIBILITY_PRESET default)
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-semantic-interposition>"
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-semantic-interposition>")
endfunction()
# Links all of the library, and shows it to plug-ins.
function(millrace_host_plugins target)
  target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,millrace>)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
endfunction()
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
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${${CMAKE_MATCH_1}}"
        SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# Compiles what most C++ sources of a target include once for all of them, which takes a third of a second less for each.
# Headers of our own are not among them: a change of one would compile everything again. A file whose optimisation is not
# that of its target does without (SKIP_PRECOMPILE_HEADERS): g++ 12 crashed where the header had -O1 and the file -O3.
function(millrace_precompile target)
  set(headers <fmt/format.h> <algorithm> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>)
  list(APPEND headers ${ARGN})
  list(TRANSFORM headers REPLACE ".+" "$<$<COMPILE_LANGUAGE:CXX>:\\0>")
  target_precompile_headers(${target} PRIVATE ${headers})
  # ccache wants the first option. g++ 12 warns falsely of strings and vectors that it knows from a precompiled header.
  target_compile_options(${target} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:\
-fpch-preprocess;-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>")
endfunction()
