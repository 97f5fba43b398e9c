#!/usr/bin/env bash
# Everything that has to pass on a machine with a GPU, in one call and on one page: builds with warnings as errors, all
# tests on the GPU, memory and races checked on the small ones, the command, and real graphs.
#
#   scripts/gpu_suite.sh [--build DIR] [--no-build] [--data DIR] [--processes N] [--limit S] [--sanitizer-limit S]
#                        [--no-mps] [--large [--work DIR] [--memory-work DIR]]
#   scripts/gpu_suite.sh --take-along [--data DIR]
#
#   --build DIR            the build folder (default: build)
#   --no-build             it is there already
#   --data DIR             published graphs (default: build-data, then ../shared/data)
#   --processes N          that share the GPU (default: one for each 2 cores, at most 8)
#   --limit S              seconds for the tests on the GPU (default: 300)
#   --sanitizer-limit S    seconds for each tool of compute-sanitizer; 0 leaves them out (default: 150)
#   --no-mps               the processes run their kernels in turn, instead of side by side by NVIDIA's MPS
#   --large                instead: RMAT 30 and 31 by default options but --orientation in, and PageRank on them; 112 GB
#                          of host memory, and as much disk and memory file system as the stores take (46 and 93 GB)
#   --work DIR             on a disk, for --large (default: a temporary directory)
#   --memory-work DIR      in a memory file system, for --large (default: /dev/shm)
#   --take-along           instead: copies the published graphs to build-data/, for a machine that has only this tree
#
# Ends with 1 if anything failed. Keeps how long each test took, for the next call.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."
# A path that the caller named; it is relative to the caller's folder.
named() { (cd "$caller" && realpath -m "$1"); }

build=$PWD/build data="" processes=0 limit=300 sanitizer_limit=150 mps=yes large=no built=no work="" memory_work=/dev/shm take=no
export MILLRACE_NEEDS_GPU=1
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    --no-build) built=yes; shift; continue ;;
    --no-mps) mps=no; shift; continue ;;
    --large) large=yes; shift; continue ;;
    --take-along) take=yes; shift; continue ;;
    --build | --data | --processes | --limit | --sanitizer-limit | --work | --memory-work)
      [[ $# -ge 2 ]] || { echo "gpu_suite.sh: $1 wants a value" >&2; exit 2; } ;;
  esac
  case $1 in
    --build) build=$(named "$2") ;;
    --data) data=$(named "$2") ;;
    --processes) processes=$2 ;;
    --limit) limit=$2 ;;
    --sanitizer-limit) sanitizer_limit=$2 ;;
    --work) work=$(named "$2") ;;
    --memory-work) memory_work=$(named "$2") ;;
    *) echo "gpu_suite.sh: '$1' is not understood; see --help" >&2; exit 2 ;;
  esac
  shift 2
done

if [[ -z $data ]]; then
  data=../shared/data
  [[ $take == yes || ! -d build-data ]] || data=build-data
fi
if [[ $take == yes ]]; then
  [[ -d $data ]] || { echo "gpu_suite.sh: there are no published graphs in $data (--data DIR)" >&2; exit 2; }
  mkdir -p build-data
  cp -a "$data/." build-data/
  echo "build-data has $(du -sh build-data | cut -f 1) of published graphs; take it along with the tree"
  exit 0
fi

