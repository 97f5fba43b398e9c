# Decides whether CUDA is compiled in (MILLRACE_WITH_CUDA), and how.

# Compiling for GPUs takes longer than all the rest: it is done where there is one, or where it is asked for.
# The GPUs of this machine that the kernels run on, as 90 for compute capability 9.0; empty where there are none.
set(gpus "")
find_program(NVIDIA_SMI nvidia-smi HINTS /usr/lib/wsl/lib)
mark_as_advanced(NVIDIA_SMI)
if(NVIDIA_SMI)
  execute_process(COMMAND ${NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE capabilities ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" gpus "${capabilities}")
  list(TRANSFORM gpus REPLACE "\\." "")
  list(REMOVE_DUPLICATES gpus)
  list(FILTER gpus EXCLUDE REGEX "^[1-7][0-9]$")  # older than 8.0
elseif(EXISTS /dev/nvidiactl)
  set(gpus 80)  # nobody says which
endif()

set(MILLRACE_WITH_CUDA 0)
if(MILLRACE_CUDA STREQUAL "AUTO")
  set(wanted ${gpus})
else()
  set(wanted ${MILLRACE_CUDA})
endif()
if(wanted)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Elsewhere 8.0, and what a driver makes code for later ones from.
    set(architectures 80)
    if(gpus)
      set(architectures ${gpus})
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "GPUs to compile for (80: A100, 90: H100, H200)")
  endif()
  # The toolkit's installer leaves nvcc outside PATH.
  find_program(MILLRACE_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(MILLRACE_NVCC)
  if(MILLRACE_NVCC AND NOT DEFINED ENV{CUDACXX})
    set(ENV{CUDACXX} ${MILLRACE_NVCC})
  endif()

  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER OR NOT MILLRACE_CUDA STREQUAL "AUTO")
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(MILLRACE_WITH_CUDA 1)
  endif()
endif()

if(MILLRACE_WITH_CUDA)
  message(STATUS "CUDA: for compute capability ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA: left out (MILLRACE_CUDA=${MILLRACE_CUDA})")
endif()

# Adds the CUDA sources. Those of src/algorithms/ have the GPU's halves of all programs of the library
# (src/engine/compiled_by.h): what it gives to an engine and no file lists does not link.
function(millrace_enable_cuda target)
  file(GLOB algorithms CONFIGURE_DEPENDS src/algorithms/*.cpp)
  set_source_files_properties(${algorithms} PROPERTIES COMPILE_DEFINITIONS MILLRACE_GPU_HALVES)
  target_sources(${target} PRIVATE ${ARGN})
  # Named, so that a C++ project linking the installed library gets it too. The toolkit's headers are for the sources
  # that need them: then ccache finds the others where a build without CUDA was before.
  target_link_libraries(${target} PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} cuda REGEX "MILLRACE_WITH_CUDA")
    if(cuda)
      foreach(directory IN LISTS CUDAToolkit_INCLUDE_DIRS)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -isystem ${directory})
      endforeach()
    endif()
  endforeach()
endfunction()
