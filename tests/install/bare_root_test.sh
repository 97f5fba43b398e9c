#!/usr/bin/env bash
# Tries the packages in a bare Debian 12, which has no compiler and no library beyond what Debian itself needs: first the
# .tar.zst in a folder of its own, then the .deb by apt. Needs root, debootstrap and the mirror of this machine's apt.
# Usage: tests/install/bare_root_test.sh FOLDER     (FOLDER has both packages)
set -euo pipefail

source "$(dirname "$0")/bare_root.sh"

one() {  # the one file that a pattern names
  [[ $# -eq 1 && -f $1 ]] || { echo "expected one file, found: $*" >&2; exit 1; }
  realpath "$1"
}
deb=$(one "$1"/millrace_*.deb)
tar=$(one "$1"/millrace-*.tar.zst)
make_root

if inside sh -c 'command -v cc || command -v gcc || command -v c++'; then
  echo "there is a compiler in the bare system"; exit 1
fi

# try COMMAND: its version, an import, PageRank.
try() {
  printf '\n== %s\n' "$1"
  inside "$1" --version
  inside sh -c 'rm -rf /tmp/t && mkdir /tmp/t && printf "0 1\n1 2\n2 0\n3 0\n" >/tmp/t/edges.txt'
  inside "$1" import /tmp/t/edges.txt -o /tmp/t/g.store
  inside "$1" run pagerank /tmp/t/g.store --check -o /tmp/t/ranks.txt
  [[ $(wc -l <"$root/tmp/t/ranks.txt") -eq 4 ]]
}
# require FOLDER: the man pages, the completion scripts and the licences are below it.
require() {
  for file in man/man1/millrace.1 man/man1/millrace-run-bfs.1 bash-completion/completions/millrace \
      zsh/site-functions/_millrace fish/vendor_completions.d/millrace.fish doc/millrace/copyright; do
    [[ -s $root$1/share/$file ]] || { echo "$1/share/$file is missing"; exit 1; }
  done
}

mkdir -p "$root/srv/some where"
tar --zstd -xf "$tar" -C "$root/srv/some where"
unpacked=$(cd "$root" && ls -d srv/some\ where/*)
require "/$unpacked"
try "/$unpacked/bin/millrace"
if inside ldd "/$unpacked/bin/millrace" | grep 'not found'; then exit 1; fi
inside ln -s "/$unpacked/bin/millrace" /usr/bin/millrace-by-link
try /usr/bin/millrace-by-link
[[ ! -e $root/$unpacked/include ]] || { echo "the archive has headers"; exit 1; }
rm -rf "$root/srv/some where" "$root/usr/bin/millrace-by-link"

cp "$deb" "$root/tmp/millrace.deb"
inside apt-get -qq update
inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install /tmp/millrace.deb \
  >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
require /usr
try /usr/bin/millrace
inside dpkg --status millrace | grep -E '^(Version|Depends):'
inside apt-get -qq -y remove millrace >/dev/null 2>&1
[[ ! -e $root/usr/bin/millrace && ! -e $root/usr/share/man/man1/millrace.1 ]]
printf '\nboth packages work\n'
