#!/usr/bin/env bash
# Everything that has to pass on a machine with a GPU, in one call and on one page: builds with warnings as errors, all
# tests on the GPU, memory and races checked on the small ones, the command, and real graphs.
#
#   scripts/gpu_suite.sh [--build DIR] [--no-build | --build-only] [--data DIR] [--processes N] [--limit S]
#                        [--sanitizer-limit S] [--deadline S] [--no-mps] [--large [--work DIR] [--memory-work DIR]]
#   scripts/gpu_suite.sh --take-along [--data DIR]
#
#   --build DIR            the build folder (default: build)
#   --no-build             it is there already
#   --build-only           builds only, also the tests that need no GPU
#   --data DIR             published graphs (default: build-data, then ../shared/data)
#   --processes N          that share the GPU (default: one for each 2 cores, at most 8)
#   --limit S              seconds for the tests on the GPU (default: 300)
#   --sanitizer-limit S    seconds for each tool of compute-sanitizer; 0 leaves them out (default: 150)
#   --deadline S           seconds for everything: a step gets what is left of them (default: 3600)
#   --no-mps               the processes run their kernels in turn, instead of side by side by NVIDIA's MPS
#   --large                instead: RMAT 30 and 31 by default options but --orientation in, and PageRank on them; 112 GB
#                          of host memory, 60 GB of disk (RMAT 30; 31 takes 47), and 73 GB of a memory file system
#   --work DIR             on a disk, for --large (default: a temporary directory)
#   --memory-work DIR      in a memory file system, for --large (default: /dev/shm; if that is too small, root gets one
#                          that is large enough and removed at the end)
#   --take-along           instead: copies the published graphs to build-data/, for a machine that has only this tree
#
# Ends with 1 if anything failed. Keeps how long each test took, for the next call.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."
# A path that the caller named; it is relative to the caller's folder.
named() { (cd "$caller" && realpath -m "$1"); }