data=$(realpath -m "$data")
mps_folder="" beside=""
# What still runs is ended: nothing is left behind, also by a signal.
clean_up() {
  jobs=$(jobs -p)
  [[ -z $jobs ]] || { kill $jobs; wait $jobs; } 2>/dev/null || true
  end_mps
  [[ -z $beside ]] || rm -rf "$beside"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=()
say() { printf '\n== [%d s] %s\n' "$SECONDS" "$*"; }
# step NAME COMMAND...: runs it; a failure is remembered, and the next step runs all the same.
step() {
  local name=$1 begin=$SECONDS
  shift
  say "$name"
  if "$@"; then echo "$name: passed, $((SECONDS - begin)) s"; else
    failed+=("$name")
    echo "$name: FAILED, $((SECONDS - begin)) s"
  fi
}

build_all() {
  local log=$build/gpu_suite.log
  mkdir -p "$build"
  scripts/setup.sh build
  { cmake --preset release -B "$build" -D MILLRACE_CUDA=ON -D CMAKE_COMPILE_WARNING_AS_ERROR=ON &&
      cmake --build "$build" --target millrace_cli millrace_gpu_tests; } >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }
}
gpu_tests=$build/tests/millrace_gpu_tests
# In the background and waited for, so that a signal is not kept until it has ended.
shared() {
  python3 -B tests/house/run_shared.py --processes "$processes" "$@" &
  wait $!
}
on_gpu() {
  local code=0
  begin_mps || return 1
  shared --title "tests on the GPU" --limit "$limit" --times "$build/gpu-times.json" "$gpu_tests" || code=$?
  end_mps
  return $code
}
# A GPU serves processes in turn, a time slice each, so that each waits for the slices of all others; with MPS it serves
# them together.
# Where somebody runs MPS already, it is used.
begin_mps() {
  [[ $mps == yes && -z ${CUDA_MPS_PIPE_DIRECTORY:-} ]] || return 0
  local folder
  folder=$(mktemp -d) && mkdir "$folder/pipe" "$folder/log" || return 1
  mps_folder=$folder
  export CUDA_MPS_PIPE_DIRECTORY=$folder/pipe CUDA_MPS_LOG_DIRECTORY=$folder/log
  # Its server begins with the first program, so that one has to see the GPU.
  if nvidia-cuda-mps-control -d >"$folder/log/begin" 2>&1 && gpu_seen; then
    echo "the processes share the GPU by MPS"
  else
    echo "MPS cannot be used here, so the processes take turns: $(cat "$folder"/log/* 2>/dev/null | tail -n 1)"
    end_mps
  fi
}
gpu_seen() { timeout 60 "$build/millrace" devices --quick --json | grep -q '"cuda:0"'; }
# Leaves nothing of MPS: programs that find its variables and no server fail.
end_mps() {
  [[ $mps_folder ]] || return 0
  echo "quit -t 10" | timeout 30 nvidia-cuda-mps-control >/dev/null 2>&1 || true
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  rm -rf "$mps_folder"
  mps_folder=""
}
sanitize() {  # TOOL FILTER
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not installed"; return 1; }
  shared --title "$1" --limit "$sanitizer_limit" --times "$build/gpu-times-$1.json" --filter "$2" -- \
    compute-sanitizer --tool "$1" --error-exitcode 99 "$gpu_tests"
}
python_test() {  # FILE
  local name=${1##*/}
  MILLRACE=$build/millrace MILLRACE_SHARED_DATA=$data MILLRACE_TEST_CACHE=$build/tests/cache/${name%_test.py} python3 -B "$1"
}

# ended PROCESS FILE: waits for it and shows what it printed; as successful as the process.
ended() {
  local code=0
  wait "$1" || code=$?
  cat "$2"
  return $code
}

# build_and_run SCALE STORE OPTIONS...: builds in default ways, says bytes an edge, and runs PageRank.
build_and_run() {
  local scale=$1 store=$2
  shift 2
  local millrace=$build/millrace begin=$SECONDS
  "$millrace" -q generate rmat --scale "$scale" --orientation in -o "$store" "$@" || return 1
  echo "built in $((SECONDS - begin)) s"
  "$millrace" info "$store"
  "$millrace" -q run pagerank "$store" --iterations 3 --verbose || return 1
  rm -rf "$store"
}
if [[ $large == yes ]]; then
  [[ $built == yes ]] || step "build" build_all
  work=$(mktemp -d "${work:-${TMPDIR:-/tmp}}/millrace-large.XXXXXX")
  memory_work=$(mktemp -d "$memory_work/millrace-large.XXXXXX")
  trap 'clean_up; rm -rf "$work" "$memory_work"' EXIT
  step "RMAT 30" build_and_run 30 "$work/rmat30.store"
  step "RMAT 31" build_and_run 31 "$memory_work/rmat31.store" --stripe "$work" --stripe "$memory_work"
else
  [[ -d $data/real ]] || { echo "gpu_suite.sh: there are no published graphs in $data (--data DIR, --take-along)" >&2; exit 2; }
  [[ $built == yes ]] || step "build" build_all
  gpu_seen || { echo "gpu_suite.sh: $build/millrace sees no GPU" >&2; exit 1; }
  step "tests on the GPU" on_gpu
  # The command's tests compute on the cpu for most of their time: meanwhile the GPU's are checked by compute-sanitizer.
  beside=$(mktemp -d)
  python_test tests/cli/devices_test.py >"$beside/command" 2>&1 & command_tests=$!
  python_test tests/cli/real_graphs_test.py >"$beside/graphs" 2>&1 & graph_tests=$!
  if [[ $sanitizer_limit != 0 ]]; then
    step "memcheck" sanitize memcheck '*Small*:GpuPushItems.*:GpuPull.*'
    step "racecheck" sanitize racecheck 'RaceCheck.*'
  fi
  step "the command" ended $command_tests "$beside/command"
  step "real graphs" ended $graph_tests "$beside/graphs"
fi

say "done"
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
echo "everything passed"
