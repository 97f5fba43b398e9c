#!/usr/bin/env bash
# Installs what is missing, configures a build folder once, and builds. It needs nothing but a shell.
# Usage: scripts/build.sh [--preset NAME] [TARGET...]     (default: release, in build/; the command alone)
# The environment variable CMAKE_FLAGS has options for CMake, as the shell reads them: -DMILLRACE_CUDA=OFF "-DCMAKE_CXX_FLAGS=-g -O1".
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
if [[ ${1:-} == --preset ]]; then
  preset=${2:?scripts/build.sh --preset NAME}
  shift 2
fi
[[ $preset == release ]] && folder=build || folder=build-$preset
targets=("$@")
[[ $# -gt 0 ]] || targets=(millrace_cli)

scripts/setup.sh build
# Afterwards ninja itself sees changes of the build files.
if [[ ! -f $folder/build.ninja || ${CMAKE_FLAGS:-} ]]; then
  eval "flags=(${CMAKE_FLAGS:-})"  # several words, and words in quotes
  cmake --preset "$preset" "${flags[@]}"
fi
[[ " ${targets[*]} " != *" all "* ]] || scripts/python.sh configure "$folder"
cmake --build --preset "$preset" --target "${targets[@]}"