build=$PWD/build data="" processes=0 limit=300 sanitizer_limit=150 deadline=3600 mps=yes large=no built=no only=no
work="" memory_work=/dev/shm take=no
export MILLRACE_NEEDS_GPU=1
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' scripts/gpu_suite.sh; exit 0 ;;
    --no-build) built=yes; shift; continue ;;
    --build-only) only=yes; shift; continue ;;
    --no-mps) mps=no; shift; continue ;;
    --large) large=yes; shift; continue ;;
    --take-along) take=yes; shift; continue ;;
    --build | --data | --processes | --limit | --sanitizer-limit | --deadline | --work | --memory-work)
      [[ $# -ge 2 ]] || { echo "gpu_suite.sh: $1 wants a value" >&2; exit 2; } ;;
  esac
  case $1 in
    --build) build=$(named "$2") ;;
    --data) data=$(named "$2") ;;
    --processes) processes=$2 ;;
    --limit) limit=$2 ;;
    --sanitizer-limit) sanitizer_limit=$2 ;;
    --deadline) deadline=$2 ;;
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
mps_folder="" beside="" mounted="" made=""
# What still runs is ended: nothing is left behind, also by a signal.
clean_up() {
  jobs=$(jobs -p)
  [[ -z $jobs ]] || { kill $jobs; wait $jobs; } 2>/dev/null || true
  end_mps
  [[ -z $beside ]] || rm -rf "$beside"
  [[ -z $mounted ]] || umount "$mounted" 2>/dev/null || true
  [[ -z $made ]] || rm -rf "$made"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failed=()
# within S: S, or what is left until the deadline.
within() { echo $((deadline - SECONDS < $1 ? (deadline - SECONDS > 1 ? deadline - SECONDS : 1) : $1)); }
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
  # Where packages cannot be installed, CMake says what is missing.
  timeout 120 scripts/setup.sh build || true
  local targets=(millrace_cli millrace_gpu_tests)
  [[ $only == no ]] || targets+=(millrace_tests)
  { cmake --preset release -B "$build" -D MILLRACE_CUDA=ON -D CMAKE_COMPILE_WARNING_AS_ERROR=ON &&
      cmake --build "$build" --target "${targets[@]}"; } >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }
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
  shared --title "tests on the GPU" --limit "$(within "$limit")" --times "$build/gpu-times.json" "$gpu_tests" || code=$?
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
  shared --title "$1" --limit "$(within "$sanitizer_limit")" --times "$build/gpu-times-$1.json" --filter "$2" -- \
    compute-sanitizer --tool "$1" --error-exitcode 99 "$gpu_tests"
}
# In the background: timeout takes the place of the shell, so that a signal ends the test and what it runs.
python_test() {  # FILE
  local name=${1##*/}
  exec env MILLRACE="$build/millrace" MILLRACE_SHARED_DATA="$data" \
    MILLRACE_TEST_CACHE="$build/tests/cache/${name%_test.py}" timeout -k 10 "$(within 500)" python3 -B "$1"
}
# The same for plug-ins that nvcc compiles against an installed tree.
own_programs_test() {
  cmake --install "$build" --prefix "$beside/prefix" >/dev/null
  exec timeout -k 10 "$(within 500)" python3 -B tests/install/own_programs_test.py \
    --millrace "$beside/prefix/bin/millrace" --prefix "$beside/prefix" --work "$beside/own_programs"
}

# ended PROCESS FILE: waits for it and shows what it printed; as successful as the process.
ended() {
  local code=0
  wait "$1" || code=$?
  cat "$2"
  return $code
}

# build_and_run SCALE STORE OPTIONS...: builds in default ways, says bytes an edge, and runs PageRank on the GPU.
build_and_run() {
  local store=$2 code=0
  build_and_run_there "$@" || code=1
  rm -rf "$store"
  return $code
}
build_and_run_there() {
  local scale=$1 store=$2
  shift 2
  local millrace=$build/millrace begin=$SECONDS text
  text=$(timeout "$(within 400)" "$millrace" generate rmat --scale "$scale" --orientation in -o "$store" "$@" 2>&1) ||
    { echo "$text" | tail -n 5; return 1; }
  echo "built in $((SECONDS - begin)) s: $(grep -o 'sorted and encoded on [a-z0-9:]*' <<<"$text")"
  grep -q "on cuda" <<<"$text" || { echo "no GPU made the pages"; return 1; }
  "$millrace" info "$store"
  timeout "$(within 300)" "$millrace" -q run pagerank "$store" --device cuda --iterations 3 --verbose
}
# A folder with room for what RMAT 31 leaves there: half of its pages, ids and degrees.
open_memory_work() {
  local needed=73000000000 there
  made=$(mktemp -d "$memory_work/millrace-large.XXXXXX") || return 1
  memory_work=$made
  there=$(df --output=avail -B1 "$memory_work" | tail -n 1)
  (( there < needed )) || return 0
  if mount -t tmpfs -o size=$needed,mode=0700 millrace-large "$memory_work" 2>/dev/null; then
    mounted=$memory_work
    return 0
  fi
  echo "gpu_suite.sh: $memory_work has room for $there bytes, and RMAT 31 leaves $needed there (--memory-work DIR)" >&2
  return 1
}
if [[ $only == yes ]]; then
  step "build" build_all
elif [[ $large == yes ]]; then
  [[ $built == yes ]] || step "build" build_all
  gpu_seen || { echo "gpu_suite.sh: $build/millrace sees no GPU" >&2; exit 1; }
  work=$(mktemp -d "${work:-${TMPDIR:-/tmp}}/millrace-large.XXXXXX")
  trap 'clean_up; rm -rf "$work"' EXIT
  open_memory_work || exit 1
  step "RMAT 30" build_and_run 30 "$work/rmat30.store"
  step "RMAT 31" build_and_run 31 "$memory_work/rmat31.store" --stripe "$work" --stripe "$memory_work"
else
  [[ -d $data/real ]] || { echo "gpu_suite.sh: there are no published graphs in $data (--data DIR, --take-along)" >&2; exit 2; }
  [[ $built == yes ]] || step "build" build_all
  gpu_seen || { echo "gpu_suite.sh: $build/millrace sees no GPU" >&2; exit 1; }
  step "tests on the GPU" on_gpu
  # The command's tests that look for GPUs compute on the cpu for most of their time: meanwhile the GPU's are checked by
  # compute-sanitizer. Tests of the Python package on a GPU (python/tests/test_gpu.py) need the package, and are not here.
  beside=$(mktemp -d)
  mapfile -t files < <(grep -l 'harness.gpus()' tests/cli/*_test.py)
  tests=()
  for file in "${files[@]}"; do
    python_test "$file" >"$beside/${file##*/}" 2>&1 & tests+=($!)
  done
  own_programs_test >"$beside/own_programs_test.py" 2>&1 & tests+=($!)
  files+=(tests/install/own_programs_test.py)
  if [[ $sanitizer_limit != 0 ]]; then
    step "memcheck" sanitize memcheck '*Small*:GpuPushItems.*:GpuPull.*'
    step "racecheck" sanitize racecheck 'RaceCheck.*'
  fi
  for i in "${!files[@]}"; do step "${files[i]}" ended "${tests[i]}" "$beside/${files[i]##*/}"; done
fi

say "done"
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'failed: %s\n' "${failed[@]}"
  exit 1
fi
echo "everything passed"
