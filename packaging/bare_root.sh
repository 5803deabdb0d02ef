# Sourced after install.sh: Debian root folders with nothing but what is named, to try things in as
# on a new machine. They stay in .cache/ and are entered as root.

# make_bare_root FOLDER SUITE PACKAGE,...
make_bare_root() {
  local root="$1" suite="$2" packages="$3"
  if [ -f "$root/made" ]; then return; fi
  need distro
  say "making a bare Debian root ($suite) in ${root#"$PWD"/}"
  rm -rf "$root"
  mkdir -p .cache
  mmdebstrap --variant=minbase --include="$packages" "$suite" "$root" \
    >.cache/mmdebstrap.log 2>&1 </dev/null ||
    die "mmdebstrap failed: $(tail -n 3 .cache/mmdebstrap.log) (whole log: .cache/mmdebstrap.log)"
  touch "$root/made"
}

# inside_root FOLDER COMMAND...: the mounts live in a namespace of their own and end with it.
inside_root() {
  local root="$1"
  shift
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  unshare --mount bash -c '
    root="$1"; shift
    mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" || exit 1
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$root" "$@"
  ' inside "$root" "$@" </dev/null
}

# For commands that mount and change root.
must_be_root() {
  [ "$(id -u)" = 0 ] || die "$1 mounts and changes root: run it as root (sudo ./run $1)"
}
