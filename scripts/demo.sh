#!/usr/bin/env bash
# From a clone to results: builds the command, makes a graph of a million vertices and 16 million edges, and runs
# PageRank and BFS on it. It needs nothing but a shell.
set -euo pipefail
cd "$(dirname "$0")/.."

millrace=build/millrace
store=build/demo/rmat20.store

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

if [[ ! -e $millrace ]]; then
  cores=$(nproc)
  # Measured on 2 cores without CUDA (2026-11-19): 3.6 minutes, with the installation of packages.
  echo "demo: build the command: about $((6 / cores + 1)) minutes on $cores cores the first time, twice as long with CUDA"
fi
scripts/build.sh

# A store of an older format does not open, and is made again.
if ! "$millrace" info "$store" >/dev/null 2>&1; then
  rm -rf "$store"
  mkdir -p "$(dirname "$store")"
  show "$millrace" generate rmat -o "$store" --scale 20 --edge-factor 16 --seed 1
fi
show "$millrace" info "$store"
show "$millrace" run pagerank "$store" --iterations 20
# R-MAT favours low ids: vertex 0 is the hub of the graph.
show "$millrace" run bfs "$store" --source 0

cat <<'END'

What to do next:
  PATH=$PWD/build:$PATH                      the documents write `millrace` for build/millrace
  millrace run pagerank FILE                 a graph of your own: a text with two vertices on each line, or another format
  millrace run --help                        the algorithms; each has a --help with examples
  docs/tutorial.md, docs/formats.md          from a file to a result; what files can be read
  scripts/test.sh                            build and run all tests
END
