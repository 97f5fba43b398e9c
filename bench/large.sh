#!/usr/bin/env bash
# Sixteen billion edges on one GPU and one disk: makes the graphs, streams them from host memory and from disk, checks.
#
#   bench/large.sh [--build DIR] [--scale N] [--device-memory SIZE] [--host-memory SIZE] [--work DIR] [--out FILE]
#                  [--only rmat|kron] [--disk-iterations N] [--check yes|no]
#
#   --scale N          of the directed RMAT graph, `in` pages alone (default 30); the symmetrised one is half as large
#   --device-memory S  for attributes and page cache (default 24G)
#   --host-memory S    for the runs from disk (default 8G)
#   --work DIR         where the stores are made, one at a time (default: a temporary directory; 56 GB for scale 30)
#   --disk-iterations  of PageRank from disk (default 3)
#   --check no         leaves out what the cpu checks, which takes most of the time
#   --out FILE         the report (default: stdout alone)
#
# Each command stays under ten minutes. Needs 80 GB of host memory at scale 30 for the runs from host memory.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
build=$here/build scale=30 device_memory=24G host_memory=8G work="" out="" only="rmat kron" disk_iterations=3 check=yes
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    --build) build=$2 ;;
    --scale) scale=$2 ;;
    --device-memory) device_memory=$2 ;;
    --host-memory) host_memory=$2 ;;
    --work) work=$2 ;;
    --out) out=$2 ;;
    --only) only=$2 ;;
    --disk-iterations) disk_iterations=$2 ;;
    --check) check=$2 ;;
    *) echo "large.sh: '$1' is not understood; see --help" >&2; exit 2 ;;
  esac
  shift 2
done
millrace=$(cd "$build" && pwd)/millrace
work=$(mktemp -d "${work:-${TMPDIR:-/tmp}}/millrace-large.XXXXXX")
trap 'rm -rf "$work"' EXIT
[ -z "$out" ] || exec > >(tee "$out")

say() { printf '\n## [%4d s] %s\n\n' "$SECONDS" "$*"; }
run() { printf '$ millrace %s\n' "$*"; timeout 590 "$millrace" -q "$@" 2>&1 | sed "s|$work/||"; echo; }
# What the disk gives to one reader of large blocks, right now. The whole file: some disks are faster for a few seconds.
plain_reads() { dd if="$1" of=/dev/null bs=16M iflag=direct 2>&1 | tail -1; }

say "machine"
"$millrace" devices 2>/dev/null
cd "$work"
for graph in $only; do
  if [ "$graph" = rmat ]; then
    kind=(rmat --scale "$scale" --orientation in) pages=in.pages
  else
    kind=(rmat --scale $((scale - 1)) --undirected) pages=out.pages
  fi
  say "$graph: generate and build"
  run generate "${kind[@]}" --order degree -o "$graph.store"
  run info "$graph.store"
  say "$graph: PageRank streamed from host memory"
  run run pagerank "$graph.store" --device-memory "$device_memory" --iterations 10
  say "$graph: PageRank streamed from disk"
  plain_reads "$graph.store/$pages"
  run run pagerank "$graph.store" --device-memory "$device_memory" --host-memory "$host_memory" --iterations "$disk_iterations"
  plain_reads "$graph.store/$pages"
  if [ "$check" = yes ]; then
    say "$graph: PageRank, checked by the cpu"
    run run pagerank "$graph.store" --device-memory "$device_memory" --iterations 2 --check
  fi
  if [ "$graph" = kron ]; then
    say "$graph: BFS streamed from host memory"
    flags=()
    [ "$check" = no ] || flags=(--check)
    run run bfs "$graph.store" --source 0 --device-memory "$device_memory" "${flags[@]}"
    say "$graph: BFS streamed from disk"
    run run bfs "$graph.store" --source 0 --device-memory "$device_memory" --host-memory "$host_memory"
  fi
  rm -rf "$graph.store"
done
say "done"
