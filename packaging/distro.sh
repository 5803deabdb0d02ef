#!/usr/bin/env bash
# ./run check distro: the fast tests in a Debian 13 root folder, which ./run fills from nothing but
# git as it would a new machine. The folder stays in .cache/debian-13, so a second time only builds
# what changed. Its mounts live in a namespace of their own and end with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. packaging/install.sh

root="$PWD/.cache/debian-13"

make_root() {
  if [ -f "$root/made" ]; then return; fi
  need distro
  say "making a Debian 13 root in .cache/debian-13"
  rm -rf "$root"
  mkdir -p .cache
  mmdebstrap --variant=minbase --include=git,ca-certificates trixie "$root" \
    >.cache/mmdebstrap.log 2>&1 </dev/null ||
    die "mmdebstrap failed: $(tail -n 3 .cache/mmdebstrap.log) (whole log: .cache/mmdebstrap.log)"
  touch "$root/made"
}

# The working tree as git sees it, replacing the earlier copy but not what was built from it.
copy_tree() {
  mkdir -p "$root/hone"
  find "$root/hone" -mindepth 1 -maxdepth 1 ! -name build ! -name .cache -exec rm -rf {} +
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
    tar --null --files-from=- -cf - | tar -C "$root/hone" -xf -
}

run_inside() {
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  unshare --mount bash -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 1
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$1" /hone/run test fast
  ' inside "$root" </dev/null
}

[ "$(id -u)" = 0 ] || die "check distro mounts and changes root: run it as root (sudo ./run check distro)"
command -v git >/dev/null || die "check distro copies what git lists: install git"
make_root
copy_tree
say "running the fast tests on Debian 13"
run_inside
