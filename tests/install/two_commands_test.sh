#!/usr/bin/env bash
# A newcomer's first hour: a clone of the last commit in a bare Debian 12, which has neither make nor git nor a compiler,
# and there the two commands of the README, as root. Takes half an hour on 2 cores. Needs root, debootstrap, and the
# mirror of this machine's apt. Without PyPI the Python package is left out, as the commands say.
# Usage: tests/install/two_commands_test.sh
set -euo pipefail
source "$(dirname "$0")/bare_root.sh"

repository=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
make_root
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# pip trusts whom this machine trusts. In a place of its own: the package ca-certificates writes the usual one.
install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/pip-certificates.crt"
printf '[global]\ncert = /etc/pip-certificates.crt\n' >"$root/etc/pip.conf"
for tool in make git g++ cmake python3 sudo; do
  ! inside sh -c "command -v $tool" || { echo "the bare system has $tool"; exit 1; }
done
git clone -q "$repository" "$root/root/millrace"

# The commands are those that the README shows.
mapfile -t commands < <(sed -n '/^## Two commands/,/^## /{/^scripts\//{s/ *#.*//;p}}' "$repository/README.md")
[[ ${#commands[@]} -eq 2 ]] || { echo "the README shows ${#commands[@]} commands instead of two"; exit 1; }
for command in "${commands[@]}"; do
  printf '\n== %s\n' "$command"
  begin=$SECONDS
  inside sh -c "cd /root/millrace && $command" </dev/null
  echo "== $command: $((SECONDS - begin)) s"
done
