#!/usr/bin/env bash
# The Python package: an environment that can build and test it, and wheels.
# Usage: scripts/python.sh environment             makes build-wheel/environment-VERSION, for $PYTHON (default: the first of
#                                                  python3, python3.13, 3.12 and 3.11 that is 3.11 or later)
#        scripts/python.sh configure FOLDER        lets a build folder of CMake build the package too, or says why it cannot
#        scripts/python.sh wheel [-DNAME=VALUE..]  builds a wheel in build-wheel/
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build-wheel

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

install() { "$environment/bin/pip" install -q --disable-pip-version-check "$@" >>$folder/install.log 2>&1; }

make_environment() {
  local python
  python=$(find_python) || { echo "python: no Python of 3.11 or later with venv (PYTHON=...)"; return 1; }
  mkdir -p $folder
  environment=$folder/environment-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  [[ -x $environment/bin/python ]] || "$python" -m venv $environment
  [[ -e $environment/complete ]] && return
  install "cmake>=3.26" scikit-build-core nanobind numpy pytest ||
    { echo "python: its packages cannot be installed: $(tail -1 $folder/install.log)"; return 1; }
  # What graphs come from and results are compared with, and what runs notebooks; tests skip what is missing.
  install scipy pandas pyarrow polars networkx nbclient ipykernel nbformat matplotlib && touch $environment/complete || true
}

configure() {
  if ! make_environment; then
    echo "python: the package is not built, and its tests are skipped"
    return
  fi
  local python=$PWD/$environment/bin/python
  if ! grep -qs "^MILLRACE_PYTHON:BOOL=ON" "$1/CMakeCache.txt" ||
     ! grep -qs "^Python_EXECUTABLE:[A-Z]*=$python\$" "$1/CMakeCache.txt"; then
    cmake -B "$1" -DMILLRACE_PYTHON=ON -DPython_EXECUTABLE="$python" >/dev/null
  fi
}

build_wheel() {
  local define=() flag
  for flag in "$@"; do
    [[ $flag == -D*=* ]] && define+=("-Ccmake.define.${flag#-D}")
  done
  rm -f $folder/*.whl
  "$environment/bin/pip" wheel . -q --disable-pip-version-check --no-deps --no-build-isolation -w $folder "${define[@]}"
  ls $folder/*.whl
}

command=${1:-}
shift || true
case $command in
  environment) make_environment ;;
  configure) configure "${1:?the folder of the build}" ;;
  wheel)
    make_environment
    PATH=$PWD/$environment/bin:$PATH build_wheel "$@" ;;
  *)
    echo "usage: scripts/python.sh environment|configure FOLDER|wheel" >&2
    exit 2 ;;
esac
