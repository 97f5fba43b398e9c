#!/usr/bin/env bash
# The Python package: builds a wheel of it, and tests it.
# Usage: scripts/python.sh wheel|test|run-tests [-DMILLRACE_CUDA=ON|OFF]
#   wheel      a wheel for $PYTHON (default: the first of python3.13, 3.12, 3.11 and python3 that is 3.11 or later)
#   test       builds it without CUDA and installs it into a virtual environment, or says why it cannot
#   run-tests  runs the tests in that environment; exit code 77 where there is none
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build-wheel
environment=$folder/environment

find_python() {
  local candidate
  for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

# An environment with what builds and tests the package.
make_environment() {
  local python
  python=$(find_python) || { echo "python: no Python of 3.11 or later with venv (PYTHON=...)"; return 1; }
  mkdir -p $folder
  [[ -x $environment/bin/python ]] || "$python" -m venv $environment
  "$environment/bin/python" -c 'import cmake, nanobind, scikit_build_core, numpy, pytest' 2>/dev/null && return
  "$environment/bin/pip" install -q --disable-pip-version-check "cmake>=3.26" scikit-build-core nanobind numpy pytest \
    >$folder/install.log 2>&1 || { echo "python: its packages cannot be installed: $(tail -1 $folder/install.log)"; return 1; }
  # Other libraries whose tables can be read; tests skip what is missing.
  "$environment/bin/pip" install -q --disable-pip-version-check scipy pandas pyarrow polars networkx >>$folder/install.log 2>&1 || true
}

build_wheel() {
  local define=() flag
  for flag in "$@"; do
    [[ $flag == -DMILLRACE_CUDA=* ]] && define+=("-Ccmake.define.${flag#-D}")
  done
  rm -f $folder/*.whl
  "$environment/bin/pip" wheel . -q --disable-pip-version-check --no-deps --no-build-isolation -w $folder "${define[@]}"
  ls $folder/*.whl
}

command=${1:-}
shift || true
case $command in
  wheel)
    make_environment
    build_wheel "$@" ;;
  test)
    if make_environment; then
      wheel=$(build_wheel -DMILLRACE_CUDA=OFF)  # what Python adds is the same with a GPU
      "$environment/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    else
      echo "python: the tests of the package are skipped"
    fi ;;
  run-tests)
    if ! "$environment/bin/python" -c 'import millrace, pytest' 2>/dev/null; then
      echo "SKIPPED: the Python package is not installed in $environment (make test builds it where it can)"
      exit 77
    fi
    "$environment/bin/python" scripts/make_stubs.py --check
    "$environment/bin/python" -B -m pytest -q -p no:cacheprovider python/tests ;;
  *)
    echo "usage: scripts/python.sh wheel|test|run-tests" >&2
    exit 2 ;;
esac
