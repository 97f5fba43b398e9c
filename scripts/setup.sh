#!/usr/bin/env bash
# Installs the Debian packages that are missing; says nothing when none is.
# Usage: scripts/setup.sh [build] [test] [python] [extra] [format] [clang] [cache] [package]     (default: build)
set -euo pipefail

packages=()  # what Debian calls them
tools=()     # the commands they bring, to recognise a machine that is not Debian
for group in "${@:-build}"; do
  case $group in
    build)
      packages+=(build-essential cmake ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev libzstd-dev
                 liburing-dev libmetis-dev libgtest-dev python3)
      tools+=(make g++ cmake ninja python3) ;;
    test)  # what results are compared with, and what reads scripts and man pages; tests skip what is missing
      packages+=(python3-networkx python3-scipy man-db groff-base) ;;
    python)  # what builds the Python package, in an environment of its own
      packages+=(python3-dev python3-venv python3-pip) ;;
    extra)  # a browser for the page of reports, and shells for completion; tests skip what is missing
      packages+=(chromium chromium-driver python3-selenium zsh fish) ;;
    format)
      packages+=(clang-format-14)
      tools+=(clang-format-14) ;;
    clang)  # for the tsan and fuzz presets: libomp brings Archer, llvm the symboliser of reports
      packages+=(clang-14 libclang-rt-14-dev libomp-14-dev llvm-14)
      tools+=(clang++-14) ;;
    cache)  # a second build takes what is the same from the first
      packages+=(ccache)
      tools+=(ccache) ;;
    package)  # dpkg-dev finds what a .deb depends on, by the help of file; debootstrap is for the test of packages
      packages+=(dpkg-dev file debootstrap)
      tools+=(dpkg-shlibdeps file) ;;
    *)
      echo "setup: unknown group '$group'; write build, test, python, extra, format, clang, cache or package" >&2
      exit 2 ;;
  esac
done

# On a system without Debian's packages, the tools are looked for, and what is to be installed by hand is said.
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  lacking=()
  for tool in "${tools[@]}"; do
    command -v "$tool" >/dev/null || lacking+=("$tool")
  done
  [[ ${#lacking[@]} -eq 0 ]] && exit 0
  cat >&2 <<END
setup: missing: ${lacking[*]}. This system is not of Debian's family, so nothing is installed for you. To build, Millrace
needs g++ 12 or later, CMake 3.25 or later, Ninja, Python 3, and the headers of CLI11, fmt 9 or later, nlohmann-json,
zlib and GoogleTest (without it: CMAKE_FLAGS=-DMILLRACE_TESTS=OFF); zstd, liburing and METIS are used where they are
found. Not tried, but these should bring them:
  Fedora  dnf install gcc-c++ cmake ninja-build python3 cli11-devel fmt-devel json-devel zlib-devel libzstd-devel liburing-devel metis-devel gtest-devel
  Arch    pacman -S base-devel cmake ninja python cli11 fmt nlohmann-json zlib zstd liburing metis gtest
The Debian packages asked for here are: ${packages[*]}
END
  exit 1
fi

installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' "${packages[@]}" 2>/dev/null || true)"
missing=()
for package in "${packages[@]}"; do
  [[ $installed == *" installed=$package "* ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: installing packages needs root, and there is no sudo. Run this as root, then try again:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]} (by apt-get, for the whole system)"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }
apt update
apt install -y --no-install-recommends "${missing[@]}" >/dev/null
