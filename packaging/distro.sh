#!/usr/bin/env bash
# ./run check distro: the fast tests in a Debian 13 root folder, which ./run fills from nothing but
# git as it would a new machine. A second time only builds what changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. packaging/install.sh
. packaging/bare_root.sh

root="$PWD/.cache/debian-13"

# The working tree as git sees it, replacing the earlier copy but not what was built from it.
copy_tree() {
  mkdir -p "$root/hone"
  find "$root/hone" -mindepth 1 -maxdepth 1 ! -name build ! -name .cache -exec rm -rf {} +
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do if [ -e "$file" ]; then printf '%s\0' "$file"; fi; done |
    tar --null --files-from=- -cf - | tar -C "$root/hone" -xf -
}

must_be_root "check distro"
command -v git >/dev/null || die "check distro copies what git lists: install git"
make_bare_root "$root" trixie git,ca-certificates
copy_tree
say "running the fast tests on Debian 13"
inside_root "$root" /hone/run test fast
