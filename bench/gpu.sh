#!/usr/bin/env bash
# Measures everything that the GPU is for, on one machine, in one go: generates the graphs, times PageRank and BFS with
# all pages on the GPU and streamed, and loading; verifies results; writes a table beside its targets.
#
#   bench/gpu.sh [--build DIR] [--quick] [--scales "24 26 27"] [--out FILE.md] [--work DIR] [--figures DIR]
#                [--device cuda:N]
#
#   --build DIR   take DIR/millrace; without it, the tree is built in build/
#   --quick       scales 20 and 22
#   --scales S    PageRank on all, streamed too on all but the first; BFS on the first two, streamed on the second
#   --out FILE    default bench/results/DATE-gpu-NAME.md; the figures go beside it as .json
#   --work DIR    where stores are made, one at a time (default: a temporary directory, 20 GB for scale 27)
#   --figures DIR keep the figures of every step there; gpu_report.py makes the table from them again
#   --device D    default cuda; cpu tries the script itself, without the streamed parts
#
# Needs bash and python3, and 64 GB of host memory for scale 27.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

build="" scales="24 26 27" grid_scale=24 sources=32 out="" work="" figures="" device=cuda
usage() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; }
while [ $# -gt 0 ]; do
  case $1 in
    --quick) scales="20 22" grid_scale=18 sources=8; shift; continue ;;
    -h | --help) usage; exit 0 ;;
    --build | --scales | --out | --work | --figures | --device)
      [ $# -ge 2 ] || { echo "gpu.sh: $1 wants a value" >&2; exit 2; } ;;
  esac
  case $1 in
    --build) build=$2 ;;
    --scales) scales=$2 ;;
    --out) out=$2 ;;
    --work) work=$2 ;;
    --figures) figures=$2 ;;
    --device) device=$2 ;;
    *) echo "gpu.sh: '$1' is not understood; see --help" >&2; exit 2 ;;
  esac
  shift 2
done

if [ -z "$build" ]; then
  build=$here/build
  cmake -S "$here" -B "$build" -D CMAKE_BUILD_TYPE=Release -D MILLRACE_TESTS=OFF
  cmake --build "$build" --parallel "$(nproc)"
fi
millrace=$(cd "$build" && pwd)/millrace
[ -x "$millrace" ] || { echo "gpu.sh: there is no millrace in $build" >&2; exit 2; }

# A directory of our own inside --work: what else is there is not ours to delete.
work=$(mktemp -d "${work:-${TMPDIR:-/tmp}}/millrace-gpu.XXXXXX")
trap 'rm -rf "$work"' EXIT
figures=${figures:-$work/figures}
mkdir -p "$figures"

say() { printf '\n[%4d s] %s\n' "$SECONDS" "$*"; }
generate() {  # NAME KIND OPTIONS...: a store that replaces the one before
  local name=$1 kind=$2
  shift 2
  rm -rf "$work"/*.store
  say "generate $name"
  "$millrace" --quiet generate "$kind" -o "$work/$name.store" "$@"
}
report() { python3 -B "$here/bench/gpu_report.py" "$figures" --seconds "$SECONDS" ${out:+--out "$out"}; }
# What fails is said, and the rest goes on: a machine with a GPU is not had every day. The report is written after every
# step for the same reason.
failed=()
bench() {  # STORE FIGURES PLANS OPTIONS...
  local store=$1 name=$2 plans=$3
  shift 3
  [ "$device" = cpu ] || set -- "$@" --device-memory "$plans"
  say "bench $store $*"
  set -- "$@" --device "$device" --json "$figures/$name.json"
  "$millrace" --quiet bench "$work/$store.store" "$@" || failed+=("$name")
  report > "$work/report.log"
}

say "devices"
"$millrace" devices --json > "$figures/devices.json"
"$millrace" devices --quick
if [ "$device" != cpu ] && ! grep -q '"cuda:' "$figures/devices.json"; then
  echo "gpu.sh: there is no GPU here for $millrace; --device cpu tries the script without one" >&2
  exit 5
fi

count=0
for scale in $scales; do
  count=$((count + 1))
  generate "rmat-$scale" rmat --scale "$scale" --edge-factor 16 --order degree
  plans=all
  [ "$count" -eq 1 ] || plans=all,0%,50%
  bench "rmat-$scale" "pagerank-$scale" "$plans" --algorithms pagerank --iterations 10 --repeats 5 --check
  [ "$count" -ne 2 ] || bench "rmat-$scale" "load-$scale" all --load --repeats 5
done

count=0
for scale in $scales; do
  count=$((count + 1))
  [ "$count" -le 2 ] || break
  generate "kron-$scale" rmat --scale "$scale" --edge-factor 16 --order degree --undirected
  plans=all
  [ "$count" -eq 1 ] || plans=all,10%
  bench "kron-$scale" "bfs-$scale" "$plans" --algorithms bfs --sources "$sources" --hub --check
  # The graph that the peers' PageRank was measured on.
  [ "$count" -ne 1 ] || bench "kron-$scale" "pagerank-kron-$scale" all --algorithms pagerank --check
done

generate "grid-$grid_scale" grid --scale "$grid_scale" --undirected
bench "grid-$grid_scale" "bfs-grid" all --algorithms bfs --sources 3 --no-hub --check

say "report"
report
[ ${#failed[@]} -eq 0 ] || { echo "gpu.sh: failed: ${failed[*]}" >&2; exit 1; }
