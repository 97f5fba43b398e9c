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

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  for tool in "${tools[@]}"; do
    command -v "$tool" >/dev/null && continue
    echo "setup: '$tool' is missing, and this is not Debian: install what matches these Debian packages:" >&2
    echo "  ${packages[*]}" >&2
    exit 1
  done
  exit 0
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
    echo "setup: installing packages needs root, and there is no sudo. Run this as root:" >&2
    echo "  apt-get update && apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${missing[*]} (apt-get, as root: packages are shared by the whole system)"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }
apt update
apt install -y --no-install-recommends "${missing[@]}" >/dev/null
