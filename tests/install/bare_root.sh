# Sourced by the tests in this folder: a bare Debian 12 in a folder, and commands in it. Needs root, debootstrap and the
# mirror of this machine's apt. A script that sources it is started again with mounts of its own, which end with it.

skip() { echo "SKIPPED: $1"; exit 77; }
[[ $EUID -eq 0 ]] || skip "making a root file system needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (scripts/setup.sh package)"
[[ ${MILLRACE_OWN_MOUNTS:-} ]] || exec env MILLRACE_OWN_MOUNTS=1 unshare --mount --propagation private "$0" "$@"

# make_root: a bare system in $root, below $work; both are removed when the script ends.
make_root() {
  local suite=bookworm mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 'Created-By: Packages' | head -n 1)
  [[ $mirror ]] || skip "apt of this machine has no mirror of $suite"
  work=$(mktemp -d)
  root=$work/root
  trap 'umount -R "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
  echo "debootstrap $suite ..."
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
  mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
}

# inside COMMAND...: in the bare system, with nothing of this machine's environment.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
