# Programs of one's own (docs/own-programs.md):
#
#   millrace_add_program(NAME [PLUGIN] SOURCE...)
#
# adds an executable that is linked with the library; or, with PLUGIN, a plug-in for `millrace --plugin` and
# millrace.load_plugin(). If Millrace was built with CUDA and nvcc is found, nvcc compiles the sources, so that their
# programs also run on GPUs; -D MILLRACE_CUDA=OFF leaves that out.

# Whether nvcc compiles programs, if there is one.
function(millrace_wants_cuda result)
  set(${result} FALSE PARENT_SCOPE)
  if(MILLRACE_WITH_CUDA AND (NOT DEFINED MILLRACE_CUDA OR MILLRACE_CUDA))
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Languages cannot be enabled in a function.
macro(millrace_add_program)
  millrace_wants_cuda(millrace_cuda)
  get_property(millrace_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(millrace_cuda AND NOT "CUDA" IN_LIST millrace_languages)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES ${MILLRACE_CUDA_ARCHITECTURES})
    endif()
    # The toolkit's installer leaves nvcc outside PATH.
    find_program(MILLRACE_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
    if(MILLRACE_NVCC AND NOT DEFINED ENV{CUDACXX})
      set(ENV{CUDACXX} ${MILLRACE_NVCC})
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
    else()
      message(STATUS "Millrace: there is no nvcc, so programs are compiled for CPUs alone")
    endif()
  endif()
  millrace_add_program_target(${ARGV})
endmacro()

function(millrace_add_program_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg PLUGIN "" "")
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(arg_PLUGIN)
    add_library(${name} MODULE ${sources})
    # It calls the library in the program that loads it. Its own symbols are hidden: two plug-ins may have classes of the
    # same name.
    target_include_directories(${name} PRIVATE
      $<TARGET_PROPERTY:millrace::millrace,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX Threads::Threads fmt::fmt)
    set_target_properties(${name} PROPERTIES
      CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  else()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE millrace::millrace)
  endif()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${name} PRIVATE cxx_std_20)
  # Programs are compiled into the loops over edges: without optimisation these take ten times as long.
  target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O3>)
  millrace_wants_cuda(cuda)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(cuda AND "CUDA" IN_LIST languages)
    find_package(CUDAToolkit REQUIRED)
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
    target_compile_options(${name} PRIVATE
      "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;--extended-lambda;-Xcompiler=-fopenmp>")
    target_compile_definitions(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1;_CG_LIMIT_INCLUDED_DEPENDENCIES>)
    target_link_libraries(${name} PRIVATE CUDA::cudart_static)
  endif()
endfunction()
