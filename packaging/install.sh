# Sourced by ./run: what a command needs is looked for, and only what is missing is installed.
# Package names stand in packaging/<distribution>.txt; the format is described in debian-12.txt.

say() { echo "run: $*"; }

die() {
  echo "run: $*" >&2
  exit 1
}

# "debian-12", "ubuntu-22.04", or whatever /etc/os-release calls this system.
distribution() {
  (
    ID=unknown VERSION_ID=""
    [ -r /etc/os-release ] && . /etc/os-release
    echo "$ID${VERSION_ID:+-$VERSION_ID}"
  )
}

# The list for this system. An unknown one gets Debian 12's names, to be read rather than installed.
package_list() {
  local list="packaging/$(distribution).txt"
  if [ -f "$list" ]; then echo "$list"; else echo packaging/debian-12.txt; fi
}

package_is_there() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Prints the packages of the named groups that are missing. Without dpkg only commands are looked
# for; libraries are then CMake's to find.
missing_packages() {
  local group package probe
  while read -r group package probe; do
    [[ " $* " == *" $group "* ]] || continue
    if [ "$probe" != - ]; then
      command -v "$probe" >/dev/null || echo "$package"
    elif command -v dpkg-query >/dev/null; then
      package_is_there "$package" || echo "$package"
    fi
  done < <(sed 's/#.*//' "$(package_list)")
}

# Root runs a command as it is, others through sudo; sudo asks for a password only at a terminal.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif [ -t 0 ]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

can_install() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }

apt_install() {
  local log=.cache/apt.log
  mkdir -p .cache
  say "installing: $*"
  # The lists are fetched each time: a cached one may name files that the mirror has dropped.
  if ! { as_root apt-get -o Acquire::Retries=3 update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install -y \
      --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    die "the packages could not be installed (whole log: $log)"
  fi
}

# need GROUP...: returns when everything in these groups is there, or says what is not and stops.
need() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} = 0 ] && return
  if [ ! -f "packaging/$(distribution).txt" ]; then
    die "$(distribution) has no list in packaging/. Install what Debian calls: ${missing[*]}"
  fi
  can_install || die "not root and no sudo. Install first: apt-get install ${missing[*]}"
  apt_install "${missing[@]}"
}

# Prints the path of a Python that has pip: that of a virtual environment in .venv, made when it is
# not there.
tools_python() {
  if [ ! -x .venv/bin/pip ]; then
    if ! python3 -c 'import ensurepip' 2>/dev/null; then need format >&2; fi
    mkdir -p .cache
    if ! python3 -m venv .venv >.cache/venv.log 2>&1 </dev/null; then
      tail -n 5 .cache/venv.log >&2
      die "no virtual environment could be made in .venv (whole log: .cache/venv.log)"
    fi
  fi
  echo .venv/bin/python
}

# Prints the path of the clang-format that packaging/tools.txt pins, fetching its wheel into .venv
# when no clang-format of that very version is at hand.
pinned_clang_format() {
  local wanted candidate
  wanted="$(sed -n 's/^clang-format==//p' packaging/tools.txt)"
  for candidate in .venv/bin/clang-format "$(command -v clang-format || true)"; do
    if [ -n "$candidate" ] && "$candidate" --version 2>/dev/null | grep -qwF "$wanted"; then
      echo "$candidate"
      return
    fi
  done
  tools_python >/dev/null
  say "fetching clang-format $wanted into .venv" >&2
  if ! .venv/bin/pip install -q -r packaging/tools.txt >.cache/venv.log 2>&1 </dev/null; then
    tail -n 5 .cache/venv.log >&2
    die "clang-format $wanted could not be fetched (whole log: .cache/venv.log)"
  fi
  echo .venv/bin/clang-format
}
