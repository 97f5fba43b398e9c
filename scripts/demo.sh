#!/usr/bin/env bash
# A graph of a million vertices and 16 million edges, from nothing to PageRank and BFS.
set -euo pipefail
cd "$(dirname "$0")/.."

millrace=build/millrace
store=build/demo/rmat20.store

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

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
