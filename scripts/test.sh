#!/usr/bin/env bash
# From a clone to the result of all tests. It needs nothing but a shell; the environment variable CMAKE_FLAGS has
# options for CMake, as -DMILLRACE_CUDA=OFF.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test: %s\n' "$*"; }

cores=$(nproc)
if [[ ! -e build/tests/millrace_tests ]]; then
  # Measured on 2 cores (2026-11-19): 13.4 minutes without CUDA, of which scripts/demo.sh may have done 3.6; 17 with CUDA.
  say "build everything, then run all tests: about $((24 / cores + 1)) minutes on $cores cores the first time, a third more with CUDA"
fi
scripts/setup.sh build test python
scripts/build.sh all
if ! ctest --preset release; then
  say "a test failed; its output is above, and in build/Testing/Temporary/LastTest.log"
  say "one test again: ctest --preset release -R NAME"
  exit 1
fi
say "all tests passed; those that were skipped say above what they miss (CONTRIBUTING.md)"
say "the command is build/millrace; the tutorial is docs/tutorial.md"
