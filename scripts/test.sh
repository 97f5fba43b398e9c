#!/usr/bin/env bash
# From a clone to the result of all tests. It needs nothing but a shell; the environment variable CMAKE_FLAGS has
# options for CMake, as -DMILLRACE_CUDA=OFF.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test: %s\n' "$*"; }

cores=$(nproc)
if [[ ! -e build/tests/millrace_tests ]]; then
  # Estimated from builds on 2 busy cores: about 20 minutes of one core to build, as many to run, and 20 more where CUDA is compiled.
  say "build everything, then run all tests: about $((40 / cores + 2)) minutes on $cores cores the first time, half as much again with CUDA"
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
